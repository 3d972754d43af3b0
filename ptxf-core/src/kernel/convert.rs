//! Between f32 and the 16-bit formats, and comparison of pairs: the instructions of a device where it has them.
//!
//! They are not in the table, whose chapters have neither.

#[cfg(target_arch = "nvptx64")]
use super::op::Cmp;
#[cfg(target_arch = "nvptx64")]
use crate::backend::nvptx;
use crate::types::{Bf16, Bf16x2, F16, F16x2};

/// `cvt.rn.f16.f32`
#[inline(always)]
pub(super) fn to_f16(x: f32) -> F16 {
    #[cfg(target_arch = "nvptx64")]
    return F16::from_bits(nvptx::convert!("cvt.rn.f16.f32", reg16, reg32, x));
    #[cfg(not(target_arch = "nvptx64"))]
    F16::from_f32(x)
}

/// `cvt.f32.f16`
#[inline(always)]
pub(super) fn of_f16(x: F16) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    return nvptx::convert!("cvt.f32.f16", reg32, reg16, x.to_bits());
    #[cfg(not(target_arch = "nvptx64"))]
    x.to_f32()
}

/// `cvt.rn.bf16.f32`
#[inline(always)]
pub(super) fn to_bf16(x: f32) -> Bf16 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    return Bf16::from_bits(nvptx::convert!("cvt.rn.bf16.f32", reg16, reg32, x));
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    Bf16::from_f32(x)
}

/// The upper half of a word.
#[inline(always)]
pub(super) fn of_bf16(x: Bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// `cvt.rn.f16x2.f32`, whose first operand is the upper lane.
#[inline(always)]
pub(super) fn to_f16x2([low, high]: [f32; 2]) -> F16x2 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    return F16x2::from_bits(nvptx::binary!("cvt.rn.f16x2.f32", reg32, high, low));
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    F16x2::from_bits(pack([to_f16(low), to_f16(high)].map(F16::to_bits)))
}

/// `cvt.rn.bf16x2.f32`, whose first operand is the upper lane.
#[inline(always)]
pub(super) fn to_bf16x2([low, high]: [f32; 2]) -> Bf16x2 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    return Bf16x2::from_bits(nvptx::binary!("cvt.rn.bf16x2.f32", reg32, high, low));
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    Bf16x2::from_bits(pack([to_bf16(low), to_bf16(high)].map(Bf16::to_bits)))
}

/// Two halves of a word, the lower one first. As a move of a pair the assembler can make it part of the instruction that reads it;
/// what the compiler writes, a shift and an or, stays two.
#[inline(always)]
pub(super) fn pack([low, high]: [u16; 2]) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    return nvptx::pack!(low, high);
    #[cfg(not(target_arch = "nvptx64"))]
    {
        u32::from(high) << 16 | u32::from(low)
    }
}

/// The bits that `set` returns for a comparison of pairs.
#[cfg(target_arch = "nvptx64")]
macro_rules! set {
    ($to:literal, $ty:literal, $op:ident, $a:ident, $b:ident) => {{
        let (a, b): (u32, u32) = ($a.to_bits(), $b.to_bits());
        let d: u32 = match $op {
            Cmp::Lt => nvptx::binary!(concat!("set.lt.", $to, ".", $ty), reg32, a, b),
            Cmp::Le => nvptx::binary!(concat!("set.le.", $to, ".", $ty), reg32, a, b),
            Cmp::Gt => nvptx::binary!(concat!("set.gt.", $to, ".", $ty), reg32, a, b),
            Cmp::Ge => nvptx::binary!(concat!("set.ge.", $to, ".", $ty), reg32, a, b),
            Cmp::Eq => nvptx::binary!(concat!("set.eq.", $to, ".", $ty), reg32, a, b),
            // True for a NaN.
            Cmp::Ne => nvptx::binary!(concat!("set.neu.", $to, ".", $ty), reg32, a, b),
        };
        d
    }};
}

/// A comparison, if the target has it: all ones or none in each half of the word.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn compare_f16x2(op: Cmp, a: F16x2, b: F16x2) -> Option<u32> {
    // Ones and none since PTX 6.5, which `sm_80` brings.
    #[cfg(any(target_feature = "sm_80", target_feature = "ptx65", target_feature = "ptx70"))]
    return Some(set!("u32", "f16x2", op, a, b));
    // The numbers 1 and 0, of which bit 10 tells.
    #[cfg(not(any(target_feature = "sm_80", target_feature = "ptx65", target_feature = "ptx70")))]
    if cfg!(any(target_feature = "sm_53", target_feature = "sm_70")) {
        return Some((set!("f16x2", "f16x2", op, a, b) >> 10 & 0x0001_0001) * 0xFFFF);
    }
    #[allow(unreachable_code, reason = "on targets that have it")]
    None
}

/// A comparison, if the target has it: all ones or none in each half of the word.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn compare_bf16x2(op: Cmp, a: Bf16x2, b: Bf16x2) -> Option<u32> {
    #[cfg(target_feature = "sm_90")]
    return Some(set!("u32", "bf16x2", op, a, b));
    #[cfg(not(target_feature = "sm_90"))]
    {
        let _ = (op, a, b);
        None
    }
}
