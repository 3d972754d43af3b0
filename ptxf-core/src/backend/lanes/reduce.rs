//! Sums of products in 32 binary32 lanes.
// Invariant: both pointers are valid for `n` lanes, blocks for `PARTIAL`, and a level is passed only if the CPU has it.

use super::cast::Half;
use super::levels::{self, Task};
use super::mask::Masks;
use super::{Engine, LaneFormat, Lanes, W};
use crate::format::Binary32;
use crate::int::Int as _;
use crate::level::Level;
use crate::modifiers::Round;

/// A format whose values are summed up in binary32.
pub(crate) trait Term: LaneFormat {
    /// As many values as a vector has 16-bit lanes, in the order of the memory.
    ///
    /// # Safety
    /// `p` is valid for that many.
    unsafe fn load<E: Engine>(e: E, p: *const Self::Bits) -> [W<E>; 2];
}

impl<F: Half> Term for F {
    #[inline(always)]
    unsafe fn load<E: Engine>(e: E, p: *const u16) -> [W<E>; 2] {
        // SAFETY: the caller's.
        F::widen(e, unsafe { Lanes::<u16>::load(e, p) })
    }
}

impl Term for Binary32 {
    #[inline(always)]
    unsafe fn load<E: Engine>(e: E, p: *const u32) -> [W<E>; 2] {
        // SAFETY: the caller's.
        let low = unsafe { Lanes::<u32>::load(e, p) };
        let second = <E as Lanes<u16>>::N - <E as Lanes<u32>>::N;
        // SAFETY: the caller's, of the second half (where a vector is one lane, of its only one).
        [low, unsafe { Lanes::<u32>::load(e, p.wrapping_add(second)) }]
    }
}

/// Partial sums.
pub(crate) const PARTIAL: usize = 32;

/// Adds products to the partial sums: the product of the `i`-th elements, or with no second slice the element itself, to
/// the sum of `i % 32`. Each step rounds once.
///
/// # Safety
/// The pointers are valid for `n` lanes, and this CPU has `level`.
pub(crate) unsafe fn partial_sums<F: Term>(
    level: Level,
    a: *const F::Bits,
    b: Option<*const F::Bits>,
    n: usize,
) -> [u32; PARTIAL] {
    // SAFETY: the caller's.
    unsafe { levels::at(level, Sums::<F> { a, b, n }) }
}

/// Slices that are valid for `n` lanes.
struct Sums<F: Term> {
    a: *const F::Bits,
    b: Option<*const F::Bits>,
    n: usize,
}

impl<F: Term> Task for Sums<F> {
    type Output = [u32; PARTIAL];

    #[inline(always)]
    fn vectors<E: Masks, const LANES: usize, const VECTORS: usize>(self, e: E) -> [u32; PARTIAL] {
        // SAFETY: as whoever made it says.
        unsafe { vectors::<F, E, VECTORS>(e, self.a, self.b, self.n) }
    }

    fn portable(self) -> [u32; PARTIAL] {
        // SAFETY: as whoever made it says.
        unsafe { portable::<F>(self.a, self.b, self.n) }
    }
}

/// # Safety
/// The pointers are valid for `n` lanes.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
unsafe fn portable<F: Term>(a: *const F::Bits, b: Option<*const F::Bits>, n: usize) -> [u32; PARTIAL] {
    // SAFETY: the caller's.
    unsafe { vectors::<F, super::portable::Portable, PARTIAL>(super::portable::Portable, a, b, n) }
}

/// One element after another, in integers.
///
/// # Safety
/// The pointers are valid for `n` lanes.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
unsafe fn portable<F: Term>(a: *const F::Bits, b: Option<*const F::Bits>, n: usize) -> [u32; PARTIAL] {
    use crate::backend::scalar::{convert, fma};
    let mut sums = [0; PARTIAL];
    for i in 0..n {
        // SAFETY: the caller's.
        let x = convert::<F, Binary32>(Round::Rn, unsafe { a.wrapping_add(i).read() });
        // SAFETY: the caller's.
        let y = b.map_or(1_f32.to_bits(), |b| convert::<F, Binary32>(Round::Rn, unsafe { b.wrapping_add(i).read() }));
        sums[i % PARTIAL] = fma::<Binary32>(crate::modifiers::Modifiers::PLAIN, x, y, sums[i % PARTIAL]);
    }
    sums
}

/// # Safety
/// The pointers are valid for `n` lanes.
#[inline(always)]
unsafe fn vectors<F: Term, E: Engine, const VECTORS: usize>(
    e: E,
    a: *const F::Bits,
    b: Option<*const F::Bits>,
    n: usize,
) -> [u32; PARTIAL] {
    let step = const {
        assert!(<E as Lanes<u16>>::N * VECTORS == PARTIAL);
        <E as Lanes<u16>>::N
    };
    let zero = Lanes::<u32>::splat(e, 0);
    let mut sums = [[zero; 2]; VECTORS];
    let mut done = 0;
    while n - done >= PARTIAL {
        let mut i = 0;
        while i < VECTORS {
            // SAFETY: `PARTIAL` more lanes are in bounds.
            unsafe { add::<F, E>(e, &mut sums[i], a, b, done + i * step) };
            i += 1;
        }
        done += PARTIAL;
    }
    if done < n {
        // A sum of negative products that underflowed is −0: only −0, as the product of the two is, changes nothing.
        let mut ends = [[F::sign_mask(); PARTIAL], [F::Bits::ZERO; PARTIAL]];
        // SAFETY: fewer than `PARTIAL` lanes are left.
        unsafe { a.wrapping_add(done).copy_to_nonoverlapping(ends[0].as_mut_ptr(), n - done) };
        if let Some(b) = b {
            // SAFETY: as before.
            unsafe { b.wrapping_add(done).copy_to_nonoverlapping(ends[1].as_mut_ptr(), n - done) };
        }
        let [x, y] = [ends[0].as_ptr(), ends[1].as_ptr()];
        let mut i = 0;
        while i < VECTORS {
            // SAFETY: the blocks have that many lanes.
            unsafe { add::<F, E>(e, &mut sums[i], x, b.map(|_| y), i * step) };
            i += 1;
        }
    }
    let mut all = [0; PARTIAL];
    for (i, [low, high]) in sums.into_iter().enumerate() {
        // SAFETY: all vectors together have `PARTIAL` lanes.
        unsafe { Lanes::<u32>::store(e, all.as_mut_ptr().wrapping_add(i * step), low) };
        // SAFETY: as before (where a vector is one lane, both are that lane).
        unsafe {
            Lanes::<u32>::store(e, all.as_mut_ptr().wrapping_add((i + 1) * step - <E as Lanes<u32>>::N), high);
        }
    }
    all
}

/// # Safety
/// A vector from lane `i` on is in bounds.
#[inline(always)]
unsafe fn add<F: Term, E: Engine>(e: E, sum: &mut [W<E>; 2], a: *const F::Bits, b: Option<*const F::Bits>, i: usize) {
    // SAFETY: the caller's.
    let [x, y] = unsafe { F::load(e, a.wrapping_add(i)) };
    *sum = match b {
        Some(b) => {
            // SAFETY: the caller's.
            let [z, w] = unsafe { F::load(e, b.wrapping_add(i)) };
            [e.fma_f32(Round::Rn, x, z, sum[0]), e.fma_f32(Round::Rn, y, w, sum[1])]
        }
        None => [e.add(x, sum[0]), e.add(y, sum[1])],
    };
}
