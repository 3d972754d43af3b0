//! Rounding, in one place.
//!
//! Every arithmetic function calls [`round`] once. It passes an exact value, or a value with at
//! least two bits more than the format, whose last bit is set if anything lies below. Conversions
//! have two more roundings, and results that are integers. [`quotient`] implements all of them.

use core::cmp::Ordering;

use super::number::Finite;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::Round;

/// The rule that selects one of two neighbouring numbers.
#[derive(Clone, Copy, Debug)]
pub enum Rounding {
    /// Rounds in a direction.
    To(Round),
    /// Rounds by `.rna`: to nearest, ties away from zero.
    Away,
    /// Rounds by `.rs`: away from zero if the random number plus the discarded fraction, in units
    /// of 2⁻ⁿ, reaches 1.
    Stochastic(Random),
}

/// A random number of `.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    /// The number, below `2^bits`.
    pub number: u32,
    /// Width of the number in bits, at most 16.
    pub bits: u32,
}

/// Rounds `x` to the format, once.
///
/// `x.sig` is exact, or at least `PRECISION + 2` bits long with everything below it jammed into its
/// lowest bit. With `ftz` a result that is tiny *after rounding with unbounded exponent* becomes
/// zero of the same sign.
#[inline(always)]
pub(super) fn round<F: Format>(rnd: Round, ftz: bool, x: Finite<F::Wide>) -> F::Bits {
    round_by::<F>(Rounding::To(rnd), ftz, x)
}

/// Rounds `x` by any rule. For `.rs`, `x.sig` is exact.
#[inline(always)]
fn round_by<F: Format>(by: Rounding, ftz: bool, x: Finite<F::Wide>) -> F::Bits {
    let Finite { negative, sig, exp } = x;
    // A format without sign encodes magnitudes, for every direction.
    let negative = negative && F::SIGNED;
    if sig == F::Wide::ZERO {
        return F::signed(negative, F::Bits::ZERO);
    }
    // The value lies in [2^e, 2^(e+1)).
    let e = exp + sig.bit_len() as i32 - 1;
    if e > F::EMAX {
        return overflow::<F>(by, negative);
    }
    let fraction_bits = F::FRACTION_BITS as i32;
    if ftz && e < F::EMIN {
        // Only a value that rounds up to the smallest normal number is not flushed.
        let q = quotient(by, negative, sig, e - fraction_bits - exp);
        let carried = e == F::EMIN - 1 && q.bit_len() > F::PRECISION;
        return F::signed(negative, if carried { F::min_normal() } else { F::Bits::ZERO });
    }
    let e = e.max(F::EMIN);
    let q = quotient(by, negative, sig, e - fraction_bits - exp);
    // The hidden bit, and a carry out of the fraction, are added to the exponent field.
    let code = (F::Wide::of_low_bits((e - F::EMIN) as u128) << F::FRACTION_BITS) + q;
    // Without zero and subnormals the hidden bit is not encoded, and too small values become the
    // smallest number.
    let hidden = if F::ZERO { F::Wide::ZERO } else { (F::Wide::ONE << F::FRACTION_BITS).min(code) };
    let code = code - hidden;
    if code > (F::max() >> F::PADDING).cast() {
        overflow::<F>(by, negative)
    } else {
        F::signed(negative, code.cast::<F::Bits>() << F::PADDING)
    }
}

/// Rounds a 64-bit significand, and jams the bits that the format's wide integer cannot hold.
#[inline(always)]
pub(super) fn round_sig<F: Format>(by: Rounding, ftz: bool, x: Finite<u64>) -> F::Bits {
    let excess = x.sig.bit_len().saturating_sub(F::Wide::BITS);
    let sig = x.sig.shr_jam(excess).cast();
    round_by::<F>(by, ftz, Finite { negative: x.negative, sig, exp: x.exp + excess as i32 })
}

/// Returns `sig / 2^shift`, rounded to an integer.
#[inline(always)]
pub(super) fn quotient<W: Int>(by: Rounding, negative: bool, sig: W, shift: i32) -> W {
    if shift <= 0 {
        return sig << shift.unsigned_abs();
    }
    let shift = shift.unsigned_abs();
    // From the word's width on everything is remainder, and beyond it less than half a unit.
    let (floor, rest) = if shift < W::BITS { (sig >> shift, sig & W::mask(shift)) } else { (W::ZERO, sig) };
    let to_half = if shift <= W::BITS { rest.cmp(&(W::ONE << (shift - 1))) } else { Ordering::Less };
    let up = match by {
        Rounding::To(Round::Rn) => to_half.is_gt() || (to_half.is_eq() && floor & W::ONE != W::ZERO),
        Rounding::To(Round::Rz) => false,
        Rounding::To(Round::Rm) => negative && rest != W::ZERO,
        Rounding::To(Round::Rp) => !negative && rest != W::ZERO,
        Rounding::Away => to_half.is_ge(),
        Rounding::Stochastic(random) => {
            let fraction = fraction(rest, shift, random.bits);
            fraction + W::of_low_bits(random.number.into()) >= W::ONE << random.bits
        }
    };
    floor + W::from_bool(up)
}

/// Returns the first `bits` fraction bits of `rest / 2^shift`, as an integer.
#[inline(always)]
fn fraction<W: Int>(rest: W, shift: u32, bits: u32) -> W {
    if shift <= bits {
        rest << (bits - shift)
    } else if shift - bits < W::BITS {
        rest >> (shift - bits)
    } else {
        W::ZERO
    }
}

/// Returns the result of an overflow: directions that point inward give the largest finite number,
/// and others infinity.
#[inline(always)]
fn overflow<F: Format>(by: Rounding, negative: bool) -> F::Bits {
    let inward = match by {
        Rounding::To(Round::Rn) | Rounding::Away | Rounding::Stochastic(_) => false,
        Rounding::To(Round::Rz) => true,
        Rounding::To(Round::Rm) => !negative,
        Rounding::To(Round::Rp) => negative,
    };
    F::signed(negative, if inward { F::max() } else { F::infinity() })
}
