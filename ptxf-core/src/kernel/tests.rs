//! Bodies written by hand, run in every version.
#![expect(unsafe_code, reason = "bodies and outputs need the guarantees of expansions")]

mod bodies;
mod bounds;
mod divergent;
mod grids;
mod groups;
mod launches;
mod operations;
mod outside;
#[cfg(all(target_os = "linux", not(miri)))]
mod pages;
mod strided;
#[cfg(feature = "kernel-trace")]
mod traces;

use std::fmt::Debug;
use std::vec::Vec;

use super::__expansion::*;
use super::pairs::{Many, Pairs, Pairs2, Pairs4, Pairs8};
use super::plan::{self, Plan};
use super::*;
use crate::level::Level;
use crate::types::{Bf16, F16, F16x2, F32x2};

/// An element and its bits.
trait Bits: Element + PartialEq {
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
    /// Width in bits.
    const WIDTH: u32;
}

macro_rules! bits {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Bits for $ty {
            fn of(bits: u32) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn bits(self) -> u32 {
                self.to_bits().into()
            }
            const WIDTH: u32 = $bits::BITS;
        }
    )*};
}

bits! { f32 u32; F16 u16; Bf16 u16; }

/// Returns numbers of all kinds: zeros, subnormals, infinities, NaNs with payloads, and numbers
/// between.
fn kinds<E: Bits>() -> Vec<E> {
    let sign = 1 << (E::WIDTH - 1);
    let infinity = E::INFINITY.bits();
    let bits = [
        0,
        1,
        3,
        E::MIN_POSITIVE.bits() - 1,
        E::MIN_POSITIVE.bits(),
        E::MAX.bits(),
        infinity,
        infinity + 1,
        infinity | (infinity & !(infinity << 1)) >> 1,
        (sign - 1) ^ 4,
        sign - 1,
    ];
    let values =
        [1.0, 1.5, 0.1, 3.0, 2.0, 100.0, 255.9, 40_000.0, 1e-6, 0.999, 0.5, 0.25, 1.001].map(|x| E::cvt_rn(x).bits());
    bits.into_iter().chain(values).flat_map(|b| [E::of(b), E::of(b | sign)]).collect()
}

/// The versions of a launch, except for the reference.
fn ways() -> Vec<Way> {
    let wide = Level::available().map(Way::Wide);
    let pairs = [Way::Pair { head: false }, Way::Pair { head: true }];
    let many = [0, 1, 2, 3].map(|head| Way::Many { head });
    pairs.into_iter().chain(many).chain(wide).collect()
}

#[derive(Clone, Copy, Debug)]
enum Way {
    One,
    Pair {
        head: bool,
    },
    /// As many threads at a time as a device's thread runs.
    Many {
        head: usize,
    },
    Wide(Level),
}

impl Way {
    fn launch<B: Body>(self, grid: Grid, body: B) {
        match self {
            Self::One => launch_one(grid, body),
            Self::Pair { head } => launch_pair(grid.head(head), body),
            Self::Many { head } => many(grid, head, body),
            Self::Wide(level) => launch_wide(grid.level(level), body),
        }
    }
}

/// Runs 4, 8 or 16 threads at a time, as the head decides.
fn many<B: Body>(grid: Grid, head: usize, body: B) {
    fn run<N: Pairs, B: Body>(grid: Grid, head: usize, body: B) {
        let plan = Plan::new(grid, 2 * N::COUNT, head);
        plan::run(Many::<B::Elem, N, false>::new(), &plan, &body, &core::cell::Cell::new(0), 0..plan.groups());
    }
    match head % 3 {
        0 => run::<Pairs2, B>(grid, head, body),
        1 => run::<Pairs4, B>(grid, head, body),
        _ => run::<Pairs8, B>(grid, head, body),
    }
}

/// Returns the view of an output for one launch of a body of these tests.
fn output<T>(x: &mut [T]) -> Out<'_, T> {
    // SAFETY: the bodies of these tests keep the guarantee.
    unsafe { Out::of_launch(x) }
}

/// A buffer whose address is aligned for any vector.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Buffer<T, const N: usize>([T; N]);

impl<T: Copy + Debug, const N: usize> Buffer<T, N> {
    fn new(f: impl FnMut(usize) -> T) -> Self {
        Self(core::array::from_fn(f))
    }
    fn read(&self, from: usize, n: usize) -> In<'_, T> {
        self.0[from..from + n].into()
    }
    fn write(&mut self, from: usize, n: usize) -> Out<'_, T> {
        output(&mut self.0[from..from + n])
    }
}
