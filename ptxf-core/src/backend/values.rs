//! Operations on the lanes of one value: in vectors where every CPU of the build has them, else
//! lane by lane.
//!
//! A build for `x86-64-v3`, or for its own CPU, computes with values as slices do, inlined and
//! without a call. A pair is then two lanes of a vector whose others are 0; what only these would
//! need, the compiler leaves out.
// Invariant: an array has as many lanes as the widest vector.
#![expect(unsafe_code, reason = "lanes become vectors by way of memory")]
#![allow(dead_code, unused_imports, reason = "most builds are for CPUs of which some have no such vectors")]

use core::marker::PhantomData;

use super::lanes::engine::{Floats as _, Memory, Vectors};
use super::lanes::format::{LaneFormat, V};
use super::lanes::levels::{self, Task};
use super::lanes::walk::Lanewise;
use super::register::Register;
use crate::format::{BFloat16, Format as _};
use crate::int::Int;
use crate::modifiers::Modifiers;

/// The first expression in a build of which every CPU has the vectors, the second one in others,
/// which do not see the first.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma", target_feature = "f16c"))]
macro_rules! in_vectors {
    ($vectors:expr, else $lanes:expr) => {
        $vectors
    };
}
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma", target_feature = "f16c")))]
macro_rules! in_vectors {
    ($vectors:expr, else $lanes:expr) => {
        $lanes
    };
}
pub(crate) use in_vectors;

/// `O` on every lane. Operands beyond those that it has are not looked at.
#[inline(always)]
pub(crate) fn run<O: Lanewise<R::Format>, R: Register<Format: LaneFormat>>(m: Modifiers, x: [R; 3]) -> R {
    levels::run_at_baseline(Lanes { m, x, operation: PhantomData::<O> })
}

struct Lanes<O, R> {
    m: Modifiers,
    x: [R; 3],
    operation: PhantomData<O>,
}

impl<O: Lanewise<R::Format>, R: Register<Format: LaneFormat>> Task for Lanes<O, R> {
    type Output = R;
    const IN_F16: bool = false;
    const IN_SIMD128: bool = false;

    #[inline(always)]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) -> R {
        // Without instructions that round in a given direction a sum of products of bf16 is in
        // doubt so often that all lanes of the vector have the long way beside it.
        if R::Format::PRECISION == BFloat16::PRECISION && O::OPERANDS == 3 && e.f32().directed().is_none() {
            return self.portable();
        }
        let [a, b, c] = self.x;
        from_vector(e, O::of_value(e, self.m, [to_vector(e, a), to_vector(e, b), to_vector(e, c)]))
    }

    #[inline(always)]
    fn portable(self) -> R {
        let [a, b, c] = self.x;
        a.map3(b, c, |a, b, c| O::scalar::<R::Format>(self.m, [a, b, c]))
    }
}

/// Lanes of the widest vector.
const MOST: usize = 32;

/// The register's lanes, and zeros.
#[inline(always)]
fn to_vector<R: Register<Format: LaneFormat>, E: Vectors>(e: E, x: R) -> V<R::Format, E> {
    let mut lanes = [R::Lane::ZERO; MOST];
    let bits = x.to_u64();
    lanes[0] = bits.cast();
    if R::LANES == 2 {
        lanes[1] = (bits >> R::Lane::BITS).cast();
    }
    // SAFETY: no vector has more lanes.
    unsafe { R::Format::lanes(e).load(lanes.as_ptr()) }
}

/// The register of the first lanes.
#[inline(always)]
fn from_vector<R: Register<Format: LaneFormat>, E: Vectors>(e: E, x: V<R::Format, E>) -> R {
    let mut lanes = [R::Lane::ZERO; MOST];
    // SAFETY: no vector has more lanes.
    unsafe { R::Format::lanes(e).store(lanes.as_mut_ptr(), x) };
    let high = if R::LANES == 2 { lanes[1].cast::<u64>() << R::Lane::BITS } else { 0 };
    R::from_u64(lanes[0].cast::<u64>() | high)
}
