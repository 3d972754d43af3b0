//! The meaning of a conversion from one format to another.

use super::number::{Finite, Number, unpack};
use super::round::round;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::Round;

/// `x` rounded once to the format `To`; a NaN becomes the canonical NaN of `To`.
#[inline]
pub fn convert<From: Format, To: Format>(rnd: Round, x: From::Bits) -> To::Bits {
    match unpack::<From>(x) {
        Number::Nan => To::CANONICAL_NAN,
        Number::Infinite { negative } => To::signed(negative, To::infinity()),
        Number::Finite(x) => {
            // At most 53 bits come in.
            round_sig::<To>(rnd, false, Finite { negative: x.negative, sig: x.sig.cast(), exp: x.exp })
        }
    }
}

/// Rounds a 64-bit significand, jamming what the format's wide integer cannot hold.
#[inline]
pub(super) fn round_sig<F: Format>(rnd: Round, ftz: bool, x: Finite<u64>) -> F::Bits {
    let excess = x.sig.bit_len().saturating_sub(F::Wide::BITS);
    let sig = x.sig.shr_jam(excess).cast();
    round::<F>(rnd, ftz, Finite { negative: x.negative, sig, exp: x.exp + excess as i32 })
}
