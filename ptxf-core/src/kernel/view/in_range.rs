//! Slices whose accesses do not ask whether there is such an element, in a loop on a device that was asked about in front of it.
//!
//! Such a view is a type of its own, so that code with the other views is what it is without this one. Where nobody
//! knows whether a pair's address is aligned, such a view accesses the two elements one by one and does not ask: the branch would keep the
//! compiler from unrolling the loop, and a device from loading the next element before this one has arrived.
// Invariant: whoever makes one accesses elements that are in the slice, and no others.

use super::super::pair::Joined;
use super::super::space::Space;
use super::{In, Out};

/// A view, of whose elements those that are accessed are known to be in it.
#[derive(Clone, Copy, Debug)]
pub struct InRange<V>(V);

#[inline_in_release]
impl<V> InRange<V> {
    /// The view for accesses that were asked about before.
    ///
    /// # Safety
    ///
    /// Every element that is accessed through what this returns is in the slice.
    #[must_use]
    pub const unsafe fn new(view: V) -> Self {
        Self(view)
    }
}

#[inline_in_release]
impl<'a, T: Copy> InRange<In<'a, T>> {
    /// Where its elements are.
    pub(in super::super) const fn space(self) -> Space {
        self.0.space
    }

    /// The `i`-th element.
    #[must_use]
    pub fn get(self, i: usize) -> T {
        let Self(of) = self;
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { of.space.read(of.first.wrapping_add(i)) }
    }

    /// The elements `i` and `i + 1`, where `known` may say whether they are aligned to a pair.
    pub(in super::super) fn pair<P: Joined<Lane = T>>(self, i: usize, known: Option<bool>) -> P {
        if known == Some(true) {
            // SAFETY: in bounds.
            unsafe { self.0.pair_in_range(i, known) }
        } else {
            // SAFETY: in bounds.
            unsafe { self.0.halves_in_range(i) }
        }
    }
}

#[inline_in_release]
impl<'a, T: Copy> InRange<Out<'a, T>> {
    /// The slice to be read.
    #[must_use]
    pub fn as_in(self) -> InRange<In<'a, T>> {
        InRange(self.0.as_in())
    }

    /// Where its elements are.
    pub(in super::super) const fn space(self) -> Space {
        self.0.space
    }

    /// The `i`-th element.
    #[must_use]
    pub fn get(self, i: usize) -> T {
        self.as_in().get(i)
    }

    /// Writes the `i`-th element.
    pub fn set(self, i: usize, value: T) {
        let Self(of) = self;
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { of.space.write(of.first.wrapping_add(i), value) };
    }

    /// Writes the elements `i` and `i + 1`, where `known` may say whether they are aligned to a pair.
    pub(in super::super) fn set_pair<P: Joined<Lane = T>>(self, i: usize, known: Option<bool>, value: P) {
        if known == Some(true) {
            // SAFETY: in bounds.
            unsafe { self.0.set_pair_in_range(i, known, value) };
        } else {
            // SAFETY: in bounds.
            unsafe { self.0.set_halves_in_range(i, value) };
        }
    }
}
