//! Vectors of a format: the view of an engine that has its lanes, and the conversion of 16-bit
//! lanes to binary32 lanes.
//!
//! Arithmetic on the 16-bit formats happens in binary32 lanes. Sums and products are rounded twice
//! and right, which all 2^32 pairs say; a sum of products is rounded to odd first: at AVX-512 from
//! two fused operations, one rounded down and one up; elsewhere from the error of the sum.
// Invariant: pointers are valid for the vectors that a call names.

use super::engine::{End, Engine, Floats, Ints, Memory, V16, V32, Vectors, Words};
use super::portable;
use super::rounding::carried;
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::modifiers::Round;

/// A format that has lanes.
pub(crate) trait LaneFormat: Format {
    /// The binary32 NaN that narrows to the canonical one.
    const NAN: u32;
    /// Its lanes at an engine.
    type Lanes<E: Vectors>: Memory<Self::Bits>;
    /// Its lanes at an engine.
    fn lanes<E: Vectors>(e: E) -> Self::Lanes<E>;
}

/// A vector of a format's lanes.
pub(crate) type V<F, E> = <<F as LaneFormat>::Lanes<E> as Ints<<F as Format>::Bits>>::V;

macro_rules! formats {
    ($($format:ident $nan:literal $lanes:ident $of:ident;)*) => {$(
        #[inline_in_release]
        impl LaneFormat for $format {
            const NAN: u32 = $nan;
            type Lanes<E: Vectors> = E::$lanes;
            fn lanes<E: Vectors>(e: E) -> E::$lanes {
                e.$of()
            }
        }
    )*};
}

// Rounding to bf16 adds to the bits, which must not carry into the sign.
formats! {
    Binary16 0x7FFF_FFFF U16 u16;
    BFloat16 0x7FFF_0000 U16 u16;
    Binary32 0x7FFF_FFFF U32 u32;
}

/// A 16-bit format.
pub(crate) trait Format16: LaneFormat<Bits = u16> {
    /// The values, in the engine's order, and any NaN for a NaN.
    fn widen<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2];
    /// Undoes [`widen`](Self::widen), rounding to nearest; a NaN must be [`NAN`](LaneFormat::NAN).
    fn narrow<E: Vectors>(e: E, x: [V32<E>; 2]) -> V16<E>;
    /// [`widen`](Self::widen) of a vector in memory.
    ///
    /// # Safety
    /// As [`Memory::load`].
    unsafe fn load<E: Vectors>(e: E, p: *const u16) -> [V32<E>; 2];
    /// Stores what [`narrow`](Self::narrow) returns.
    ///
    /// # Safety
    /// As [`Memory::store`].
    unsafe fn store<E: Vectors>(e: E, p: *mut u16, x: [V32<E>; 2]);
    /// The values, or NaNs with their signs and payloads at the upper end, in the order of the
    /// memory.
    fn widen_exactly<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2];
    /// The values, or any NaNs, in the order of the memory.
    fn widen_in_order<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2];
    /// Rounds as `rnd` says, in the order of the memory; a NaN becomes the canonical one.
    fn round<E: Vectors>(e: E, rnd: Round, x: [V32<E>; 2]) -> V16<E>;
    /// The value of one lane, and any NaN for a NaN.
    fn widen_lane(x: u16) -> u32;
    /// Undoes [`widen_lane`](Self::widen_lane), rounding to nearest; a NaN must be
    /// [`NAN`](LaneFormat::NAN).
    fn narrow_lane(x: u32) -> u16;
    /// `a × b + c` of values of the format: a binary32 value that rounds to the result.
    fn fma<E: Floats>(e: E, a: E::V, b: E::V, c: E::V) -> E::V;
}

#[inline_in_release]
impl Format16 for Binary16 {
    fn widen<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        e.widen_f16(x)
    }
    fn narrow<E: Vectors>(e: E, x: [V32<E>; 2]) -> V16<E> {
        e.narrow_f16(x)
    }
    unsafe fn load<E: Vectors>(e: E, p: *const u16) -> [V32<E>; 2] {
        // SAFETY: the caller's.
        unsafe { e.load_f16(p) }
    }
    unsafe fn store<E: Vectors>(e: E, p: *mut u16, x: [V32<E>; 2]) {
        // SAFETY: the caller's.
        unsafe { e.store_f16(p, x) }
    }
    fn widen_exactly<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        let ([a, b], [c, d]) = (e.widen_f16(x), e.widen_u16(x));
        [with_payload(e, a, c), with_payload(e, b, d)]
    }
    fn widen_in_order<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        // That of every engine, as above.
        e.widen_f16(x)
    }
    fn round<E: Vectors>(e: E, rnd: Round, [a, b]: [V32<E>; 2]) -> V16<E> {
        let f = e.f32();
        e.round_f16(rnd, [f.finish(End::Plain, Self::NAN, a), f.finish(End::Plain, Self::NAN, b)])
    }
    fn widen_lane(x: u16) -> u32 {
        portable::widen_f16(x)
    }
    fn narrow_lane(x: u32) -> u16 {
        portable::narrow_f16(x)
    }
    fn fma<E: Floats>(e: E, a: E::V, b: E::V, c: E::V) -> E::V {
        e.fma_f16(a, b, c)
    }
}

/// The hardware makes a NaN quiet; its bits say what it was.
#[inline_in_release]
fn with_payload<E: Vectors>(e: E, value: V32<E>, bits: V32<E>) -> V32<E> {
    let e = e.u32();
    let magnitude = e.and(bits, e.splat(0x7FFF));
    let sign = e.and(value, e.splat(1 << 31));
    let nan = e.or(e.or(sign, e.splat(0x7F80_0000)), e.shl(magnitude, 13));
    e.select(e.gt(magnitude, e.splat(0x7C00)), nan, value)
}

#[inline_in_release]
impl Format16 for BFloat16 {
    fn widen<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        e.widen_bf16(x)
    }
    fn narrow<E: Vectors>(e: E, x: [V32<E>; 2]) -> V16<E> {
        e.narrow_bf16(x)
    }
    unsafe fn load<E: Vectors>(e: E, p: *const u16) -> [V32<E>; 2] {
        // SAFETY: the caller's.
        e.widen_bf16(unsafe { e.u16().load(p) })
    }
    unsafe fn store<E: Vectors>(e: E, p: *mut u16, x: [V32<E>; 2]) {
        let x = e.narrow_bf16(x);
        // SAFETY: the caller's.
        unsafe { e.u16().store(p, x) }
    }
    fn widen_exactly<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        let [a, b] = e.widen_u16(x);
        [e.u32().shl(a, 16), e.u32().shl(b, 16)]
    }
    fn widen_in_order<E: Vectors>(e: E, x: V16<E>) -> [V32<E>; 2] {
        Self::widen_exactly(e, x)
    }
    fn round<E: Vectors>(e: E, rnd: Round, [a, b]: [V32<E>; 2]) -> V16<E> {
        let f = e.f32();
        let (a, b) = (f.finish(End::Plain, Self::NAN, a), f.finish(End::Plain, Self::NAN, b));
        e.narrow_u32([upper_half(e, rnd, a), upper_half(e, rnd, b)])
    }
    fn widen_lane(x: u16) -> u32 {
        u32::from(x) << 16
    }
    fn narrow_lane(x: u32) -> u16 {
        portable::narrow_bf16(x)
    }
    fn fma<E: Floats>(e: E, a: E::V, b: E::V, c: E::V) -> E::V {
        e.fma_bf16(a, b, c)
    }
}

/// Rounds a value, which as a NaN is [`NAN`](LaneFormat::NAN), to the upper half of its bits, and
/// leaves them in the lower.
#[inline_in_release]
pub(super) fn upper_half<E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    // No infinity or NaN gets past its own.
    e.u32().shr(carried(e, rnd, 16, x), 16)
}
