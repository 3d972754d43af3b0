//! `2^x` and `tanh x` of 16-bit values in binary32 lanes.
//!
//! An approximation with an error of a few units in the last place of binary32 rounds to the right
//! 16-bit result, unless the exact value is that near to a midpoint and on its other side. The
//! coefficients are such that no operand has this, with fused products and without. The proof is
//! the tests, which try all 65,536 operands at every level.

use core::f32::consts::SQRT_2;

use super::super::engine::{Engine, Floats as _, V32, Words as _};
use super::super::format::Format16;
use super::polynomial;

/// `2^x = 2^n · 2^(j/8) · 2^t`, |t| ≤ 1/16. A NaN gives a NaN.
///
/// The coefficients are not those nearest to the function, but searched. In f16 one operand is
/// 2^-26 away from a midpoint. The search tried constant terms until the rounding errors fitted.
#[inline_in_release]
pub(crate) fn ex2<F: Format16, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let f = e.f32();
    let is_f16 = F::PRECISION == 11;
    // In f16 the power of 16 is infinite, and that of −26 is zero. In bf16 that of 128 is infinite;
    // between −127, whose power is a zero, and −126 it is subnormal, which `.ftz` flushes.
    let (least, most) = if is_f16 { (-26.0, 16.0) } else { (-127.0, 128.0) };
    let bounded = f.min(f.splat(most), f.max(f.splat(least), x));
    // The sum has 8n + j in its last bits.
    let shifted = f.add(bounded, f.splat(EX2_SHIFT));
    let t = f.sub(bounded, f.sub(shifted, f.splat(EX2_SHIFT)));
    let roots = if is_f16 { const { &less_index(ROOTS_F16) } } else { const { &less_index(ROOTS) } };
    let scale = e.u32().add(e.entry(roots, shifted), e.u32().shl(shifted, 20));
    f.mul(scale, if is_f16 { polynomial(e, &EX2_F16, t) } else { polynomial(e, &EX2_BF16, t) })
}

/// 1.5 · 2^20: a sum with it is a multiple of 1/8.
const EX2_SHIFT: f32 = 1_572_864.0;
/// `2^t` times the constant term, by which the roots for f16 are divided.
const EX2_F16: [f32; 4] = [0.042998232, 0.19022532, 0.54875416, 0.7916819];
/// `2^t`. The powers of 128 and −127 have to be exact.
const EX2_BF16: [f32; 3] = [0.23773018, 0.6932963, 1.0];
/// `2^(j/8)` over the constant term, except for what makes all results right.
const ROOTS_F16: [f32; 8] = [1.2631336, 1.377457, 1.5021275, 1.6380817, 1.7863407, 1.9480183, 2.124329, 2.3165972];
/// `2^(j/8)`, rounded.
const ROOTS: [f32; 8] = [1.0, 1.0905077, 1.1892071, 1.2968396, SQRT_2, 1.5422108, 1.6817929, 1.8340081];

/// The roots less what j adds to their exponents, when n is added together with it.
const fn less_index(roots: [f32; 8]) -> [f32; 8] {
    let (mut entries, mut j) = (roots, 0);
    while j < 8 {
        entries[j as usize] = f32::from_bits(roots[j as usize].to_bits() - (j << 20));
        j += 1;
    }
    entries
}

/// `tanh x = x · p(x²) / q(x²)`. A NaN gives a NaN.
#[inline_in_release]
pub(crate) fn tanh<F: Format16, E: Engine>(e: E, x: V32<E>) -> V32<E> {
    let f = e.f32();
    let is_f16 = F::PRECISION == 11;
    let bounded = f.min(f.splat(TANH_MOST), f.max(f.splat(-TANH_MOST), x));
    // Exact, but for what changes no result. CPUs are slow where a square of bf16 is subnormal.
    let square = if is_f16 { f.mul(bounded, bounded) } else { f.mul_add(bounded, bounded, f.splat(1e-30)) };
    f.div(f.mul(bounded, polynomial(e, &TANH_P, square)), polynomial(e, &TANH_Q, square))
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
