//! Sums, products, quotients and roots of binary32 values in every direction, where the hardware
//! has them to nearest only.
//!
//! The rounding error of a product, quotient or root is a product of two binary32 values less a
//! third value. The error is a binary32 value unless it is too small, and a fused multiply-add
//! computes it. In binary64 the product is exact, so the difference has the right sign even if a
//! value is subnormal or overflows. The sign tells on which side of the nearest value the exact
//! result lies, and so whether the wanted value is the nearest or its neighbour.
//!
//! The rounding error of a sum is a number of the sum's format (Knuth, *The Art of Computer
//! Programming* 2, 4.2.2). Sums and differences compute it, provided that none of them overflows.
//! In binary64 no sum of binary32 values overflows.

use super::engine::{Directed as _, Doubles as _, Engine, Floats, Ints as _, M32, V32, V64, Words as _};
use crate::format::{Binary32, Format as _};
use crate::modifiers::Round;

/// `a + b`, rounded once.
#[allow(dead_code, reason = "a build may have no engine that asks for it")]
#[inline_in_release]
pub(super) fn add<E: Engine>(e: E, rnd: Round, a: V32<E>, b: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let mut d = f.add(a, b);
    let z = f.sub(d, a);
    let mut lost = f.add(f.sub(a, f.sub(d, z)), f.sub(b, z));
    // Where a sum or difference has overflowed, one infinity has been taken from another on the way
    // here.
    if ints.any(f.unordered(lost, lost)) {
        (d, lost) = sum(e, e.widen_f32(a), e.widen_f32(b));
    }
    signed_zero(e, rnd, ints.or(a, b), moved(e, rnd, d, lost), lost)
}

/// `a × b + c`, rounded once.
#[allow(dead_code, reason = "as above")]
#[inline_in_release]
pub(super) fn fma<E: Engine>(e: E, rnd: Round, a: V32<E>, b: V32<E>, c: V32<E>) -> V32<E> {
    let ints = e.u32();
    let (d, lost) = sum(e, e.f64().mul(e.widen_f32(a), e.widen_f32(b)), e.widen_f32(c));
    signed_zero(e, rnd, ints.or(ints.xor(a, b), c), moved(e, rnd, d, lost), lost)
}

/// The sum `d`, where it is an exact zero with the sign of one: rounded down, that is positive only
/// if both summands are. `signs` has the sign bit where one of them is negative.
#[inline_in_release]
fn signed_zero<E: Engine>(e: E, rnd: Round, signs: V32<E>, d: V32<E>, lost: V32<E>) -> V32<E> {
    if rnd != Round::Rm {
        return d;
    }
    let e = e.u32();
    let sign = e.splat(1 << 31);
    let zero = e.eq(e.and(e.or(d, lost), e.splat(!(1 << 31))), e.splat(0));
    e.select(zero, e.or(d, e.and(signs, sign)), d)
}

/// A binary32 number next to the exact sum, and that sum less this number, large enough for
/// binary32; NaN where a summand is infinite or a NaN.
///
/// The number is rounded twice, so that it is not always the nearest one, but no other number lies
/// between it and the sum.
#[inline_in_release]
fn sum<E: Engine>(e: E, x: V64<E>, y: V64<E>) -> (V32<E>, V32<E>) {
    let doubles = e.f64();
    let sum = doubles.add(x, y);
    let z = doubles.sub(sum, x);
    let error = doubles.add(doubles.sub(x, doubles.sub(sum, z)), doubles.sub(y, z));
    let [d, _] = e.narrow_f64(sum);
    // `sum` and `d` differ by nothing, or by at least a unit in the last place of `sum`, of which
    // the error is at most half.
    (d, enlarged(e, doubles.add(doubles.sub(sum, e.widen_f32(d)), error)))
}

/// `a × b`, rounded once.
#[allow(dead_code, reason = "as above")]
#[inline_in_release]
pub(super) fn mul<E: Engine>(e: E, rnd: Round, a: V32<E>, b: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let d = f.mul(a, b);
    let zero = ints.mask_or(f.eq(a, f.splat(0.0)), f.eq(b, f.splat(0.0)));
    let lost = if loses_too_little(e, d, zero) {
        let doubles = e.f64();
        enlarged(e, doubles.sub(doubles.mul(e.widen_f32(a), e.widen_f32(b)), e.widen_f32(d)))
    } else {
        f.mul_add(a, b, ints.xor(d, ints.splat(1 << 31)))
    };
    moved(e, rnd, d, lost)
}

/// Returns `true` if the error of a lane may not be a binary32 number, because `x` (the product or
/// the dividend) is below 2^-100. From 2^-100 on the last places of both factors multiply to at
/// least 2^-149, and the error is a multiple of that. Lanes of the mask `zero` have no error.
#[inline_in_release]
fn loses_too_little<E: Engine>(e: E, x: V32<E>, zero: M32<E>) -> bool {
    let (f, ints) = (e.f32(), e.u32());
    let least = f.splat(f32::from_bits((127 - 100) << 23));
    let magnitude = ints.and(x, ints.splat(!(1 << 31)));
    ints.any(f.lt(magnitude, least)) && ints.any(f.lt(ints.select(zero, least, magnitude), least))
}

/// `a / b`, rounded once.
#[inline_in_release]
pub(super) fn div<E: Engine>(e: E, rnd: Round, a: V32<E>, b: V32<E>) -> V32<E> {
    if let Some(directed) = e.f32().directed() {
        return directed.div(rnd, a, b);
    }
    let d = e.f32().div(a, b);
    if rnd == Round::Rn {
        return d;
    }
    let lost = lost(e, a, b, d);
    let sign = e.u32().and(b, e.u32().splat(1 << 31));
    moved(e, rnd, d, e.u32().xor(lost, sign))
}

/// `√a`, rounded once.
#[inline_in_release]
pub(super) fn sqrt<E: Engine>(e: E, rnd: Round, a: V32<E>) -> V32<E> {
    if let Some(directed) = e.f32().directed() {
        return directed.sqrt(rnd, a);
    }
    let d = not_of_negative(e, a, e.f32().sqrt(a));
    if rnd == Round::Rn {
        return d;
    }
    let lost = lost(e, a, d, d);
    moved(e, rnd, d, lost)
}

/// The root `d` of `a`, but the canonical NaN where that is no number, by what `a` is as an
/// integer.
///
/// A comparison of `d` with itself does not do: to LLVM one NaN is as good as another, and as a
/// root is one of what it is compared for, it leaves out the choice of the canonical one that
/// follows.
#[inline_in_release]
fn not_of_negative<E: Engine>(e: E, a: V32<E>, d: V32<E>) -> V32<E> {
    let e = e.u32();
    let is_nan = e.gt(a, e.splat(Binary32::infinity()));
    // With the sign turned around what is below −0 is greater than 0.
    let is_negative = e.gt(e.xor(a, e.splat(1 << 31)), e.splat(0));
    e.select(e.mask_or(is_nan, is_negative), e.splat(Binary32::CANONICAL_NAN), d)
}

/// `a − b × d`, large enough for binary32; NaN where `d` is exact and infinite or a NaN.
#[inline_in_release]
fn lost<E: Engine>(e: E, a: V32<E>, b: V32<E>, d: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    if <E::F32 as Floats>::FUSED && !loses_too_little(e, a, f.eq(a, f.splat(0.0))) {
        return f.mul_add(b, ints.xor(d, ints.splat(1 << 31)), a);
    }
    let (doubles, [a, b, d]) = (e.f64(), [e.widen_f32(a), e.widen_f32(b), e.widen_f32(d)]);
    enlarged(e, doubles.sub(a, doubles.mul(b, d)))
}

/// A difference in binary32, which is at least 2^-298 unless it is zero: its sign.
#[inline_in_release]
fn enlarged<E: Engine>(e: E, difference: V64<E>) -> V32<E> {
    let [lost, _] = e.narrow_f64(e.f64().mul(difference, e.f64().splat_bits((1023 + 300) << 52)));
    lost
}

/// `d`, which no other number lies between and the exact result, or the neighbour that is wanted
/// instead if that differs by something of the sign of `lost`.
#[inline_in_release]
pub(super) fn moved<E: Engine>(e: E, rnd: Round, d: V32<E>, lost: V32<E>) -> V32<E> {
    let (f, e) = (e.f32(), e.u32());
    let negative = e.broadcast_sign(d);
    let (zero, one, ones) = (e.splat(0), e.splat(1), e.splat(!0));
    // Below zero where there is to be a step; and the step of the bits. An infinity's inward is the
    // largest finite value.
    let (lost, step) = match rnd {
        Round::Rn => return d,
        Round::Rz => (e.xor(lost, e.and(d, e.splat(1 << 31))), ones),
        Round::Rm => (lost, e.or(e.xor(negative, ones), one)),
        Round::Rp => (f.sub(zero, lost), e.or(negative, one)),
    };
    // Neither −0 nor a NaN is below zero.
    let below = e.broadcast_sign(f.min(f.add(lost, zero), zero));
    e.add(d, e.and(below, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::lanes::in_binary64::tests::{canonical, operands};
    use crate::backend::lanes::portable::Portable;
    use crate::modifiers::Modifiers;
    use crate::sem;

    #[test]
    fn sums_are_the_meaning() {
        let e = Portable;
        // The sum of these is finite, and less the first one it is not.
        let overflows_on_the_way = [0xF3C0_0000, 0x7F7F_FFFF, 0x7F7F_FFFF];
        for [a, b, c] in operands(200_000).chain([overflows_on_the_way]) {
            for rnd in [Round::Rz, Round::Rm, Round::Rp] {
                let m = Modifiers::PLAIN.with_rnd(rnd);
                let d = canonical(add(e, rnd, a, b));
                assert_eq!(d, sem::add::<Binary32>(m, a, b), "{rnd:?} {a:#x} {b:#x}");
                let d = canonical(fma(e, rnd, a, b, c));
                assert_eq!(d, sem::fma::<Binary32>(m, a, b, c), "{rnd:?} {a:#x} {b:#x} {c:#x}");
            }
        }
    }
}
