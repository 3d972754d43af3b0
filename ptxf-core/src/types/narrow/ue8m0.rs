//! Conversions of `Ue8m0`, and its order.

use core::cmp::Ordering;

use super::Ue8m0;
use crate::format::{Binary32, Binary64, Exponent8};
use crate::modifiers::{Modifiers, Round};
use crate::scalar;
use crate::types::convert::widen;

/// Conversions.
impl Ue8m0 {
    /// Returns the greatest power of two that is not above `|x|`: `cvt.rz.satfinite`.
    ///
    /// 0 and magnitudes below 2⁻¹²⁷ give 2⁻¹²⁷, infinities give 2¹²⁷, and a NaN gives
    /// [`CANONICAL_NAN`](Self::CANONICAL_NAN).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// let bits = [-1.0, 1.9, 2.0, 0.0].map(|x| Ue8m0::from_f32_rz(x).to_bits());
    /// assert_eq!(bits, [0x7f, 0x7f, 0x80, 0x00]);
    /// assert_eq!(Ue8m0::from_f32_rz(f32::INFINITY), Ue8m0::MAX);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f32_rz(x: f32) -> Self {
        Self::from_f32_r(Round::Rz, x)
    }

    /// Returns the smallest power of two that is not below `|x|`: `cvt.rp.satfinite`.
    ///
    /// Magnitudes above 2¹²⁷, including infinities, give 2¹²⁷, and a NaN gives
    /// [`CANONICAL_NAN`](Self::CANONICAL_NAN).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// let bits = [-1.0, 1.1, 2.0, 0.0].map(|x| Ue8m0::from_f32_rp(x).to_bits());
    /// assert_eq!(bits, [0x7f, 0x80, 0x80, 0x00]);
    /// assert_eq!(Ue8m0::from_f32_rp(f32::MAX), Ue8m0::MAX);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f32_rp(x: f32) -> Self {
        Self::from_f32_r(Round::Rp, x)
    }

    fn from_f32_r(rnd: Round, x: f32) -> Self {
        let m = Modifiers::PLAIN.with_rnd(rnd).with_satfinite(true);
        Self::from_bits(scalar::cvt::<Binary32, Exponent8>(m, x.to_bits()))
    }

    /// Returns `2^exponent`, or `None` if the exponent is not from −127 to 127.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert_eq!(Ue8m0::from_exponent(-127), Some(Ue8m0::MIN));
    /// assert_eq!(Ue8m0::from_exponent(128), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn from_exponent(exponent: i32) -> Option<Self> {
        match exponent {
            -127..=127 => Some(Self::from_bits((exponent + 127) as u8)),
            _ => None,
        }
    }

    /// Returns the exponent of two, or `None` for the NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert_eq!(Ue8m0::MAX.exponent(), Some(127));
    /// assert_eq!(Ue8m0::CANONICAL_NAN.exponent(), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn exponent(self) -> Option<i32> {
        if self.is_nan() { None } else { Some(self.to_bits() as i32 - 127) }
    }

    /// Returns `true` for the NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert!(Ue8m0::from_bits(0xff).is_nan());
    /// assert!(!Ue8m0::MIN.is_nan());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_nan(self) -> bool {
        self.to_bits() == 0xff
    }

    /// Returns the same value as an `f32`; the NaN becomes a quiet NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert_eq!(Ue8m0::MIN.to_f32().to_bits(), 0x0040_0000); // subnormal
    /// assert_eq!(Ue8m0::CANONICAL_NAN.to_f32().to_bits(), 0x7fc0_0000);
    /// ```
    #[must_use]
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(widen::<Exponent8, Binary32>(self.to_bits()))
    }

    /// Returns the same value as an `f64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// assert_eq!(Ue8m0::from_bits(0x82).to_f64(), 8.0);
    /// ```
    #[must_use]
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(widen::<Exponent8, Binary64>(self.to_bits()))
    }

    /// Compares the bits: in the order of the numbers, with the NaN above all of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue8m0;
    ///
    /// let mut x = [0xff, 0x00, 0x7f].map(Ue8m0::from_bits);
    /// x.sort_by(Ue8m0::total_cmp);
    /// assert_eq!(x.map(Ue8m0::to_bits), [0x00, 0x7f, 0xff]);
    /// ```
    #[must_use]
    #[inline]
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.to_bits().cmp(&other.to_bits())
    }
}
