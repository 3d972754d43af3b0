//! Sine and cosine.

use super::fixed::{horner, mul, real, split, taylor};
use super::{ONE, Real};

/// π/2 in Q127: the first 128 bits of π.
const FRAC_PI_2: u128 = 0xC90F_DAA2_2168_C234_C4C6_628B_80DC_1CD1;

/// 64 zeros and the first 256 bits of 2/π, ⌊2²⁵⁷/π⌋.
///
/// With mpmath: `mp.prec = 400; hex(int(2**257 / pi))`.
const TWO_OVER_PI: [u64; 5] =
    [0, 0xA2F9_836E_4E44_1529, 0xFC27_57D1_F534_DDC0, 0xDB62_9599_3C43_9041, 0xFE51_63AB_DEBB_C561];

// cos(f π/2) and sin(f π/2) / f; the first omitted term is below 2⁻⁷⁷ for f <= ½.
const COS: [u128; 11] = taylor(FRAC_PI_2, 0);
const SIN: [u128; 11] = taylor(FRAC_PI_2, 1);

/// Computes |x| · 2/π modulo 4 in Q126, at most 2⁻¹⁰² too low, for -32 <= exponent of x <= 127.
///
/// The integer 24-bit significand is multiplied by a window of 2/π (Payne and Hanek). The bits to
/// the left of the window contribute multiples of 4, and those to the right less than 2⁻¹⁰². A
/// binary32 x in this range is at least 2⁻³³ from an integer here, so 69 bits count. The nearest to
/// an integer other than 0 is 16,367,173 · 2⁷², at 2⁻³⁰.
#[inline]
fn quarter_turns(x: Real) -> u128 {
    // The table's first bit has the weight 2⁶³, the window's 2, and the significand's last bit
    // 2^(exponent − 23).
    let start = (x.exponent() + 39).cast_unsigned() as usize;
    debug_assert!(start < 167, "beyond binary32");
    // `min` saves the bounds checks.
    let (word, shift) = ((start / 64).min(2), start % 64);
    let [a, b, c] = [TWO_OVER_PI[word], TWO_OVER_PI[word + 1], TWO_OVER_PI[word + 2]];
    let window = (u128::from(a) << 64 | u128::from(b)) << shift | u128::from(c >> 1 >> (63 - shift));
    window.wrapping_mul(u128::from(x.sig >> 40))
}

/// Computes sin(`angle` + `quarters` · π/2), negated if `negative`, for an angle in quarters of a
/// turn in Q126 that does not give 0.
#[inline]
fn sine(angle: u128, quarters: u32, negative: bool) -> Real {
    let n = split(angle, 126);
    let quadrant = n.integer + quarters;
    let z = mul(n.distance, n.distance);
    let negative = negative != (quadrant & 2 != 0);
    if quadrant & 1 == 0 {
        real(negative != n.below, mul(horner::<_, true>(&SIN, z), n.distance), 126)
    } else {
        real(negative, horner::<_, true>(&COS, z), 126)
    }
}

/// Computes sin x for a binary32 x, within 2⁻³ of a unit.
#[must_use]
#[inline]
pub(in crate::sem) fn sin(x: Real) -> Real {
    if x.exponent() < -32 {
        // x − x³/6 and further terms: less than one unit below x.
        return x.just_below();
    }
    sine(quarter_turns(x), 0, x.negative)
}

/// Computes cos x for a binary32 x, within 2⁻³ of a unit.
#[must_use]
#[inline]
pub(in crate::sem) fn cos(x: Real) -> Real {
    if x.exponent() < -32 {
        // 1 − x²/2 and further terms: less than one unit below 1.
        return ONE.just_below();
    }
    sine(quarter_turns(x), 1, false)
}

/// Returns 4|x| modulo 4 in Q126 for a binary32 |x| of at least 2⁻⁴⁰, exactly.
#[inline]
fn quarters_of_turns(x: Real) -> u128 {
    // The leading bit of `sig` has the weight 2, and that of 4|x| the weight 2^(exponent + 2).
    let sig = u128::from(x.sig) << 64;
    let shift = x.exponent() + 1;
    if shift < 0 { sig >> -shift } else { sig.checked_shl(shift.unsigned_abs()).unwrap_or(0) }
}

/// Computes the sine of |x| turns plus `quarters`, negated if `negative`; `None` if it is 0.
#[inline]
fn sine_of_turns(x: Real, quarters: u32, negative: bool) -> Option<Real> {
    let angle = quarters_of_turns(x);
    let quadrant = (angle >> 126) as u32 + quarters;
    match (angle << 2, quadrant & 3) {
        (0, 0 | 2) => None,
        (0, odd) => Some(Real { negative: negative != (odd == 3), ..ONE }),
        _ => Some(sine(angle, quarters, negative)),
    }
}

/// Computes sin 2πx for a binary32 x, within 2⁻³ of a unit; `None` if it is 0.
#[must_use]
#[inline]
pub(in crate::sem) fn sin_2pi(x: Real) -> Option<Real> {
    if x.exponent() < -40 {
        // 2πx, since (2πx)³/6 is below 2⁻⁷⁷ of it.
        return Some(real(x.negative, (FRAC_PI_2 >> 24) * u128::from(x.sig >> 40), 61 - x.exp));
    }
    sine_of_turns(x, 0, x.negative)
}

/// Computes cos 2πx for a binary32 x, within 2⁻³ of a unit; `None` if it is 0.
#[must_use]
#[inline]
pub(in crate::sem) fn cos_2pi(x: Real) -> Option<Real> {
    if x.exponent() < -40 {
        // 1 − (2πx)²/2 and further terms: less than one unit below 1.
        return Some(ONE.just_below());
    }
    sine_of_turns(x, 1, false)
}
