//! Results of conversions: binary32 values, rounded once to a format.

use crate::backend::lanes::engine::{End, Engine, Floats as _, Ints as _, V16, V32, Vectors, Words as _};
use crate::backend::lanes::format::{LaneFormat as _, upper_half};
use crate::backend::lanes::modifiers::{self, flushed};
use crate::backend::lanes::rounding::{carried, outward, randomly, rounded};
use crate::format::{
    BFloat16, Binary16, Binary32, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2,
    Format, TensorFloat32,
};
use crate::int::Int as _;
use crate::modifiers::{Modifiers, Round};
use crate::sem::Encoding;

/// An encoding that binary32 values are rounded to.
#[inline_in_release]
pub(crate) trait Target: Encoding {
    /// The bits of the results, at the lower end of the lanes.
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E>;
    /// The same of two vectors.
    fn round_two<E: Vectors>(e: E, m: Modifiers, [a, b]: [V32<E>; 2]) -> [V32<E>; 2] {
        [Self::round(e, m, a), Self::round(e, m, b)]
    }
    /// The same in 16-bit lanes.
    fn round_to_halves<E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 2]) -> V16<E> {
        e.narrow_u32(Self::round_two(e, m, x))
    }
}

#[inline_in_release]
impl Target for Binary32 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        e.f32().finish(modifiers::end(m), Self::NAN, flushed::<Self, _>(e.u32(), m, x))
    }
}

#[inline_in_release]
impl Target for BFloat16 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        let x = e.f32().finish(modifiers::end(m), Self::NAN, x);
        let x = if m.satfinite() { within(e, Self::max().cast::<u32>() << 16, x) } else { x };
        upper_half(e, m.rnd(), x)
    }
}

#[inline_in_release]
impl Target for TensorFloat32 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        let x = e.f32().finish(modifiers::end(m), Self::CANONICAL_NAN, x);
        let x = if m.satfinite() { within(e, Self::max(), x) } else { x };
        e.u32().and(carried(e, m.rnd(), Self::PADDING, x), e.u32().splat(!0 << Self::PADDING))
    }
}

/// Rounds to tf32, a tie away from zero.
#[inline_in_release]
pub(super) fn away_from_zero<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
    let x = e.f32().finish(End::Plain, TensorFloat32::CANONICAL_NAN, x);
    let x = if m.satfinite() { within(e, TensorFloat32::max(), x) } else { x };
    // Half of what is cut off carries out of a tie; no infinity or NaN gets past its own.
    let carried = e.u32().add(x, e.u32().splat(1 << (TensorFloat32::PADDING - 1)));
    e.u32().and(carried, e.u32().splat(!0 << TensorFloat32::PADDING))
}

/// Magnitudes beyond `limit` become it, in the bits of binary32, infinities too, and NaNs stay.
#[inline_in_release]
fn within<E: Engine>(e: E, limit: u32, x: V32<E>) -> V32<E> {
    let e = e.u32();
    let magnitude = e.and(x, e.splat(!(1 << 31)));
    let sign = e.and(x, e.splat(1 << 31));
    let nan = e.gt(magnitude, e.splat(0x7F80_0000));
    e.select(nan, x, e.or(sign, e.min(magnitude, e.splat(limit))))
}

/// Rounds to a format with a smaller exponent.
#[inline_in_release]
fn narrowed<F: Format, E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
    // Without them a NaN needs no preparation.
    let x = match modifiers::end(m) {
        End::Plain => x,
        end => e.f32().finish(end, Binary32::CANONICAL_NAN, x),
    };
    bounded::<F, E>(e, m, m.rnd(), x, rounded::<F, E>(e, m.rnd(), x))
}

/// Rounds to a narrower format as random numbers of `bits` bits say.
#[inline_in_release]
pub(super) fn randomly_narrowed<F: Format, E: Engine>(
    e: E,
    m: Modifiers,
    bits: u32,
    random: V32<E>,
    x: V32<E>,
) -> V32<E> {
    let x = e.f32().finish(modifiers::end(m), Binary32::CANONICAL_NAN, x);
    // What is too large becomes an infinity as it does to nearest.
    bounded::<F, E>(e, m, Round::Rn, x, randomly::<F, E>(e, bits, random, x))
}

/// The code of `x`, whose magnitude is `d` if the format has no upper end.
#[inline_in_release]
fn bounded<F: Format, E: Engine>(e: E, m: Modifiers, rnd: Round, x: V32<E>, d: V32<E>) -> V32<E> {
    let outward = outward(e, rnd, x);
    let e = e.u32();
    let magnitude = e.and(x, e.splat(!(1 << 31)));
    let (largest, infinity) = (e.splat(F::max().cast()), e.splat(F::infinity().cast()));
    let infinity_f32 = e.splat(Binary32::infinity());
    let d = match rnd {
        _ if m.satfinite() => e.min(d, largest),
        Round::Rn => e.min(d, infinity),
        // Inward nothing but an infinity becomes one.
        _ => {
            let end = e.add(largest, e.and(outward, e.splat(1)));
            e.select(e.eq(magnitude, infinity_f32), infinity, e.min(d, end))
        }
    };
    let sign: u32 = F::sign_mask().cast();
    let d = e.or(d, e.and(e.shr(x, sign.leading_zeros()), e.splat(sign)));
    e.select(e.gt(magnitude, infinity_f32), e.splat(F::CANONICAL_NAN.cast()), d)
}

macro_rules! narrower {
    ($($format:ident)*) => {$(
        #[inline_in_release]
        impl Target for $format {
            fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
                narrowed::<Self, E>(e, m, x)
            }
        }
    )*};
}

narrower!(Float8E4M3 Float8E5M2 Float6E2M3 Float6E3M2 Float4E2M1);

#[inline_in_release]
impl Target for Binary16 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        narrowed::<Self, E>(e, m, x)
    }
    // By the CPU's instruction.
    fn round_two<E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 2]) -> [V32<E>; 2] {
        e.widen_u16(Self::round_to_halves(e, m, x))
    }
    fn round_to_halves<E: Vectors>(e: E, m: Modifiers, [a, b]: [V32<E>; 2]) -> V16<E> {
        let (f, end) = (e.f32(), modifiers::end(m));
        let (a, b) = (f.finish(end, Self::NAN, a), f.finish(end, Self::NAN, b));
        // 65504, which is what rounds to it.
        let x = if m.satfinite() { [within(e, 0x477F_E000, a), within(e, 0x477F_E000, b)] } else { [a, b] };
        e.round_f16(m.rnd(), x)
    }
}

/// The exponents alone, of magnitudes.
#[inline_in_release]
impl Target for Exponent8 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        let e = e.u32();
        let magnitude = e.and(x, e.splat(!(1 << 31)));
        let d = match m.rnd() {
            // Up to half of the smallest normal number, the smallest power.
            Round::Rp => {
                let up = e.shr(e.add(magnitude, e.splat((1 << 23) - 1)), 23);
                e.select(e.gt(magnitude, e.splat(1 << 22)), up, e.splat(0))
            }
            _ => e.shr(magnitude, 23),
        };
        let d = if m.satfinite() { e.min(d, e.splat(Self::max().into())) } else { d };
        e.select(e.gt(magnitude, e.splat(0x7F80_0000)), e.splat(Self::CANONICAL_NAN.into()), d)
    }
}

/// Units of 1/64, at the lower end of the lanes.
#[inline_in_release]
impl Target for Fixed2F6 {
    fn round<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
        let (f, ints) = (e.f32(), e.u32());
        let units = f.mul(x, f.splat(64.0));
        // A NaN becomes the largest number, and of `min` the second operand.
        let units = f.min(units, f.splat(127.0));
        let units = f.max(units, f.splat(if m.relu() { 0.0 } else { -128.0 }));
        ints.and(f.to_i32(m.rnd(), units), ints.splat(0xFF))
    }
}
