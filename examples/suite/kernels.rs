//! One text of a kernel, five kernels.
//!
//! The texts are in `kernels/`; what the CPU runs and what `cargo xtask ptx` compiles for devices, xtask/probes/kernels, both
//! include them.

include!("kernels/modules.rs");
pub(crate) use modules;

/// What is for bf16: here all of it, on a device where the crate's feature asks for it.
macro_rules! bf16 {
    ($($item:tt)*) => { $($item)* };
}
pub(crate) use bf16;

/// Makes a benchmark's kernels: [`modules!`], and what the rest of the file sees.
///
/// That is a trait `Kernels` of the element types, with a function per kernel that returns the sibling which a
/// [`Launch`](crate::launch::Launch) asks for, and `Run` for the benchmark, whose name comes first. The name behind `kernel` is
/// the type of the siblings.
macro_rules! kernels {
    (
        $of:ty:
        $(f16 $f16:tt bf16 $bf16:tt)?
        $(helper keep $kept_by_helper:tt fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        $(kernel $sibling:ident keep $kept:tt fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        $crate::kernels::modules! {
            $(f16 $f16 bf16 $bf16)?
            $(helper keep $kept_by_helper fn $helper $helper_parameters -> f32 $helper_body)*
            $(kernel $sibling keep $kept fn $kernel $parameters $body)+
        }

        /// The element types that the kernels are made for.
        trait Kernels: $crate::real::Real {
            $(fn $kernel(launch: $crate::launch::Launch) -> $sibling<Self>;)+
        }
        $crate::kernels::kernels!(@impl f32, in_f32, in_f32, $($kernel $sibling)+);
        $crate::kernels::kernels!(@impl ptxf::F16, in_f16, in_f16_keep, $($kernel $sibling)+);
        $crate::kernels::kernels!(@impl ptxf::Bf16, in_bf16, in_bf16_keep, $($kernel $sibling)+);

        impl $crate::benchmark::Run for $of {
            fn run(&self, format: $crate::real::Format, launch: $crate::launch::Launch) -> $crate::benchmark::Output {
                match format {
                    $crate::real::Format::F32 => self.launch::<f32>(launch),
                    $crate::real::Format::F16 => self.launch::<ptxf::F16>(launch),
                    $crate::real::Format::Bf16 => self.launch::<ptxf::Bf16>(launch),
                }
            }
        }
    };
    (@impl $element:ty, $plain:ident, $keep:ident, $($kernel:ident $sibling:ident)+) => {
        impl Kernels for $element {
            $(fn $kernel(launch: $crate::launch::Launch) -> $sibling<Self> {
                use $crate::launch::Way;
                match (launch.way, launch.keep) {
                    (Way::Scalar, false) => $plain::$kernel::scalar,
                    (Way::Pair, false) => $plain::$kernel::pair,
                    (Way::Wide, false) => $plain::$kernel::wide,
                    (Way::Scalar, true) => $keep::$kernel::scalar,
                    (Way::Pair, true) => $keep::$kernel::pair,
                    (Way::Wide, true) => $keep::$kernel::wide,
                }
            })+
        }
    };
}
pub(crate) use kernels;
