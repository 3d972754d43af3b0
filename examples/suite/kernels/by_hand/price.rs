use ptxf::{F16x2, ptx};

use super::lanes::{above, both, each, exp, ln, pair, select, splat};

/// The cumulative normal distribution.
#[inline(always)]
fn cnd(d: F16x2) -> F16x2 {
    // 1, 0.2316419, 0.3989422804, −0.5 and the polynomial's, rounded.
    let one = pair(0x3C00);
    let k = both(one, pair(0x336A).mul_add(d.abs(), one), ptx::div_rn_f32);
    let polynomial =
        k * [0xBF49, 0x3F20, 0xB5B4, 0x351C].into_iter().fold(pair(0x3D52), |sum, next| k.mul_add(sum, pair(next)));
    let w = pair(0x3662) * each(pair(0xB800) * d * d, exp) * polynomial;
    select(above(d, F16x2::ZERO), one - w, w)
}

by_hand! {
    fn price(
        t: ThreadX, n: usize, stock: &[F16x2], strike: &[F16x2], years: &[F16x2], rate: f32, volatility: f32,
        call: &mut [F16x2], put: &mut [F16x2],
    ) {
        let (rate, volatility) = (splat(rate), splat(volatility));
        if t < n {
            let (s, x, y) = (stock[t], strike[t], years[t]);
            let one = pair(0x3C00);
            let root = each(y, ptx::sqrt_rn_f32);
            let above = (pair(0x3800) * volatility).mul_add(volatility, rate).mul_add(y, each(both(s, x, ptx::div_rn_f32), ln));
            let d1 = both(above, volatility * root, ptx::div_rn_f32);
            let d2 = (-volatility).mul_add(root, d1);
            let (n1, n2) = (cnd(d1), cnd(d2));
            let discounted = x * each(-rate * y, exp);
            call[t] = s.mul_add(n1, -(discounted * n2));
            put[t] = discounted.mul_add(one - n2, -(s * (one - n1)));
        }
    }
}
