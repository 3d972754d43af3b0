//! The bit layout of a format, and properties of its bits.

use crate::form::Ty;

/// An IEEE-style interchange layout: sign, exponent, fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Width of the whole pattern.
    pub bits: u32,
    /// Stored fraction bits; the precision is one more.
    pub fraction: u32,
    /// The bits of a generated NaN, and of every NaN result of a format without payloads.
    pub canonical_nan: u64,
    /// `true` if results carry an operand's NaN payload.
    pub payloads: bool,
}

const F16: Layout = Layout { bits: 16, fraction: 10, canonical_nan: 0x7fff, payloads: false };
const BF16: Layout = Layout { bits: 16, fraction: 7, canonical_nan: 0x7fff, payloads: false };
const F32: Layout = Layout { bits: 32, fraction: 23, canonical_nan: 0x7fff_ffff, payloads: false };
const F64: Layout = Layout { bits: 64, fraction: 52, canonical_nan: 0xfff8_0000_0000_0000, payloads: true };
const MINI: Layout = Layout { bits: 8, fraction: 3, canonical_nan: 0x7f, payloads: false };

/// The 1.11.20 format of the f64 approximations' high word (9.7.3.14).
pub const HIGH_WORD: Layout = Layout { bits: 32, fraction: 20, canonical_nan: 0x7fff_ffff, payloads: false };

impl Layout {
    /// The layout of an element type.
    #[must_use]
    pub const fn of(ty: Ty) -> &'static Self {
        match ty {
            Ty::F16 => &F16,
            Ty::Bf16 => &BF16,
            Ty::F32 => &F32,
            Ty::F64 => &F64,
            Ty::Mini => &MINI,
        }
    }

    /// Significant bits, the hidden one included.
    #[must_use]
    pub const fn precision(&self) -> u32 {
        self.fraction + 1
    }

    /// The exponent bias, which is also the largest exponent of a finite number.
    #[must_use]
    pub const fn bias(&self) -> i32 {
        (1 << (self.bits - self.fraction - 2)) - 1
    }

    /// The exponent of the smallest normal number.
    #[must_use]
    pub const fn min_exponent(&self) -> i32 {
        1 - self.bias()
    }

    /// The sign bit alone.
    #[must_use]
    pub const fn sign_bit(&self) -> u64 {
        1 << (self.bits - 1)
    }

    /// All bits of the format.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// +∞, which is also one past the largest finite magnitude.
    #[must_use]
    pub const fn infinity(&self) -> u64 {
        (self.sign_bit() - 1) >> self.fraction << self.fraction
    }

    /// The smallest normal number, which is also one past the largest subnormal.
    #[must_use]
    pub const fn min_normal(&self) -> u64 {
        1 << self.fraction
    }

    /// The bit that makes a NaN quiet.
    #[must_use]
    pub const fn quiet_bit(&self) -> u64 {
        1 << (self.fraction - 1)
    }

    /// 1.0
    #[must_use]
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.fraction
    }

    /// The pattern of 2^e, subnormal ones included.
    ///
    /// # Panics
    /// Panics if the format has no number 2^e.
    #[must_use]
    pub const fn power_of_two(&self, e: i32) -> u64 {
        if e >= self.min_exponent() {
            assert!(e <= self.bias());
            ((e + self.bias()) as u64) << self.fraction
        } else {
            let shift = e - self.min_exponent() + self.fraction as i32;
            assert!(shift >= 0);
            1 << shift
        }
    }

    /// Returns the pattern without its sign.
    #[must_use]
    pub const fn magnitude(&self, bits: u64) -> u64 {
        bits & (self.sign_bit() - 1)
    }

    /// Returns `true` if the sign bit is set, for NaNs too.
    #[must_use]
    pub const fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign_bit() != 0
    }

    /// Returns `true` for a NaN.
    #[must_use]
    pub const fn is_nan(&self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    /// Returns `true` for an infinity.
    #[must_use]
    pub const fn is_infinite(&self, bits: u64) -> bool {
        self.magnitude(bits) == self.infinity()
    }

    /// Returns `true` for a zero of either sign.
    #[must_use]
    pub const fn is_zero(&self, bits: u64) -> bool {
        self.magnitude(bits) == 0
    }

    /// Returns `true` for a subnormal number. A zero is not subnormal.
    #[must_use]
    pub const fn is_subnormal(&self, bits: u64) -> bool {
        let m = self.magnitude(bits);
        m != 0 && m < self.min_normal()
    }

    /// Replaces a subnormal by the zero of its sign and returns all other patterns unchanged.
    #[must_use]
    pub const fn flush(&self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign_bit() } else { bits }
    }

    /// The integer significand and exponent of a finite magnitude: it is `m · 2^e`.
    #[must_use]
    pub const fn decompose(&self, bits: u64) -> (u64, i32) {
        let m = self.magnitude(bits);
        let field = m >> self.fraction;
        let fraction = m & (self.min_normal() - 1);
        let unit = self.min_exponent() - self.fraction as i32;
        if field == 0 { (fraction, unit) } else { (fraction | self.min_normal(), unit + field as i32 - 1) }
    }

    /// The value as an `f64`, exact in every layout but a wider one; a NaN keeps only its sign.
    #[must_use]
    pub fn to_f64(&self, bits: u64) -> f64 {
        let magnitude = if self.is_nan(bits) {
            f64::NAN
        } else if self.is_infinite(bits) {
            f64::INFINITY
        } else {
            let (m, e) = self.decompose(bits);
            scale(m as f64, e)
        };
        magnitude.copysign(if self.is_negative(bits) { -1.0 } else { 1.0 })
    }
}

/// `x · 2^e` in steps that are exact as long as the result is.
fn scale(mut x: f64, mut e: i32) -> f64 {
    while e != 0 {
        let step = e.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + step) as u64) << 52);
        e -= step;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_the_published_one() {
        let h = Layout::of(Ty::F16);
        assert_eq!((h.infinity(), h.one(), h.min_normal(), h.bias()), (0x7c00, 0x3c00, 0x0400, 15));
        let b = Layout::of(Ty::Bf16);
        assert_eq!((b.infinity(), b.one(), b.min_normal(), b.bias()), (0x7f80, 0x3f80, 0x0080, 127));
        let m = Layout::of(Ty::Mini);
        assert_eq!((m.infinity(), m.one(), m.min_normal(), m.bias()), (0x78, 0x38, 0x08, 7));
        assert_eq!(Layout::of(Ty::F64).one(), 1f64.to_bits());
        assert_eq!(HIGH_WORD.one(), 1f64.to_bits() >> 32);
    }

    #[test]
    fn to_f64_agrees_with_the_language() {
        let mut rng = crate::Rng::new(1);
        for _ in 0..20_000 {
            let bits = rng.next() & 0xffff_ffff;
            let x = f32::from_bits(bits as u32);
            if !x.is_nan() {
                assert_eq!(Layout::of(Ty::F32).to_f64(bits).to_bits(), f64::from(x).to_bits());
            }
            let bits = rng.next();
            if !f64::from_bits(bits).is_nan() {
                assert_eq!(Layout::of(Ty::F64).to_f64(bits).to_bits(), bits);
            }
        }
    }

    #[test]
    fn powers_of_two_down_to_the_smallest() {
        for ty in [Ty::F16, Ty::Bf16, Ty::F32, Ty::Mini] {
            let l = Layout::of(ty);
            for e in l.min_exponent() - l.fraction as i32..=l.bias() {
                assert_eq!(l.to_f64(l.power_of_two(e)), 2f64.powi(e), "{ty:?} 2^{e}");
            }
        }
    }
}
