//! The functions of the unit, and the segment and `x` of an operand.

use super::{Complement, FRACTION, Finish, INFINITY, MIN_NORMAL, NAN, ONE, SIGN};

/// A function of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `1 / x`; 128 segments.
    Rcp,
    /// `1 / √x`; 64 segments for even exponents, then 64 for odd ones.
    Rsq,
    /// `√x`; segments as `Rsq`.
    Sqrt,
    /// `2^x`; 64 segments.
    Ex2,
    /// `log₂ x`; 64 segments.
    Lg2,
    /// The sine of `x` turns; 64 segments for a quarter, shared with `Cos`.
    Sin,
    /// The cosine of `x` turns.
    Cos,
    /// `tanh x`; 51 segments: from 2⁻⁸ on one for each binade, later 2, 4, 8, 16, and 8 from 4 to
    /// 8.
    Tanh,
}

/// The next step for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// No interpolation: this result.
    Done(u32),
    /// An interpolation.
    Look {
        /// The segment's entry in the table.
        segment: usize,
        /// The operand within the segment.
        x: u32,
        /// The conversion of the sum to the result.
        finish: Finish,
    },
}

/// For each binade from 2⁻⁸ to 4: the first segment, and the logarithm of the number of segments.
const TANH_SEGMENTS: [(u32, u32); 11] =
    [(0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (7, 2), (11, 2), (15, 2), (19, 3), (27, 4), (43, 3)];

impl Function {
    /// Returns the number of segments.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ptxf::tables::device::unit::Function::Rcp.segments(), 128);
    /// ```
    #[must_use]
    pub const fn segments(self) -> usize {
        match self {
            Self::Rcp | Self::Rsq | Self::Sqrt => 128,
            Self::Ex2 | Self::Lg2 | Self::Sin | Self::Cos => 64,
            Self::Tanh => 51,
        }
    }

    /// Returns the step for an operand. A subnormal operand counts as zero; [`Tanh`](Self::Tanh)
    /// returns it instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Complement, Finish, Function, Step};
    ///
    /// let step = |x: f32| Function::Rcp.step(x.to_bits(), Complement::Ones);
    /// assert_eq!(step(f32::INFINITY), Step::Done(0));
    /// let finish = Finish::Scale { exponent: 125, negative: true };
    /// assert_eq!(step(-3.0), Step::Look { segment: 64, x: 0, finish });
    /// ```
    #[must_use]
    pub fn step(self, operand: u32, complement: Complement) -> Step {
        let sign = operand & SIGN;
        let negative = sign != 0;
        let magnitude = operand & !SIGN;
        if magnitude > INFINITY {
            return Step::Done(NAN);
        }
        let (zero, infinite) = (magnitude < MIN_NORMAL, magnitude == INFINITY);
        let field = (magnitude >> 23).cast_signed();
        let e = field - 127;
        let fraction = magnitude & FRACTION;
        // 64 segments, with 17 bits within each.
        let look =
            |first: u32, f: u32, finish| Step::Look { segment: (first + (f >> 17)) as usize, x: f & 0x1_ffff, finish };
        match self {
            Self::Rcp if zero => Step::Done(sign | INFINITY),
            Self::Rcp if infinite => Step::Done(sign),
            Self::Rcp => Step::Look {
                segment: (fraction >> 16) as usize,
                x: fraction & 0xffff,
                finish: Finish::Scale { exponent: 126 - e, negative },
            },
            Self::Rsq if zero => Step::Done(sign | INFINITY),
            Self::Sqrt if zero => Step::Done(sign),
            Self::Lg2 if zero => Step::Done(SIGN | INFINITY),
            Self::Rsq | Self::Sqrt | Self::Lg2 if negative => Step::Done(NAN),
            Self::Rsq if infinite => Step::Done(0),
            Self::Sqrt | Self::Lg2 if infinite => Step::Done(INFINITY),
            Self::Rsq | Self::Sqrt => {
                let (odd, half) = ((e & 1).cast_unsigned(), e >> 1);
                let exponent = if self == Self::Rsq { 126 - half } else { 127 + half };
                if self == Self::Rsq && odd == 0 && fraction == 0 {
                    return Step::Done(((exponent + 1) as u32) << 23);
                }
                look(64 * odd, fraction, Finish::Scale { exponent, negative: false })
            }
            Self::Lg2 if magnitude == ONE => Step::Done(0),
            Self::Lg2 => look(0, fraction, Finish::Logarithm { integer: e, complement }),
            Self::Ex2 if zero => Step::Done(ONE),
            Self::Ex2 if e >= 7 => Step::Done(if negative { 0 } else { INFINITY }),
            Self::Ex2 => {
                let significand = fraction | MIN_NORMAL;
                let fixed =
                    if e >= 0 { significand << e } else { significand.checked_shr(e.unsigned_abs()).unwrap_or(0) };
                // Fixed point 7.23. The fraction of a negative operand is complemented unless it is
                // 0.
                let fixed = match fixed.cast_signed() {
                    fixed if !negative => fixed,
                    whole if whole.cast_unsigned() & FRACTION == 0 => -whole,
                    fixed => !fixed,
                };
                let finish = Finish::Scale { exponent: 127 + (fixed >> 23), negative: false };
                look(0, fixed.cast_unsigned() & FRACTION, finish)
            }
            Self::Tanh if e < -8 => Step::Done(operand),
            Self::Tanh if e >= 3 => Step::Done(sign | ONE),
            Self::Tanh => {
                let (first, log) = TANH_SEGMENTS[(e + 8).unsigned_abs() as usize];
                Step::Look {
                    segment: (first + (fraction >> (23 - log))) as usize,
                    // 17 bits within a segment of any length.
                    x: (fraction << log & FRACTION) >> 6,
                    finish: Finish::Wave { negative },
                }
            }
            Self::Sin | Self::Cos if infinite => Step::Done(NAN),
            Self::Sin if zero => Step::Done(sign),
            Self::Cos if zero => Step::Done(ONE),
            Self::Sin | Self::Cos => {
                let significand = fraction | MIN_NORMAL;
                // 25 bits of a turn; whole turns are shifted out.
                let fixed = match field - 125 {
                    left @ 0.. => significand.checked_shl(left.cast_unsigned()).unwrap_or(0),
                    right => significand.checked_shr(right.unsigned_abs()).unwrap_or(0),
                };
                let fixed = if self == Self::Cos { fixed.wrapping_add(1 << 23) } else { fixed };
                let (quarter, f) = (fixed >> 23 & 3, fixed & FRACTION);
                let negative = (quarter >= 2) != (self == Self::Sin && negative);
                let f = match complement {
                    _ if quarter & 1 == 0 => f,
                    Complement::Ones => !f & FRACTION,
                    Complement::Twos if f == 0 => return Step::Done(ONE | if negative { SIGN } else { 0 }),
                    Complement::Twos => (1 << 23) - f,
                };
                look(0, f, Finish::Wave { negative })
            }
        }
    }
}
