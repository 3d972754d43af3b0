kernels_with! { BlackScholes, price:
    helper keep(z, k, w)
    fn cnd(d: f32) -> f32 {
        let z = d;
        let k = 1.0 / (1.0 + 0.2316419 * z.abs());
        let mut w = 0.3989422804 * (-0.5 * z * z).exp()
            * (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
        if d > 0.0 {
            w = 1.0 - w;
        }
        cvt_rn(w)
    }
}
