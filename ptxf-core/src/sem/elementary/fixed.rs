//! Fixed-point arithmetic on 128 bits.

use super::Real;

/// Computes ⌊a · b · 2⁻⁶⁴⌋.
#[inline]
pub(super) const fn mul64(a: u128, b: u64) -> u128 {
    let low = (a as u64 as u128 * b as u128) >> 64;
    (a >> 64) * b as u128 + low
}

/// Computes a · b · 2⁻¹²⁸, at most two units too low.
#[inline]
pub(super) const fn mul(a: u128, b: u128) -> u128 {
    mul64(a, (b >> 64) as u64) + (mul64(a, b as u64) >> 64)
}

/// Computes ⌊a / b⌋ for coefficients. Long division avoids a call of the runtime library's 128-bit
/// division.
pub(super) const fn div_small(a: u128, b: u32) -> u128 {
    let (mut quotient, mut rest, mut shift) = (0, 0, 128);
    while shift > 0 {
        shift -= 32;
        let digit = rest << 32 | (a >> shift) as u64 & 0xFFFF_FFFF;
        quotient = quotient << 32 | (digit / b as u64) as u128;
        rest = digit % b as u64;
    }
    quotient
}

/// Computes n / d in Q128 for n < d, too low by at most 2⁻¹¹⁷ of itself plus 2⁻¹²⁵.
#[inline]
pub(super) const fn ratio(n: u128, d: u128) -> u128 {
    let shift = d.leading_zeros();
    let (n, d) = (n << shift, d << shift);
    // Newton's iteration for 1/d, always from below: relative errors under 2⁻³⁰, 2⁻⁵⁹, 2⁻¹¹⁸.
    let r = (u64::MAX / ((d >> 96) as u64 + 1)) << 31;
    let error = (1 << 127) - (d >> 64) * r as u128;
    let r = r + ((r as u128 * (error >> 34)) >> 93) as u64;
    // The step above used a truncated d; 4 units are more than its error.
    let r = r - 4;
    let error = (1 << 127) - mul64(d, r);
    let r = ((r as u128) << 64) + (mul64(error, r) << 1);
    mul(n, r) << 1
}

/// Computes c₀ ± c₁z + c₂z² ± … in Q126, for z <= ¼ in Q128, with an error below 2⁻⁶⁰z⁵ + 2⁻⁶³c₂z.
///
/// From z⁵ on 64 bits are enough, and 64 bits of z everywhere except in the last step. The terms
/// decrease fast enough that no alternating sum becomes negative.
#[inline]
pub(super) fn horner<const N: usize, const ALTERNATING: bool>(c: &[u128; N], z: u128) -> u128 {
    let step = |c: u128, term: u128| if ALTERNATING { c - term } else { c + term };
    let short = (z >> 64) as u64;
    let tail = c[5..].iter().rfold(0, |sum, &c| step(c >> 64, (sum * u128::from(short)) >> 64));
    let sum = c[1..5].iter().rfold(tail << 64, |sum, &c| step(c, mul64(sum, short)));
    step(c[0], mul(sum, z))
}

/// Computes the Taylor coefficients cᵏ/k!, k = `first`, `first` + 2, …, in Q126, for c in Q127.
pub(super) const fn taylor<const N: usize>(c: u128, first: u32) -> [u128; N] {
    let mut coefficients = [0; N];
    let mut term = 1 << 126;
    let (mut k, mut i) = (0, 0);
    while i < N {
        if k == first + 2 * i as u32 {
            coefficients[i] = term;
            i += 1;
        }
        k += 1;
        term = div_small(mul(term, c) << 1, k);
    }
    coefficients
}

/// A fixed-point number, as the nearest integer and the distance to it.
pub(super) struct Split {
    /// The nearest integer.
    pub(super) integer: u32,
    /// `true` if the number is less than the integer.
    pub(super) below: bool,
    /// Distance to the integer in Q128, at most ½.
    pub(super) distance: u128,
}

/// Splits v, in Q`point`, at the nearest integer (which wraps to 0 with the word).
#[inline]
pub(super) const fn split(v: u128, point: u32) -> Split {
    let integer = v.wrapping_add(1 << (point - 1)) >> point;
    let rest = v.wrapping_sub(integer << point).cast_signed();
    Split { integer: integer as u32, below: rest < 0, distance: rest.unsigned_abs() << (128 - point) }
}

/// Converts the nonzero number v, in Q`point`, to an inexact real.
#[inline]
pub(super) const fn real(negative: bool, v: u128, point: i32) -> Real {
    let shift = v.leading_zeros();
    Real { negative, sig: (v << shift >> 64) as u64, exp: 64 - shift.cast_signed() - point, inexact: true }
}
