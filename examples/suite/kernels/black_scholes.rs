/// Expands to the kernel with a helper for the distribution, by the caller's `kernels!`.
macro_rules! kernels_with {
    ($of:ty, $price:ident: $($cnd:tt)*) => {
        kernels! { $of:
            $($cnd)*
            kernel keep(s, x, y, rate, volatility, d1, d2, n1, n2, discounted)
            fn $price(
                t: ThreadX, n: usize, stock: &[f32], strike: &[f32], years: &[f32], rate: f32, volatility: f32,
                call: &mut [f32], put: &mut [f32],
            ) {
                if t < n {
                    let s = stock[t];
                    let x = strike[t];
                    let y = years[t];
                    let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * y) / (volatility * y.sqrt());
                    let d2 = d1 - volatility * y.sqrt();
                    let n1 = cnd(cvt_rn(d1));
                    let n2 = cnd(cvt_rn(d2));
                    let discounted = x * (-rate * y).exp();
                    call[t] = cvt_rn(s * n1 - discounted * n2);
                    put[t] = cvt_rn(discounted * (1.0 - n2) - s * (1.0 - n1));
                }
            }
        }
    };
}
use kernels_with;
