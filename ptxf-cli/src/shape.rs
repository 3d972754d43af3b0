//! The facts about a format, out of the library's own description of it.

use ptxf::Round;
use ptxf::format::{Binary64, Format, Specials};
use ptxf::int::Int as _;
use ptxf::sem::{Encoding, convert};

/// How the bits of a lane are read.
///
/// The numbers of one sign are counted from zero on, or from the smallest one where there is no zero: a *rank* is a place in that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The sign's bit, or nothing.
    pub sign: u64,
    /// Width of the exponent field; fixed point has none.
    pub exponent_bits: u32,
    /// Width of what stands behind the point.
    pub fraction_bits: u32,
    /// Bits below the fraction, always zero.
    pub padding: u32,
    /// What is added to an exponent in its field.
    pub bias: Option<i32>,
    /// Whether the exponent field 0 is for zero and the subnormal numbers.
    pub has_zero: bool,
    pub largest: u64,
    /// The number farthest below zero, if any number is below it.
    pub lowest: Option<u64>,
    pub smallest_normal: Option<u64>,
    pub one: u64,
    /// +∞.
    pub infinity: Option<u64>,
    /// The first and the last positive NaN.
    pub nans: Option<[u64; 2]>,
    /// What a conversion makes of a NaN.
    pub of_nan: u64,
    /// Whether it makes one of the same sign and payload instead.
    pub keeps_payloads: bool,
}

impl Shape {
    /// That of floating point.
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

    /// That of two's complement with places behind the point, which its conversions show.
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

    /// The smallest number above zero that is not normal.
    pub(crate) fn smallest_subnormal(self) -> Option<u64> {
        self.has_zero.then_some(1 << self.padding)
    }

    /// Whether the number is below zero, or −0, and its rank.
    pub(crate) fn rank(self, bits: u64) -> (bool, u64) {
        let negative = bits & self.sign != 0;
        let magnitude = match self.bias {
            None if negative => 2 * self.sign - bits,
            _ => (bits & !self.sign) >> self.padding,
        };
        (negative, magnitude)
    }

    /// The number of that rank, if there is one.
    pub(crate) fn ranked(self, negative: bool, rank: u64) -> Option<u64> {
        let last = self.rank(if negative { self.lowest? } else { self.largest }).1;
        let bits = match self.bias {
            None if negative => (2 * self.sign).wrapping_sub(rank) & (2 * self.sign - 1),
            _ => rank << self.padding | if negative { self.sign } else { 0 },
        };
        (rank <= last).then_some(bits)
    }

    /// The power of two that is the distance from the number of that rank to the next one.
    pub(crate) fn unit(self, rank: u64) -> i32 {
        let field = (rank >> self.fraction_bits) as i32;
        let exponent = self.bias.map_or(0, |bias| field.max(i32::from(self.has_zero)) - bias);
        exponent - self.fraction_bits as i32
    }
}

#[cfg(test)]
mod tests {
    use crate::lane::Lane;

    /// Every code of the small formats is a rank, and the ranks count the numbers upward in steps of their units.
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
