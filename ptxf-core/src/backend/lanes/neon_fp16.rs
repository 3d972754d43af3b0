//! NEON's arithmetic on f16 (FEAT_FP16): rounded once to nearest even, subnormals kept, a NaN for a NaN.
//!
//! The intrinsics are newer than the workspace's oldest compiler.
// Invariant: functions that enable FEAT_FP16 are called where the CPU has it; `asm!` touches registers alone.

use core::arch::aarch64::uint16x8_t;
use core::arch::asm;

macro_rules! two_operands {
    ($($name:ident $instruction:literal;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon,fp16")]
        pub(super) fn $name(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
            let d;
            // SAFETY: the function enables the instruction, which reads and writes registers alone.
            unsafe {
                asm!(
                    concat!($instruction, " {d:v}.8h, {a:v}.8h, {b:v}.8h"),
                    d = lateout(vreg) d, a = in(vreg) a, b = in(vreg) b,
                    options(pure, nomem, nostack),
                );
            }
            d
        }
    )*};
}

two_operands! {
    add_f16 "fadd";
    sub_f16 "fsub";
    mul_f16 "fmul";
}

/// `a × b + c`, rounded once.
#[inline]
#[target_feature(enable = "neon,fp16")]
pub(super) fn fma_f16(a: uint16x8_t, b: uint16x8_t, c: uint16x8_t) -> uint16x8_t {
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
