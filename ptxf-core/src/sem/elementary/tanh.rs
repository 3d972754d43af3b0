//! The hyperbolic tangent.

use super::exp2::cosh_sinh;
use super::fixed::{ratio, real, split};
use super::{ONE, Real};

/// log₂ e in Q103: the first 104 bits of 1/ln 2.
const LOG2_E: u128 = 0xB8_AA3B_295C_17F0_BBBE_87FE_D069;

/// Computes tanh x, within 2⁻³ of a unit.
#[must_use]
#[inline]
pub(in crate::sem) fn tanh(x: Real) -> Real {
    let e = x.exponent();
    if e < -32 {
        // x − x³/3 and further terms: less than one unit below x.
        return x.just_below();
    }
    if e >= 5 {
        // 1 − 2e^(−2x) and further terms: less than one unit below 1.
        return Real { negative: x.negative, ..ONE.just_below() };
    }
    // e^|x| = 2^(n + f): |x| log₂ e in Q122, as 24 × 104 bits.
    let n = split((u128::from(x.sig >> 40) * LOG2_E) >> (4 - e), 122);
    let (cosh, sinh) = cosh_sinh(n.distance);
    // (e^x − e^−x) / (e^x + e^−x), both divided by 2ⁿ. There is no cancellation: n = 0 leaves 2
    // sinh / 2 cosh, and from n = 1 on sinh is at most half of the other terms.
    let shift = 2 * n.integer;
    let (minus, plus) = (cosh - (cosh >> shift), cosh + (cosh >> shift));
    let (odd_plus, odd_minus) = (sinh + (sinh >> shift), sinh - (sinh >> shift));
    let quotient =
        if n.below { ratio(minus - odd_plus, plus - odd_minus) } else { ratio(minus + odd_plus, plus + odd_minus) };
    real(x.negative, quotient, 128)
}
