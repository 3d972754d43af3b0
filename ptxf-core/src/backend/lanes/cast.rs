//! Conversions between binary32 and the 16-bit formats, and the levels they are compiled for.
// Invariant: both pointers are valid for `n` lanes, and a level is passed only if the CPU has it.

use super::levels::{self, Task};
use super::mask::Masks;
use super::{End, Engine, H, LaneFormat, Lanes, W};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::level::Level;
use crate::modifiers::Round;

/// A 16-bit format.
pub(crate) trait Half: LaneFormat<Bits = u16> {
    /// The value, or a NaN with its sign and payload at the upper end; in the order of the memory.
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2];
    /// Rounds as `rnd` says; NaN becomes canonical.
    fn narrow<E: Engine>(e: E, rnd: Round, x: [W<E>; 2]) -> H<E>;
}

impl Half for Binary16 {
    #[inline(always)]
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2] {
        let ([a, b], [c, d]) = (e.widen_f16(x), e.expand(x));
        [with_payload(e, a, c), with_payload(e, b, d)]
    }
    #[inline(always)]
    fn narrow<E: Engine>(e: E, rnd: Round, [a, b]: [W<E>; 2]) -> H<E> {
        e.round_f16(rnd, [e.finish(End::Plain, Self::NAN, a), e.finish(End::Plain, Self::NAN, b)])
    }
}

/// The hardware makes a NaN quiet; its bits say what it was.
#[inline(always)]
fn with_payload<E: Engine>(e: E, value: W<E>, bits: W<E>) -> W<E> {
    let magnitude = Lanes::<u32>::and(e, bits, Lanes::<u32>::splat(e, 0x7FFF));
    let sign = Lanes::<u32>::and(e, value, Lanes::<u32>::splat(e, 1 << 31));
    let infinity = Lanes::<u32>::splat(e, 0x7F80_0000);
    let nan = Lanes::<u32>::or(e, Lanes::<u32>::or(e, sign, infinity), e.up(magnitude, 13));
    let is_nan = Lanes::<u32>::above(e, magnitude, Lanes::<u32>::splat(e, 0x7C00));
    Lanes::<u32>::select(e, is_nan, nan, value)
}

impl Half for BFloat16 {
    #[inline(always)]
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2] {
        let [a, b] = e.expand(x);
        [e.up(a, 16), e.up(b, 16)]
    }
    #[inline(always)]
    fn narrow<E: Engine>(e: E, rnd: Round, [a, b]: [W<E>; 2]) -> H<E> {
        e.compress([upper_half(e, rnd, a), upper_half(e, rnd, b)])
    }
}

#[inline(always)]
fn upper_half<E: Engine>(e: E, rnd: Round, x: W<E>) -> W<E> {
    let x = e.finish(End::Plain, BFloat16::NAN, x);
    let most = Lanes::<u32>::splat(e, 0xFFFF);
    let negative = Lanes::<u32>::signs(e, x);
    // What carries into the upper half when that is to be rounded away from zero; no infinity or NaN gets past its own.
    let carry = match rnd {
        Round::Rn => {
            let last = Lanes::<u32>::and(e, e.down(x, 16), Lanes::<u32>::splat(e, 1));
            e.sum(last, Lanes::<u32>::splat(e, 0x7FFF))
        }
        Round::Rz => Lanes::<u32>::splat(e, 0),
        Round::Rm => Lanes::<u32>::and(e, negative, most),
        Round::Rp => Lanes::<u32>::and(e, Lanes::<u32>::xor(e, negative, Lanes::<u32>::splat(e, !0)), most),
    };
    e.down(e.sum(x, carry), 16)
}

/// Lanes of the block that stands in for the end of a slice.
const END: usize = 32;

/// # Safety
/// `from` and `to` are valid for `n` lanes.
#[inline(always)]
unsafe fn narrow_all<F: Half, E: Engine>(e: E, rnd: Round, from: *const u32, to: *mut u16, n: usize) {
    let step = <E as Lanes<u16>>::N;
    let mut done = 0;
    let (mut x, mut d) = ([0; END], [0; END]);
    while done < n {
        let whole = n - done >= step;
        let (mut source, mut target) = (from.wrapping_add(done), to.wrapping_add(done));
        if !whole {
            // SAFETY: the rest is shorter than the block.
            unsafe { source.copy_to_nonoverlapping(x.as_mut_ptr(), n - done) };
            (source, target) = (x.as_ptr(), d.as_mut_ptr());
        }
        // SAFETY: a step of lanes is in bounds of the slices, or of the blocks.
        let low = unsafe { Lanes::<u32>::load(e, source) };
        // SAFETY: as before, of the step's second half (where a vector is one lane, of its only one).
        let high = unsafe { Lanes::<u32>::load(e, source.wrapping_add(step - <E as Lanes<u32>>::N)) };
        // SAFETY: as before.
        unsafe { Lanes::<u16>::store(e, target, F::narrow(e, rnd, [low, high])) };
        if !whole {
            // SAFETY: the rest is shorter than the block.
            unsafe { d.as_ptr().copy_to_nonoverlapping(to.wrapping_add(done), n - done) };
        }
        done += step;
    }
}

/// # Safety
/// `from` and `to` are valid for `n` lanes.
#[inline(always)]
unsafe fn widen_all<F: Half, E: Engine>(e: E, _: Round, from: *const u16, to: *mut u32, n: usize) {
    let step = <E as Lanes<u16>>::N;
    let mut done = 0;
    let (mut x, mut d) = ([0; END], [0; END]);
    while done < n {
        let whole = n - done >= step;
        let (mut source, mut target) = (from.wrapping_add(done), to.wrapping_add(done));
        if !whole {
            // SAFETY: the rest is shorter than the block.
            unsafe { source.copy_to_nonoverlapping(x.as_mut_ptr(), n - done) };
            (source, target) = (x.as_ptr(), d.as_mut_ptr());
        }
        // SAFETY: a step of lanes is in bounds of the slices, or of the blocks.
        let [low, high] = F::widen(e, unsafe { Lanes::<u16>::load(e, source) });
        // SAFETY: as before.
        unsafe { Lanes::<u32>::store(e, target, low) };
        // SAFETY: as before, of the step's second half (where a vector is one lane, of its only one).
        unsafe { Lanes::<u32>::store(e, target.wrapping_add(step - <E as Lanes<u32>>::N), high) };
        if !whole {
            // SAFETY: the rest is shorter than the block.
            unsafe { d.as_ptr().copy_to_nonoverlapping(to.wrapping_add(done), n - done) };
        }
        done += step;
    }
}

/// From one format to another.
pub(crate) trait Cast<To: LaneFormat>: LaneFormat {
    /// # Safety
    /// `from` and `to` are valid for `n` lanes, and this CPU has `level`.
    unsafe fn cast(level: Level, rnd: Round, from: *const Self::Bits, to: *mut To::Bits, n: usize);
}

/// Slices that are valid for `n` lanes, to be converted.
struct Casting<From: LaneFormat, To: LaneFormat> {
    rnd: Round,
    from: *const From::Bits,
    to: *mut To::Bits,
    n: usize,
}

macro_rules! casts {
    ($($from:ident $to:ident $half:ident $all:ident;)*) => {$(
        impl Task for Casting<$from, $to> {
            type Output = ();

            #[inline(always)]
            fn vectors<E: Masks, const LANES: usize, const VECTORS: usize>(self, e: E) {
                let Self { rnd, from, to, n } = self;
                match rnd {
                    // SAFETY: as whoever made it says.
                    Round::Rn => unsafe { $all::<$half, E>(e, Round::Rn, from, to, n) },
                    // SAFETY: as whoever made it says.
                    Round::Rz => unsafe { $all::<$half, E>(e, Round::Rz, from, to, n) },
                    // SAFETY: as whoever made it says.
                    Round::Rm => unsafe { $all::<$half, E>(e, Round::Rm, from, to, n) },
                    // SAFETY: as whoever made it says.
                    Round::Rp => unsafe { $all::<$half, E>(e, Round::Rp, from, to, n) },
                }
            }

            fn portable(self) {
                // SAFETY: as whoever made it says.
                unsafe { portable::<$from, $to>(self.rnd, self.from, self.to, self.n) }
            }
        }

        impl Cast<$to> for $from {
            unsafe fn cast(
                level: Level,
                rnd: Round,
                from: *const Self::Bits,
                to: *mut <$to as Format>::Bits,
                n: usize,
            ) {
                // SAFETY: the caller's.
                unsafe { levels::at(level, Casting::<$from, $to> { rnd, from, to, n }) }
            }
        }
    )*};
}

casts! {
    Binary32 Binary16 Binary16 narrow_all;
    Binary32 BFloat16 BFloat16 narrow_all;
    Binary16 Binary32 Binary16 widen_all;
    BFloat16 Binary32 BFloat16 widen_all;
}

/// # Safety
/// The pointers are valid for `n` lanes.
unsafe fn portable<From: LaneFormat, To: LaneFormat>(rnd: Round, from: *const From::Bits, to: *mut To::Bits, n: usize) {
    for i in 0..n {
        // SAFETY: the caller's.
        let x = unsafe { from.wrapping_add(i).read() };
        // SAFETY: the caller's.
        unsafe { to.wrapping_add(i).write(convert::<From, To>(rnd, x)) };
    }
}

#[inline(always)]
fn convert<From: LaneFormat, To: LaneFormat>(rnd: Round, x: From::Bits) -> To::Bits {
    use crate::int::Int as _;
    if From::is_nan(x) && From::PRECISION < To::PRECISION {
        // Widening keeps a NaN's payload.
        let payload = From::magnitude(x).cast::<To::Bits>() << (To::FRACTION_BITS - From::FRACTION_BITS);
        return To::signed(From::is_negative(x), payload | To::infinity());
    }
    crate::backend::scalar::convert::<From, To>(rnd, x)
}
