//! The layout of a format, from the library's description.

use ptxf::Round;
use ptxf::format::{Binary64, Format, Specials};
use ptxf::int::Int as _;
use ptxf::sem::{Encoding, convert};

/// The layout of the bits of a lane.
///
/// A *rank* counts the numbers of one sign, from zero, or from the smallest number in a format
/// without zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The sign bit; 0 if the format has none.
    pub sign: u64,
    /// Width of the exponent field in bits; 0 for fixed point.
    pub exponent_bits: u32,
    /// Width of the fraction in bits.
    pub fraction_bits: u32,
    /// Number of bits below the fraction, which are always zero.
    pub padding: u32,
    /// The bias of the exponent field; `None` for fixed point.
    pub bias: Option<i32>,
    /// `true` if the exponent field 0 encodes zero and the subnormal numbers.
    pub has_zero: bool,
    pub largest: u64,
    /// The most negative number; `None` if the format has no sign.
    pub lowest: Option<u64>,
    pub smallest_normal: Option<u64>,
    pub one: u64,
    /// +∞, if the format has it.
    pub infinity: Option<u64>,
    /// The first and the last positive NaN, if the format has NaNs.
    pub nans: Option<[u64; 2]>,
    /// The result of the conversion of a NaN.
    pub of_nan: u64,
    /// `true` if the conversion of a NaN keeps its sign and payload instead.
    pub keeps_payloads: bool,
}

impl Shape {
    /// Returns the layout of a floating-point format.
    pub(crate) fn float<F: Format>() -> Self {
        let bits = |x: F::Bits| -> u64 { x.cast() };
        let (infinity, fraction) = (F::infinity(), F::Bits::mask(F::FRACTION_BITS) << F::PADDING);
        Self {
            sign: bits(F::sign_mask()),
            exponent_bits: F::EXPONENT_BITS,
            fraction_bits: F::FRACTION_BITS,
            padding: F::PADDING,
            bias: Some(F::BIAS),
            has_zero: F::ZERO,
            largest: bits(F::max()),
            lowest: F::SIGNED.then(|| bits(F::signed(true, F::max()))),
            smallest_normal: Some(bits(F::min_normal())),
            one: bits(F::one()),
            infinity: matches!(F::SPECIALS, Specials::Ieee).then(|| bits(infinity)),
            nans: match F::SPECIALS {
                Specials::Ieee => Some([bits(infinity) + (1 << F::PADDING), bits(infinity | fraction)]),
                Specials::Nan => Some([bits(infinity); 2]),
                Specials::Absent => None,
            },
            of_nan: bits(F::CANONICAL_NAN),
            keeps_payloads: F::KEEPS_PAYLOADS,
        }
    }

    /// Returns the layout of a fixed-point format in two's complement. Conversions show its
    /// fraction.
    pub(crate) fn fixed<E: Encoding>() -> Self {
        let of = |x: f64| -> u64 { convert::<Binary64, E>(Round::Rn, x.to_bits()).cast() };
        let one = of(1.0);
        Self {
            sign: 1 << (E::Bits::BITS - 1),
            exponent_bits: 0,
            fraction_bits: one.trailing_zeros(),
            padding: 0,
            bias: None,
            has_zero: true,
            largest: of(f64::INFINITY),
            lowest: Some(of(f64::NEG_INFINITY)),
            smallest_normal: None,
            one,
            infinity: None,
            nans: None,
            of_nan: of(f64::NAN),
            keeps_payloads: false,
        }
    }

    /// Returns the smallest positive number if it is subnormal.
    pub(crate) fn smallest_subnormal(self) -> Option<u64> {
        self.has_zero.then_some(1 << self.padding)
    }

    /// Returns `true` if the number is negative or −0, and its rank.
    pub(crate) fn rank(self, bits: u64) -> (bool, u64) {
        let negative = bits & self.sign != 0;
        let magnitude = match self.bias {
            None if negative => 2 * self.sign - bits,
            _ => (bits & !self.sign) >> self.padding,
        };
        (negative, magnitude)
    }

    /// Returns the number of this rank, if it exists.
    pub(crate) fn ranked(self, negative: bool, rank: u64) -> Option<u64> {
        let last = self.rank(if negative { self.lowest? } else { self.largest }).1;
        let bits = match self.bias {
            None if negative => (2 * self.sign).wrapping_sub(rank) & (2 * self.sign - 1),
            _ => rank << self.padding | if negative { self.sign } else { 0 },
        };
        (rank <= last).then_some(bits)
    }

    /// Returns the exponent of the distance between the number of this rank and the next.
    pub(crate) fn unit(self, rank: u64) -> i32 {
        let field = (rank >> self.fraction_bits) as i32;
        let exponent = self.bias.map_or(0, |bias| field.max(i32::from(self.has_zero)) - bias);
        exponent - self.fraction_bits as i32
    }
}

#[cfg(test)]
mod tests {
    use crate::lane::Lane;

    /// Every code of the small formats is a rank, and the ranks count the numbers upward in steps
    /// of their units.
    #[test]
    fn ranks_count_the_numbers() {
        for &lane in Lane::ALL.iter().filter(|lane| lane.bits() <= 16) {
            let shape = lane.shape();
            for bits in 0..1 << lane.bits() {
                let x = lane.widen(bits);
                if !x.is_finite() {
                    continue;
                }
                let (negative, rank) = shape.rank(bits);
                assert_eq!(shape.ranked(negative, rank), Some(bits), "{lane} {bits:#x}");
                assert_eq!(negative, x.is_sign_negative(), "{lane} {bits:#x}");
                let next = shape.ranked(negative, rank + 1);
                let end = Some(bits) == if negative { shape.lowest } else { Some(shape.largest) };
                assert_eq!(next.is_none(), end, "{lane} {bits:#x}");
                if let Some(next) = next {
                    let step = lane.widen(next).abs() - x.abs();
                    assert_eq!(step, 2f64.powi(shape.unit(rank)), "{lane} {bits:#x}");
                }
            }
        }
    }
}
