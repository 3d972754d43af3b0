kernels! { Binomial:
    kernel Fold keep(spread, up, down, price, level)
    fn fold(
        t: ThreadX, n: usize, stock: &[f32], strike: &[f32], log_step: &[f32], chance_up: &[f32], chance_down: &[f32],
        out: &mut [f32],
    ) {
        if t < n {
            let spread = log_step[t];
            let up = chance_up[t];
            let down = chance_down[t];
            let mut level = [0.0; 257];
            for i in 0..257 {
                let price = stock[t] * (spread * ((2 * i) as f32 - 256.0)).exp();
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
