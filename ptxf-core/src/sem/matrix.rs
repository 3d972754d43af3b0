//! One step of a matrix unit: a sum of products and an addend, cut to a common grid.
//!
//! # How a unit adds
//!
//! ```text
//! step(rule, products, addend):
//!     specials first: a NaN, ∞ · 0, and infinities of both signs give the canonical NaN
//!     each product is exact; its scale is the sum of its factors' exponents
//!     M := the largest scale of the terms that are not zero, at least rule.least
//!     each term is cut toward zero to a multiple of 2^(M − rule.fraction_bits)
//!     the cut terms are added exactly, and the sum is rounded once
//! ```
//!
//! A subnormal number has the exponent of the smallest normal number, and a product of two
//! significands in [1, 2) may reach 4 without raising its scale. The sum is +0 if all terms vanish,
//! also if all of them are −0.
//!
//! # Width
//!
//! A cut term is below 2^(fraction_bits + 2), so a sum of 65 terms with 35 fraction bits fits into
//! 44 bits and a sign.
//!
//! The rules of each device are in [`crate::matrix`].

use super::number::{Finite, Number, unpack};
use super::round::{Rounding, round_sig};
use crate::format::{Binary16, Binary32, Format};
use crate::int::Int;
use crate::modifiers::Round;
use crate::types::F16;

/// A number as a term of a sum: `sig · 2^exp`, and the exponent that counts for the common grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    negative: bool,
    /// Integer significand, below 2^48.
    sig: u64,
    /// Exponent of the significand's lowest bit.
    exp: i32,
    /// Exponent of the number, or sum of the factors' exponents.
    scale: i32,
    /// `true` if the exponent counts for the grid: unless a factor is zero.
    counts: bool,
}

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A NaN.
    Nan,
    /// An infinity.
    Infinite {
        /// `true` for −∞.
        negative: bool,
    },
    /// A number.
    Finite(Term),
}

/// The numbers that a step adds, and the grid to which it cuts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Number of products in a step.
    pub products: usize,
    /// Number of bits that are kept below the largest exponent.
    pub fraction_bits: i32,
    /// The exponent that counts if no term is larger.
    pub least: i32,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// `.f32`, rounded toward zero.
    F32,
    /// `.f32`, rounded toward zero to 13 fraction bits.
    E8m13,
    /// `.f16`, rounded to nearest even.
    F16,
}

impl Sum {
    fn nan(self) -> u32 {
        match self {
            Self::F32 | Self::E8m13 => Binary32::CANONICAL_NAN,
            Self::F16 => Binary16::CANONICAL_NAN.into(),
        }
    }

    fn infinity(self, negative: bool) -> u32 {
        match self {
            Self::F32 | Self::E8m13 => Binary32::signed(negative, Binary32::infinity()),
            Self::F16 => Binary16::signed(negative, Binary16::infinity()).into(),
        }
    }

    /// Rounds a number that is not zero. A result that vanishes is +0.
    fn round(self, x: Finite<u64>) -> u32 {
        if self == Self::F16 {
            let bits = round_sig::<Binary16>(Rounding::To(Round::Rn), false, x);
            return if Binary16::is_zero(bits) { 0 } else { bits.into() };
        }
        if x.exp + x.sig.bit_len() as i32 > Binary32::EMAX + 1 {
            return self.infinity(x.negative);
        }
        let bits = round_sig::<Binary32>(Rounding::To(Round::Rz), false, x);
        let bits = if self == Self::E8m13 { bits & !0x3FF } else { bits };
        if Binary32::is_zero(bits) { 0 } else { bits }
    }

    /// Computes `add.rn` of two results.
    #[must_use]
    pub fn plus(self, a: u32, b: u32) -> u32 {
        match self {
            Self::F32 | Self::E8m13 => crate::ptx::add_rn_f32(f32::from_bits(a), f32::from_bits(b)).to_bits(),
            Self::F16 => crate::ptx::add_rn_f16(F16::from_bits(a as u16), F16::from_bits(b as u16)).to_bits().into(),
        }
    }

    /// Decodes a result of this kind, as the addend of the next step.
    #[must_use]
    pub fn addend(self, bits: u32) -> Factor {
        match self {
            Self::F32 | Self::E8m13 => Factor::of::<Binary32>(bits),
            Self::F16 => Factor::of::<Binary16>(bits as u16),
        }
    }
}

impl Factor {
    /// Decodes a number of a format; bits below the format's own are ignored.
    #[must_use]
    #[inline]
    pub fn of<F: Format>(bits: F::Bits) -> Self {
        match unpack::<F>(bits >> F::PADDING << F::PADDING) {
            Number::Nan => Self::Nan,
            Number::Infinite { negative } => Self::Infinite { negative },
            Number::Finite(Finite { negative, sig, exp }) => {
                let (sig, counts, scale) = (sig.cast(), sig != F::Wide::ZERO, exp + F::FRACTION_BITS as i32);
                Self::Finite(Term { negative, sig, exp, scale, counts })
            }
        }
    }

    /// Returns the exact product.
    #[must_use]
    #[inline]
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(Term {
                negative: a.negative ^ b.negative,
                sig: a.sig * b.sig,
                exp: a.exp + b.exp,
                scale: a.scale + b.scale,
                counts: a.counts && b.counts,
            }),
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
            (Self::Infinite { negative: a }, Self::Infinite { negative: b }) => Self::Infinite { negative: a ^ b },
            (Self::Infinite { negative }, Self::Finite(x)) | (Self::Finite(x), Self::Infinite { negative }) => {
                if x.sig == 0 { Self::Nan } else { Self::Infinite { negative: negative ^ x.negative } }
            }
        }
    }

    /// Returns the exact sum of products of `e2m1`, as one number whose exponent counts as
    /// 0, also if the products cancel each other.
    #[must_use]
    pub fn group(products: impl Iterator<Item = Self>) -> Self {
        // Each product is a multiple of a quarter.
        let (mut quarters, mut counts) = (0_i64, false);
        for product in products {
            let Self::Finite(x) = product else { return Self::Nan };
            let magnitude = (x.sig << (x.exp + 2)) as i64;
            quarters += if x.negative { -magnitude } else { magnitude };
            counts |= x.counts;
        }
        Self::Finite(Term { negative: quarters < 0, sig: quarters.unsigned_abs(), exp: -2, scale: 0, counts })
    }

    /// Returns the value with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinite { negative } => Self::Infinite { negative: !negative },
            Self::Finite(x) => Self::Finite(Term { negative: !x.negative, ..x }),
        }
    }
}

/// Computes one step: the sum of the products and the addend. Returns its bits.
///
/// `terms` returns the products and the addend, anew with each call; the order has no influence.
pub fn step<I: Iterator<Item = Factor>>(rule: Rule, sum: Sum, terms: impl Fn() -> I) -> u32 {
    let (mut largest, mut nan, mut infinite) = (rule.least, false, [false; 2]);
    for term in terms() {
        match term {
            Factor::Nan => nan = true,
            Factor::Infinite { negative } => infinite[usize::from(negative)] = true,
            Factor::Finite(x) if x.counts => largest = largest.max(x.scale),
            Factor::Finite(_) => {}
        }
    }
    match infinite {
        _ if nan => return sum.nan(),
        [true, true] => return sum.nan(),
        [false, false] => {}
        [_, negative] => return sum.infinity(negative),
    }
    let lowest = largest - rule.fraction_bits;
    let mut total = 0_i64;
    for term in terms() {
        let Factor::Finite(x @ Term { sig: 1.., .. }) = term else { continue };
        let shift = x.exp - lowest;
        // A significand is below 4 · 2^(scale − exp), so that nothing is lost to the left.
        let cut = if shift >= 0 { x.sig << shift } else { x.sig.checked_shr(shift.unsigned_abs()).unwrap_or(0) };
        total += if x.negative { -(cut as i64) } else { cut as i64 };
    }
    if total == 0 {
        return 0;
    }
    sum.round(Finite { negative: total < 0, sig: total.unsigned_abs(), exp: lowest })
}
