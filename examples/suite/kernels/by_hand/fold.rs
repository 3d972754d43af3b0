use ptxf::kernel::Element;
use ptxf::{F16, F16x2, ptx};

use super::lanes::{both, each, exp, pair, splat, twice};

by_hand! {
    fn fold(
        t: ThreadX, n: usize, rate: f32, volatility: f32, stock: &[F16x2], strike: &[F16x2], years: &[F16x2],
        out: &mut [F16x2],
    ) {
        let (rate, volatility) = (splat(rate), splat(volatility));
        if t < n {
            // 1 and 256.
            let (one, steps) = (pair(0x3C00), pair(0x5C00));
            let dt = both(years[t], steps, ptx::div_rn_f32);
            let log_step = volatility * each(dt, ptx::sqrt_rn_f32);
            let u = each(log_step, exp);
            let d = each(-log_step, exp);
            let discount = each(-rate * dt, exp);
            // The discounted chances of a step up and a step down.
            let up = both((-discount).mul_add(d, one), u - d, ptx::div_rn_f32);
            let down = discount - up;
            let mut level = [F16x2::ZERO; 257];
            for (i, level) in level.iter_mut().enumerate() {
                let steps_up = twice(F16::from_int((2 * i) as i32)) - steps;
                let price = stock[t] * each(log_step * steps_up, exp);
                *level = ptx::max_f16x2(price - strike[t], F16x2::ZERO);
            }
            for step in 0..256 {
                for i in 0..256 - step {
                    level[i] = up.mul_add(level[i + 1], down * level[i]);
                }
            }
            out[t] = level[0];
        }
    }
}
