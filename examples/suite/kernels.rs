//! Instantiates a kernel's text eight times: with `fuse` in f32, and in f16 and bf16 without and
//! with `keep`. Without `fuse` and `keep` only `scalar` runs, in each of the three formats.
//!
//! The texts are in `kernels/`. The CPU's code and `probes/suite` for devices both include them.

include!("kernels/modules.rs");
pub(crate) use modules;

/// Expands items for bf16: always on a CPU, and on a device that has bf16.
macro_rules! bf16 {
    ($($item:tt)*) => { $($item)* };
}
pub(crate) use bf16;

/// Expands to a function that launches a kernel, with the kernel's parameters except the indices.
///
/// The first argument selects the function: `[declared]` in the trait `Kernels`,
/// `[for in_f32 in_f32 unfused_f32]` its implementation for f32 without and with `keep`, and
/// without `fuse`, `[by_hand]` for a handwritten kernel.
macro_rules! launcher {
    ($which:tt fn $kernel:ident ($($parameters:tt)*)) => {
        $crate::kernels::launcher! { @ $which $kernel [] $($parameters)* }
    };
    (@ $which:tt $kernel:ident $done:tt $index:ident: ThreadX, $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel $done $($rest)* }
    };
    (@ $which:tt $kernel:ident $done:tt $index:ident: ThreadY, $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel $done $($rest)* }
    };
    (@ $which:tt $kernel:ident $done:tt $index:ident: LocalX, $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel $done $($rest)* }
    };
    (@ $which:tt $kernel:ident $done:tt $index:ident: LocalY, $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel $done $($rest)* }
    };
    (@ $which:tt $kernel:ident $done:tt $index:ident: BlockX, $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel $done $($rest)* }
    };
    (@ $which:tt $kernel:ident [$($done:tt)*] $name:ident: &[f32], $($rest:tt)*) => {
        $crate::kernels::launcher! { @ $which $kernel [$($done)* ($name: &[Self])] $($rest)* }
    };
    (@ $which:tt $kernel:ident [$($done:tt)*] $name:ident: &mut [f32] $(, $($rest:tt)*)?) => {
        $crate::kernels::launcher! { @ $which $kernel [$($done)* ($name: &mut [Self])] $($($rest)*)? }
    };
    (@ $which:tt $kernel:ident [$($done:tt)*] $name:ident: $of:ty $(, $($rest:tt)*)?) => {
        $crate::kernels::launcher! { @ $which $kernel [$($done)* ($name: $of)] $($($rest)*)? }
    };
    (@ [declared] $kernel:ident [$(($name:ident: $of:ty))*]) => {
        #[allow(clippy::too_many_arguments, reason = "as many as the kernel's")]
        fn $kernel(launch: $crate::launch::Launch<'_>, grid: ptxf::kernel::Grid, $($name: $of),*);
    };
    (@ [for $plain:ident $keep:ident $unfused:ident] $kernel:ident [$(($name:ident: $of:ty))*]) => {
        fn $kernel(launch: $crate::launch::Launch<'_>, grid: ptxf::kernel::Grid, $(mut $name: $of),*) {
            use $crate::launch::Way;
            let module = if launch.keep { stringify!($keep) } else { stringify!($plain) };
            if launch.on_device(module, stringify!($kernel), grid, &mut [$(&mut $name),*]) {
                return;
            }
            match (launch.way, launch.keep) {
                (Way::Scalar, false) if !launch.fuse => $unfused::$kernel::scalar(grid, $($name),*),
                _ if !launch.fuse => unreachable!("without `fuse` there is `scalar` alone"),
                (Way::Scalar, false) => $plain::$kernel::scalar(grid, $($name),*),
                (Way::Pair | Way::Many, false) => $plain::$kernel::pair(grid, $($name),*),
                (Way::Wide, false) => $plain::$kernel::wide(grid, $($name),*),
                (Way::Scalar, true) => $keep::$kernel::scalar(grid, $($name),*),
                (Way::Pair | Way::Many, true) => $keep::$kernel::pair(grid, $($name),*),
                (Way::Wide, true) => $keep::$kernel::wide(grid, $($name),*),
            }
        }
    };
    (@ [by_hand] $kernel:ident [$(($name:ident: $of:ty))*]) => {
        #[allow(clippy::too_many_arguments, reason = "as many as the kernel's")]
        pub fn $kernel(launch: $crate::launch::Launch<'_>, grid: ptxf::kernel::Grid, $(mut $name: $of),*) {
            if !launch.by_hand_on_device(stringify!($kernel), grid, &mut [$(&mut $name),*]) {
                $kernel::$kernel::launch(grid, $($name),*);
            }
        }
    };
}
pub(crate) use launcher;

/// Expands to a benchmark's kernels by [`modules!`], and to their interface.
///
/// The interface is a trait `Kernels` of the element types, with a [`launcher!`] for each kernel,
/// and `Run` for the benchmark, which is named first.
macro_rules! kernels {
    (
        $of:ty:
        $(f16 $f16:tt bf16 $bf16:tt)?
        $(helper keep $kept_by_helper:tt fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        $(kernel keep $kept:tt fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        $crate::kernels::modules! {
            $(f16 $f16 bf16 $bf16)?
            $(helper keep $kept_by_helper fn $helper $helper_parameters -> f32 $helper_body)*
            $(kernel keep $kept fn $kernel $parameters $body)+
        }
        $crate::kernels::modules! { @unfused
            $(f16 $f16 bf16 $bf16)?
            $(helper keep $kept_by_helper fn $helper $helper_parameters -> f32 $helper_body)*
            $(kernel keep $kept fn $kernel $parameters $body)+
        }

        /// The element types of the kernels.
        trait Kernels: $crate::real::Real {
            $($crate::kernels::launcher! { [declared] fn $kernel $parameters })+
        }
        impl Kernels for f32 {
            $($crate::kernels::launcher! { [for in_f32 in_f32 unfused_f32] fn $kernel $parameters })+
        }
        impl Kernels for ptxf::F16 {
            $($crate::kernels::launcher! { [for in_f16 in_f16_keep unfused_f16] fn $kernel $parameters })+
        }
        impl Kernels for ptxf::Bf16 {
            $($crate::kernels::launcher! { [for in_bf16 in_bf16_keep unfused_bf16] fn $kernel $parameters })+
        }

        impl $crate::benchmark::Run for $of {
            fn run(&self, format: $crate::real::Format, launch: $crate::launch::Launch<'_>) -> $crate::benchmark::Output {
                match format {
                    $crate::real::Format::F32 => self.launch::<f32>(launch),
                    $crate::real::Format::F16 => self.launch::<ptxf::F16>(launch),
                    $crate::real::Format::Bf16 => self.launch::<ptxf::Bf16>(launch),
                }
            }
        }
    };
}
pub(crate) use kernels;

/// Expands to a handwritten kernel and its [`launcher!`].
macro_rules! by_hand {
    (fn $kernel:ident $parameters:tt $body:tt) => {
        // A kernel takes the names of a type and of a function, and the launcher has that of the
        // function.
        mod $kernel {
            use super::*;

            #[ptxf::ptx_kernel(prefix = hand)]
            pub fn $kernel $parameters $body
        }

        $crate::kernels::launcher! { [by_hand] fn $kernel $parameters }
    };
}

pub mod by_hand;
