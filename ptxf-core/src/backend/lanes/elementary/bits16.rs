//! `2^x` and `tanh x` of 16-bit values in binary32 lanes.
//!
//! An approximation with an error of a few units in the last place of binary32 rounds to the right
//! 16-bit result, unless the exact value is that near to a tie and on its other side. Those
//! operands are listed with their results. The tests try all 65,536 operands at every level, so
//! that no other is missing. They also compute the coefficients again.
//!
//! CPUs that look up one of 32 entries in an instruction use [`pieces`](super::pieces) instead, and
//! those that look up one of eight use [`eighths`].

use super::super::engine::{Engine, Floats as _, Ints as _, V32, Words as _};
use super::super::format::Format16;
use super::eighths::{self, Function as _};
use super::{pieces, polynomial};

/// Returns `d`, and the listed results for the listed operands.
#[inline_in_release]
fn patched<E: Engine, const N: usize>(e: E, list: [(f32, f32); N], x: V32<E>, mut d: V32<E>) -> V32<E> {
    let mut i = 0;
    while i < N {
        let hit = e.u32().eq(x, e.f32().splat(list[i].0));
        d = e.u32().select(hit, e.f32().splat(list[i].1), d);
        i += 1;
    }
    d
}

/// `2^x = 2^n · 2^r`, |r| ≤ ½.
#[inline_in_release]
pub(crate) fn ex2<F: Format16, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    if let Some(of) = e.pieces() {
        return pieces::ex2::<F, E>(e, of, x);
    }
    if let Some(of) = e.eighths() {
        return eighths::Ex2::value::<F, E>(e, of, eighths::Ex2::reduced::<F, E>(e, x));
    }
    let bounded = bounded_exponent(e, x);
    // The sum has the nearest integer n in its last bits; zeros for a NaN, whose payload is that of
    // 16 bits.
    let shifted = e.f32().add(bounded, e.f32().splat(SHIFT));
    let rest = e.f32().sub(bounded, e.f32().sub(shifted, e.f32().splat(SHIFT)));
    // Added to the exponent; 2^0 is exact.
    let d = e.u32().add(polynomial(e, &EX2, rest), e.u32().shl(shifted, 23));
    if F::PRECISION == 11 { patched(e, EX2_F16, x, d) } else { d }
}

/// Clamps an operand of `2^x` to the range in which results differ. A NaN stays a NaN.
#[inline_in_release]
pub(super) fn bounded_exponent<E: Engine>(e: E, x: V32<E>) -> V32<E> {
    // From 128 on the result is infinite, at −127 a zero; between that and −126 it is subnormal,
    // which f16 narrows to zero and `.ftz` of bf16 flushes.
    e.f32().min(e.f32().splat(128.0), e.f32().max(e.f32().splat(-127.0), x))
}

/// 1.5 · 2^23, a multiple of 2^9: its own bits vanish in the shift.
const SHIFT: f32 = 12_582_912.0;
/// `2^r` in `[−½, ½]`.
const EX2: [f32; 6] = [1.338_130_2e-3, 9.666_368e-3, 5.550_381e-2, 2.402_235e-1, 6.931_472e-1, 1.0];
// 2^x is 2^-26 above a tie.
const EX2_F16: [(f32, f32); 1] = [(0.000_704_288_5, 1.000_976_6)];

/// `tanh x = x · p(x²) / q(x²)`
#[inline_in_release]
pub(crate) fn tanh<F: Format16, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    if let Some(of) = e.pieces() {
        return pieces::tanh(e, of, x);
    }
    if let Some(of) = e.eighths() {
        return eighths::Tanh::value::<F, E>(e, of, eighths::Tanh::reduced::<F, E>(e, x));
    }
    let bounded = e.f32().min(e.f32().splat(TANH_MOST), e.f32().max(e.f32().splat(-TANH_MOST), x));
    let square = e.f32().mul(bounded, bounded);
    e.f32().div(e.f32().mul(bounded, polynomial(e, &TANH_P, square)), polynomial(e, &TANH_Q, square))
}

/// From here on the result is 1, in either format.
const TANH_MOST: f32 = 4.51;
// The interpolation of tanh x / x at seven Chebyshev points, with an error of 2^-21.7. Both
// polynomials are multiplied by 1.105. With this factor no rounding error reaches a near tie; most
// other factors leave one to six.
const TANH_P: [f32; 4] = [5.704_999e-6, 2.765_43e-3, 1.385_720_7e-1, 1.104_999_7];
const TANH_Q: [f32; 4] = [1.861_164e-4, 2.440_225e-2, 5.069_034e-1, 1.105_00];

#[cfg(test)]
mod tests;
