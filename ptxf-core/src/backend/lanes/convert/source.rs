//! Operands of conversions, in binary32 lanes.

use super::integers::exactly;
use super::{End, Four};
use crate::backend::lanes::engine::{Engine, Floats as _, Ints as _, Memory, V32, Vectors, Words as _};
use crate::backend::lanes::format::Format16 as _;
use crate::backend::lanes::modifiers::flushed;
use crate::backend::lanes::portable::Portable;
use crate::backend::lanes::walk::Job;
use crate::format::{
    BFloat16, Binary16, Binary32, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2,
    Format, Specials,
};
use crate::int::Int;
use crate::modifiers::Modifiers;
use crate::sem::Encoding;

/// An encoding whose values binary32 holds.
pub(crate) trait Source: Encoding {
    /// The values of the `k`-th operand from the `i`-th lane on, in the order of the memory, and
    /// any NaN for a NaN.
    fn load<E: Vectors, D: Int>(e: E, m: Modifiers, job: &Job<'_, Self::Bits, D>, k: usize, i: usize) -> Four<E>;
    /// One value, and any NaN for a NaN.
    fn lane(m: Modifiers, x: Self::Bits) -> u32;
}

/// A [`Source`] of at most eight bits.
pub(crate) trait ByteSource: Source {
    /// The values of codes at the lower end of the lanes, and any NaN for a NaN.
    fn values<E: Engine>(e: E, x: V32<E>) -> V32<E>;
}

/// An encoding that is read in pairs.
pub(crate) trait PairSource: Source + End {
    /// The values of pairs from the `i`-th on: all upper lanes, all lower lanes.
    fn load_pairs<E: Vectors, D: Int>(e: E, job: &Job<'_, Self::Pair, D>, i: usize) -> [Four<E>; 2];
}

#[inline_in_release]
impl Source for Binary32 {
    fn load<E: Vectors, D: Int>(e: E, m: Modifiers, job: &Job<'_, u32, D>, k: usize, i: usize) -> Four<E> {
        let [a, b, c, d] = words(e, job, k, i);
        [flushed_f32(e, m, a), flushed_f32(e, m, b), flushed_f32(e, m, c), flushed_f32(e, m, d)]
    }
    fn lane(m: Modifiers, x: u32) -> u32 {
        flushed::<Self, _>(Portable, m, x)
    }
}

#[inline_in_release]
fn flushed_f32<E: Vectors>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
    flushed::<Binary32, _>(e.u32(), m, x)
}

#[inline_in_release]
impl Source for Binary16 {
    fn load<E: Vectors, D: Int>(e: E, _: Modifiers, job: &Job<'_, u16, D>, k: usize, i: usize) -> Four<E> {
        let n = <E::U16 as Memory<u16>>::N;
        let [a, b] = job.load_wide::<Self, E>(e, k, i);
        let [c, d] = job.load_wide::<Self, E>(e, k, i + n);
        [a, b, c, d]
    }
    fn lane(_: Modifiers, x: u16) -> u32 {
        Self::widen_lane(x)
    }
}

#[inline_in_release]
impl Source for BFloat16 {
    fn load<E: Vectors, D: Int>(e: E, _: Modifiers, job: &Job<'_, u16, D>, k: usize, i: usize) -> Four<E> {
        let n = <E::U16 as Memory<u16>>::N;
        let [a, b] = Self::widen_exactly(e, job.load(e.u16(), k, i));
        let [c, d] = Self::widen_exactly(e, job.load(e.u16(), k, i + n));
        [a, b, c, d]
    }
    fn lane(_: Modifiers, x: u16) -> u32 {
        Self::widen_lane(x)
    }
}

/// The values of a format of at most 8 bits, whose bits are at the lower end of the lanes.
#[inline_in_release]
fn widened<F: Format<Bits = u8>, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let (fraction, sign) = (F::FRACTION_BITS, u32::from(F::sign_mask()));
    let magnitude = ints.and(x, ints.splat(sign - 1));
    let up = ints.shl(magnitude, 23 - fraction);
    // The exponents of binary32 are so much larger.
    let normal = ints.add(up, ints.splat(((127 - F::BIAS) as u32) << 23));
    // With the smallest exponent and the hidden one, which is subtracted again.
    let least = ((F::EMIN + 127) as u32) << 23;
    let subnormal = f.sub(ints.add(up, ints.splat(least)), ints.splat(least));
    let value = ints.select(ints.gt(ints.splat(1 << fraction), magnitude), subnormal, normal);
    let value = match F::SPECIALS {
        Specials::Absent => value,
        // An infinity keeps its fraction of zero.
        Specials::Ieee | Specials::Nan => {
            let special = ints.gt(magnitude, ints.splat(u32::from(F::infinity()) - 1));
            ints.select(special, ints.or(up, ints.splat(0x7F80_0000)), value)
        }
    };
    ints.or(value, ints.shl(ints.and(x, ints.splat(sign)), sign.leading_zeros()))
}

/// The powers of two.
#[inline_in_release]
fn powers<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let e = e.u32();
    // The smallest is subnormal, and the infinity would be the NaN.
    let power = e.select(e.eq(x, e.splat(0)), e.splat(1 << 22), e.shl(x, 23));
    e.select(e.eq(x, e.splat(0xFF)), e.splat(Binary32::CANONICAL_NAN), power)
}

/// Units of 1/64.
#[inline_in_release]
fn sixty_fourths<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    e.f32().mul(exactly(e, 8, true, x), e.f32().splat(1.0 / 64.0))
}

macro_rules! bytes {
    ($($format:ident $values:expr;)*) => {$(
        #[inline_in_release]
        impl ByteSource for $format {
            fn values<E: Engine>(e: E, x: V32<E>) -> V32<E> {
                $values(e, x)
            }
        }

        #[inline_in_release]
        impl Source for $format {
            fn load<E: Vectors, D: Int>(e: E, _: Modifiers, job: &Job<'_, u8, D>, k: usize, i: usize) -> Four<E> {
                let [a, b, c, d] = job.load_bytes(e, k, i);
                [$values(e, a), $values(e, b), $values(e, c), $values(e, d)]
            }
            fn lane(_: Modifiers, x: u8) -> u32 {
                $values(Portable, x.into())
            }
        }
    )*};
}

bytes! {
    Float8E4M3 widened::<Self, _>;
    Float8E5M2 widened::<Self, _>;
    Float6E2M3 widened::<Self, _>;
    Float6E3M2 widened::<Self, _>;
    Float4E2M1 widened::<Self, _>;
    Exponent8 powers;
    Fixed2F6 sixty_fourths;
}

#[inline_in_release]
impl PairSource for Float4E2M1 {
    fn load_pairs<E: Vectors, D: Int>(e: E, job: &Job<'_, u8, D>, i: usize) -> [Four<E>; 2] {
        let [a, b, c, d] = job.load_bytes(e, 0, i);
        let ints = e.u32();
        let high = [ints.shr(a, 4), ints.shr(b, 4), ints.shr(c, 4), ints.shr(d, 4)];
        [four::<Self, E>(e, high), four::<Self, E>(e, [a, b, c, d])]
    }
}

#[inline_in_release]
fn four<F: Format<Bits = u8>, E: Vectors>(e: E, [a, b, c, d]: Four<E>) -> Four<E> {
    [widened::<F, E>(e, a), widened::<F, E>(e, b), widened::<F, E>(e, c), widened::<F, E>(e, d)]
}

#[inline_in_release]
impl PairSource for BFloat16 {
    fn load_pairs<E: Vectors, D: Int>(e: E, job: &Job<'_, u32, D>, i: usize) -> [Four<E>; 2] {
        let [a, b, c, d] = words(e, job, 0, i);
        let (e, upper) = (e.u32(), e.u32().splat(0xFFFF_0000));
        let high = [e.and(a, upper), e.and(b, upper), e.and(c, upper), e.and(d, upper)];
        [high, [e.shl(a, 16), e.shl(b, 16), e.shl(c, 16), e.shl(d, 16)]]
    }
}

#[inline_in_release]
impl PairSource for Binary16 {
    fn load_pairs<E: Vectors, D: Int>(e: E, job: &Job<'_, u32, D>, i: usize) -> [Four<E>; 2] {
        let [a, b, c, d] = words(e, job, 0, i);
        let (ints, lower) = (e.u32(), e.u32().splat(0xFFFF));
        let ([p, q], [r, s]) = (
            e.widen_f16(e.narrow_u32([ints.shr(a, 16), ints.shr(b, 16)])),
            e.widen_f16(e.narrow_u32([ints.shr(c, 16), ints.shr(d, 16)])),
        );
        let ([a, b], [c, d]) = (
            e.widen_f16(e.narrow_u32([ints.and(a, lower), ints.and(b, lower)])),
            e.widen_f16(e.narrow_u32([ints.and(c, lower), ints.and(d, lower)])),
        );
        [[p, q, r, s], [a, b, c, d]]
    }
}

#[inline_in_release]
pub(super) fn words<E: Vectors, D: Int>(e: E, job: &Job<'_, u32, D>, k: usize, i: usize) -> Four<E> {
    let (e, n) = (e.u32(), <E::U32 as Memory<u32>>::N);
    [job.load(e, k, i), job.load(e, k, i + n), job.load(e, k, i + 2 * n), job.load(e, k, i + 3 * n)]
}
