//! Indices at one distance from each other, of which a group of threads needs the first, and the distance if that is not 1.

use core::ops::{Add, Mul, Neg, Sub};

/// Consecutive indices, one per thread of a group, by the first one. All arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lin(pub usize);

impl Add<usize> for Lin {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, k: usize) -> Self {
        Self(self.0.wrapping_add(k))
    }
}

impl Sub<usize> for Lin {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, k: usize) -> Self {
        Self(self.0.wrapping_sub(k))
    }
}

/// Indices at one distance from each other, one per thread of a group. All arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// The first.
    pub first: usize,
    /// How much the next one is more.
    pub step: usize,
}

impl From<Lin> for Strided {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(i: Lin) -> Self {
        Self { first: i.0, step: 1 }
    }
}

impl Add for Strided {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, other: Self) -> Self {
        Self { first: self.first.wrapping_add(other.first), step: self.step.wrapping_add(other.step) }
    }
}

impl Add<usize> for Strided {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, k: usize) -> Self {
        Self { first: self.first.wrapping_add(k), ..self }
    }
}

impl Sub<usize> for Strided {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, k: usize) -> Self {
        Self { first: self.first.wrapping_sub(k), ..self }
    }
}

impl Mul<usize> for Strided {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, k: usize) -> Self {
        Self { first: self.first.wrapping_mul(k), step: self.step.wrapping_mul(k) }
    }
}

impl Neg for Strided {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(self) -> Self {
        Self { first: self.first.wrapping_neg(), step: self.step.wrapping_neg() }
    }
}
