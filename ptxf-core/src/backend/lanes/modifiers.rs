//! The modifiers, applied to the lanes of operands and results.

use super::engine::{End, Engine, Ints, V32};
use super::format::LaneFormat;
use crate::int::Int as _;
use crate::modifiers::Modifiers;

/// `.ftz` on an operand: a zero exponent field leaves the sign.
#[inline_in_release]
pub(super) fn flushed<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, x: E::V) -> E::V {
    if !m.ftz() {
        return x;
    }
    let tiny = e.eq(e.and(x, e.splat(F::infinity())), e.splat(F::Bits::ZERO));
    // Where masks are vectors, a choice between these constants is a conjunction, and one between
    // `x` and its sign takes longer.
    e.and(x, e.select(tiny, e.splat(F::sign_mask()), e.splat(!F::Bits::ZERO)))
}

/// `.ftz` on a 16-bit result in binary32 lanes, exact or rounded to odd: everything below the tie
/// between the smallest normal number and the number one unit of an unbounded exponent below it.
#[inline_in_release]
pub(super) fn flushed_wide<F: LaneFormat, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let e = e.u32();
    // 2^EMIN − 2^(EMIN − PRECISION − 1)
    let smallest = ((F::EMIN + 127) as u32) << 23;
    let survives = smallest - (1 << (23 - F::PRECISION));
    let magnitude = e.and(x, e.splat(!(1 << 31)));
    let tiny = e.gt(e.splat(survives), magnitude);
    e.select(tiny, e.and(x, e.splat(1 << 31)), x)
}

/// `.oob`: the 16-bit lanes with a factor that is the out-of-bounds NaN become zeros.
#[inline_in_release]
pub(super) fn without_oob<E: Ints<u16>>(e: E, factors: [E::V; 2], d: E::V) -> E::V {
    let (magnitude, oob) = (e.splat(0x7FFF), e.splat(crate::sem::OOB_NAN));
    let [a, b] = factors;
    let hit = e.mask_or(e.eq(e.and(a, magnitude), oob), e.eq(e.and(b, magnitude), oob));
    e.select(hit, e.splat(0), d)
}

/// `.sat` and `.relu`.
#[inline_in_release]
pub(super) fn end(m: Modifiers) -> End {
    // A load from a constant table is folded by the inliner; the result of an `if` is not.
    const ENDS: &[[End; 2]; 2] = &[[End::Plain, End::Relu], [End::Sat, End::Sat]];
    ENDS[usize::from(m.sat())][usize::from(m.relu())]
}
