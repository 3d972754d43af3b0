//! Elementary functions, accurate enough for correct rounding: 2^x, log₂ x, sin, cos, of radians
//! and of turns, tanh.
//!
//! 1. A function takes an argument of at most 24 significant bits. It returns the first 64 bits of
//!    the result, with an error below an eighth of a unit, and the side on which the real value
//!    lies.
//! 2. `cargo exhaust` compares all 2³² binary32 arguments with CORE-MATH, and none differs. No
//!    inexact result comes nearer than 35 units to a 24-bit number or to the midpoint of two, which
//!    was not measured for turns. There is one exception: numbers near the limit 1 or `x` of the
//!    function. There the side is right by construction.
//! 3. So the 64 bits decide every rounding to 24 bits or fewer.
//!
//! The arithmetic is fixed point in 128 bits, where Q*n* has *n* bits after the point. Plain Taylor
//! series are enough: the reduced arguments are at most ½, and a step costs two multiplications.

mod exp2;
mod fixed;
mod log2;
mod tanh;
mod trig;

#[cfg(test)]
mod tests;

pub(super) use exp2::exp2;
pub(super) use log2::log2;
pub(super) use tanh::tanh;
pub(super) use trig::{cos, cos_2pi, sin, sin_2pi};

/// A nonzero real close to `sig · 2^exp`: that number, or a number less than one unit of `sig`
/// beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Real {
    /// `true` for a negative number.
    pub negative: bool,
    /// The significand, with its top bit (63) set.
    pub sig: u64,
    /// Exponent of the significand's lowest bit.
    pub exp: i32,
    /// `true` if the true magnitude lies strictly between `sig · 2^exp` and `(sig + 1) · 2^exp`. It
    /// may lie in the next unit if a unit boundary is within the function's error.
    pub inexact: bool,
}

impl Real {
    /// Returns the exponent of the leading bit: `2^e <= |self| < 2^(e + 1)`.
    const fn exponent(self) -> i32 {
        self.exp + 63
    }

    /// Returns a real less than one unit below this one in magnitude.
    const fn just_below(self) -> Self {
        let (sig, exp) = if self.sig == 1 << 63 { (u64::MAX, self.exp - 1) } else { (self.sig - 1, self.exp) };
        Self { sig, exp, inexact: true, ..self }
    }
}

/// The number 1.
const ONE: Real = Real { negative: false, sig: 1 << 63, exp: -63, inexact: false };
