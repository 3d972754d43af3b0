//! f16 arithmetic on CPUs that have it.

use super::op::Operation;
use super::{End, Engine, H, Lanes, op};
use crate::format::{Binary16, Format as _};
use crate::modifiers::Modifiers;

/// What such a CPU computes, rounding once to nearest even; the bits of a NaN result are any NaN's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Fma,
}

/// The results of flushed operands; `None` if the CPU has no such arithmetic, or whether to flush a result cannot be told
/// from it.
#[inline(always)]
pub(super) fn arithmetic<O: Operation, E: Engine>(e: E, what: Arithmetic, m: Modifiers, x: [H<E>; 3]) -> Option<H<E>> {
    let d = e.native_f16(what, x)?;
    let magnitude = Lanes::<u16>::and(e, d, Lanes::<u16>::splat(e, 0x7FFF));
    if m.ftz && O::ROUNDS_TO_NORMAL {
        let least = Lanes::<u16>::splat(e, 1 << Binary16::FRACTION_BITS);
        if Lanes::<u16>::any(e, Lanes::<u16>::equal(e, magnitude, least)) {
            return None;
        }
    }
    let d = op::flushed::<Binary16, E>(e, m, d);
    let is_nan = Lanes::<u16>::above(e, magnitude, Lanes::<u16>::splat(e, Binary16::infinity()));
    let zero = Lanes::<u16>::splat(e, 0);
    // As signed integers everything with a sign is below zero.
    Some(match op::end(m) {
        End::Plain => Lanes::<u16>::select(e, is_nan, Lanes::<u16>::splat(e, Binary16::CANONICAL_NAN), d),
        End::Relu => {
            let positive = Lanes::<u16>::larger(e, d, zero);
            Lanes::<u16>::select(e, is_nan, Lanes::<u16>::splat(e, Binary16::CANONICAL_NAN), positive)
        }
        End::Sat => {
            let positive = Lanes::<u16>::larger(e, Lanes::<u16>::select(e, is_nan, zero, d), zero);
            Lanes::<u16>::smaller(e, positive, Lanes::<u16>::splat(e, 0x3C00))
        }
    })
}
