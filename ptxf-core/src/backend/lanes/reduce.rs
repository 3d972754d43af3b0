//! Sums of products in 32 binary32 lanes, whatever the level: as many as the widest vectors have of
//! 16 bits.
// Invariant: a level is passed only if the CPU has it.

use super::engine::{Floats as _, Memory as _, V32, Vectors};
use super::format::{Format16, LaneFormat};
use super::levels::{self, Task};
use super::portable::{HAS_FLOATS, Portable};
use crate::format::Binary32;
use crate::int::Int as _;
use crate::level::Level;
use crate::modifiers::{Modifiers, Round};
use crate::scalar;

/// A format whose values are summed up in binary32.
pub(crate) trait Term: LaneFormat {
    /// As many values as a vector has 16-bit lanes, in the order of the memory, and any NaN for a
    /// NaN.
    fn read<E: Vectors>(e: E, x: &[Self::Bits]) -> [V32<E>; 2];
    /// One value, and any NaN for a NaN.
    fn lane(x: Self::Bits) -> u32;
}

#[inline_in_release]
impl<F: Format16> Term for F {
    fn read<E: Vectors>(e: E, x: &[u16]) -> [V32<E>; 2] {
        F::widen_in_order(e, e.u16().read(x))
    }
    fn lane(x: u16) -> u32 {
        F::widen_lane(x)
    }
}

#[inline_in_release]
impl Term for Binary32 {
    fn read<E: Vectors>(e: E, x: &[u32]) -> [V32<E>; 2] {
        let (low, high) = x.split_at(x.len() / 2);
        [e.u32().read(low), e.u32().read(high)]
    }
    fn lane(x: u32) -> u32 {
        x
    }
}

/// Partial sums.
pub(crate) const PARTIAL: usize = 32;

/// Partial sums of products: the product of the `i`-th elements, or with no second slice the
/// element itself, is added to the sum of `i % 32`. Each step rounds once.
///
/// # Panics
/// If the slices differ in length.
///
/// # Safety
/// This CPU has `level`.
pub(crate) unsafe fn partial_sums<F: Term>(level: Level, a: &[F::Bits], b: Option<&[F::Bits]>) -> [u32; PARTIAL] {
    assert!(b.is_none_or(|b| a.len() == b.len()));
    // SAFETY: the caller's.
    unsafe { levels::run(level, Sums::<F> { a, b }) }
}

/// Slices of one length.
struct Sums<'a, F: Term> {
    a: &'a [F::Bits],
    b: Option<&'a [F::Bits]>,
}

impl<F: Term> Task for Sums<'_, F> {
    type Output = [u32; PARTIAL];
    const IN_F16: bool = false;
    const IN_SIMD128: bool = true;

    #[inline_in_release]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) -> [u32; PARTIAL] {
        let mut sums = [[e.f32().splat(0.0); 2]; VECTORS];
        let (a, a_end) = self.a.as_chunks::<PARTIAL>();
        if let Some(b) = self.b {
            let (b, b_end) = b.as_chunks::<PARTIAL>();
            for (x, y) in a.iter().zip(b) {
                add::<F, E, LANES, VECTORS>(e, &mut sums, x, Some(y));
            }
            if !a_end.is_empty() {
                let (x, y) = (padded::<F>(F::sign_mask(), a_end), padded::<F>(F::Bits::ZERO, b_end));
                add::<F, E, LANES, VECTORS>(e, &mut sums, &x, Some(&y));
            }
        } else {
            for x in a {
                add::<F, E, LANES, VECTORS>(e, &mut sums, x, None);
            }
            if !a_end.is_empty() {
                add::<F, E, LANES, VECTORS>(e, &mut sums, &padded::<F>(F::sign_mask(), a_end), None);
            }
        }
        let mut all = [0; PARTIAL];
        for (all, [low, high]) in all.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
            let (first, second) = all.split_at_mut(LANES / 2);
            e.u32().write(first, low);
            e.u32().write(second, high);
        }
        all
    }

    fn portable(self) -> [u32; PARTIAL] {
        let mut sums = [0; PARTIAL];
        let (a, a_end) = self.a.as_chunks::<PARTIAL>();
        if let Some(b) = self.b {
            let (b, b_end) = b.as_chunks::<PARTIAL>();
            for (x, y) in a.iter().zip(b) {
                add_products::<F>(&mut sums, x, y);
            }
            add_products::<F>(&mut sums, a_end, b_end);
        } else {
            for x in a {
                add_values::<F>(&mut sums, x);
            }
            add_values::<F>(&mut sums, a_end);
        }
        sums
    }
}

/// The end of a slice, and `with` for the lanes beyond. A sum of negative products that underflowed
/// is −0, which only −0, as the product of −0 and 0 is, leaves as it is.
#[inline_in_release]
fn padded<F: Term>(with: F::Bits, end: &[F::Bits]) -> [F::Bits; PARTIAL] {
    let mut all = [with; PARTIAL];
    all[..end.len()].copy_from_slice(end);
    all
}

/// Adds products, or values if there is no second slice.
#[inline_in_release]
fn add<F: Term, E: Vectors, const LANES: usize, const VECTORS: usize>(
    e: E,
    sums: &mut [[V32<E>; 2]; VECTORS],
    a: &[F::Bits; PARTIAL],
    b: Option<&[F::Bits; PARTIAL]>,
) {
    let f = e.f32();
    let mut i = 0;
    while i < VECTORS {
        let [x, y] = F::read(e, &a[i * LANES..][..LANES]);
        let [low, high] = sums[i];
        sums[i] = match b {
            Some(b) => {
                let [z, w] = F::read(e, &b[i * LANES..][..LANES]);
                [f.fma_rnd(Round::Rn, x, z, low), f.fma_rnd(Round::Rn, y, w, high)]
            }
            None => [f.add(x, low), f.add(y, high)],
        };
        i += 1;
    }
}

/// Adds products to the first sums, by lane; in integers where the build has no floats.
#[inline_in_release]
fn add_products<F: Term>(sums: &mut [u32; PARTIAL], a: &[F::Bits], b: &[F::Bits]) {
    for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
        *sum = if HAS_FLOATS {
            Portable.fma_rnd(Round::Rn, F::lane(a), F::lane(b), *sum)
        } else {
            let [a, b] = [a, b].map(|x| scalar::convert::<F, Binary32>(Round::Rn, x));
            scalar::fma::<Binary32>(Modifiers::PLAIN, a, b, *sum)
        };
    }
}

/// Adds values to the first sums, by lane.
#[inline_in_release]
fn add_values<F: Term>(sums: &mut [u32; PARTIAL], x: &[F::Bits]) {
    let mut i = 0;
    while i < x.len() {
        let sum = sums[i];
        sums[i] = if HAS_FLOATS {
            super::engine::Floats::add(Portable, F::lane(x[i]), sum)
        } else {
            scalar::add::<Binary32>(Modifiers::PLAIN, scalar::convert::<F, Binary32>(Round::Rn, x[i]), sum)
        };
        i += 1;
    }
}
