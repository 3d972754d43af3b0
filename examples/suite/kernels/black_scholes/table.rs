kernels_with! { BlackScholes, price_by_table:
    f16 {
        ptxf::unary_table!(static CND: F16 -> F16 = |d| 0.5 * (1 + erf(d / SQRT_2)));
    }
    bf16 {
        ptxf::unary_table!(static CND: Bf16 -> Bf16 = |d| 0.5 * (1 + erf(d / SQRT_2)));
    }
    helper keep()
    fn cnd(d: f32) -> f32 {
        CND.get(d)
    }
}
