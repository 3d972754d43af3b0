//! Numbers as integers, and integers as numbers.
//!
//! Integers of up to 32 bits are 32-bit lanes on their way. Those of 16 bits are binary32 values,
//! and those of 32 are rounded to one by the CPU where it does that, or as the sum of two; for bf16
//! to odd first. Numbers become integers of 32 bits, within the ends of the type if that is
//! narrower.
//!
//! An integer of 64 bits, and any from or to f64, is converted by the meaning, one after another.

use core::any::TypeId;
use core::marker::PhantomData;

use super::place::Place;
use super::source::{Source, words};
use super::target::Target;
use super::{Conversion, End, Four, route};
use crate::backend::lanes::directed::moved;
use crate::backend::lanes::engine::{
    self, Directed as _, Engine, Floats as _, Ints as _, Memory, V32, Vectors, Words as _,
};
use crate::backend::lanes::modifiers;
use crate::backend::lanes::portable::Portable;
use crate::backend::lanes::walk::{Compute, Job};
use crate::format::{BFloat16, Binary16, Binary32};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};
use crate::scalar;
use crate::sem::Encoding;

/// Bits of an integer with a sign or without.
pub(crate) trait Integer: Int + Encoding<Bits = Self> {
    /// The same bits in two's complement.
    type Signed: Encoding<Bits = Self>;
    /// One of [`route`].
    type Way;
}

macro_rules! integers {
    ($($bits:ident $signed:ident $way:ident;)*) => {$(
        impl Integer for $bits {
            type Signed = $signed;
            type Way = route::$way;
        }
    )*};
}

integers! {
    u8 i8 Floats;
    u16 i16 Floats;
    u32 i32 Floats;
    u64 i64 Scalar;
}

/// Integers that are lanes.
pub(crate) trait Lanes: Integer {
    /// Those from the `i`-th lane on, zeros above them.
    fn load<E: Vectors, D: Int>(e: E, job: &Job<'_, Self, D>, i: usize) -> Four<E>;
}

#[inline_in_release]
impl Lanes for u8 {
    fn load<E: Vectors, D: Int>(e: E, job: &Job<'_, Self, D>, i: usize) -> Four<E> {
        job.load_bytes(e, 0, i)
    }
}

#[inline_in_release]
impl Lanes for u16 {
    fn load<E: Vectors, D: Int>(e: E, job: &Job<'_, Self, D>, i: usize) -> Four<E> {
        let [a, b] = e.widen_u16(job.load(e.u16(), 0, i));
        let [c, d] = e.widen_u16(job.load(e.u16(), 0, i + <E::U16 as Memory<Self>>::N));
        [a, b, c, d]
    }
}

#[inline_in_release]
impl Lanes for u32 {
    fn load<E: Vectors, D: Int>(e: E, job: &Job<'_, Self, D>, i: usize) -> Four<E> {
        words(e, job, 0, i)
    }
}

/// Numbers of a format as integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToIntegers<A, D> {
    m: Modifiers,
    signed: bool,
    types: PhantomData<fn(A, D)>,
}

/// Integers as numbers of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromIntegers<A, D> {
    m: Modifiers,
    signed: bool,
    types: PhantomData<fn(A, D)>,
}

impl<A, D> ToIntegers<A, D> {
    pub(crate) const fn new(m: Modifiers, signed: bool) -> Self {
        Self { m, signed, types: PhantomData }
    }
}

impl<A, D> FromIntegers<A, D> {
    pub(crate) const fn new(m: Modifiers, signed: bool) -> Self {
        Self { m, signed, types: PhantomData }
    }
}

#[inline_in_release]
impl<A: End, D: Integer> Compute for ToIntegers<A, D> {
    const OPERANDS: usize = 1;
    type From = A::Bits;
    type To = D;
    type Route = (A::From, D::Way);
    fn scalar(self, [x, ..]: [A::Bits; 3]) -> D {
        if self.signed { scalar::cvt::<A, D::Signed>(self.m, x) } else { scalar::cvt::<A, D>(self.m, x) }
    }
}

#[inline_in_release]
impl<A: Integer, D: End> Compute for FromIntegers<A, D> {
    const OPERANDS: usize = 1;
    type From = A;
    type To = D::Bits;
    type Route = (A::Way, D::To);
    fn scalar(self, [x, ..]: [A; 3]) -> D::Bits {
        if self.signed { scalar::cvt::<A::Signed, D>(self.m, x) } else { scalar::cvt::<A, D>(self.m, x) }
    }
}

#[inline_in_release]
impl<A: End + Source, D: Integer + Place> Conversion for ToIntegers<A, D> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Bits, D>, i: usize, stream: Option<E::Stream>) {
        let (rnd, signed) = (self.m.rnd(), self.signed);
        let [a, b, c, d] = A::load(e, self.m, job, 0, i);
        let (a, b) = (integers(e, rnd, D::BITS, signed, a), integers(e, rnd, D::BITS, signed, b));
        let (c, d) = (integers(e, rnd, D::BITS, signed, c), integers(e, rnd, D::BITS, signed, d));
        D::put_codes(e, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, ..]: [A::Bits; 3]) -> D {
        integers(Portable, self.m.rnd(), D::BITS, self.signed, A::lane(self.m, x)).cast()
    }
}

#[inline_in_release]
impl<A: Lanes, D: End<Bits: Place> + Target> Conversion for FromIntegers<A, D> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A, D::Bits>, i: usize, stream: Option<E::Stream>) {
        let Self { m, signed, .. } = self;
        let [a, b, c, d] = A::load(e, job, i);
        let (a, b) = (numbers::<A, D, E>(e, m.rnd(), signed, a), numbers::<A, D, E>(e, m.rnd(), signed, b));
        let (c, d) = (numbers::<A, D, E>(e, m.rnd(), signed, c), numbers::<A, D, E>(e, m.rnd(), signed, d));
        if is::<D, Binary32>() && modifiers::end(m) == engine::End::Plain {
            // They are results, for no integer is a NaN.
            return D::Bits::put_codes(e, job, i, stream, [a, b, c, d]);
        }
        <D::Bits as Place>::put::<D, _, E>(e, m, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, ..]: [A; 3]) -> D::Bits {
        D::round(Portable, self.m, numbers::<A, D, _>(Portable, self.m.rnd(), self.signed, x.cast())).cast()
    }
}

/// Binary32 values as integers of so many bits, zeros above them.
#[inline_in_release]
fn integers<E: Engine>(e: E, rnd: Round, bits: u32, signed: bool, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    // A NaN becomes 0, and so does a negative number where there is no sign.
    let x = if signed { f.finish(engine::End::Plain, 0, x) } else { f.max(x, f.splat(0.0)) };
    // 2^(bits - 1), and one twice as large.
    let half = (127 + bits - 1) << 23;
    let (half, whole) = (ints.splat(half), ints.splat(half + (1 << 23)));
    if bits < 32 {
        // Binary32 has the ends, and what is between them does not leave them when it is rounded.
        let one = f.splat(1.0);
        if !signed {
            return f.to_i32(rnd, f.min(x, f.sub(whole, one)));
        }
        let within = f.min(f.max(x, f.sub(f.splat(0.0), half)), f.sub(half, one));
        return ints.and(f.to_i32(rnd, within), ints.splat(u32::MAX >> (32 - bits)));
    }
    if signed {
        return ints.select(f.le(half, x), ints.splat(u32::MAX >> 1), f.to_i32(rnd, x));
    }
    if let Some(directed) = f.directed() {
        return directed.to_u32(rnd, x);
    }
    let large = f.le(half, x);
    let below = f.to_i32(rnd, ints.select(large, f.sub(x, half), x));
    let d = ints.select(large, ints.or(below, ints.splat(1 << 31)), below);
    ints.select(f.le(whole, x), ints.splat(!0), d)
}

/// Integers as binary32 values that `D` rounds right: exact, in binary32 already, or rounded to
/// odd.
#[inline_in_release]
fn numbers<A: Int, D: Target, E: Engine>(e: E, rnd: Round, signed: bool, x: V32<E>) -> V32<E> {
    let f = e.f32();
    if A::BITS < 32 {
        return if signed { exactly(e, A::BITS, true, x) } else { f.of_i32(x) };
    }
    if is::<D, BFloat16>() {
        return to_odd(e, signed, x);
    }
    // From 2^24 on, where an integer may be no number, it is beyond the largest one of f16 in any
    // case.
    let rnd = if is::<D, Binary16>() { Round::Rn } else { rnd };
    if let Some(directed) = f.directed() {
        return if signed { directed.of_i32(rnd, x) } else { directed.of_u32(rnd, x) };
    }
    if signed && rnd == Round::Rn {
        return f.of_i32(x);
    }
    let [high, low] = halves(e, signed, x);
    let sum = f.add(high, low);
    if rnd == Round::Rn {
        return sum;
    }
    // The upper half is zero or the larger one, so that this is exact.
    moved(e, rnd, sum, f.sub(low, f.sub(sum, high)))
}

#[inline_in_release]
fn is<D: 'static, T: 'static>() -> bool {
    TypeId::of::<D>() == TypeId::of::<T>()
}

/// Integers as binary32 values, rounded to odd for a format whose places end far above theirs.
#[inline_in_release]
fn to_odd<E: Engine>(e: E, signed: bool, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    if let Some(directed) = f.directed() {
        let (down, up) = if signed {
            (directed.of_i32(Round::Rm, x), directed.of_i32(Round::Rp, x))
        } else {
            (directed.of_u32(Round::Rm, x), directed.of_u32(Round::Rp, x))
        };
        // They are equal or neighbours, of which one is odd.
        return ints.select(ints.eq(ints.and(down, ints.splat(1)), ints.splat(1)), down, up);
    }
    // From 2^24 on the last eight bits are far below the result's last place: together they set the
    // one above them.
    let last = ints.and(ints.add(ints.and(x, ints.splat(0xFF)), ints.splat(0xFF)), ints.splat(0x100));
    let odd = ints.or(ints.and(x, ints.splat(!0xFF)), last);
    let beyond = if signed { ints.shr(ints.add(x, ints.splat(1 << 24)), 25) } else { ints.shr(x, 24) };
    let x = ints.select(ints.eq(beyond, ints.splat(0)), x, odd);
    if signed {
        return f.of_i32(x);
    }
    let [high, low] = halves(e, false, x);
    f.add(high, low)
}

/// Two binary32 values whose sum the integers are, of their upper and their lower 16 bits.
#[inline_in_release]
fn halves<E: Engine>(e: E, signed: bool, x: V32<E>) -> [V32<E>; 2] {
    let (f, ints) = (e.f32(), e.u32());
    let sign = if signed { 1 << 31 } else { 0 };
    let high = ints.shr(ints.xor(x, ints.splat(sign)), 16);
    let low = ints.and(x, ints.splat(0xFFFF));
    // 2^39 has the unit 2^16 of the upper half, and 2^23 that of the lower one.
    let high = f.sub(ints.or(high, ints.splat(0x5300_0000)), ints.splat(0x5300_0000 + (sign >> 16)));
    [high, f.sub(ints.or(low, ints.splat(0x4B00_0000)), ints.splat(0x4B00_0000))]
}

/// Integers of at most 16 bits, zeros above them, as binary32 values.
#[inline_in_release]
pub(super) fn exactly<E: Engine>(e: E, bits: u32, signed: bool, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let sign = if signed { 1 << (bits - 1) } else { 0 };
    // 2^23 has the unit 1.
    let shifted = ints.or(ints.xor(x, ints.splat(sign)), ints.splat(0x4B00_0000));
    f.sub(shifted, ints.splat(0x4B00_0000 + sign))
}
