//! Quotients and roots of binary32 values in every direction, where the hardware has them to nearest only.
//!
//! A product of two binary32 values is exact in binary64, so that its difference from a third has the right sign,
//! whatever is subnormal or overflows: the sign of what was lost in rounding. It says where the exact result lies, and with
//! that whether the nearest value is the wanted one or its neighbour.

use super::doubles::Doubles;
use super::{Engine, Lanes, W};
use crate::modifiers::Round;

/// `a / b`, rounded once.
#[inline(always)]
pub(super) fn div<E: Engine>(e: E, rnd: Round, a: W<E>, b: W<E>) -> W<E> {
    if E::DIRECTED || rnd == Round::Rn {
        return e.div_f32(rnd, a, b);
    }
    let d = e.div_f32(Round::Rn, a, b);
    let lost = lost(e, a, b, d);
    let sign = Lanes::<u32>::and(e, b, Lanes::<u32>::splat(e, 1 << 31));
    moved(e, rnd, d, Lanes::<u32>::xor(e, lost, sign))
}

/// `√a`, rounded once.
#[inline(always)]
pub(super) fn sqrt<E: Engine>(e: E, rnd: Round, a: W<E>) -> W<E> {
    if E::DIRECTED || rnd == Round::Rn {
        return e.sqrt_f32(rnd, a);
    }
    let d = e.sqrt_f32(Round::Rn, a);
    let lost = lost(e, a, d, d);
    moved(e, rnd, d, lost)
}

/// `a − b × d`, large enough for binary32; NaN where `d` is exact and infinite or a NaN.
#[inline(always)]
fn lost<E: Engine>(e: E, a: W<E>, b: W<E>, d: W<E>) -> W<E> {
    let (doubles, [a, b, d]) = (e.doubles(), [e.widen_f32(a), e.widen_f32(b), e.widen_f32(d)]);
    let difference = doubles.sub(a, doubles.mul(b, d));
    // At least 2^-298 unless it is zero.
    let [lost, _] = e.narrow_f64(doubles.mul(difference, doubles.bits((1023 + 300) << 52)));
    lost
}

/// The neighbour of `d`, to nearest, that is wanted instead if the exact result differs by something of the sign of `lost`.
#[inline(always)]
fn moved<E: Engine>(e: E, rnd: Round, d: W<E>, lost: W<E>) -> W<E> {
    let negative = Lanes::<u32>::signs(e, d);
    let (zero, one, ones) = (Lanes::<u32>::splat(e, 0), Lanes::<u32>::splat(e, 1), Lanes::<u32>::splat(e, !0));
    // Below zero where there is to be a step; and the step of the bits. An infinity's inward is the largest finite value.
    let (lost, step) = match rnd {
        Round::Rn => return d,
        Round::Rz => (Lanes::<u32>::xor(e, lost, Lanes::<u32>::and(e, d, Lanes::<u32>::splat(e, 1 << 31))), ones),
        Round::Rm => (lost, Lanes::<u32>::or(e, Lanes::<u32>::xor(e, negative, ones), one)),
        Round::Rp => (e.sub(zero, lost), Lanes::<u32>::or(e, negative, one)),
    };
    // Neither −0 nor a NaN is below zero.
    let below = Lanes::<u32>::signs(e, e.min(e.add(lost, zero), zero));
    e.sum(d, Lanes::<u32>::and(e, below, step))
}
