//! The kernels of examples/idioms, written by `cargo xtask ptx --kernels`, and a tiled matmul.
//!
//! An entry's name is `in_FORMAT_KERNEL_VERSION`, such as `in_f16_keep_softmax_pair`.
// Invariant: between two barriers a tile is only written, each element by its own thread, or only read.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)]
#![expect(dead_code, reason = "entries are for the driver; nothing here starts a kernel")]

mod by_hand;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

/// Expands an idiom's kernels without their launches.
macro_rules! kernels {
    (
        $(const $constant:ident: $of:ty = $value:expr;)*
        $(helper keep($($kept_by_helper:ident),*) fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        kernel keep($($kept:ident),*) fn $kernel:ident $parameters:tt $body:tt
    ) => {
        $(const $constant: $of = $value;)*
        kernels!(@module in_f32 F32x2
            $([] fn $helper $helper_parameters $helper_body)*; [] fn $kernel $parameters $body);
        kernels!(@module in_f16 F16x2
            $([] fn $helper $helper_parameters $helper_body)*; [] fn $kernel $parameters $body);
        kernels!(@module in_f16_keep F16x2
            $([keep($($kept_by_helper),*)] fn $helper $helper_parameters $helper_body)*;
            [keep($($kept),*)] fn $kernel $parameters $body);
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
            fn $kernel $parameters $body
        }
    };
}

include!("../../../target/kernels/idioms.rs");

/// matrixMul from CUDA's samples.
mod tiles {
    kernels! {
        kernel keep(s)
        fn tiles(
            lx: LocalX, ly: LocalY, col: ThreadX, row: ThreadY, width: usize, depth: usize, a: &[f32], b: &[f32], c: &mut [f32],
        ) {
            let mut at = shared::<f32, 16, 16>();
            let mut bt = shared::<f32, 16, 16>();
            let mut s = 0.0;
            for tile in 0..depth / 16 {
                at[ly][lx] = a[row * depth + tile * 16 + lx];
                bt[ly][lx] = b[(tile * 16 + ly) * width + col];
                sync_threads();
                for k in 0..16 {
                    s += unsafe { at[ly][k] * bt[k][lx] };
                }
                sync_threads();
            }
            if col < width {
                c[row * width + col] = cvt_rn(s);
            }
        }
    }
}
