//! `2^x` and `tanh x` of 16-bit values in eight pieces, in binary32 lanes, for CPUs that look up
//! one of eight entries in an instruction: AVX2, and AVX-512 for `2^x` of bf16.
//!
//! *The coefficients* are not those nearest to the function. As in [`pieces`](super::pieces) they
//! were searched so that every operand rounds correctly without exceptions. For `tanh` a linear
//! program found them. For `2^x` one operand is 2^-26 away from a midpoint, and the search tried
//! constant terms until the rounding errors fitted. The proof is the tests, which try all 65,536
//! operands.
//!
//! *Cost.* Three ports start one vector instruction of 256 bits a cycle each. Two of them multiply,
//! one looks up, and all compute on integers. Eight lanes of f16 take 16 instructions for `2^x` and
//! 18 for `tanh`, including conversions: at most 1.5 and 1.3 elements a cycle. Replacing two
//! coefficients of `tanh` by a division gained nothing (`docs/speed.md`).
//!
//! *Rounding.* No result is a midpoint of two bf16 numbers. So half a unit is added to all results,
//! and the rest is cut off. NaNs are handled in 16-bit lanes, for many vectors at once. The walk
//! runs the two stages as [`staged`](super::super::walk) does for f32.

use core::f32::consts::SQRT_2;

use super::super::engine::{Eighths as _, Engine, Floats as _, Ints as _, V16, V32, Vectors, Words as _};
use super::super::format::Format16;
use super::{bits16, eighths_alone};
use crate::modifiers::Modifiers;

/// The values between the first stage and the second.
pub(crate) type Reduced<E> = [V32<E>; 2];

/// A function of 16-bit values in binary32 lanes, in two stages. A NaN gives a NaN.
#[inline_in_release]
pub(crate) trait Function {
    /// Returns the operations for eight pieces if the function is faster in eight pieces than in
    /// 32.
    fn eighths<F: Format16, E: Engine>(e: E) -> Option<E::Eighths> {
        eighths_alone(e)
    }
    fn reduced<F: Format16, E: Engine>(e: E, x: V32<E>) -> Reduced<E>;
    /// Returns the value, which rounds to the result and is not a midpoint of two numbers of the
    /// format.
    fn value<F: Format16, E: Engine>(e: E, of: E::Eighths, reduced: Reduced<E>) -> V32<E>;
}

/// Returns the results of values that are not midpoints. A NaN gives any bits.
#[inline_in_release]
pub(crate) fn narrowed<F: Format16, E: Vectors>(e: E, of: E::Eighths, m: Modifiers, [a, b]: [V32<E>; 2]) -> V16<E> {
    if F::PRECISION == 11 {
        return F::narrow(e, [a, b]);
    }
    let half = e.u32().splat(1 << 15);
    let d = of.upper_halves([e.u32().add(a, half), e.u32().add(b, half)]);
    if !m.ftz() {
        return d;
    }
    // Only powers are flushed, and they have no sign.
    let normal = e.u16().gt(d, e.u16().splat((1 << (F::PRECISION - 1)) - 1));
    e.u16().select(normal, d, e.u16().splat(0))
}

/// `2^x = 2^n · 2^(j/8) · 2^t`, |t| ≤ 1/16.
pub(crate) enum Ex2 {}

#[inline_in_release]
impl Function for Ex2 {
    /// In bf16 the cheaper rounding saves more than 32 pieces do.
    fn eighths<F: Format16, E: Engine>(e: E) -> Option<E::Eighths> {
        if F::PRECISION == 11 { eighths_alone(e) } else { e.eighths() }
    }
    /// t, and the sum in whose last bits stands 8n + j.
    fn reduced<F: Format16, E: Engine>(e: E, x: V32<E>) -> Reduced<E> {
        let bounded = if F::PRECISION == 11 {
            // The power of 16 is infinite in f16, and that of −26 is zero. A NaN stays a NaN.
            e.f32().min(e.f32().splat(16.0), e.f32().max(e.f32().splat(-26.0), x))
        } else {
            bits16::bounded_exponent(e, x)
        };
        let shifted = e.f32().add(bounded, e.f32().splat(EX2_SHIFT));
        [e.f32().sub(bounded, e.f32().sub(shifted, e.f32().splat(EX2_SHIFT))), shifted]
    }
    fn value<F: Format16, E: Engine>(e: E, of: E::Eighths, [t, shifted]: Reduced<E>) -> V32<E> {
        let f = e.f32();
        let is_f16 = F::PRECISION == 11;
        let (roots, one) = if is_f16 {
            (const { &less_index(ROOTS_F16) }, ONE_F16)
        } else {
            // Those of 2^128 and of 2^-127 have to be exact.
            (const { &less_index(ROOTS) }, 1.0)
        };
        let scale = e.u32().add(of.entry(roots, shifted), e.u32().shl(shifted, 20));
        let linear = if is_f16 {
            let [c3, c2, c1] = EX2_F16;
            f.mul_add(f.mul_add(f.splat(c3), t, f.splat(c2)), t, f.splat(c1))
        } else {
            let [c2, c1] = EX2_BF16;
            f.mul_add(f.splat(c2), t, f.splat(c1))
        };
        f.mul(scale, f.mul_add(linear, t, f.splat(one)))
    }
}

/// 1.5 · 2^20: a sum with it is a multiple of 1/8.
const EX2_SHIFT: f32 = 1_572_864.0;
/// The constant term for f16. Its roots are divided by it.
const ONE_F16: f32 = 0.7916819;
/// The other coefficients of `2^t`, times that.
const EX2_F16: [f32; 3] = [0.042998232, 0.19022532, 0.54875416];
/// Those for bf16, whose constant term is 1.
const EX2_BF16: [f32; 2] = [0.23773018, 0.6932963];
/// `2^(j/8)` over [`ONE_F16`], but for what makes all results right.
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

/// `tanh x = x · p(x² + 1.5)`, a polynomial of degree four in each half of an octave.
pub(crate) enum Tanh {}

#[inline_in_release]
impl Function for Tanh {
    /// `x` in bounds, and `x² + 1.5`.
    fn reduced<F: Format16, E: Engine>(e: E, x: V32<E>) -> Reduced<E> {
        let f = e.f32();
        let bounded = f.min(f.splat(TANH_MOST), f.max(f.splat(-TANH_MOST), x));
        [bounded, f.mul_add(bounded, bounded, f.splat(TANH_FIRST))]
    }
    fn value<F: Format16, E: Engine>(e: E, of: E::Eighths, [x, z]: Reduced<E>) -> V32<E> {
        let f = e.f32();
        // The exponent's last two bits, and the significand's first.
        let index = e.u32().shr(z, 22);
        let [c4, c3, c2, c1, c0] = const { &TANH };
        let sum = f.mul_add(of.entry(c4, index), z, of.entry(c3, index));
        let sum = f.mul_add(sum, z, of.entry(c2, index));
        let sum = f.mul_add(sum, z, of.entry(c1, index));
        f.mul(x, f.mul_add(sum, z, of.entry(c0, index)))
    }
}

/// From here on the result is 1, in either format.
const TANH_MOST: f32 = 4.51;
/// The pieces begin at 1.5 and end at 24.
const TANH_FIRST: f32 = 1.5;
/// The coefficients, that of the highest power first; the last piece is the first one, from 1.5 to
/// 2.
const TANH: [[f32; 8]; 5] = [
    [0.0044282856, 0.00097000937, 0.0002900677, 5.4316057e-5, 1.34363245e-5, 6.754549e-6, 4.842821e-6, 0.013393348],
    [
        -0.058393605,
        -0.018644026,
        -0.007431981,
        -0.0020100046,
        -0.00068333774,
        -0.0004153771,
        -0.00037336152,
        -0.13107117,
    ],
    [0.31993875, 0.14703718, 0.0774892, 0.030299308, 0.014029579, 0.010146743, 0.0110377325, 0.54186195],
    [-0.952388, -0.6148064, -0.42240837, -0.2380235, -0.14870308, -0.12516928, -0.15480548, -1.2549752],
    [1.8823711, 1.6326036, 1.4322776, 1.1591587, 0.9740378, 0.92628276, 1.1254307, 2.0378346],
];

#[cfg(test)]
mod tests;
