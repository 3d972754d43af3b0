//! Results of conversions: binary32 values, rounded once to a format.

use crate::backend::lanes::engine::{Engine, Floats as _, Ints as _, V16, V32, Vectors, Words as _};
use crate::backend::lanes::format::{LaneFormat as _, upper_half};
use crate::backend::lanes::modifiers::{self, flushed};
use crate::backend::lanes::rounding::{outward, rounded};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::modifiers::{Modifiers, Round};

/// A format that binary32 values are rounded to.
pub(crate) trait Target: Format {
    /// The bits of the results, at the lower end of the lanes.
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E>;
    /// The same of two vectors.
    #[inline(always)]
    fn round_two<E: Vectors>(e: E, m: Modifiers, [a, b]: [V32<E>; 2]) -> [V32<E>; 2] {
        [Self::round(e, m, a), Self::round(e, m, b)]
    }
    /// The same in 16-bit lanes.
    #[inline(always)]
    fn round_to_halves<E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 2]) -> V16<E> {
        e.narrow_u32(Self::round_two(e, m, x))
    }
}

impl Target for Binary32 {
    #[inline(always)]
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        e.f32().finish(modifiers::end(m), Self::NAN, flushed::<Self, _>(e.u32(), m, x))
    }
}

impl Target for BFloat16 {
    #[inline(always)]
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        upper_half(e, m.rnd, e.f32().finish(modifiers::end(m), Self::NAN, x))
    }
}

impl Target for Binary16 {
    #[inline(always)]
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        let x = e.f32().finish(modifiers::end(m), Self::NAN, x);
        let (d, outward) = (rounded::<Self, E>(e, m.rnd, x), outward(e, m.rnd, x));
        let e = e.u32();
        let magnitude = e.and(x, e.splat(!(1 << 31)));
        let (largest, infinity, infinity_f32) = (e.splat(0x7BFF), e.splat(0x7C00), e.splat(0x7F80_0000));
        let d = if m.rnd == Round::Rn {
            e.min(d, infinity)
        } else {
            let end = e.add(largest, e.and(outward, e.splat(1)));
            e.select(e.eq(magnitude, infinity_f32), infinity, e.min(d, end))
        };
        let d = e.select(e.gt(magnitude, infinity_f32), e.splat(Self::CANONICAL_NAN.into()), d);
        e.or(d, e.and(e.shr(x, 16), e.splat(0x8000)))
    }
    // By the CPU's instruction.
    #[inline(always)]
    fn round_two<E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 2]) -> [V32<E>; 2] {
        e.widen_u16(Self::round_to_halves(e, m, x))
    }
    #[inline(always)]
    fn round_to_halves<E: Vectors>(e: E, m: Modifiers, [a, b]: [V32<E>; 2]) -> V16<E> {
        let (f, end) = (e.f32(), modifiers::end(m));
        e.round_f16(m.rnd, [f.finish(end, Self::NAN, a), f.finish(end, Self::NAN, b)])
    }
}
