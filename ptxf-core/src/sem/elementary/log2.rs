//! The binary logarithm.

use super::Real;
use super::fixed::{div_small, horner, mul, ratio, real};

/// 2 / ln 2 in Q126: the first 128 bits of 1/ln 2.
const TWO_OVER_LN_2: u128 = 0xB8AA_3B29_5C17_F0BB_BE87_FED0_691D_3E88;

/// ⌊√2 · 2⁶³⌋, the limit between significands; its exact value does not matter.
const SQRT_2: u64 = 0xB504_F333_F9DE_6484;

/// The coefficients 2 / ((2k + 1) ln 2). The first omitted term is below 2⁻⁸⁰ of the sum.
const COEFFICIENTS: [u128; 15] = {
    let mut c = [0; 15];
    let mut k = 0;
    while k < 15 {
        c[k] = div_small(TWO_OVER_LN_2, 2 * k as u32 + 1);
        k += 1;
    }
    c
};

/// Computes log₂ x for a positive x, within 2⁻⁵ of a unit, or returns `None` for x = 1.
///
/// Exact for powers of two.
#[must_use]
#[inline]
pub(in crate::sem) fn log2(x: Real) -> Option<Real> {
    // x = m · 2ᵏ with √½ < m <= √2; `one` is the weight of 1 in m.
    let (k, one) = if x.sig > SQRT_2 { (x.exponent() + 1, 1 << 64) } else { (x.exponent(), 1 << 63) };
    let m = u128::from(x.sig);
    if m == one {
        return (k != 0).then(|| {
            let shift = k.unsigned_abs().leading_zeros();
            Real {
                negative: k < 0,
                sig: u64::from(k.unsigned_abs()) << 32 << shift,
                exp: -32 - shift.cast_signed(),
                inexact: false,
            }
        });
    }
    // log₂ m = (2 / ln 2) · artanh s, s = (m − 1) / (m + 1), |s| < 0.172.
    let s = ratio(m.abs_diff(one), m + one);
    let log = mul(horner::<_, false>(&COEFFICIENTS, mul(s, s)), s);
    // In Q117, because |k| < 2¹⁰. For k = 0 `log` is at least 2⁻²⁵ and keeps 92 bits.
    let log = (log >> 9).cast_signed();
    let sum = (i128::from(k) << 117) + if m < one { -log } else { log };
    Some(real(sum < 0, sum.unsigned_abs(), 117))
}
