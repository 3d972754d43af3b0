//! What a thread's value is in a vector, and integers, which are in none.
//!
//! Floats are the lanes of an engine's vectors (`vector`). Integers of threads are arrays, in loops that the compiler vectorises:
//! they are counters and indices more than they are data, and an engine has no integers of 64 bits.
// Invariant: pointers are valid for the lanes that a call names.
#![expect(unsafe_code, reason = "values are loaded and stored here")]

use crate::backend::lanes::engine::{M16, Memory, Vectors};
use crate::kernel::int::for_each_int;
use crate::kernel::op::{Cmp, Known};
use crate::kernel::value::Scalar;

use super::memory::{mask_of_words, words_of_mask};

/// A value's type in the vectors of `N` threads, as many as an engine has 16-bit lanes.
///
/// # Safety
///
/// Any bits are a value of the type, and [`V`](Self::V) holds `N` of them as they are.
#[inline_in_release]
pub(crate) unsafe trait Lane: Copy + Default {
    /// In the order of the memory.
    type V<G: Vectors, const N: usize>: Copy;

    /// Whether the CPU accesses lanes by a mask: of x86's vectors the longest.
    fn has_masks<const N: usize>() -> bool {
        N == 32
    }

    fn splat<G: Vectors, const N: usize>(g: G, x: Self) -> Self::V<G, N>;
    /// # Safety
    /// `p` is valid for reading a vector.
    unsafe fn load<G: Vectors, const N: usize>(g: G, p: *const Self) -> Self::V<G, N>;
    /// # Safety
    /// `p` is valid for writing a vector.
    unsafe fn store<G: Vectors, const N: usize>(g: G, p: *mut Self, x: Self::V<G, N>);
    /// The lanes that are not of `bits` are 0.
    ///
    /// # Safety
    /// `p` is valid for reading the lanes of `bits`.
    unsafe fn load_some<G: Vectors, const N: usize>(g: G, p: *const Self, bits: u32) -> Self::V<G, N>;
    /// # Safety
    /// `p` is valid for writing the lanes of `bits`.
    unsafe fn store_some<G: Vectors, const N: usize>(g: G, p: *mut Self, bits: u32, x: Self::V<G, N>);
    /// The elements at `p`, `p + step` and so on.
    ///
    /// # Safety
    /// All that is between the elements is valid for reading.
    unsafe fn load_strided<G: Vectors, const N: usize>(g: G, p: *const Self, step: i32) -> Self::V<G, N>;

    /// `yes` where `m` is set.
    fn select<G: Vectors, const N: usize>(g: G, m: M16<G>, yes: Self::V<G, N>, no: Self::V<G, N>) -> Self::V<G, N>;
    fn compare<O: Known<Cmp>, G: Vectors, const N: usize>(g: G, a: Self::V<G, N>, b: Self::V<G, N>) -> M16<G>;

    /// The vector of an array.
    fn from_array<G: Vectors, const N: usize>(g: G, x: [Self; N]) -> Self::V<G, N> {
        const { assert!(N == <G::U16 as Memory<u16>>::N) };
        // SAFETY: the array is a vector long.
        unsafe { Self::load(g, x.as_ptr()) }
    }
    /// The array of a vector.
    fn to_array<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> [Self; N] {
        const { assert!(N == <G::U16 as Memory<u16>>::N) };
        let mut d = [Self::default(); N];
        // SAFETY: the array is a vector long.
        unsafe { Self::store(g, d.as_mut_ptr(), x) };
        d
    }
}

/// The bits of the first `N` lanes.
const fn first<const N: usize>() -> u32 {
    u32::MAX >> (u32::BITS as usize - N)
}

/// The elements of `bits` from `p` on, and elsewhere one of these. Without a branch for each: which threads take part may be anybody's guess,
/// and a choice between an element and 0 would become a branch.
///
/// # Safety
/// `p` is valid for reading the lanes of `bits`.
#[inline_in_release]
pub(super) unsafe fn load_each<T: Copy + Default, const N: usize>(p: *const T, bits: u32) -> [T; N] {
    let (mut d, bits) = ([T::default(); N], bits & first::<N>());
    if bits == 0 {
        return d;
    }
    if bits == first::<N>() {
        // SAFETY: the caller's.
        return unsafe { p.cast::<[T; N]>().read_unaligned() };
    }
    // What stands in for those that are not to be touched.
    let other = bits.trailing_zeros() as usize;
    let mut l = 0;
    while l < N {
        let at = if bits >> l & 1 != 0 { l } else { other };
        // SAFETY: the caller's.
        d[l] = unsafe { p.wrapping_add(at).read() };
        l += 1;
    }
    d
}

/// Writes the elements of `bits` from `p` on, as [`load_each`] reads them.
///
/// # Safety
/// `p` is valid for writing the lanes of `bits`.
#[inline_in_release]
pub(super) unsafe fn store_each<T: Copy, const N: usize>(p: *mut T, bits: u32, x: &[T; N]) {
    let bits = bits & first::<N>();
    if bits == 0 {
        return;
    }
    if bits == first::<N>() {
        // SAFETY: the caller's.
        return unsafe { p.cast::<[T; N]>().write_unaligned(*x) };
    }
    let other = bits.trailing_zeros() as usize % N;
    let mut l = 0;
    while l < N {
        let at = if bits >> l & 1 != 0 { l } else { other };
        // SAFETY: the caller's.
        unsafe { p.wrapping_add(at).write(x[at]) };
        l += 1;
    }
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
        // SAFETY: an integer, and an array of them.
        #[inline_in_release]
        unsafe impl Lane for $ty {
            type V<G: Vectors, const N: usize> = [Self; N];

            fn has_masks<const N: usize>() -> bool {
                false
            }
            fn splat<G: Vectors, const N: usize>(_: G, x: Self) -> [Self; N] {
                [x; N]
            }
            unsafe fn load<G: Vectors, const N: usize>(_: G, p: *const Self) -> [Self; N] {
                // SAFETY: the caller's.
                unsafe { p.cast::<[Self; N]>().read() }
            }
            unsafe fn store<G: Vectors, const N: usize>(_: G, p: *mut Self, x: [Self; N]) {
                // SAFETY: the caller's.
                unsafe { p.cast::<[Self; N]>().write(x) }
            }
            unsafe fn load_some<G: Vectors, const N: usize>(_: G, p: *const Self, bits: u32) -> [Self; N] {
                // SAFETY: the caller's.
                let mut d: [Self; N] = unsafe { load_each(p, bits) };
                let mut l = 0;
                while l < N {
                    d[l] &= (0 as Self).wrapping_sub((bits >> l & 1) as Self);
                    l += 1;
                }
                d
            }
            unsafe fn store_some<G: Vectors, const N: usize>(_: G, p: *mut Self, bits: u32, x: [Self; N]) {
                // SAFETY: the caller's.
                unsafe { store_each(p, bits, &x) }
            }
            unsafe fn load_strided<G: Vectors, const N: usize>(_: G, p: *const Self, step: i32) -> [Self; N] {
                let (mut d, mut l) = ([0; N], 0);
                while l < N {
                    // SAFETY: the caller's.
                    d[l] = unsafe { p.wrapping_offset(step as isize * l as isize).read() };
                    l += 1;
                }
                d
            }
            fn select<G: Vectors, const N: usize>(g: G, m: M16<G>, yes: [Self; N], no: [Self; N]) -> [Self; N] {
                let m = words_of_mask::<G, N>(g, m);
                let mut d = no;
                let mut l = 0;
                while l < N {
                    d[l] = if m[l] != 0 { yes[l] } else { no[l] };
                    l += 1;
                }
                d
            }
            fn compare<O: Known<Cmp>, G: Vectors, const N: usize>(g: G, a: [Self; N], b: [Self; N]) -> M16<G> {
                let mut d = [0; N];
                let mut l = 0;
                while l < N {
                    d[l] = if <Self as Scalar>::cmp(O::OP, a[l], b[l]) { !0 } else { 0 };
                    l += 1;
                }
                mask_of_words(g, &d)
            }
            fn from_array<G: Vectors, const N: usize>(_: G, x: [Self; N]) -> [Self; N] {
                x
            }
            fn to_array<G: Vectors, const N: usize>(_: G, x: [Self; N]) -> [Self; N] {
                x
            }
        }
    )*};
}

for_each_int! { integers }
