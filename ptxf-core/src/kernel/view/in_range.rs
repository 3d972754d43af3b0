//! Views without bounds checks, for a loop on a device whose bounds were checked before it.
//!
//! These views are separate types, so that code with the other views does not change. If it is
//! unknown whether a pair's address is aligned, these views access two elements without a test. The
//! branch of a test would keep the compiler from unrolling the loop, and a device from loading the
//! next element before the first arrives.
// Invariant: whoever makes such a view accesses only elements that are in the slice.

use super::super::many::Pairs;
use super::super::pair::Joined;
use super::super::space::Space;
use super::{Alignment, In, Out};

/// A view whose accesses are known to be in range.
#[derive(Clone, Copy, Debug)]
pub struct InRange<V>(V);

#[inline_in_release]
impl<V> InRange<V> {
    /// Returns the view, for accesses whose bounds were checked before.
    ///
    /// # Safety
    ///
    /// Every element that is accessed through the result is in the slice.
    #[must_use]
    pub const unsafe fn new(view: V) -> Self {
        Self(view)
    }
}

#[inline_in_release]
impl<'a, T: Copy> InRange<In<'a, T>> {
    /// Returns the space of the elements.
    pub(in super::super) const fn space(self) -> Space {
        self.0.space
    }

    /// Returns the `i`-th element.
    #[must_use]
    pub fn get(self, i: usize) -> T {
        let Self(of) = self;
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { of.space.read(of.first.wrapping_add(i)) }
    }

    /// Returns the elements `i` and `i + 1`; `known` is as in `In::pair`.
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
impl<T: Copy> InRange<In<'_, T>> {
    /// Returns the pairs of the elements from the `i`-th on.
    pub(in super::super) fn pairs<N: Pairs, P: Joined<Lane = T>>(self, i: usize, alignment: Alignment) -> N::Of<P> {
        // SAFETY: in bounds.
        unsafe { self.0.pairs_in_range::<N, P>(i, alignment.untested()) }
    }
}

#[inline_in_release]
impl<T: Copy> InRange<Out<'_, T>> {
    /// Writes the pairs of the elements from the `i`-th on.
    pub(in super::super) fn set_pairs<N: Pairs, P: Joined<Lane = T>>(
        self,
        i: usize,
        alignment: Alignment,
        value: N::Of<P>,
    ) {
        // SAFETY: in bounds.
        unsafe { self.0.set_pairs_in_range::<N, P>(i, alignment.untested(), value) };
    }
}

#[inline_in_release]
impl<'a, T: Copy> InRange<Out<'a, T>> {
    /// Returns a view for reading.
    #[must_use]
    pub fn as_in(self) -> InRange<In<'a, T>> {
        InRange(self.0.as_in())
    }

    /// Returns the space of the elements.
    pub(in super::super) const fn space(self) -> Space {
        self.0.space
    }

    /// Returns the `i`-th element.
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

    /// Writes the elements `i` and `i + 1`; `known` is as in `In::pair`.
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
