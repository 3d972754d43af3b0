//! Vectors in memory, for all threads of a group or for some of them.
// Invariant: the lanes whose bits are set are in bounds.
#![expect(unsafe_code, reason = "vectors are loaded and stored here")]

use super::lane::Lane;
use crate::backend::lanes::engine::{Ints as _, M16, Memory, Vectors};
use crate::kernel::index::Lin;
use crate::kernel::view::{In, Out};

/// `slice[i]` and so on, for all threads or those of `bits`; the others get 0.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub(super) fn load<T: Lane, G: Vectors, const N: usize>(
    g: G,
    slice: In<'_, T>,
    i: Lin,
    bits: Option<u32>,
) -> T::V<G, N> {
    match bits {
        None => {
            let p = slice.read(i.0, N);
            // SAFETY: in bounds.
            unsafe { T::load(g, p) }
        }
        Some(bits) => {
            let p = slice.read_some(i.0, bits);
            // SAFETY: in bounds as far as the bits go.
            unsafe { T::load_some(g, p, bits) }
        }
    }
}

/// Writes `slice[i]` and so on, for all threads or those of `bits`.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub(super) fn store<T: Lane, G: Vectors, const N: usize>(
    g: G,
    slice: Out<'_, T>,
    i: Lin,
    bits: Option<u32>,
    x: T::V<G, N>,
) {
    match bits {
        None => {
            let p = slice.write(i.0, N);
            // SAFETY: in bounds.
            unsafe { T::store(g, p, x) }
        }
        Some(bits) => {
            let p = slice.write_some(i.0, bits);
            // SAFETY: in bounds as far as the bits go.
            unsafe { T::store_some(g, p, bits, x) }
        }
    }
}

/// `slice[i]` with an index per thread, for those of `bits`; the others get 0.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub(super) fn gather<T: Copy + Default, const N: usize>(slice: In<'_, T>, i: &[usize; N], bits: u32) -> [T; N] {
    let mut d = [T::default(); N];
    let mut l = 0;
    while l < N {
        if bits >> l & 1 != 0 {
            d[l] = slice.get(i[l]);
        }
        l += 1;
    }
    d
}

/// Writes `slice[i]` with an index per thread, for those of `bits`, in the order of the threads.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
pub(super) fn scatter<T: Copy, const N: usize>(slice: Out<'_, T>, i: &[usize; N], bits: u32, x: &[T; N]) {
    let mut l = 0;
    while l < N {
        if bits >> l & 1 != 0 {
            slice.set(i[l], x[l]);
        }
        l += 1;
    }
}

/// The mask of truth values as words, all ones for true.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn mask_of_words<G: Vectors, const N: usize>(g: G, words: &[u16; N]) -> M16<G> {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let ones = g.u16().splat(!0);
    // SAFETY: the array is a vector long.
    let words = unsafe { g.u16().load(words.as_ptr()) };
    g.u16().eq(words, ones)
}

/// The truth values as words, all ones for true.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn words_of_mask<G: Vectors, const N: usize>(g: G, m: M16<G>) -> [u16; N] {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let (ones, zeros) = (g.u16().splat(!0), g.u16().splat(0));
    let mut d = [0; N];
    // SAFETY: the array is a vector long.
    unsafe { g.u16().store(d.as_mut_ptr(), g.u16().select(m, ones, zeros)) };
    d
}
