//! Binary32 values rounded to fewer bits in any direction, by integer operations and a sum.

use super::engine::{Engine, Floats as _, Ints as _, V32, Words as _};
use crate::format::Format;
use crate::modifiers::Round;

/// All ones where `rnd` leads away from zero, and to nearest nowhere.
#[inline(always)]
pub(super) fn outward<E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    let e = e.u32();
    match rnd {
        Round::Rn | Round::Rz => e.splat(0),
        Round::Rm => e.broadcast_sign(x),
        Round::Rp => e.xor(e.broadcast_sign(x), e.splat(!0)),
    }
}

/// `x` with what carries out of its last bits, so many, added: they need only be cut off.
#[inline(always)]
pub(super) fn carried<E: Engine>(e: E, rnd: Round, bits: u32, x: V32<E>) -> V32<E> {
    let (ints, most) = (e.u32(), (1 << bits) - 1);
    let carry = match rnd {
        Round::Rn => ints.add(ints.and(ints.shr(x, bits), ints.splat(1)), ints.splat(most >> 1)),
        Round::Rz => return x,
        Round::Rm | Round::Rp => ints.and(outward(e, rnd, x), ints.splat(most)),
    };
    ints.add(x, carry)
}

/// The magnitude of `x` in a format with a smaller exponent, as if that had no upper end; any bits for an infinity or a NaN.
#[inline(always)]
pub(super) fn rounded<F: Format, E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let unsigned = ints.splat(!(1 << 31));
    let magnitude = ints.and(x, unsigned);
    let cut = 23 - F::FRACTION_BITS;
    let least_exponent = (F::EMIN + 127) as u32;
    let exponent_1 = ints.splat((1_u32 << 23).wrapping_sub(least_exponent << 23));
    let normal = ints.shr(ints.add(ints.and(carried(e, rnd, cut, x), unsigned), exponent_1), cut);
    // The last bit of this number is the smallest subnormal, and so is that of a sum with it.
    let unit = (least_exponent + cut) << 23;
    let sum = f.add(magnitude, ints.splat(unit));
    let subnormal = ints.add(sum, ints.splat(unit.wrapping_neg()));
    let subnormal = if rnd == Round::Rn {
        subnormal
    } else {
        let nearest = f.sub(sum, ints.splat(unit));
        let down = ints.select(f.lt(magnitude, nearest), ints.splat(!0), ints.splat(0));
        let up = ints.and(outward(e, rnd, x), ints.splat(1));
        let up = ints.select(f.eq(magnitude, nearest), ints.splat(0), up);
        ints.add(ints.add(subnormal, down), up)
    };
    ints.select(ints.gt(ints.splat(least_exponent << 23), magnitude), subnormal, normal)
}
