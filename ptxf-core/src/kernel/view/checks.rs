//! Views whose bounds checks were done before the accesses, on a device.
//!
//! The flag is a constant where the view is made, and views disappear by inlining, so no
//! instruction tests the flag. If a pair's alignment is unknown, a view for a loop accesses two
//! elements without a test of the address. The branch of a test would keep the compiler from
//! unrolling the loop, and a device from loading the next element before the first arrives.
// Invariant: whoever makes an unchecked view accesses only elements that are in the slice.

#[cfg(target_arch = "nvptx64")]
use super::super::row::Rows;
#[cfg(target_arch = "nvptx64")]
use super::{In, Out};

/// The time of a view's bounds checks: at each access, or on a device also before all accesses.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Checks {
    #[cfg(target_arch = "nvptx64")]
    done: bool,
    /// `true` if a pair of unknown alignment is accessed as two elements.
    #[cfg(target_arch = "nvptx64")]
    halves: bool,
}

impl Checks {
    /// Checks at each access.
    pub(in super::super) const ALL: Self = Self {
        #[cfg(target_arch = "nvptx64")]
        done: false,
        #[cfg(target_arch = "nvptx64")]
        halves: false,
    };

    /// Returns the checks, which were done before if `done` is `true`.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub(in super::super) const fn done_if(self, done: bool) -> Self {
        Self { done: self.done || done, ..self }
    }

    /// Returns `true` if the checks were done before the accesses.
    #[inline(always)]
    pub(in super::super) const fn are_done(self) -> bool {
        #[cfg(target_arch = "nvptx64")]
        return self.done;
        #[cfg(not(target_arch = "nvptx64"))]
        false
    }

    /// Returns `true` if a pair of unknown alignment is accessed as two elements.
    #[inline(always)]
    pub(in super::super) const fn in_halves(self) -> bool {
        #[cfg(target_arch = "nvptx64")]
        return self.halves;
        #[cfg(not(target_arch = "nvptx64"))]
        false
    }

    /// Returns `true` if a check at the access fails, for an element that may be `outside`.
    #[inline(always)]
    pub(in super::super) const fn fail(self, outside: bool) -> bool {
        outside && !self.are_done()
    }
}

#[cfg(target_arch = "nvptx64")]
#[inline_in_release]
impl<T> In<'_, T> {
    /// Returns the view. If `known` is `true`, its accesses are not checked.
    ///
    /// # Safety
    ///
    /// If `known` is `true`, every element that is accessed through the result is in the slice.
    #[doc(hidden)]
    #[must_use]
    pub const unsafe fn unchecked_if(self, known: bool) -> Self {
        Self { checks: self.checks.done_if(known), ..self }
    }

    /// Returns the view without checks, for a loop. Pairs that are not known to be words are
    /// accessed as two elements.
    ///
    /// # Safety
    ///
    /// Every element that is accessed through the result is in the slice.
    #[doc(hidden)]
    #[must_use]
    pub const unsafe fn unchecked_in_halves(self) -> Self {
        Self { checks: Checks { done: true, halves: true }, ..self }
    }
}

#[cfg(target_arch = "nvptx64")]
#[inline_in_release]
impl<T> Out<'_, T> {
    /// Returns the view as [`In::unchecked_if`] does.
    ///
    /// # Safety
    ///
    /// As for [`In::unchecked_if`].
    #[must_use]
    pub const unsafe fn unchecked_if(self, known: bool) -> Self {
        // SAFETY: guaranteed by the caller.
        Self { view: unsafe { self.view.unchecked_if(known) }, ..self }
    }

    /// Returns the view as [`In::unchecked_in_halves`] does.
    ///
    /// # Safety
    ///
    /// As for [`In::unchecked_in_halves`].
    #[must_use]
    pub const unsafe fn unchecked_in_halves(self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self { view: unsafe { self.view.unchecked_in_halves() }, ..self }
    }
}

#[cfg(target_arch = "nvptx64")]
#[inline_in_release]
impl Rows {
    /// Returns the shape. If `known` is `true`, places are not checked.
    ///
    /// # Safety
    ///
    /// If `known` is `true`, every place that the result computes is in its row.
    #[must_use]
    pub const unsafe fn unchecked_if(self, known: bool) -> Self {
        Self { checks: self.checks.done_if(known), ..self }
    }
}
