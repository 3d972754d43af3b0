//! Conversions of `S2f6`, and its order, which is that of the integers.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

use super::S2f6;
use crate::format::{Binary32, Binary64, Fixed2F6};
use crate::modifiers::Round;
use crate::sem;

/// Conversions.
impl S2f6 {
    /// Rounds `x` to nearest, ties to even, and clamps it to the range: `cvt.rn.satfinite`.
    ///
    /// A NaN gives [`MAX`](Self::MAX).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// let bits = [0.5, -0.02, 9.0, -9.0].map(|x| S2f6::from_f32(x).to_bits());
    /// assert_eq!(bits, [0x20, 0xff, 0x7f, 0x80]);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f32(x: f32) -> Self {
        Self::from_bits(sem::convert::<Binary32, Fixed2F6>(Round::Rn, x.to_bits()))
    }

    /// Rounds `x` to nearest, ties to even, once; otherwise as [`from_f32`](Self::from_f32).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// assert_eq!(S2f6::from_f64(1.0 / 128.0 + 1e-12).to_bits(), 0x01);
    /// ```
    #[must_use]
    #[inline]
    pub fn from_f64(x: f64) -> Self {
        Self::from_bits(sem::convert::<Binary64, Fixed2F6>(Round::Rn, x.to_bits()))
    }

    /// Returns the number in units of 1/64.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// assert_eq!(S2f6::MIN.sixty_fourths(), -128);
    /// ```
    #[must_use]
    #[inline]
    pub const fn sixty_fourths(self) -> i8 {
        self.to_bits().cast_signed()
    }

    /// Returns the same value as an `f32`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// assert_eq!(S2f6::MAX.to_f32(), 1.984375);
    /// ```
    #[must_use]
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(sem::convert::<Fixed2F6, Binary32>(Round::Rn, self.to_bits()))
    }

    /// Returns the same value as an `f64`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6;
    ///
    /// assert_eq!(S2f6::MIN.to_f64(), -2.0);
    /// ```
    #[must_use]
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(sem::convert::<Fixed2F6, Binary64>(Round::Rn, self.to_bits()))
    }
}

impl PartialEq for S2f6 {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.sixty_fourths() == other.sixty_fourths()
    }
}

impl Eq for S2f6 {}

impl PartialOrd for S2f6 {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for S2f6 {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.sixty_fourths().cmp(&other.sixty_fourths())
    }
}

impl Hash for S2f6 {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sixty_fourths().hash(state);
    }
}
