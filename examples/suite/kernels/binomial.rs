kernels! { Binomial:
    kernel keep(rate, volatility, dt, log_step, u, d, discount, up, down, price, level)
    fn fold(
        t: ThreadX, n: usize, rate: f32, volatility: f32, stock: &[f32], strike: &[f32], years: &[f32], out: &mut [f32],
    ) {
        if t < n {
            let dt = years[t] / 256.0;
            let log_step = volatility * dt.sqrt();
            let u = log_step.exp();
            let d = (-log_step).exp();
            let discount = (-rate * dt).exp();
            // The discounted probabilities of a step up and of a step down.
            let up = (1.0 - discount * d) / (u - d);
            let down = discount - up;
            let mut level = [0.0; 257];
            for i in 0..257 {
                let price = stock[t] * (log_step * ((2 * i) as f32 - 256.0)).exp();
                level[i] = (price - strike[t]).max(0.0);
            }
            for step in 0..256 {
                for i in 0..256 - step {
                    level[i] = up * level[i + 1] + down * level[i];
                }
            }
            out[t] = cvt_rn(level[0]);
        }
    }
}
