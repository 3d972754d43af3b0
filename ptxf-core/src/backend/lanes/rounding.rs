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
    let cut = 23 - F::FRACTION_BITS;
    let normal = narrower::<F, E>(e, carried(e, rnd, cut, x));
    let subnormal = counted(e, rnd, least_exponent::<F>() + cut, x);
    selected::<F, E>(e, x, subnormal, normal)
}

/// The same, rounded away from zero if the last `bits` bits that count among those cut off, and `random`, which has as many, reach
/// the next number together.
#[inline(always)]
pub(super) fn randomly<F: Format, E: Engine>(e: E, bits: u32, random: V32<E>, x: V32<E>) -> V32<E> {
    let (ints, cut) = (e.u32(), 23 - F::FRACTION_BITS);
    let normal = narrower::<F, E>(e, ints.add(x, ints.shl(random, cut - bits)));
    let steps = counted(e, Round::Rz, least_exponent::<F>() + cut - bits, x);
    selected::<F, E>(e, x, ints.shr(ints.add(steps, random), bits), normal)
}

/// The exponent field of the format's smallest normal number in binary32.
const fn least_exponent<F: Format>() -> u32 {
    (F::EMIN + 127) as u32
}

/// The bits of a normal magnitude, the last of them cut off.
#[inline(always)]
fn narrower<F: Format, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let e = e.u32();
    let magnitude = e.and(x, e.splat(!(1 << 31)));
    e.shr(e.add(magnitude, e.splat((1_u32 << 23).wrapping_sub(least_exponent::<F>() << 23))), 23 - F::FRACTION_BITS)
}

#[inline(always)]
fn selected<F: Format, E: Engine>(e: E, x: V32<E>, subnormal: V32<E>, normal: V32<E>) -> V32<E> {
    let e = e.u32();
    let magnitude = e.and(x, e.splat(!(1 << 31)));
    e.select(e.gt(e.splat(least_exponent::<F>() << 23), magnitude), subnormal, normal)
}

/// How many units the magnitude of `x` is, of which a number with that exponent has 2^23; any bits if it is more than those.
#[inline(always)]
fn counted<E: Engine>(e: E, rnd: Round, exponent: u32, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    let magnitude = ints.and(x, ints.splat(!(1 << 31)));
    // The last bit of a sum with that number is a unit.
    let all = exponent << 23;
    let sum = f.add(magnitude, ints.splat(all));
    let count = ints.add(sum, ints.splat(all.wrapping_neg()));
    if rnd == Round::Rn {
        return count;
    }
    let nearest = f.sub(sum, ints.splat(all));
    let down = ints.select(f.lt(magnitude, nearest), ints.splat(!0), ints.splat(0));
    let up = ints.and(outward(e, rnd, x), ints.splat(1));
    let up = ints.select(f.eq(magnitude, nearest), ints.splat(0), up);
    ints.add(ints.add(count, down), up)
}
