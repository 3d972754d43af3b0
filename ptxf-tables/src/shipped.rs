//! The instructions' tables, one for each feature.
//!
//! The files hold the results of `ptxf-core`, which `tests/shipped.rs` compares. A build script
//! that computed them would compile `ptxf-core` a second time for each user of a table. A changed
//! file is a change of results, and so a breaking change.

macro_rules! shipped {
    ($($feature:literal $name:ident $ty:ident $file:literal $form:literal $x:literal $d:literal;)*) => {$(
        #[doc = concat!("`", $form, "`, as `ptxf` computes it: the default model.")]
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use ptxf::", stringify!($ty), ";")]
        #[doc = concat!("use ptxf::tables::", stringify!($name), ";")]
        ///
        #[doc = concat!("let x = ", stringify!($ty), "::from_f32(", $x, ");")]
        #[doc = concat!("assert_eq!(", stringify!($name), ".get(x).to_bits(), ", $d, ");")]
        /// ```
        #[doc(alias = $form)]
        #[cfg(feature = $feature)]
        pub static $name: crate::UnaryTable<ptxf_core::$ty, ptxf_core::$ty> =
            crate::UnaryTable::from_le_bytes(*include_bytes!(concat!("shipped/", $file, ".bin")));
    )*};
}

shipped! {
    "ex2-approx-f16" EX2_APPROX_F16 F16 "ex2_approx_f16" "ex2.approx.f16" "0.5" "0x3da8";
    "ex2-approx-ftz-bf16" EX2_APPROX_FTZ_BF16 Bf16 "ex2_approx_ftz_bf16" "ex2.approx.ftz.bf16" "0.5" "0x3fb5";
    "tanh-approx-f16" TANH_APPROX_F16 F16 "tanh_approx_f16" "tanh.approx.f16" "0.5" "0x3765";
    "tanh-approx-bf16" TANH_APPROX_BF16 Bf16 "tanh_approx_bf16" "tanh.approx.bf16" "0.5" "0x3eed";
}
