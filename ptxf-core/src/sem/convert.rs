//! The meaning of a conversion from one format to another.

use super::arith::clamp;
use super::number::{Finite, Number, flush_input, unpack};
use super::round::round;
use crate::format::{Binary32, Format};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// `x` rounded once to the format `To`; a NaN becomes the canonical NaN of `To`.
#[inline]
pub fn convert<From: Format, To: Format>(rnd: Round, x: From::Bits) -> To::Bits {
    cvt::<From, To>(Modifiers { rnd, ..Modifiers::PLAIN }, x)
}

/// [`convert`] with all modifiers. `.ftz` concerns operands and results in binary32 alone.
#[inline]
pub fn cvt<From: Format, To: Format>(m: Modifiers, x: From::Bits) -> To::Bits {
    let x = flush_input::<From>(m.ftz && From::PRECISION == Binary32::PRECISION, x);
    let d = match unpack::<From>(x) {
        Number::Nan => To::CANONICAL_NAN,
        Number::Infinite { negative } => To::signed(negative, To::infinity()),
        Number::Finite(x) => {
            let ftz = m.ftz && To::PRECISION == Binary32::PRECISION;
            // At most 53 bits come in.
            round_sig::<To>(m.rnd, ftz, Finite { negative: x.negative, sig: x.sig.cast(), exp: x.exp })
        }
    };
    clamp::<To>(m, d)
}

/// Rounds a 64-bit significand, jamming what the format's wide integer cannot hold.
#[inline]
pub(super) fn round_sig<F: Format>(rnd: Round, ftz: bool, x: Finite<u64>) -> F::Bits {
    let excess = x.sig.bit_len().saturating_sub(F::Wide::BITS);
    let sig = x.sig.shr_jam(excess).cast();
    round::<F>(rnd, ftz, Finite { negative: x.negative, sig, exp: x.exp + excess as i32 })
}
