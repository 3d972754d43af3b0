//! Accesses to several pairs of neighbouring elements, for a device's thread that runs more than
//! two threads of the kernel.
//!
//! An aligned access is a load or store of an array that is aligned to 16 bytes, which a device's
//! compiler translates to `ld.global.v4.b32` and `st.global.v4.b32`. Shared memory is accessed pair
//! by pair.
// Invariant: an access as a whole is in the slice, and is only made at an aligned address.

use super::super::pair::Joined;
use super::super::pairs::{Alignment, Pairs};
use super::{In, Out, as_in, is_pair, out_of_range};

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
        let (p, alignment) = self.several(i, 2 * N::COUNT, alignment, false);
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
        let pair = |n: usize| self.first.wrapping_add(i.wrapping_add(2 * n));
        if self.in_words::<P>(i, alignment) {
            // SAFETY: in bounds and aligned.
            return N::each(|n| unsafe { self.space.read_pair(pair(n), true) });
        }
        // SAFETY: in bounds.
        N::each(|n| unsafe { self.space.read_pair(pair(n), false) })
    }

    /// Returns the address of the `n` elements from the `i`-th on, and the alignment of an access
    /// that may not test its address.
    fn several(self, i: usize, n: usize, alignment: Alignment, writes: bool) -> (*const T, Alignment) {
        if self.checks.fail(i >= self.len.saturating_sub(n - 1)) {
            out_of_range(i.max(self.len), self.len);
        }
        let untested = alignment == Alignment::Unknown && self.checks.in_halves();
        (self.noted(i, n, writes), if untested { Alignment::Element } else { alignment })
    }

    /// Returns `true` if each pair from the `i`-th element on is one access.
    fn in_words<P: Joined<Lane = T>>(self, i: usize, alignment: Alignment) -> bool {
        let p = self.first.wrapping_add(i);
        alignment != Alignment::Element && is_pair::<P>(self.space, p, i, alignment.of_pairs())
    }
}

#[inline_in_release]
impl<T: Copy> Out<'_, T> {
    as_in! {
        begins_aligned_by<K>(threads: usize, head: usize) -> bool;
    }

    /// Writes the pairs of the `2 * N::COUNT` elements from the `i`-th on.
    pub(in super::super) fn set_pairs<N: Pairs, P: Joined<Lane = T>>(
        self,
        i: usize,
        alignment: Alignment,
        value: N::Of<P>,
    ) {
        let (p, alignment) = self.several(i, 2 * N::COUNT, alignment, true);
        let p = p.cast_mut();
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
        let pair = |n: usize| self.first.wrapping_add(i.wrapping_add(2 * n)).cast_mut();
        if self.in_words::<P>(i, alignment) {
            // SAFETY: in bounds and aligned.
            N::each(|n| unsafe { self.space.write_pair(pair(n), true, N::get(&value, n)) });
        } else {
            // SAFETY: in bounds.
            N::each(|n| unsafe { self.space.write_pair(pair(n), false, N::get(&value, n)) });
        }
    }
}
