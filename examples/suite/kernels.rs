//! One text of a kernel, five kernels.

/// Makes a benchmark's kernels for f32, f16 and bf16, the halves with and without the variables of `keep` in f32.
///
/// `#[ptx_kernel]` takes one element type and one list of variables to keep, so the text that stands here once is stamped
/// into a module for each. What the rest of the file sees is a trait `Kernels` of the element types, with a function per
/// kernel that returns the sibling which a [`Launch`](crate::launch::Launch) asks for, and `Run` for the benchmark. The name
/// behind `kernel` is the type of the siblings.
///
/// Helpers come first; items that differ between the formats, such as tables, stand in `f16 { … } bf16 { … }`.
macro_rules! kernels {
    (
        $of:ty:
        $(f16 { $($f16:item)* } bf16 { $($bf16:item)* })?
        $(helper keep($($kept_by_helper:ident),*) fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        $(kernel $sibling:ident keep($($kept:ident),*) fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        $crate::kernels::kernels!(@module in_f32 F32x2 { $($($f16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
        $crate::kernels::kernels!(@module in_f16 F16x2 { $($($f16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
        $crate::kernels::kernels!(@module in_f16_keep F16x2 { $($($f16)*)? }
            $([keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*
            ; $([keep($($kept),*)] fn $kernel $parameters $body)+);
        $crate::kernels::kernels!(@module in_bf16 Bf16x2 { $($($bf16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
        $crate::kernels::kernels!(@module in_bf16_keep Bf16x2 { $($($bf16)*)? }
            $([keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*
            ; $([keep($($kept),*)] fn $kernel $parameters $body)+);

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
    (
        @module $module:ident $pair:ident { $($item:item)* }
        $([$($keep_in_helper:tt)*] fn $helper:ident $helper_parameters:tt $helper_body:tt)*
        ; $([$($keep:tt)*] fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        mod $module {
            $($item)*
            $(#[ptxf::ptx_fn($($keep_in_helper)*)] fn $helper $helper_parameters -> f32 $helper_body)*
            $(#[ptxf::ptx_kernel(pair = $pair, $($keep)*)] pub(super) fn $kernel $parameters $body)+
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
