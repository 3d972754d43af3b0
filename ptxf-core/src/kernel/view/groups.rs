//! Accesses to several pairs of neighbouring elements, for a device's thread that runs more than
//! two threads of the kernel.
//!
//! An aligned access is a load or store of an array that is aligned to 16 bytes, which a device's
//! compiler translates to `ld.global.v4.b32` and `st.global.v4.b32`. Shared memory is accessed pair
//! by pair.
// Invariant: an access as a whole is in the slice, and is only made at an aligned address.

use super::super::pair::Joined;
use super::super::pairs::{Alignment, Pairs};
#[cfg(feature = "kernel-trace")]
use super::trace;
use super::{Checks, In, Out, is_pair, out_of_range};

#[inline_in_release]
impl Alignment {
    /// Returns the alignment for an access, which may not test its address.
    fn tested_by(self, checks: Checks) -> Self {
        if self == Self::Unknown && checks.in_halves() { Self::Element } else { self }
    }
}

/// Values whose address is a multiple of 16.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Sixteen<T>(T);

/// Values whose address is a multiple of 8.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Eight<T>(T);

/// Values whose address is a multiple of 4.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
struct Four<T>(T);

/// Returns the alignment in bytes of an access to elements of `threads` threads, of `size` bytes
/// each.
const fn bytes(threads: usize, size: usize) -> usize {
    if threads * size < 16 { threads * size } else { 16 }
}

/// Checks the bounds of the `n` elements from the `i`-th on.
#[inline_in_release]
fn require(checks: Checks, i: usize, n: usize, len: usize) {
    if checks.fail(i >= len.saturating_sub(n - 1)) {
        out_of_range(i.max(len), len);
    }
}

#[inline_in_release]
impl<T: Copy> In<'_, T> {
    /// Returns `true` if a group of `threads` threads that begins `head` threads before the slice
    /// begins at an aligned address. `K` is the type of a number in the slice.
    pub fn begins_aligned_by<K>(self, threads: usize, head: usize) -> bool {
        // Congruent numbers differ in no lower bit. A device tests all slices at once.
        (self.first.addr() ^ (head * size_of::<K>())).is_multiple_of(bytes(threads, size_of::<K>()))
    }

    /// Returns the pairs of the `2 * N::COUNT` elements from the `i`-th on.
    pub(in super::super) fn pairs<N: Pairs, P: Joined<Lane = T>>(self, i: usize, alignment: Alignment) -> N::Of<P> {
        require(self.checks, i, 2 * N::COUNT, self.len);
        #[cfg(feature = "kernel-trace")]
        trace::record(self.first.wrapping_add(i), 2 * N::COUNT, false);
        // SAFETY: in bounds.
        unsafe { self.pairs_in_range::<N, P>(i, alignment.tested_by(self.checks)) }
    }

    /// Returns pairs whose bounds were checked before.
    ///
    /// # Safety
    ///
    /// The elements are in the slice.
    pub(super) unsafe fn pairs_in_range<N: Pairs, P: Joined<Lane = T>>(
        self,
        i: usize,
        alignment: Alignment,
    ) -> N::Of<P> {
        let p = self.first.wrapping_add(i);
        if alignment == Alignment::Group && !self.space.is_shared() {
            let align = bytes(2 * N::COUNT, size_of::<T>());
            debug_assert!(p.addr().is_multiple_of(align), "a group that is aligned by its index, not by address");
            // Each is in bounds and aligned, and a pair is two elements, the lower one first.
            return match align {
                // SAFETY: as above.
                16 => unsafe { p.cast::<Sixteen<N::Of<P>>>().read() }.0,
                // SAFETY: as above.
                8 => unsafe { p.cast::<Eight<N::Of<P>>>().read() }.0,
                // SAFETY: as above.
                4 => unsafe { p.cast::<Four<N::Of<P>>>().read() }.0,
                // SAFETY: as above.
                _ => unsafe { p.cast::<N::Of<P>>().read() },
            };
        }
        if alignment.of_pairs().unwrap_or_else(|| is_pair::<P>(self.space, p, i, None)) {
            // SAFETY: guaranteed by the caller.
            return N::each(|n| unsafe { self.pair_in_range(i.wrapping_add(2 * n), Some(true)) });
        }
        // SAFETY: guaranteed by the caller.
        N::each(|n| unsafe { self.halves_in_range(i.wrapping_add(2 * n)) })
    }
}

#[inline_in_release]
impl<T: Copy> Out<'_, T> {
    /// Returns `true` as [`In::begins_aligned_by`] does.
    pub fn begins_aligned_by<K>(self, threads: usize, head: usize) -> bool {
        self.as_in().begins_aligned_by::<K>(threads, head)
    }

    /// Writes the pairs of the `2 * N::COUNT` elements from the `i`-th on.
    pub(in super::super) fn set_pairs<N: Pairs, P: Joined<Lane = T>>(
        self,
        i: usize,
        alignment: Alignment,
        value: N::Of<P>,
    ) {
        require(self.checks, i, 2 * N::COUNT, self.len);
        #[cfg(feature = "kernel-trace")]
        trace::record(self.first.wrapping_add(i), 2 * N::COUNT, true);
        // SAFETY: in bounds.
        unsafe { self.set_pairs_in_range::<N, P>(i, alignment.tested_by(self.checks), value) };
    }

    /// Writes pairs whose bounds were checked before.
    ///
    /// # Safety
    ///
    /// The elements are in the slice.
    pub(super) unsafe fn set_pairs_in_range<N: Pairs, P: Joined<Lane = T>>(
        self,
        i: usize,
        alignment: Alignment,
        value: N::Of<P>,
    ) {
        let p = self.first.wrapping_add(i);
        if alignment == Alignment::Group && !self.space.is_shared() {
            let align = bytes(2 * N::COUNT, size_of::<T>());
            debug_assert!(p.addr().is_multiple_of(align), "a group that is aligned by its index, not by address");
            // Each is in bounds and aligned, and a pair is two elements, the lower one first.
            return match align {
                // SAFETY: as above.
                16 => unsafe { p.cast::<Sixteen<N::Of<P>>>().write(Sixteen(value)) },
                // SAFETY: as above.
                8 => unsafe { p.cast::<Eight<N::Of<P>>>().write(Eight(value)) },
                // SAFETY: as above.
                4 => unsafe { p.cast::<Four<N::Of<P>>>().write(Four(value)) },
                // SAFETY: as above.
                _ => unsafe { p.cast::<N::Of<P>>().write(value) },
            };
        }
        if alignment.of_pairs().unwrap_or_else(|| is_pair::<P>(self.space, p, i, None)) {
            // SAFETY: guaranteed by the caller.
            N::each(|n| unsafe { self.set_pair_in_range(i.wrapping_add(2 * n), Some(true), N::get(&value, n)) });
        } else {
            // SAFETY: guaranteed by the caller.
            N::each(|n| unsafe { self.set_halves_in_range(i.wrapping_add(2 * n), N::get(&value, n)) });
        }
    }
}
