//! `a × b + c` of binary32 values in binary64, one lane at a time and without a branch, so that
//! compilers vectorise it.
//!
//! `float.rs` next door says why one rounding of a sum rounded to odd is right. Here NaN and
//! infinities pass through as the hardware has them; the caller makes every NaN canonical.

use crate::modifiers::Round;

/// `a × b + c` of f32 values, rounded once.
#[inline_in_release]
pub(super) fn fma_f32(rnd: Round, a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(|x| f64::from(f32::from_bits(x)));
    sum_f32(rnd, a * b, c)
}

/// `a + b` of f32 values, rounded once.
#[inline_in_release]
pub(super) fn add_f32(rnd: Round, a: u32, b: u32) -> u32 {
    let [a, b] = [a, b].map(|x| f64::from(f32::from_bits(x)));
    sum_f32(rnd, a, b)
}

/// `a × b` of f32 values, rounded once: the product is exact in binary64.
#[inline_in_release]
pub(super) fn mul_f32(rnd: Round, a: u32, b: u32) -> u32 {
    let [a, b] = [a, b].map(|x| f64::from(f32::from_bits(x)));
    round_f32(rnd, a * b)
}

#[inline_in_release]
fn sum_f32(rnd: Round, x: f64, y: f64) -> u32 {
    let sum = sum_to_odd(x, y);
    let d = round_f32(rnd, sum);
    // Rounding down, a zero is positive only if both summands are.
    let negative = (rnd == Round::Rm && sum == 0.0 && (x.to_bits() | y.to_bits()) >> 63 != 0) as u32;
    d | negative << 31
}

/// Rounds `y`, exact or rounded to odd.
#[inline_in_release]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn round_f32(rnd: Round, y: f64) -> u32 {
    let nearest = y as f32;
    let back = f64::from(nearest);
    let bits = nearest.to_bits();
    // Of the two neighbours of an inexact value, `nearest` may be the wrong one. Towards zero the
    // bits count down, and an infinity becomes the largest finite value.
    let (inward, outward) = match rnd {
        Round::Rn => return bits,
        Round::Rz => (back.abs() > y.abs(), false),
        Round::Rm => (back > y && y > 0.0, back > y && y < 0.0),
        Round::Rp => (back < y && y < 0.0, back < y && y > 0.0),
    };
    bits - inward as u32 + outward as u32
}

/// `a × b + c` of bf16 values as a binary32 value that is the bf16 result.
#[inline_in_release]
pub(super) fn fma_bf16(a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(|x| f64::from(f32::from_bits(x)));
    let sum = sum_to_odd(a * b, c);
    let magnitude = sum.abs();
    // To 8 significant bits.
    let bits = magnitude.to_bits();
    let normal = f64::from_bits((bits + ((1 << 44) - 1) + (bits >> 45 & 1)) & !((1 << 45) - 1));
    // To multiples of 2^-133.
    let unit = f64::from_bits((1023 + 52 - 133) << 52);
    let subnormal = (magnitude + unit) - unit;
    let least = f64::from_bits((1023 - 126) << 52);
    let rounded = if magnitude < least { subnormal } else { normal };
    // Exact, or beyond the largest binary32 value. A NaN loses its payload's end at most.
    #[expect(clippy::cast_possible_truncation, reason = "exact")]
    let d = if sum.is_nan() { f32::NAN } else { rounded as f32 };
    d.to_bits() | ((sum.to_bits() >> 63) as u32) << 31
}

/// `x + y` rounded to odd.
#[inline_in_release]
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let s = x + y;
    let z = s - x;
    let error = (x - (s - z)) + (y - z);
    // An infinite sum has NaN for an error and stays as it is.
    let inexact = (error.abs() > 0.0) as u64;
    let beyond = ((error < 0.0) != (s < 0.0)) as u64;
    // Truncated; then the last bit is set if anything is missing.
    f64::from_bits((s.to_bits() - (inexact & beyond)) | inexact)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::format::{BFloat16, Binary32};
    use crate::modifiers::Modifiers;
    use crate::sem;

    /// Bits that meet: few exponents, edges among them, and numbers whose sums overflow.
    pub(in crate::backend::lanes) fn operands(n: usize) -> impl Iterator<Item = [u32; 3]> {
        let mut state = 1_u64;
        (0..n).map(move |_| {
            [0; 3].map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let x = (state >> 32) as u32;
                match x & 7 {
                    0 => {
                        [0, 1, 0x7F_FFFF, 0x80_0000, 0x3F80_0000, 0x7F7F_FFFF, 0x7F80_0000, 0x7FC0_0000]
                            [(x >> 3 & 7) as usize]
                            | x & 0x8000_0000
                    }
                    1..=4 => x & 0x83FF_FFFF | 0x3C00_0000,
                    5 => x & 0x80FF_FFFF,
                    6 => x & 0x80FF_FFFF | 0x7E80_0000,
                    _ => x,
                }
            })
        })
    }

    pub(in crate::backend::lanes) fn canonical(x: u32) -> u32 {
        if x & 0x7FFF_FFFF > 0x7F80_0000 { 0x7FFF_FFFF } else { x }
    }

    #[test]
    fn every_rounding_of_f32_is_the_meaning() {
        for [a, b, c] in operands(200_000) {
            for rnd in [Round::Rn, Round::Rz, Round::Rm, Round::Rp] {
                let m = Modifiers::PLAIN.with_rnd(rnd);
                let d = [fma_f32(rnd, a, b, c), add_f32(rnd, a, b), mul_f32(rnd, a, b)].map(canonical);
                let want =
                    [sem::fma::<Binary32>(m, a, b, c), sem::add::<Binary32>(m, a, b), sem::mul::<Binary32>(m, a, b)];
                assert_eq!(d, want, "{rnd:?} {a:#x} {b:#x} {c:#x}");
            }
        }
    }

    #[test]
    fn fma_of_bf16_is_the_meaning() {
        for [a, b, c] in operands(500_000) {
            let d = canonical(fma_bf16(a & 0xFFFF_0000, b & 0xFFFF_0000, c & 0xFFFF_0000));
            let want = sem::fma::<BFloat16>(Modifiers::PLAIN, (a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16);
            assert_eq!(d >> 16, want.into(), "{a:#x} {b:#x} {c:#x}");
        }
    }
}
