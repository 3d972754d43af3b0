//! Elementary functions, close enough to round correctly: 2^x, log₂ x, sin, cos, tanh.
//!
//! Each takes an argument of at most 24 significant bits and returns the first 64 bits of the result, computed to within an eighth of
//! a unit, and on which side of them the real value lies. That this settles every rounding to 24 bits or fewer is a measured fact
//! (`cargo exhaust` tries all 2³² binary32 arguments): no inexact result comes nearer than 35 units to a 24-bit number or to the
//! midpoint of two, unless that number is the 1 or the `x` which the function is leaving, and then the side is right by
//! construction.
//!
//! The arithmetic is fixed point in 128 bits, Q*n* meaning *n* bits after the point. Plain Taylor series do: the reduced arguments
//! are at most ½, and a step costs two multiplications.

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
pub(super) use trig::{cos, sin};

/// A nonzero real close to `sig · 2^exp`: that number, or one less than a unit of `sig` beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Real {
    /// The sign.
    pub negative: bool,
    /// The significand, its top bit (63) set.
    pub sig: u64,
    /// The weight of the significand's lowest bit, as a power of two.
    pub exp: i32,
    /// The true magnitude lies strictly between `sig · 2^exp` and `(sig + 1) · 2^exp`, not at the
    /// former (or, where a unit boundary is within the error of the function, in the next unit).
    pub inexact: bool,
}

impl Real {
    /// The exponent of the leading bit: `2^e <= |self| < 2^(e + 1)`.
    const fn exponent(self) -> i32 {
        self.exp + 63
    }

    /// A real less than one unit below this one in magnitude.
    const fn just_below(self) -> Self {
        let (sig, exp) = if self.sig == 1 << 63 { (u64::MAX, self.exp - 1) } else { (self.sig - 1, self.exp) };
        Self { sig, exp, inexact: true, ..self }
    }
}

/// 1.
const ONE: Real = Real { negative: false, sig: 1 << 63, exp: -63, inexact: false };
