//! Quotients and roots of binary32 values in every direction, where the hardware has them to nearest only.
//!
//! A product of two binary32 values is exact in binary64, so that its difference from a third has the right sign,
//! whatever is subnormal or overflows: the sign of what was lost in rounding. It says where the exact result lies, and with
//! that whether the nearest value is the wanted one or its neighbour.

use super::engine::{Directed as _, Doubles as _, Engine, Floats as _, Ints as _, V32, Words as _};
use crate::format::{Binary32, Format as _};
use crate::modifiers::Round;

/// `a / b`, rounded once.
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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

/// The root `d` of `a`, but the canonical NaN where that is no number, by what `a` is as an integer.
///
/// A comparison of `d` with itself does not do: to LLVM one NaN is as good as another, and as a root is one of what it is compared for,
/// it leaves out the choice of the canonical one that follows.
#[cfg_attr(not(debug_assertions), inline(always))]
fn not_of_negative<E: Engine>(e: E, a: V32<E>, d: V32<E>) -> V32<E> {
    let e = e.u32();
    let is_nan = e.gt(a, e.splat(Binary32::infinity()));
    // With the sign turned around what is below −0 is greater than 0.
    let is_negative = e.gt(e.xor(a, e.splat(1 << 31)), e.splat(0));
    e.select(e.mask_or(is_nan, is_negative), e.splat(Binary32::CANONICAL_NAN), d)
}

/// `a − b × d`, large enough for binary32; NaN where `d` is exact and infinite or a NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lost<E: Engine>(e: E, a: V32<E>, b: V32<E>, d: V32<E>) -> V32<E> {
    let (doubles, [a, b, d]) = (e.f64(), [e.widen_f32(a), e.widen_f32(b), e.widen_f32(d)]);
    let difference = doubles.sub(a, doubles.mul(b, d));
    // At least 2^-298 unless it is zero.
    let [lost, _] = e.narrow_f64(doubles.mul(difference, doubles.splat_bits((1023 + 300) << 52)));
    lost
}

/// The neighbour of `d`, to nearest, that is wanted instead if the exact result differs by something of the sign of `lost`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn moved<E: Engine>(e: E, rnd: Round, d: V32<E>, lost: V32<E>) -> V32<E> {
    let (f, e) = (e.f32(), e.u32());
    let negative = e.broadcast_sign(d);
    let (zero, one, ones) = (e.splat(0), e.splat(1), e.splat(!0));
    // Below zero where there is to be a step; and the step of the bits. An infinity's inward is the largest finite value.
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
