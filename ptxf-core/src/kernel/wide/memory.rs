//! Vectors in memory.
// Invariant: the lanes whose bits are set are in bounds.
#![expect(unsafe_code, reason = "vectors are loaded and stored here")]

use super::vector::Vector;
use crate::backend::lanes::engine::{Memory, V16, Vectors};
use crate::kernel::index::Lin;
use crate::kernel::view::{In, Out};

/// `slice[i]` and so on, for all threads or those of `bits`; the others get 0.
#[inline(always)]
pub(super) fn load<T: Vector, G: Vectors>(g: G, slice: In<'_, T>, i: Lin, bits: Option<u32>) -> T::V<G> {
    match bits {
        None => {
            let p = slice.read(i.0, <G::U16 as Memory<u16>>::N);
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
#[inline(always)]
pub(super) fn store<T: Vector, G: Vectors>(g: G, slice: Out<'_, T>, i: Lin, bits: Option<u32>, x: T::V<G>) {
    match bits {
        None => {
            let p = slice.write(i.0, <G::U16 as Memory<u16>>::N);
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

/// The vector of an array.
#[inline(always)]
pub(super) fn from_array<T: Vector, G: Vectors, const N: usize>(g: G, x: &[T; N]) -> T::V<G> {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    // SAFETY: the array is a vector long.
    unsafe { T::load(g, x.as_ptr()) }
}

/// The array of a vector.
#[inline(always)]
pub(super) fn to_array<T: Vector + Default, G: Vectors, const N: usize>(g: G, x: T::V<G>) -> [T; N] {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let mut d = [T::default(); N];
    // SAFETY: the array is a vector long.
    unsafe { T::store(g, d.as_mut_ptr(), x) };
    d
}

/// `slice[i]` with an index per thread, for those of `bits`; the others get 0.
#[inline(always)]
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
#[inline(always)]
pub(super) fn scatter<T: Copy, const N: usize>(slice: Out<'_, T>, i: &[usize; N], bits: u32, x: &[T; N]) {
    let mut l = 0;
    while l < N {
        if bits >> l & 1 != 0 {
            slice.set(i[l], x[l]);
        }
        l += 1;
    }
}

/// The vector of an array's words.
#[inline(always)]
pub(super) fn from_words<G: Vectors, const N: usize>(g: G, x: &[u16; N]) -> V16<G> {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    // SAFETY: the array is a vector long.
    unsafe { g.u16().load(x.as_ptr()) }
}

/// The words of a vector.
#[inline(always)]
pub(super) fn to_words<G: Vectors, const N: usize>(g: G, x: V16<G>) -> [u16; N] {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let mut d = [0; N];
    // SAFETY: the array is a vector long.
    unsafe { g.u16().store(d.as_mut_ptr(), x) };
    d
}

/// `slice[i]` and so on.
#[inline(always)]
pub(super) fn load_array<T: Copy, const N: usize>(slice: In<'_, T>, i: Lin) -> [T; N] {
    let p = slice.read(i.0, N);
    // SAFETY: in bounds.
    unsafe { p.cast::<[T; N]>().read() }
}

/// Writes `slice[i]` and so on.
#[inline(always)]
pub(super) fn store_array<T: Copy, const N: usize>(slice: Out<'_, T>, i: Lin, x: [T; N]) {
    let p = slice.write(i.0, N);
    // SAFETY: in bounds.
    unsafe { p.cast::<[T; N]>().write(x) }
}
