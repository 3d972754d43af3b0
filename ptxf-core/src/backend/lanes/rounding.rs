//! Binary32 values rounded to fewer bits in any direction, by integer operations and a sum.

use super::engine::{Engine, Floats as _, Ints as _, V32, Words as _};
use crate::format::Format;
use crate::modifiers::Round;

/// All ones where `rnd` leads away from zero, and to nearest nowhere.
#[inline_in_release]
pub(super) fn outward<E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    let e = e.u32();
    match rnd {
        Round::Rn | Round::Rz => e.splat(0),
        Round::Rm => e.broadcast_sign(x),
        Round::Rp => e.xor(e.broadcast_sign(x), e.splat(!0)),
    }
}

/// `x` rounded to an integer as `rnd` says, for engines whose CPU has no instruction for that; a
/// zero keeps the sign.
#[inline_in_release]
pub(super) fn integral<E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    let (f, ints) = (e.f32(), e.u32());
    // From here on there are integers alone, and a sum with it is rounded to one.
    let large = f.splat(f32::from_bits((127 + 23) << 23));
    let (magnitude, sign) = (ints.and(x, ints.splat(0x7FFF_FFFF)), ints.and(x, ints.splat(1 << 31)));
    let nearest = f.sub(f.add(magnitude, large), large);
    let d = if rnd == Round::Rn {
        nearest
    } else {
        let one = f.splat(1.0);
        let up = ints.select(f.lt(nearest, magnitude), f.add(nearest, one), nearest);
        let down = ints.select(f.lt(magnitude, nearest), f.sub(nearest, one), nearest);
        let outward = outward(e, rnd, x);
        ints.or(ints.and(outward, up), ints.and(ints.xor(outward, ints.splat(!0)), down))
    };
    let small = ints.gt(ints.splat((127 + 23) << 23), magnitude);
    ints.or(ints.select(small, d, magnitude), sign)
}

/// `x` with what carries out of its last bits, so many, added: they need only be cut off.
#[inline_in_release]
pub(super) fn carried<E: Engine>(e: E, rnd: Round, bits: u32, x: V32<E>) -> V32<E> {
    let (ints, most) = (e.u32(), (1 << bits) - 1);
    let carry = match rnd {
        Round::Rn => ints.add(ints.and(ints.shr(x, bits), ints.splat(1)), ints.splat(most >> 1)),
        Round::Rz => return x,
        Round::Rm | Round::Rp => ints.and(outward(e, rnd, x), ints.splat(most)),
    };
    ints.add(x, carry)
}

/// The magnitude of `x` in a format with a smaller exponent; what is beyond that format's upper
/// end, and a NaN, at least the code behind its largest number.
///
/// The sum with a power of two so much larger has the format's unit in its last place, be the
/// result normal or not.
#[inline_in_release]
pub(super) fn rounded<F: Format, E: Engine>(e: E, rnd: Round, x: V32<E>) -> V32<E> {
    let (f, ints, cut) = (e.f32(), e.u32(), 23 - F::FRACTION_BITS);
    let magnitude = ints.and(x, ints.splat(!(1 << 31)));
    let magnitude = ints.min(magnitude, ints.splat(((F::EMAX + 128) as u32) << 23));
    let least = least_exponent::<F>() << 23;
    let exponent = ints.max(ints.and(magnitude, ints.splat(0x7F80_0000)), ints.splat(least));
    let large = ints.add(exponent, ints.splat(cut << 23));
    let sum = f.add(magnitude, large);
    // With the hidden bit of a normal number, which goes to the exponent field that is counted from
    // 0.
    let units = ints.and(sum, ints.splat(0x7F_FFFF));
    let d = ints.add(units, ints.shr(ints.add(exponent, ints.splat(least.wrapping_neg())), cut));
    if rnd == Round::Rn {
        return d;
    }
    let nearest = f.sub(sum, large);
    let down = ints.select(f.lt(magnitude, nearest), ints.splat(!0), ints.splat(0));
    let up = ints.and(outward(e, rnd, x), ints.splat(1));
    let up = ints.select(f.eq(magnitude, nearest), ints.splat(0), up);
    ints.add(ints.add(d, down), up)
}

/// The same, rounded away from zero if the first `bits` of the bits that are cut off and `random`,
/// which has as many, reach the next number together.
#[inline_in_release]
pub(super) fn randomly<F: Format, E: Engine>(e: E, bits: u32, random: V32<E>, x: V32<E>) -> V32<E> {
    let (f, ints, cut) = (e.f32(), e.u32(), 23 - F::FRACTION_BITS);
    let magnitude = ints.and(x, ints.splat(!(1 << 31)));
    let least = least_exponent::<F>() << 23;
    let sum = ints.add(magnitude, ints.shl(random, cut - bits));
    let normal = ints.shr(ints.add(sum, ints.splat((1_u32 << 23).wrapping_sub(least))), cut);
    // Below the smallest normal number the steps that the random number counts are all alike; as
    // many as there are whole ones.
    let all = ints.splat(least + ((cut - bits) << 23));
    let sum = f.add(magnitude, all);
    let steps = ints.add(sum, ints.splat((least + ((cut - bits) << 23)).wrapping_neg()));
    let beyond = f.lt(magnitude, f.sub(sum, all));
    let steps = ints.add(steps, ints.select(beyond, ints.splat(!0), ints.splat(0)));
    let subnormal = ints.shr(ints.add(steps, random), bits);
    ints.select(ints.gt(ints.splat(least), magnitude), subnormal, normal)
}

/// The exponent field of the format's smallest normal number in binary32.
const fn least_exponent<F: Format>() -> u32 {
    (F::EMIN + 127) as u32
}
