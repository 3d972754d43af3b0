/// Expands to a benchmark's kernels in f32, f16 and bf16, the last two with and without `keep`.
///
/// `#[ptx_kernel]` has one element type and one list of kept variables, so the text is instantiated
/// in a module for each. On a device, the names of entries begin with the module's name.
///
/// All of them fuse products, as CUDA C++ does by default. `@unfused` expands to the same text
/// without `fuse` and `keep`, for the CPU.
///
/// Helpers come first. Items that differ between the formats, such as tables, are in
/// `f16 { … } bf16 { … }`.
macro_rules! modules {
    (
        $(f16 { $($f16:item)* } bf16 { $($bf16:item)* })?
        $(helper keep($($kept_by_helper:ident),*) fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        $(kernel keep($($kept:ident),*) fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        $crate::kernels::modules!(@module in_f32 F32x2 { $($($f16)*)? }
            $([fuse] fn $helper $helper_parameters $helper_body)*
            ; $([fuse] fn $kernel $parameters $body)+);
        $crate::kernels::modules!(@module in_f16 F16x2 { $($($f16)*)? }
            $([fuse] fn $helper $helper_parameters $helper_body)*
            ; $([fuse] fn $kernel $parameters $body)+);
        $crate::kernels::modules!(@module in_f16_keep F16x2 { $($($f16)*)? }
            $([fuse, keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*
            ; $([fuse, keep($($kept),*)] fn $kernel $parameters $body)+);
        $crate::kernels::bf16! {
            $crate::kernels::modules!(@module in_bf16 Bf16x2 { $($($bf16)*)? }
                $([fuse] fn $helper $helper_parameters $helper_body)*
                ; $([fuse] fn $kernel $parameters $body)+);
            $crate::kernels::modules!(@module in_bf16_keep Bf16x2 { $($($bf16)*)? }
                $([fuse, keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*
                ; $([fuse, keep($($kept),*)] fn $kernel $parameters $body)+);
        }
    };
    (
        @unfused
        $(f16 { $($f16:item)* } bf16 { $($bf16:item)* })?
        $(helper keep $kept_by_helper:tt fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        $(kernel keep $kept:tt fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        $crate::kernels::modules!(@module unfused_f32 F32x2 { $($($f16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
        $crate::kernels::modules!(@module unfused_f16 F16x2 { $($($f16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
        $crate::kernels::modules!(@module unfused_bf16 Bf16x2 { $($($bf16)*)? }
            $([] fn $helper $helper_parameters $helper_body)*
            ; $([] fn $kernel $parameters $body)+);
    };
    (
        @module $module:ident $pair:ident { $($item:item)* }
        $([$($helper_options:tt)*] fn $helper:ident $helper_parameters:tt $helper_body:tt)*
        ; $([$($options:tt)*] fn $kernel:ident $parameters:tt $body:tt)+
    ) => {
        mod $module {
            $($item)*
            $(#[ptxf::ptx_fn($($helper_options)*)] fn $helper $helper_parameters -> f32 $helper_body)*
            $(#[ptxf::ptx_kernel(pair = $pair, prefix = $module, $($options)*)]
            pub(super) fn $kernel $parameters $body)+
        }
    };
}
