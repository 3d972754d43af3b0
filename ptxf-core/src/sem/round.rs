//! The one place where a result is rounded.
//!
//! Every arithmetic function calls it once, with an exact value, or with one that has at least two bits more than the format and in
//! its last bit whether anything lies below.

use super::number::Finite;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::Round;

/// Rounds `x` to the format, once.
///
/// `x.sig` is exact, or at least `PRECISION + 2` bits long with everything below it jammed into its lowest bit. With
/// `ftz` a result that is tiny *after rounding with unbounded exponent* becomes zero of the same sign.
#[inline(always)]
pub(super) fn round<F: Format>(rnd: Round, ftz: bool, x: Finite<F::Wide>) -> F::Bits {
    let Finite { negative, sig, exp } = x;
    if sig == F::Wide::ZERO {
        return F::signed(negative, F::Bits::ZERO);
    }
    // The value lies in [2^e, 2^(e+1)).
    let e = exp + sig.bit_len() as i32 - 1;
    if e > F::EMAX {
        return overflow::<F>(rnd, negative);
    }
    let fraction_bits = F::FRACTION_BITS as i32;
    if ftz && e < F::EMIN {
        // Only a value that rounds up to the smallest normal number survives.
        let q = quotient(rnd, negative, sig, e - fraction_bits - exp);
        let carried = e == F::EMIN - 1 && q.bit_len() > F::PRECISION;
        return F::signed(negative, if carried { F::min_normal() } else { F::Bits::ZERO });
    }
    let e = e.max(F::EMIN);
    let q = quotient(rnd, negative, sig, e - fraction_bits - exp);
    // The hidden one, and a carry out of the fraction, add into the exponent field.
    let bits: F::Bits = (F::Wide::truncate((e - F::EMIN) as u128) << F::FRACTION_BITS).cast::<F::Bits>() + q.cast();
    if bits >= F::infinity() { overflow::<F>(rnd, negative) } else { F::signed(negative, bits) }
}

/// `sig / 2^shift`, rounded to an integer.
#[inline(always)]
fn quotient<W: Int>(rnd: Round, negative: bool, sig: W, shift: i32) -> W {
    if shift <= 0 {
        return sig << shift.unsigned_abs();
    }
    let shift = shift.unsigned_abs();
    // Beyond the width everything is remainder, below half a unit.
    let (floor, rest, half) = if shift < W::BITS {
        (sig >> shift, sig & W::mask(shift), W::ONE << (shift - 1))
    } else if shift == W::BITS {
        (W::ZERO, sig, W::ONE << (shift - 1))
    } else {
        (W::ZERO, W::ONE, W::ONE << 1)
    };
    let up = match rnd {
        Round::Rn => rest > half || (rest == half && floor & W::ONE != W::ZERO),
        Round::Rz => false,
        Round::Rm => negative && rest != W::ZERO,
        Round::Rp => !negative && rest != W::ZERO,
    };
    floor + W::from_bool(up)
}

/// Overflow follows the direction: the directions that point inward give the largest finite value.
#[inline(always)]
fn overflow<F: Format>(rnd: Round, negative: bool) -> F::Bits {
    let inward = match rnd {
        Round::Rn => false,
        Round::Rz => true,
        Round::Rm => !negative,
        Round::Rp => negative,
    };
    F::signed(negative, if inward { F::infinity() - F::Bits::ONE } else { F::infinity() })
}
