//! Operands of conversions, in binary32 lanes.

use super::Four;
use crate::backend::lanes::engine::{Memory, V32, Vectors};
use crate::backend::lanes::format::Format16 as _;
use crate::backend::lanes::modifiers::flushed;
use crate::backend::lanes::portable::Portable;
use crate::backend::lanes::walk::Job;
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::int::Int;
use crate::modifiers::Modifiers;

/// A format whose values binary32 holds.
pub(crate) trait Source: Format {
    /// The values of the `k`-th operand from the `i`-th lane on, in the order of the memory, and any NaN for a NaN.
    fn load<E: Vectors, D: Int>(e: E, m: Modifiers, job: &Job<'_, Self::Bits, D>, k: usize, i: usize) -> Four<E>;
    /// One value, and any NaN for a NaN.
    fn lane(m: Modifiers, x: Self::Bits) -> u32;
}

impl Source for Binary32 {
    #[inline(always)]
    fn load<E: Vectors, D: Int>(e: E, m: Modifiers, job: &Job<'_, u32, D>, k: usize, i: usize) -> Four<E> {
        let (ints, n) = (e.u32(), <E::U32 as Memory<u32>>::N);
        let [a, b] = [job.load(ints, k, i), job.load(ints, k, i + n)];
        let [c, d] = [job.load(ints, k, i + 2 * n), job.load(ints, k, i + 3 * n)];
        [flushed_f32(e, m, a), flushed_f32(e, m, b), flushed_f32(e, m, c), flushed_f32(e, m, d)]
    }
    #[inline(always)]
    fn lane(m: Modifiers, x: u32) -> u32 {
        flushed::<Self, _>(Portable, m, x)
    }
}

#[inline(always)]
fn flushed_f32<E: Vectors>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
    flushed::<Binary32, _>(e.u32(), m, x)
}

impl Source for Binary16 {
    #[inline(always)]
    fn load<E: Vectors, D: Int>(e: E, _: Modifiers, job: &Job<'_, u16, D>, k: usize, i: usize) -> Four<E> {
        let n = <E::U16 as Memory<u16>>::N;
        let [a, b] = job.load_wide::<Self, E>(e, k, i);
        let [c, d] = job.load_wide::<Self, E>(e, k, i + n);
        [a, b, c, d]
    }
    #[inline(always)]
    fn lane(_: Modifiers, x: u16) -> u32 {
        Self::widen_lane(x)
    }
}

impl Source for BFloat16 {
    #[inline(always)]
    fn load<E: Vectors, D: Int>(e: E, _: Modifiers, job: &Job<'_, u16, D>, k: usize, i: usize) -> Four<E> {
        let n = <E::U16 as Memory<u16>>::N;
        let [a, b] = Self::widen_exactly(e, job.load(e.u16(), k, i));
        let [c, d] = Self::widen_exactly(e, job.load(e.u16(), k, i + n));
        [a, b, c, d]
    }
    #[inline(always)]
    fn lane(_: Modifiers, x: u16) -> u32 {
        Self::widen_lane(x)
    }
}
