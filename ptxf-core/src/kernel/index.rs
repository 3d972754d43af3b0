//! Consecutive indices, of which a group of threads needs the first.

use core::ops::{Add, Sub};

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
