//! Evenly spaced indices of a group: the first index, and the stride unless it is 1.

use core::ops::{Add, Mul, Neg, Sub};

/// Consecutive indices, one per thread of a group, represented by the first. All arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lin(pub usize);

#[inline_in_release]
impl Add<usize> for Lin {
    type Output = Self;
    fn add(self, k: usize) -> Self {
        Self(self.0.wrapping_add(k))
    }
}

#[inline_in_release]
impl Sub<usize> for Lin {
    type Output = Self;
    fn sub(self, k: usize) -> Self {
        Self(self.0.wrapping_sub(k))
    }
}

/// Evenly spaced indices, one per thread of a group. All arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// Index of the group's first thread.
    pub first: usize,
    /// Difference between the indices of neighbouring threads.
    pub step: usize,
}

#[inline_in_release]
impl From<Lin> for Strided {
    fn from(i: Lin) -> Self {
        Self { first: i.0, step: 1 }
    }
}

#[inline_in_release]
impl Add for Strided {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { first: self.first.wrapping_add(other.first), step: self.step.wrapping_add(other.step) }
    }
}

#[inline_in_release]
impl Add<usize> for Strided {
    type Output = Self;
    fn add(self, k: usize) -> Self {
        Self { first: self.first.wrapping_add(k), ..self }
    }
}

#[inline_in_release]
impl Sub<usize> for Strided {
    type Output = Self;
    fn sub(self, k: usize) -> Self {
        Self { first: self.first.wrapping_sub(k), ..self }
    }
}

#[inline_in_release]
impl Mul<usize> for Strided {
    type Output = Self;
    fn mul(self, k: usize) -> Self {
        Self { first: self.first.wrapping_mul(k), step: self.step.wrapping_mul(k) }
    }
}

#[inline_in_release]
impl Neg for Strided {
    type Output = Self;
    fn neg(self) -> Self {
        Self { first: self.first.wrapping_neg(), step: self.step.wrapping_neg() }
    }
}
