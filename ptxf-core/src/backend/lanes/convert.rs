//! Conversions of slices between binary32 and the 16-bit formats.
// Invariant: a level is passed only if the CPU has it.

use super::engine::{Memory as _, Vectors};
use super::format::{Format16, LaneFormat};
use super::levels::{self, Task};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::int::Int as _;
use crate::level::Level;
use crate::modifiers::Round;

/// From one format to another.
pub(crate) trait Convert<To: LaneFormat>: LaneFormat {
    /// Converts lanes, of which both slices have as many.
    ///
    /// # Safety
    /// This CPU has `level`.
    unsafe fn convert(level: Level, rnd: Round, from: &[Self::Bits], to: &mut [To::Bits]);
}

/// Lanes to be converted, and where they go.
struct Lanes<'a, From: LaneFormat, To: LaneFormat> {
    rnd: Round,
    from: &'a [From::Bits],
    to: &'a mut [To::Bits],
}

macro_rules! conversions {
    ($($from:ident $to:ident $narrower:ident $all:ident;)*) => {$(
        impl Task for Lanes<'_, $from, $to> {
            type Output = ();
            const IN_F16: bool = false;

            #[inline(always)]
            fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
                let Self { rnd, from, to } = self;
                match rnd {
                    Round::Rn => $all::<$narrower, E, LANES>(e, Round::Rn, from, to),
                    Round::Rz => $all::<$narrower, E, LANES>(e, Round::Rz, from, to),
                    Round::Rm => $all::<$narrower, E, LANES>(e, Round::Rm, from, to),
                    Round::Rp => $all::<$narrower, E, LANES>(e, Round::Rp, from, to),
                }
            }

            fn portable(self) {
                for (x, d) in self.from.iter().zip(self.to) {
                    *d = convert::<$from, $to>(self.rnd, *x);
                }
            }
        }

        impl Convert<$to> for $from {
            unsafe fn convert(level: Level, rnd: Round, from: &[Self::Bits], to: &mut [<$to as Format>::Bits]) {
                assert_eq!(from.len(), to.len());
                // SAFETY: the caller's.
                unsafe { levels::run(level, Lanes::<$from, $to> { rnd, from, to }) }
            }
        }
    )*};
}

conversions! {
    Binary32 Binary16 Binary16 narrow_all;
    Binary32 BFloat16 BFloat16 narrow_all;
    Binary16 Binary32 Binary16 widen_all;
    BFloat16 Binary32 BFloat16 widen_all;
}

#[inline(always)]
fn narrow_all<F: Format16, E: Vectors, const LANES: usize>(e: E, rnd: Round, from: &[u32], to: &mut [u16]) {
    let ((from, from_end), (to, to_end)) = (from.as_chunks::<LANES>(), to.as_chunks_mut::<LANES>());
    for (x, d) in from.iter().zip(to) {
        narrow::<F, E, LANES>(e, rnd, x, d);
    }
    if !from_end.is_empty() {
        // What is left passes through a vector of its own.
        let (mut x, mut d) = ([0; LANES], [0; LANES]);
        x[..from_end.len()].copy_from_slice(from_end);
        narrow::<F, E, LANES>(e, rnd, &x, &mut d);
        to_end.copy_from_slice(&d[..to_end.len()]);
    }
}

#[inline(always)]
fn narrow<F: Format16, E: Vectors, const LANES: usize>(e: E, rnd: Round, x: &[u32; LANES], d: &mut [u16; LANES]) {
    let (low, high) = x.split_at(LANES / 2);
    e.u16().write(d, F::round(e, rnd, [e.u32().read(low), e.u32().read(high)]));
}

#[inline(always)]
fn widen_all<F: Format16, E: Vectors, const LANES: usize>(e: E, _: Round, from: &[u16], to: &mut [u32]) {
    let ((from, from_end), (to, to_end)) = (from.as_chunks::<LANES>(), to.as_chunks_mut::<LANES>());
    for (x, d) in from.iter().zip(to) {
        widen::<F, E, LANES>(e, x, d);
    }
    if !from_end.is_empty() {
        let (mut x, mut d) = ([0; LANES], [0; LANES]);
        x[..from_end.len()].copy_from_slice(from_end);
        widen::<F, E, LANES>(e, &x, &mut d);
        to_end.copy_from_slice(&d[..to_end.len()]);
    }
}

#[inline(always)]
fn widen<F: Format16, E: Vectors, const LANES: usize>(e: E, x: &[u16; LANES], d: &mut [u32; LANES]) {
    let [first, second] = F::widen_exactly(e, e.u16().read(x));
    let (low, high) = d.split_at_mut(LANES / 2);
    e.u32().write(low, first);
    e.u32().write(high, second);
}

#[inline(always)]
fn convert<From: LaneFormat, To: LaneFormat>(rnd: Round, x: From::Bits) -> To::Bits {
    if From::is_nan(x) && From::PRECISION < To::PRECISION {
        // Widening keeps a NaN's payload.
        let payload = From::magnitude(x).cast::<To::Bits>() << (To::FRACTION_BITS - From::FRACTION_BITS);
        return To::signed(From::is_negative(x), payload | To::infinity());
    }
    crate::backend::scalar::convert::<From, To>(rnd, x)
}
