//! NEON's arithmetic on f16 (FEAT_FP16): rounded once to nearest even, subnormals kept, a NaN for a
//! NaN.
//!
//! It is written in `asm!`, since the intrinsics are newer than the workspace's oldest compiler.
// Invariant: a value of `Fp16` exists only where the CPU has FEAT_FP16; `asm!` touches registers alone.

use core::arch::aarch64::{vandq_u16, vdupq_n_u16, vmvnq_u16};
use core::arch::asm;

use super::{H, Neon};
use crate::backend::lanes::engine::{ArithmeticF16, Quick};

/// A CPU that has NEON and FEAT_FP16.
#[derive(Clone, Copy)]
pub(crate) struct Fp16(());

#[inline_in_release]
impl Fp16 {
    /// If the engine says that it has the arithmetic.
    pub(super) fn of<const FP16: bool>(_: Neon<FP16>) -> Option<Self> {
        FP16.then_some(Self(()))
    }
}

/// Functions that enable the instructions.
macro_rules! enabled {
    ($($function:item)*) => {$(
        #[inline]
        #[target_feature(enable = "neon,fp16")]
        $function
    )*};
}

macro_rules! two_operands {
    ($($name:ident $instruction:literal;)*) => {$(
        enabled! {
            fn $name(a: H, b: H) -> H {
                let d;
                // SAFETY: the function enables the instruction, which reads and writes registers
                // alone.
                unsafe {
                    asm!(
                        concat!($instruction, " {d:v}.8h, {a:v}.8h, {b:v}.8h"),
                        d = lateout(vreg) d, a = in(vreg) a, b = in(vreg) b,
                        options(pure, nomem, nostack),
                    );
                }
                d
            }
        }
    )*};
}

two_operands! {
    fadd "fadd";
    fsub "fsub";
    fmul "fmul";
    fmax "fmax";
    fmin "fmin";
    fmaxnm "fmaxnm";
    fcmgt "fcmgt";
    fcmge "fcmge";
    fcmeq "fcmeq";
}

enabled! {
    fn fmla(a: H, b: H, c: H) -> H {
        let mut d = c;
        // SAFETY: the function enables the instruction, which reads and writes registers alone.
        unsafe {
            asm!(
                "fmla {d:v}.8h, {a:v}.8h, {b:v}.8h",
                d = inout(vreg) d, a = in(vreg) a, b = in(vreg) b,
                options(pure, nomem, nostack),
            );
        }
        d
    }
}

#[inline_in_release]
impl ArithmeticF16<H, H> for Fp16 {
    instructions! {
        H => H, same => same:
        add(a b) fadd; sub(a b) fsub; mul(a b) fmul; fma(a b c) fmla; max(a b) fmax; min(a b) fmin;
        gt(a b) fcmgt; ge(a b) fcmge; eq(a b) fcmeq;
    }
    fn quick_max(self, _: H, _: H) -> Option<Quick<H, H>> {
        None
    }
    fn quick_min(self, _: H, _: H) -> Option<Quick<H, H>> {
        None
    }
    fn unordered(self, a: H, b: H) -> H {
        let (a, b) = (simd!(fcmeq(a, a)), simd!(fcmeq(b, b)));
        let both = simd!(vandq_u16(a, b));
        simd!(vmvnq_u16(both))
    }
    fn flushed(self, _: H) -> Option<H> {
        None
    }
    // The maximum of a quiet NaN and a number is the number.
    fn saturated(self, x: H) -> H {
        let (zero, one) = (simd!(vdupq_n_u16(0)), simd!(vdupq_n_u16(0x3C00)));
        let positive = simd!(fmaxnm(x, zero));
        simd!(fmin(positive, one))
    }
    fn rare(self, _: H, _: bool) -> Option<H> {
        None
    }
}
