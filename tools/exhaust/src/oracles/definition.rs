//! Rounding by its definition: the representable number that lies next to the exact result.
//!
//! Nothing is shifted or added to a significand. An exact result is only *compared*, with
//! representable numbers and with the midpoints between them. Every comparison is one of exact f64
//! numbers.

use std::cmp::Ordering;

use oracle::Rnd;

/// A format, by its numbers.
pub(super) trait Format: Send + Sync + 'static {
    const FRACTION_BITS: u32;
    /// The exponents of the smallest normal and of the largest number.
    const EMIN: i32;
    const EMAX: i32;
    const SIGN: u32;
    const INFINITY: u32 = ((Self::EMAX - Self::EMIN + 2) as u32) << Self::FRACTION_BITS;
    const CANONICAL_NAN: u32 = Self::SIGN - 1;
    /// 1.0
    const ONE: u32 = ((1 - Self::EMIN) as u32) << Self::FRACTION_BITS;
    /// The smallest normal number.
    const NORMAL: u32 = 1 << Self::FRACTION_BITS;

    /// The value of a magnitude; infinity's is 2^(EMAX + 1), where the next number would be.
    fn value(magnitude: u32) -> f64 {
        let unit = power(Self::EMIN - Self::FRACTION_BITS as i32);
        let (field, fraction) = (magnitude >> Self::FRACTION_BITS, magnitude & (Self::NORMAL - 1));
        match field {
            0 => f64::from(fraction) * unit,
            _ => f64::from(fraction | Self::NORMAL) * unit * power(field as i32 - 1),
        }
    }
}

/// IEEE binary16.
pub(super) struct Binary16;

impl Format for Binary16 {
    const FRACTION_BITS: u32 = 10;
    const EMIN: i32 = -14;
    const EMAX: i32 = 15;
    const SIGN: u32 = 0x8000;
}

/// The upper half of a binary32.
pub(super) struct BFloat16;

impl Format for BFloat16 {
    const FRACTION_BITS: u32 = 7;
    const EMIN: i32 = -126;
    const EMAX: i32 = 127;
    const SIGN: u32 = 0x8000;
}

/// IEEE binary32.
pub(super) struct Binary32;

impl Format for Binary32 {
    const FRACTION_BITS: u32 = 23;
    const EMIN: i32 = -126;
    const EMAX: i32 = 127;
    const SIGN: u32 = 0x8000_0000;
}

/// 2^e, for e in the range of normal f64.
pub(super) const fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The rounding of a form.
#[derive(Clone, Copy)]
pub(super) struct Rounding {
    pub(super) rnd: Rnd,
    pub(super) ftz: bool,
}

impl Rounding {
    /// Rounds an exact result other than zero, of the given sign, whose magnitude is known by
    /// comparison. `compare(y)` compares it with the number `y`, which has one bit more than the
    /// format. `near` is any number nearby.
    #[inline(always)]
    pub(super) fn apply<F: Format>(
        self,
        negative: bool,
        near: f64,
        value: impl Fn(u32) -> f64,
        compare: impl Fn(f64) -> Ordering,
    ) -> u32 {
        let outward = matches!((self.rnd, negative), (Rnd::Rp, false) | (Rnd::Rm, true));
        let sign = if negative { F::SIGN } else { 0 };
        if self.ftz && self.is_tiny::<F>(outward, &compare) {
            return sign;
        }
        // The largest representable number not above the result; the search may start anywhere.
        let mut below = guess::<F>(near);
        while compare(value(below)).is_gt() {
            below -= 1;
        }
        while below + 1 < F::INFINITY && compare(value(below + 1)).is_le() {
            below += 1;
        }
        let above = below + 1;
        let up = if self.rnd == Rnd::Rn {
            let midpoint = (value(below) + value(above)) / 2.0;
            match compare(midpoint) {
                Ordering::Less => true,
                Ordering::Equal => below & 1 == 1,
                Ordering::Greater => false,
            }
        } else {
            outward && compare(value(below)).is_lt()
        };
        sign | if up { above } else { below }
    }

    /// Returns `true` if rounding with unbounded exponent ends below the smallest normal number.
    /// There the numbers lie half as far apart as above it.
    #[inline(always)]
    fn is_tiny<F: Format>(self, outward: bool, compare: impl Fn(f64) -> Ordering) -> bool {
        let smallest = power(F::EMIN);
        let before = smallest - power(F::EMIN - 1 - F::FRACTION_BITS as i32);
        match self.rnd {
            // At the midpoint the even one is the smallest normal number.
            Rnd::Rn => compare((before + smallest) / 2.0).is_gt(),
            _ if outward => compare(before).is_ge(),
            _ => compare(smallest).is_gt(),
        }
    }
}

/// A magnitude near `x`, to start from.
#[inline(always)]
fn guess<F: Format>(x: f64) -> u32 {
    if x < power(F::EMIN) {
        (x * power(F::FRACTION_BITS as i32 - F::EMIN)) as u32
    } else {
        let rebias = (F::EMIN as i64 - 1 + 1023) << F::FRACTION_BITS;
        ((x.to_bits() >> (52 - F::FRACTION_BITS)) as i64 - rebias).min(i64::from(F::INFINITY) - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_are_the_published_ones() {
        assert_eq!((Binary16::INFINITY, Binary16::ONE, Binary16::CANONICAL_NAN), (0x7c00, 0x3c00, 0x7fff));
        assert_eq!((BFloat16::INFINITY, BFloat16::ONE, BFloat16::CANONICAL_NAN), (0x7f80, 0x3f80, 0x7fff));
        assert_eq!(Binary32::INFINITY, f32::INFINITY.to_bits());
        assert_eq!((Binary32::ONE, Binary32::CANONICAL_NAN), (1_f32.to_bits(), 0x7fff_ffff));
        assert_eq!((Binary16::value(0x7bff), Binary16::value(0x7c00)), (65_504.0, 65_536.0));
        assert_eq!(Binary32::value(1), f64::from(f32::from_bits(1)));
    }

    #[test]
    fn the_search_ends_at_the_same_number_wherever_it_starts() {
        let rounding = Rounding { rnd: Rnd::Rn, ftz: false };
        for (x, want) in [(1.0, 0x3c00), (1.0 + power(-11), 0x3c00), (65_520.0, 0x7c00), (65_519.9, 0x7bff), (1e-9, 0)]
        {
            for near in [1e-30, 0.3, 1.0, 7e4] {
                let compare = |y: f64| y.partial_cmp(&x).expect("no NaN");
                assert_eq!(rounding.apply::<Binary16>(false, near, Binary16::value, compare), want, "{x} from {near}");
            }
        }
    }
}
