//! Kernels whose time is told by one instruction or by memory alone.
//!
//! | kernel | thread `i` |
//! |---|---|
//! | `wide_FORM` | [`WIDE`] chains started by `a[i]`, each [`STEPS`] · `rounds` steps of `x = form(x, b[i], c[i])`; `d[i]` is their XOR |
//! | `deep_FORM` | one such chain: the steps wait for each other |
//! | `stream_copy` | 16 bytes, `d[i] = a[i]` |
//! | `stream_fma_f16x2`, `stream_fma_f32` | 16 bytes of each, `d[i] = fma(a[i], b[i], c[i])` |
//!
//! The host knows the chains by the same rules (`tools/silicon/src/bench.rs`) and checks their
//! results before it times them.
// Invariant: every array has `n` elements, and the output overlaps none of the others.

#![no_std]
#![feature(abi_ptx, stdarch_nvptx)]

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, ptx};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// Chains of a `wide` kernel; enough to fill the pipeline of one warp.
const WIDE: usize = 8;

/// Steps without a branch between them.
const STEPS: usize = 16;

#[inline(always)]
fn index() -> u32 {
    // SAFETY: special registers are always readable.
    unsafe { (_block_idx_x() * _block_dim_x() + _thread_idx_x()) as u32 }
}

macro_rules! chains {
    ($($wide:ident $deep:ident $function:ident $ty:ident $bits:ident $operands:tt;)*) => {$(
        chain!($wide WIDE $function $ty $bits $operands);
        chain!($deep 1 $function $ty $bits $operands);
    )*};
}

macro_rules! step {
    ($function:ident $x:ident $b:ident $c:ident 1) => {
        ptx::$function($x)
    };
    ($function:ident $x:ident $b:ident $c:ident 3) => {
        ptx::$function($x, $b, $c)
    };
}

macro_rules! chain {
    ($name:ident $chains:tt $function:ident $ty:ident $bits:ident $operands:tt) => {
        /// # Safety
        ///
        /// Every array has at least `n` elements; `d` overlaps none of the others.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            d: *mut $bits,
            a: *const $bits,
            b: *const $bits,
            c: *const $bits,
            n: u32,
            rounds: u32,
        ) {
            let i = index();
            if i >= n {
                return;
            }
            let i = i as usize;
            // SAFETY: `i < n`, the length of every array.
            let (start, b, c) = unsafe { (*a.add(i), $ty::from_bits(*b.add(i)), $ty::from_bits(*c.add(i))) };
            let _ = (b, c);
            // Chains that start alike would be one chain to the compiler.
            let mut x: [$ty; $chains] = core::array::from_fn(|k| $ty::from_bits(start.wrapping_add(k as $bits)));
            let mut round = 0;
            while round < rounds {
                let mut step = 0;
                while step < STEPS {
                    let mut k = 0;
                    while k < $chains {
                        let v = x[k];
                        x[k] = step!($function v b c $operands);
                        k += 1;
                    }
                    step += 1;
                }
                round += 1;
            }
            let result = x.iter().fold(0, |all, x| all ^ x.to_bits());
            // SAFETY: `i < n`, the length of every array.
            unsafe { *d.add(i) = result };
        }
    };
}

chains! {
    wide_fma_rn_f32 deep_fma_rn_f32 fma_rn_f32 f32 u32 3;
    wide_fma_rn_f16 deep_fma_rn_f16 fma_rn_f16 F16 u16 3;
    wide_fma_rn_f16x2 deep_fma_rn_f16x2 fma_rn_f16x2 F16x2 u32 3;
    wide_fma_rn_bf16 deep_fma_rn_bf16 fma_rn_bf16 Bf16 u16 3;
    wide_fma_rn_bf16x2 deep_fma_rn_bf16x2 fma_rn_bf16x2 Bf16x2 u32 3;
    wide_ex2_approx_ftz_f32 deep_ex2_approx_ftz_f32 ex2_approx_ftz_f32 f32 u32 1;
    wide_ex2_approx_f16 deep_ex2_approx_f16 ex2_approx_f16 F16 u16 1;
    wide_ex2_approx_f16x2 deep_ex2_approx_f16x2 ex2_approx_f16x2 F16x2 u32 1;
    wide_ex2_approx_ftz_bf16x2 deep_ex2_approx_ftz_bf16x2 ex2_approx_ftz_bf16x2 Bf16x2 u32 1;
    wide_tanh_approx_f32 deep_tanh_approx_f32 tanh_approx_f32 f32 u32 1;
    wide_tanh_approx_f16 deep_tanh_approx_f16 tanh_approx_f16 F16 u16 1;
    wide_tanh_approx_f16x2 deep_tanh_approx_f16x2 tanh_approx_f16x2 F16x2 u32 1;
    wide_tanh_approx_bf16x2 deep_tanh_approx_bf16x2 tanh_approx_bf16x2 Bf16x2 u32 1;
}

/// What one memory instruction of a thread moves at most.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Words([u32; 4]);

macro_rules! stream {
    ($name:ident |$a:ident, $b:ident, $c:ident, $i:ident| $result:expr) => {
        /// # Safety
        ///
        /// Every array has at least `n` elements; `d` overlaps none of the others.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            d: *mut Words,
            $a: *const Words,
            $b: *const Words,
            $c: *const Words,
            n: u32,
        ) {
            let _ = ($b, $c);
            let $i = index();
            if $i < n {
                let $i = $i as usize;
                // SAFETY: `i < n`, the length of every array.
                unsafe { *d.add($i) = $result };
            }
        }
    };
}

#[inline(always)]
fn each(a: Words, b: Words, c: Words, f: impl Fn(u32, u32, u32) -> u32) -> Words {
    Words(core::array::from_fn(|k| f(a.0[k], b.0[k], c.0[k])))
}

#[inline(always)]
fn fma_f16x2(a: u32, b: u32, c: u32) -> u32 {
    ptx::fma_rn_f16x2(F16x2::from_bits(a), F16x2::from_bits(b), F16x2::from_bits(c)).to_bits()
}

#[inline(always)]
fn fma_f32(a: u32, b: u32, c: u32) -> u32 {
    ptx::fma_rn_f32(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)).to_bits()
}

stream!(stream_copy | a, b, c, i | *a.add(i));
stream!(stream_fma_f16x2 | a, b, c, i | each(*a.add(i), *b.add(i), *c.add(i), fma_f16x2));
stream!(stream_fma_f32 | a, b, c, i | each(*a.add(i), *b.add(i), *c.add(i), fma_f32));
