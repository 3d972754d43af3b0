//! The representation of threads' values in vectors, and integers, which are arrays.
//!
//! Floats are the lanes of an engine's vectors (`vector`). Integers are arrays, in loops that the
//! compiler vectorizes. They are mostly counters and indices and seldom data, and an engine has no
//! 64-bit integers.
// Invariant: pointers are valid for the lanes that a call names.
#![expect(unsafe_code, reason = "values are loaded and stored here")]

use crate::backend::lanes::engine::{M16, Memory, Vectors};
use crate::kernel::int::for_each_int;
use crate::kernel::op::{Cmp, Known};
use crate::kernel::value::Scalar;

use super::memory::{mask_of_words, words_of_mask};

/// The type of a value of `N` threads, where `N` is the engine's number of 16-bit lanes.
///
/// # Safety
///
/// Any bits are a valid value of the type, and [`V`](Self::V) holds the bits of `N` of them.
#[inline_in_release]
pub(crate) unsafe trait Lane: Copy + Default {
    /// The values, in memory order.
    type V<G: Vectors, const N: usize>: Copy;

    /// Returns `true` if the CPU loads and stores lanes under a mask, as it does for 512-bit
    /// vectors of x86.
    fn has_masks<const N: usize>() -> bool {
        N == 32
    }

    /// Returns `x` in all lanes.
    fn splat<G: Vectors, const N: usize>(g: G, x: Self) -> Self::V<G, N>;
    /// Loads a vector.
    ///
    /// # Safety
    /// `p` is valid for reading a vector.
    unsafe fn load<G: Vectors, const N: usize>(g: G, p: *const Self) -> Self::V<G, N>;
    /// Stores a vector.
    ///
    /// # Safety
    /// `p` is valid for writing a vector.
    unsafe fn store<G: Vectors, const N: usize>(g: G, p: *mut Self, x: Self::V<G, N>);
    /// Loads the lanes of `bits`; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading the lanes of `bits`.
    unsafe fn load_some<G: Vectors, const N: usize>(g: G, p: *const Self, bits: u32) -> Self::V<G, N>;
    /// Stores the lanes of `bits`.
    ///
    /// # Safety
    /// `p` is valid for writing the lanes of `bits`.
    unsafe fn store_some<G: Vectors, const N: usize>(g: G, p: *mut Self, bits: u32, x: Self::V<G, N>);
    /// Loads the elements at `p`, `p + step` and so on.
    ///
    /// # Safety
    /// The memory from the first to the last element is valid for reading.
    unsafe fn load_strided<G: Vectors, const N: usize>(g: G, p: *const Self, step: i32) -> Self::V<G, N>;

    /// Returns `yes` where `m` is set, and `no` elsewhere.
    fn select<G: Vectors, const N: usize>(g: G, m: M16<G>, yes: Self::V<G, N>, no: Self::V<G, N>) -> Self::V<G, N>;
    /// Compares two vectors.
    fn compare<O: Known<Cmp>, G: Vectors, const N: usize>(g: G, a: Self::V<G, N>, b: Self::V<G, N>) -> M16<G>;

    /// Converts an array to a vector.
    fn from_array<G: Vectors, const N: usize>(g: G, x: [Self; N]) -> Self::V<G, N> {
        const { assert!(N == <G::U16 as Memory<u16>>::N) };
        // SAFETY: the array has the length of a vector.
        unsafe { Self::load(g, x.as_ptr()) }
    }
    /// Converts a vector to an array.
    fn to_array<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> [Self; N] {
        const { assert!(N == <G::U16 as Memory<u16>>::N) };
        let mut d = [Self::default(); N];
        // SAFETY: the array has the length of a vector.
        unsafe { Self::store(g, d.as_mut_ptr(), x) };
        d
    }
}

/// Returns the bits of the first `N` lanes.
const fn first<const N: usize>() -> u32 {
    u32::MAX >> (u32::BITS as usize - N)
}

/// Loads the elements of `bits`; the other lanes get one of these elements. There is no branch per
/// lane: the bits may be unpredictable, and a selection between an element and 0 would compile to a
/// branch.
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
        // SAFETY: guaranteed by the caller.
        return unsafe { p.cast::<[T; N]>().read_unaligned() };
    }
    // The lane that is read in place of those that may not be read.
    let other = bits.trailing_zeros() as usize;
    let mut l = 0;
    while l < N {
        let at = if bits >> l & 1 != 0 { l } else { other };
        // SAFETY: guaranteed by the caller.
        d[l] = unsafe { p.wrapping_add(at).read() };
        l += 1;
    }
    d
}

/// Stores the elements of `bits`, without branches as in [`load_each`].
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
        // SAFETY: guaranteed by the caller.
        return unsafe { p.cast::<[T; N]>().write_unaligned(*x) };
    }
    let other = bits.trailing_zeros() as usize % N;
    let mut l = 0;
    while l < N {
        let at = if bits >> l & 1 != 0 { l } else { other };
        // SAFETY: guaranteed by the caller.
        unsafe { p.wrapping_add(at).write(x[at]) };
        l += 1;
    }
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
        // SAFETY: an integer, and an array of integers.
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
                // SAFETY: guaranteed by the caller.
                unsafe { p.cast::<[Self; N]>().read() }
            }
            unsafe fn store<G: Vectors, const N: usize>(_: G, p: *mut Self, x: [Self; N]) {
                // SAFETY: guaranteed by the caller.
                unsafe { p.cast::<[Self; N]>().write(x) }
            }
            unsafe fn load_some<G: Vectors, const N: usize>(_: G, p: *const Self, bits: u32) -> [Self; N] {
                // SAFETY: guaranteed by the caller.
                let mut d: [Self; N] = unsafe { load_each(p, bits) };
                let mut l = 0;
                while l < N {
                    d[l] &= (0 as Self).wrapping_sub((bits >> l & 1) as Self);
                    l += 1;
                }
                d
            }
            unsafe fn store_some<G: Vectors, const N: usize>(_: G, p: *mut Self, bits: u32, x: [Self; N]) {
                // SAFETY: guaranteed by the caller.
                unsafe { store_each(p, bits, &x) }
            }
            unsafe fn load_strided<G: Vectors, const N: usize>(_: G, p: *const Self, step: i32) -> [Self; N] {
                let (mut d, mut l) = ([0; N], 0);
                while l < N {
                    // SAFETY: guaranteed by the caller.
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
