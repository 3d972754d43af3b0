//! Loads and stores of vectors, for all threads of a group or for some of them.
// Invariant: the lanes whose bits are set are in bounds.
#![expect(unsafe_code, reason = "vectors are loaded and stored here")]

use super::lane::Lane;
use crate::backend::lanes::engine::{Ints as _, M16, Memory, Vectors};
use crate::kernel::index::{Lin, Strided};
use crate::kernel::view::{In, Out};

/// Loads `slice[i]` and so on, for all threads or those of the mask; the others get any value.
/// `alone` is `true` if the launch runs on one thread of the CPU.
#[inline_in_release]
#[track_caller]
pub(super) fn load<T: Lane, G: Vectors, const N: usize>(
    g: G,
    slice: In<'_, T>,
    i: Lin,
    some: Option<M16<G>>,
    alone: bool,
) -> T::V<G, N> {
    match some {
        None => {
            let p = slice.all(i.0, N, false);
            // SAFETY: in bounds.
            unsafe { T::load(g, p) }
        }
        Some(m) => {
            let bits = g.mask_to_bits(m);
            if !T::has_masks::<N>()
                && let Some(p) = slice.around(i.0, N, bits, alone, false)
            {
                // SAFETY: in bounds.
                return unsafe { T::load(g, p) };
            }
            let p = slice.some(i.0, bits, false);
            // SAFETY: the lanes of `bits` are in bounds.
            unsafe { T::load_some(g, p, bits) }
        }
    }
}

/// Stores to `slice[i]` and so on, for all threads or those of the mask; `alone` is as in [`load`].
#[inline_in_release]
#[track_caller]
pub(super) fn store<T: Lane, G: Vectors, const N: usize>(
    g: G,
    slice: Out<'_, T>,
    i: Lin,
    some: Option<M16<G>>,
    x: T::V<G, N>,
    alone: bool,
) {
    match some {
        None => {
            let p = slice.all(i.0, N, true).cast_mut();
            // SAFETY: in bounds.
            unsafe { T::store(g, p, x) }
        }
        Some(m) => {
            let bits = g.mask_to_bits(m);
            if !T::has_masks::<N>()
                && let Some(p) = slice.around(i.0, N, bits, alone, true)
            {
                // SAFETY: in bounds.
                let old = unsafe { T::load(g, p) };
                // SAFETY: in bounds, and nothing else accesses the elements.
                return unsafe { T::store(g, p.cast_mut(), T::select(g, m, x, old)) };
            }
            let p = slice.some(i.0, bits, true).cast_mut();
            // SAFETY: the lanes of `bits` are in bounds.
            unsafe { T::store_some(g, p, bits, x) }
        }
    }
}

/// Loads `slice[i]` with evenly spaced indices, for all threads or those of the mask; the others
/// get any value.
#[inline_in_release]
#[track_caller]
pub(super) fn load_strided<T: Lane, G: Vectors, const N: usize>(
    g: G,
    slice: In<'_, T>,
    i: Strided,
    some: Option<M16<G>>,
    alone: bool,
) -> T::V<G, N> {
    let all = u32::MAX >> (u32::BITS as usize - N);
    let bits = match some {
        None => all,
        Some(m) => g.mask_to_bits(m) & all,
    };
    if let Some((p, step)) = slice.read_strided(i, [0, N - 1], bits, alone) {
        // SAFETY: all elements from the first to the last may be read.
        return unsafe { T::load_strided::<G, N>(g, p, step) };
    }
    if bits != all && bits != 0 {
        // In the last group of a row a thread that does not exist reads the element of the nearest
        // thread that exists.
        let [least, most] = [bits.trailing_zeros() as usize, bits.ilog2() as usize];
        if let Some((p, step)) = slice.read_strided(i, [least, most], bits, alone) {
            let (mut d, mut l) = ([T::default(); N], 0);
            while l < N {
                let at = if l < least { least } else { l };
                let at = if at > most { most } else { at };
                // SAFETY: all elements between those of these two lanes may be read.
                d[l] = unsafe { p.wrapping_offset(step as isize * at as isize).read() };
                l += 1;
            }
            return T::from_array(g, d);
        }
    }
    let mut places = [0; N];
    let mut l = 0;
    while l < N {
        places[l] = i.first.wrapping_add(i.step.wrapping_mul(l));
        l += 1;
    }
    T::from_array(g, gather(slice, &places, bits))
}

/// Loads `slice[i]` with an index per thread, for those of `bits`; the others get 0.
#[inline_in_release]
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

/// Stores to `slice[i]` with an index per thread, for those of `bits`, in the order of the threads.
#[inline_in_release]
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

/// Converts truth values, as words of all ones or all zeros, to a mask.
#[inline_in_release]
pub(super) fn mask_of_words<G: Vectors, const N: usize>(g: G, words: &[u16; N]) -> M16<G> {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let ones = g.u16().splat(!0);
    // SAFETY: the array has the length of a vector.
    let words = unsafe { g.u16().load(words.as_ptr()) };
    g.u16().eq(words, ones)
}

/// Converts a mask to words of all ones or all zeros.
#[inline_in_release]
pub(super) fn words_of_mask<G: Vectors, const N: usize>(g: G, m: M16<G>) -> [u16; N] {
    const { assert!(N == <G::U16 as Memory<u16>>::N) };
    let (ones, zeros) = (g.u16().splat(!0), g.u16().splat(0));
    let mut d = [0; N];
    // SAFETY: the array has the length of a vector.
    unsafe { g.u16().store(d.as_mut_ptr(), g.u16().select(m, ones, zeros)) };
    d
}
