//! Conversions between f32 and the 16-bit formats, and comparisons of pairs.

use super::op::Cmp;
#[cfg(target_arch = "nvptx64")]
use crate::backend::nvptx;
use crate::modifiers::Comparison;
use crate::ptx;
use crate::spec;
use crate::types::{Bf16, Bf16x2, F16, F16x2};

/// Converts to f32. `cvt.f32.f16` on a device makes a NaN canonical; a CPU keeps its sign and
/// payload.
#[inline_in_release]
pub(super) fn of_f16(x: F16) -> f32 {
    if cfg!(target_arch = "nvptx64") { ptx::cvt_f32_f16(x) } else { x.to_f32() }
}

/// Converts to f32: the bits become the upper half of the word.
#[inline_in_release]
pub(super) fn of_bf16(x: Bf16) -> f32 {
    f32::from_bits(u32::from(x.to_bits()) << 16)
}

/// Converts by `cvt.rn.f16x2.f32`, whose first operand is the upper lane.
#[inline_in_release]
pub(super) fn to_f16x2([low, high]: [f32; 2]) -> F16x2 {
    ptx::cvt_rn_f16x2_f32(high, low)
}

/// Converts by `cvt.rn.bf16x2.f32`, whose first operand is the upper lane.
#[inline_in_release]
pub(super) fn to_bf16x2([low, high]: [f32; 2]) -> Bf16x2 {
    ptx::cvt_rn_bf16x2_f32(high, low)
}

/// Joins two halves of a word, the lower half first. On a device it is a move of a pair, which the
/// assembler merges into the instruction that reads it. The compiler's shift and or would stay two
/// instructions.
#[inline_in_release]
pub(super) fn pack([low, high]: [u16; 2]) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    return nvptx::pack!(low, high);
    #[cfg(not(target_arch = "nvptx64"))]
    {
        u32::from(high) << 16 | u32::from(low)
    }
}

/// Returns four bytes of two words, by their numbers: the hexadecimal digits of `bytes`, the last
/// one for the lowest byte. 0 is the lowest byte of `a`, and 4 that of `b`. It is one `prmt` on a
/// device.
#[inline_in_release]
pub(super) fn permute(a: u32, b: u32, bytes: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    return nvptx::permute!(a, b, bytes);
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let of = u64::from(b) << 32 | u64::from(a);
        u32::from_le_bytes([0, 4, 8, 12].map(|digit| (of >> (8 * (bytes >> digit & 7))) as u8))
    }
}

/// Compares pairs in a few instructions, with all ones or all zeros in each half of the word.
/// Returns `None` if the target lacks the instruction.
#[inline_in_release]
pub(super) fn compare_f16x2(op: Cmp, a: F16x2, b: F16x2) -> Option<u32> {
    // A target with the `set` that writes numbers also has the one that writes masks.
    const HAS: bool = cfg!(target_arch = "nvptx64") && spec::native("set.lt.f16x2.f16x2");
    HAS.then(|| ptx::set_u32_f16x2(comparison(op), a, b))
}

/// Compares pairs in one instruction, with all ones or all zeros in each half of the word. Returns
/// `None` if the target lacks the instruction.
#[inline_in_release]
pub(super) fn compare_bf16x2(op: Cmp, a: Bf16x2, b: Bf16x2) -> Option<u32> {
    const HAS: bool = cfg!(target_arch = "nvptx64") && spec::native("set.lt.u32.bf16x2");
    HAS.then(|| ptx::set_u32_bf16x2(comparison(op), a, b))
}

/// Returns PTX's name of Rust's comparison.
#[inline_in_release]
const fn comparison(op: Cmp) -> Comparison {
    match op {
        Cmp::Lt => Comparison::Lt,
        Cmp::Le => Comparison::Le,
        Cmp::Gt => Comparison::Gt,
        Cmp::Ge => Comparison::Ge,
        Cmp::Eq => Comparison::Eq,
        // `neu` is true for a NaN.
        Cmp::Ne => Comparison::Neu,
    }
}
