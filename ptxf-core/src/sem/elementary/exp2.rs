//! The power 2^x.

use super::fixed::{horner, mul, real, split, taylor};
use super::{ONE, Real};

/// ln 2 in Q127: the first 128 bits, shifted.
const LN_2: u128 = 0xB172_17F7_D1CF_79AB_C9E3_B398_03F2_F6AF >> 1;

// cosh and sinh(f ln 2) up to f¹⁷; the first omitted term is below 2⁻⁸⁰ for f <= ½.
const COSH: [u128; 9] = taylor(LN_2, 0);
const SINH: [u128; 9] = taylor(LN_2, 1);

/// Computes cosh(f ln 2) and sinh(f ln 2) in Q126 for f <= ½ in Q128, within 2⁻⁶⁹.
#[inline]
pub(super) fn cosh_sinh(f: u128) -> (u128, u128) {
    let z = mul(f, f);
    (horner::<_, false>(&COSH, z), mul(horner::<_, false>(&SINH, z), f))
}

/// Computes 2^x, within 2⁻⁴ of a unit; `exp` saturates at ±2²⁰, where every format over- or
/// underflows.
///
/// Exact for an integer x.
#[must_use]
#[inline]
pub(in crate::sem) fn exp2(x: Real) -> Real {
    let e = x.exponent();
    if e >= 20 {
        let exp = if x.negative { -1 << 20 } else { 1 << 20 };
        return Real { exp, inexact: true, ..ONE };
    }
    if e < -64 {
        // 2^x differs from 1 by less than one unit.
        return if x.negative { ONE.just_below() } else { Real { inexact: true, ..ONE } };
    }
    // |x| in Q107, exact: the lowest of the 24 bits has a weight of at least 2⁻⁸⁷.
    let n = split((u128::from(x.sig) << 63) >> (19 - e), 107);
    let integer = n.integer.cast_signed();
    let integer = if x.negative { -integer } else { integer };
    if n.distance == 0 {
        return Real { exp: ONE.exp + integer, ..ONE };
    }
    let (cosh, sinh) = cosh_sinh(n.distance);
    let power = if n.below != x.negative { cosh - sinh } else { cosh + sinh };
    real(false, power, 126 - integer)
}
