//! Instantiates a kernel's text in each arithmetic.

pub mod conv2d;
pub mod dequantization;
pub mod layernorm;
pub mod nbody;
pub mod reduction;
pub mod scan;
pub mod softmax;
pub mod sort;
pub mod transposition;

/// Expands an idiom's kernel, `kernel keep(a, b) fn k(…) { … }`, to
///
/// ```text
/// #[ptx_kernel(pair = F16x2)]
/// fn k(…) { … }
/// ```
///
/// and to the same with `keep(a, b)`, to both in `Bf16x2`, and to the first in `F32x2`. The first
/// name is the idiom's type.
///
/// Constants and functions, `helper keep(…) fn f(…) -> f32 { … }` with `#[ptx_fn]`, precede the
/// kernel. The launch follows it: `$kernel` is a version, and the launch returns its results.
macro_rules! kernels {
    (
        $idiom:ty:
        $(const $constant:ident: $of:ty = $value:expr;)*
        $(helper keep($($kept_by_helper:ident),*) fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        kernel keep($($kept:ident),*) fn $kernel:ident $parameters:tt $body:tt
        launch |$data:ident| $launch:block
    ) => {
        $(const $constant: $of = $value;)*
        $crate::kernels::kernels!(@module in_f32 F32x2
            $([] fn $helper $helper_parameters $helper_body)*; [] fn $kernel $parameters $body);
        $crate::kernels::kernels!(@module in_f16 F16x2
            $([] fn $helper $helper_parameters $helper_body)*; [] fn $kernel $parameters $body);
        $crate::kernels::kernels!(@module in_f16_keep F16x2
            $([keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*;
            [keep($($kept),*)] fn $kernel $parameters $body);
        $crate::kernels::kernels!(@module in_bf16 Bf16x2
            $([] fn $helper $helper_parameters $helper_body)*; [] fn $kernel $parameters $body);
        $crate::kernels::kernels!(@module in_bf16_keep Bf16x2
            $([keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*;
            [keep($($kept),*)] fn $kernel $parameters $body);

        impl $crate::idiom::Run for $idiom {
            fn run(&self, arithmetic: $crate::idiom::Arithmetic, way: $crate::idiom::Way) -> Vec<f32> {
                use $crate::idiom::Arithmetic::{Bf16, Bf16Keep, F16, F16Keep, F32};
                let $data = self;
                match arithmetic {
                    F32 => $crate::kernels::kernels!(@launch in_f32 $kernel way $launch),
                    F16 => $crate::kernels::kernels!(@launch in_f16 $kernel way $launch),
                    F16Keep => $crate::kernels::kernels!(@launch in_f16_keep $kernel way $launch),
                    Bf16 => $crate::kernels::kernels!(@launch in_bf16 $kernel way $launch),
                    Bf16Keep => $crate::kernels::kernels!(@launch in_bf16_keep $kernel way $launch),
                }
            }

            fn kept(&self) -> &'static [&'static str] {
                &[$(stringify!($kept)),*]
            }
        }
    };
    (
        @module $module:ident $pair:ident
        $([$($keep_in_helper:tt)*] fn $helper:ident $helper_parameters:tt $helper_body:tt)*;
        [$($keep:tt)*] fn $kernel:ident $parameters:tt $body:tt
    ) => {
        mod $module {
            #[allow(unused_imports, reason = "there may be no constants")]
            use super::*;

            $(#[ptxf::ptx_fn($($keep_in_helper)*)] fn $helper $helper_parameters -> f32 $helper_body)*
            #[ptxf::ptx_kernel(pair = $pair, prefix = $module, $($keep)*)]
            pub(super) fn $kernel $parameters $body
        }
    };
    (@launch $module:ident $kernel:ident $way:ident $launch:block) => {{
        let $kernel = match $way {
            $crate::idiom::Way::Scalar => $module::$kernel::scalar,
            $crate::idiom::Way::Pair => $module::$kernel::pair,
            $crate::idiom::Way::Wide => $module::$kernel::wide,
        };
        let left = $launch;
        left.into_iter().map(ptxf::kernel::Element::widen).collect()
    }};
}
pub(crate) use kernels;
