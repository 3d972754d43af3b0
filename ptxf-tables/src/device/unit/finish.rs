//! From a sum to a result.

use super::{FRACTION, INFINITY, SIGN};

/// The negation of a number in hardware, which a device's results reveal.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::{Complement, Finish};
///
/// // −2^-36 of a logarithm.
/// let finish = |complement| Finish::Logarithm { integer: 0, complement }.result(-1);
/// assert_eq!(finish(Complement::Twos), 0xad80_0000);
/// assert_eq!(finish(Complement::Ones), 0x8000_0000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Complement {
    /// Every bit inverted.
    Ones,
    /// Every bit inverted, plus one.
    Twos,
}

/// The conversion of a sum to a result. Results never fall as the sum grows, apart from the sign of
/// a [`Wave`](Self::Wave).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// 24 bits with this biased exponent; 2^24 is the next power of two.
    Scale {
        /// The exponent, which may be out of range.
        exponent: i32,
        /// The sign.
        negative: bool,
    },
    /// 36 fractional bits, to which this integer is added.
    Logarithm {
        /// The exponent of the operand.
        integer: i32,
        /// The negation of a negative sum.
        complement: Complement,
    },
    /// 37 fractional bits, with this sign.
    Wave {
        /// The sign.
        negative: bool,
    },
}

impl Finish {
    /// Returns the result for a shifted sum. A sum out of range is replaced by the nearest one that
    /// a device's coefficients produce.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::Finish;
    ///
    /// let finish = Finish::Scale { exponent: 127, negative: true };
    /// assert_eq!(f32::from_bits(finish.result(3 << 22)), -1.5);
    /// assert_eq!(f32::from_bits(Finish::Wave { negative: false }.result(1 << 36)), 0.5);
    /// ```
    #[must_use]
    pub fn result(self, sum: i64) -> u32 {
        match self {
            Self::Scale { exponent, negative } => {
                let q = sum.clamp(1 << 23, 1 << 24) as i32;
                let sign = if negative { SIGN } else { 0 };
                // The carry out of the fraction adds into the exponent, then subnormals are
                // flushed.
                let biased = exponent + (q >> 24);
                sign | match biased {
                    ..=0 => 0,
                    1..=254 => (biased as u32) << 23 | q as u32 & FRACTION,
                    255.. => INFINITY,
                }
            }
            Self::Logarithm { integer, complement } => {
                let total = sum + (i64::from(integer) << 36);
                let magnitude = match complement {
                    _ if total >= 0 => total,
                    Complement::Ones => !total,
                    Complement::Twos => -total,
                };
                truncated(magnitude.cast_unsigned(), 36) | if total < 0 { SIGN } else { 0 }
            }
            Self::Wave { negative } => {
                truncated(sum.clamp(0, 1 << 37).cast_unsigned(), 37) | if negative { SIGN } else { 0 }
            }
        }
    }
}

/// Converts a fixed-point number to f32, cut off after 24 bits.
fn truncated(magnitude: u64, fractional: u32) -> u32 {
    if magnitude == 0 {
        return 0;
    }
    let length = u64::BITS - magnitude.leading_zeros();
    let significand = if length > 24 { magnitude >> (length - 24) } else { magnitude << (24 - length) };
    (127 + length - 1 - fractional) << 23 | significand as u32 & FRACTION
}
