//! Functions of floats for which PTX has no instruction, such as `atan` and `powf`.
//!
//! Each function is a few f32 instructions in the order of the code here, and its result is rounded
//! once to the element. This code is their definition: all versions of a kernel have the same bits.
//! A device has these bits, too, for functions that use neither `ex2`, `lg2`, `sin` nor `cos`,
//! which are approximations there.
//!
//! The functions are written once, over an [`Arithmetic`]: that of one value, or that of vectors. A
//! NaN result is canonical, because the last step of each function is arithmetic. The error is the
//! largest that the tests found, in distances between neighbouring f32 numbers, with the
//! approximations of a CPU.
//!
//! | function | computed by | error |
//! |---|---|---|
//! | `atan`, `atan2` | a polynomial on 0 to 1; for a larger operand π/2 less the angle of its reciprocal | 1.6, 1.9 |
//! | `asin`, `acos` | a polynomial on 0 to ½; above ½ it is applied to `√((1 − a) / 2)`, whose arc sine is half of the angle's complement | 2.3, 1.3 |
//! | `tan` | `sin.approx` divided by `cos.approx` | 1.9 |
//! | `sinh`, `cosh` | half the difference, or the sum, of `eᵃ` and its reciprocal; `sinh` of an operand below 1 is a polynomial | 2.0, 1.5 |
//! | `log10`, `to_degrees`, `to_radians` | a product with a constant | 1.9, 0.7, 0.7 |
//! | `fract` | the operand less its integer part (`cvt.rzi`) | 0 |
//! | `powf` | `ex2(y · lg2 a)`, as CUDA's `__powf`, with the sign and the special values of IEEE 754's `pow` | 1.5 · (1 + \|y · lg2 a\|) |
//! | `hypot` | `m · √(1 + (n / m)²)` for the larger operand `m` and the smaller one `n`, so that no square overflows | 1.9 |

use core::f32::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_2, PI};

/// Instructions of f32, each with a canonical NaN, on one value per lane.
pub(super) trait Arithmetic: Copy {
    /// One value per lane.
    type V: Copy;

    /// Returns `x` in all lanes.
    fn splat(self, x: f32) -> Self::V;
    /// `abs`
    fn abs(self, a: Self::V) -> Self::V;
    /// `sqrt.rn`
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `rcp.rn`
    fn rcp(self, a: Self::V) -> Self::V;
    /// `ex2.approx`
    fn ex2(self, a: Self::V) -> Self::V;
    /// `lg2.approx`
    fn lg2(self, a: Self::V) -> Self::V;
    /// `sin.approx`
    fn sin(self, a: Self::V) -> Self::V;
    /// `cos.approx`
    fn cos(self, a: Self::V) -> Self::V;
    /// `cvt.rzi`
    fn trunc(self, a: Self::V) -> Self::V;
    /// `add.rn`
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `sub.rn`
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `mul.rn`
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `div.rn`
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// `fma.rn`
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Returns the first operand with the sign of the second; a NaN may have either sign.
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns `yes` where `a < b`, and `no` elsewhere.
    fn if_less(self, a: Self::V, b: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// Returns `yes` where `a == b`, and `no` elsewhere.
    fn if_equal(self, a: Self::V, b: Self::V, yes: Self::V, no: Self::V) -> Self::V;
}

/// Computes `c₀xⁿ + … + cₙ`.
#[inline_in_release]
fn polynomial<A: Arithmetic, const N: usize>(f: A, coefficients: [f32; N], x: A::V) -> A::V {
    let mut sum = f.splat(coefficients[0]);
    for &c in &coefficients[1..] {
        sum = f.fma(sum, x, f.splat(c));
    }
    sum
}

/// Computes `z + z³ · p(z²)`, where `s` is the square of `z`.
#[inline_in_release]
fn odd<A: Arithmetic, const N: usize>(f: A, coefficients: [f32; N], z: A::V, s: A::V) -> A::V {
    f.fma(f.mul(z, s), polynomial(f, coefficients, s), z)
}

/// Returns `a`, which is not negative, with the sign of `x`; a NaN becomes the canonical one.
#[inline_in_release]
fn signed<A: Arithmetic>(f: A, a: A::V, x: A::V) -> A::V {
    f.mul(a, f.copysign(f.splat(1.0), x))
}

/// Computes the arc tangent of a `z` from 0 to 1.
#[inline_in_release]
fn atan_of_fraction<A: Arithmetic>(f: A, z: A::V) -> A::V {
    const C: [f32; 8] = [
        0.002_849_889_7,
        -0.016_068_63,
        0.042_691_52,
        -0.075_042_95,
        0.106_409_34,
        -0.142_036_44,
        0.199_926_2,
        -0.333_330_72,
    ];
    odd(f, C, z, f.mul(z, z))
}

#[inline_in_release]
pub(super) fn atan<A: Arithmetic>(f: A, x: A::V) -> A::V {
    let (a, one) = (f.abs(x), f.splat(1.0));
    let r = atan_of_fraction(f, f.if_less(one, a, f.rcp(a), a));
    signed(f, f.if_less(one, a, f.sub(f.splat(FRAC_PI_2), r), r), x)
}

#[inline_in_release]
pub(super) fn atan2<A: Arithmetic>(f: A, y: A::V, x: A::V) -> A::V {
    let (a, b, zero, one) = (f.abs(y), f.abs(x), f.splat(0.0), f.splat(1.0));
    let (n, m) = (f.if_less(b, a, b, a), f.if_less(b, a, a, b));
    // Two infinities have the angle of (1, 1); two zeros have that of y = 0, x = 1.
    let z = f.if_equal(f.add(a, b), zero, zero, f.if_equal(a, b, one, f.div(n, m)));
    let r = atan_of_fraction(f, z);
    let r = f.if_less(b, a, f.sub(f.splat(FRAC_PI_2), r), r);
    // An `x` of −0 counts as negative.
    let r = f.if_less(f.copysign(one, x), zero, f.sub(f.splat(PI), r), r);
    signed(f, r, y)
}

/// Computes the arc sine of an `a` up to ½. For a larger `a` it is half of the complement to π/2.
#[inline_in_release]
fn asin_of_half<A: Arithmetic>(f: A, a: A::V) -> A::V {
    const C: [f32; 6] = [0.033_805_758, 0.017_077_884, 0.031_116_158, 0.044_598_03, 0.075_000_99, 0.166_666_66];
    let half = f.splat(0.5);
    let s = f.if_less(half, a, f.fma(f.splat(-0.5), a, half), f.mul(a, a));
    odd(f, C, f.if_less(half, a, f.sqrt(s), a), s)
}

#[inline_in_release]
pub(super) fn asin<A: Arithmetic>(f: A, x: A::V) -> A::V {
    let a = f.abs(x);
    let r = asin_of_half(f, a);
    signed(f, f.if_less(f.splat(0.5), a, f.fma(f.splat(-2.0), r, f.splat(FRAC_PI_2)), r), x)
}

#[inline_in_release]
pub(super) fn acos<A: Arithmetic>(f: A, x: A::V) -> A::V {
    let (a, zero) = (f.abs(x), f.splat(0.0));
    let r = asin_of_half(f, a);
    let twice = f.add(r, r);
    let beyond = f.if_less(x, zero, f.sub(f.splat(PI), twice), twice);
    f.if_less(f.splat(0.5), a, beyond, f.sub(f.splat(FRAC_PI_2), signed(f, r, x)))
}

#[inline_in_release]
pub(super) fn tan<A: Arithmetic>(f: A, x: A::V) -> A::V {
    f.div(f.sin(x), f.cos(x))
}

/// Computes half of `eᵃ`. The exponent of 2 is rounded; the result is then multiplied by 2 to the
/// power of the rounding error.
#[inline_in_release]
fn half_exp<A: Arithmetic>(f: A, a: A::V) -> A::V {
    /// log₂ e less `LOG2_E`.
    const REST: f32 = 1.925_963e-8;
    let (log2_e, infinity) = (f.splat(LOG2_E), f.splat(f32::INFINITY));
    let t = f.mul(a, log2_e);
    let rest = f.fma(a, f.splat(REST), f.fma(a, log2_e, f.sub(f.splat(0.0), t)));
    let h = f.ex2(f.sub(t, f.splat(1.0)));
    f.if_equal(h, infinity, h, f.fma(h, f.mul(rest, f.splat(LN_2)), h))
}

#[inline_in_release]
pub(super) fn sinh<A: Arithmetic>(f: A, x: A::V) -> A::V {
    const C: [f32; 4] = [2.806_290_2e-6, 1.983_81e-4, 0.008_333_339, 0.166_666_67];
    let a = f.abs(x);
    let h = half_exp(f, a);
    let large = f.sub(h, f.div(f.splat(0.25), h));
    signed(f, f.if_less(a, f.splat(1.0), odd(f, C, a, f.mul(a, a)), large), x)
}

#[inline_in_release]
pub(super) fn cosh<A: Arithmetic>(f: A, x: A::V) -> A::V {
    let h = half_exp(f, f.abs(x));
    f.add(h, f.div(f.splat(0.25), h))
}

#[inline_in_release]
pub(super) fn log10<A: Arithmetic>(f: A, x: A::V) -> A::V {
    f.mul(f.lg2(x), f.splat(LOG10_2))
}

#[inline_in_release]
pub(super) fn to_degrees<A: Arithmetic>(f: A, x: A::V) -> A::V {
    f.mul(x, f.splat(57.295_78))
}

#[inline_in_release]
pub(super) fn to_radians<A: Arithmetic>(f: A, x: A::V) -> A::V {
    f.mul(x, f.splat(0.017_453_292))
}

#[inline_in_release]
pub(super) fn fract<A: Arithmetic>(f: A, x: A::V) -> A::V {
    f.sub(x, f.trunc(x))
}

#[inline_in_release]
pub(super) fn powf<A: Arithmetic>(f: A, x: A::V, y: A::V) -> A::V {
    let (a, zero, one) = (f.abs(x), f.splat(0.0), f.splat(1.0));
    let (whole, half) = (f.trunc(y), f.mul(y, f.splat(0.5)));
    let power = f.ex2(f.mul(y, f.lg2(a)));
    // A power of 1 is 1 for every exponent.
    let power = f.if_equal(a, one, one, power);
    let odd = f.if_equal(y, whole, f.if_equal(half, f.trunc(half), one, f.splat(-1.0)), one);
    let signed = f.mul(power, odd);
    // A fractional exponent of a negative number makes NaN, except for −0 and −∞.
    let below = f.if_equal(y, whole, signed, f.splat(f32::NAN));
    let below = f.if_equal(a, zero, signed, f.if_equal(a, f.splat(f32::INFINITY), signed, below));
    let power = f.if_less(f.copysign(one, x), zero, below, power);
    // NaN to the power of 0 is 1, too; otherwise the product makes a NaN canonical.
    f.if_equal(y, zero, one, f.mul(power, one))
}

#[inline_in_release]
pub(super) fn hypot<A: Arithmetic>(f: A, x: A::V, y: A::V) -> A::V {
    let (a, b, zero, infinity) = (f.abs(x), f.abs(y), f.splat(0.0), f.splat(f32::INFINITY));
    let (n, m) = (f.if_less(b, a, b, a), f.if_less(b, a, a, b));
    let q = f.div(n, m);
    let length = f.mul(m, f.sqrt(f.fma(q, q, f.splat(1.0))));
    let length = f.if_equal(f.add(a, b), zero, zero, length);
    f.if_equal(a, infinity, infinity, f.if_equal(b, infinity, infinity, length))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use crate::kernel::{Element, Op1, Op2};
    use crate::types::{Bf16, F16};

    /// Returns the largest error over the operands, in distances between neighbouring f32 numbers.
    fn error(operands: impl Iterator<Item = f32>, ours: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64) -> f64 {
        let of = |x: f32| {
            let (d, exact) = (ours(x), exact(x.into()));
            let nearest = (exact as f32).abs();
            let unit = f64::from(nearest.next_up()) - f64::from(nearest);
            if exact.is_nan() && d.is_nan() || f64::from(d) == exact || d == exact as f32 {
                return 0.0;
            }
            let error = (f64::from(d) - exact).abs() / unit;
            assert!(error < 100.0, "{x:e}: {d:e}, and not {exact:e}");
            error
        };
        operands.map(of).fold(0.0, f64::max)
    }

    /// Returns numbers that are evenly spaced over an interval.
    fn of(from: f32, to: f32) -> impl Iterator<Item = f32> + Clone {
        (0..=200_000).map(move |i| from + (to - from) * (i as f32 / 200_000.0))
    }

    /// Returns numbers of all magnitudes and both signs.
    fn all() -> impl Iterator<Item = f32> + Clone {
        (0..=u32::MAX).step_by(30_011).map(f32::from_bits)
    }

    #[test]
    #[cfg_attr(miri, ignore = "there is no memory in it")]
    fn functions_of_one_number_are_as_near_as_documented() {
        let f = |op| move |x| f32::op1(op, x);
        let cases = [
            ("atan", error(all().chain(of(-4.0, 4.0)), f(Op1::Atan), f64::atan), 1.6),
            ("asin", error(all().chain(of(-1.0, 1.0)), f(Op1::Asin), f64::asin), 2.3),
            ("acos", error(all().chain(of(-1.0, 1.0)), f(Op1::Acos), f64::acos), 1.3),
            ("tan", error(of(-100.0, 100.0), f(Op1::Tan), f64::tan), 1.9),
            ("sinh", error(all().chain(of(-89.4, 89.4)), f(Op1::Sinh), f64::sinh), 2.0),
            ("cosh", error(all().chain(of(-89.4, 89.4)), f(Op1::Cosh), f64::cosh), 1.5),
            ("log10", error(all(), f(Op1::Log10), f64::log10), 1.9),
            ("to_degrees", error(all(), f(Op1::ToDegrees), f64::to_degrees), 0.7),
            ("to_radians", error(all(), f(Op1::ToRadians), f64::to_radians), 0.7),
            ("fract", error(all(), f(Op1::Fract), f64::fract), 0.0),
        ];
        for (name, found, most) in cases {
            assert!(found <= most, "{name}: {found}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "there is no memory in it")]
    fn functions_of_two_numbers_are_as_near_as_documented() {
        let power = |a: f32, b: f32| (f64::from(b) * f64::from(a.abs()).log2()).abs();
        let others: Vec<f32> = of(-9.0, 9.0).step_by(9_973).chain([0.0, -0.0, 1e-30]).collect();
        let mut found = [0.0_f64; 3];
        for b in others {
            let numbers = of(-20.0, 20.0).step_by(7);
            let c = f64::from(b);
            found[0] = found[0].max(error(numbers.clone(), |a| f32::op2(Op2::Atan2, a, b), |a| a.atan2(c)));
            found[1] = found[1].max(error(numbers.clone(), |a| f32::op2(Op2::Hypot, a, b), |a| a.hypot(c)));
            for a in numbers {
                let of_one = error([a].into_iter(), |a| f32::op2(Op2::Powf, a, b), |a| a.powf(c));
                found[2] = found[2].max(of_one / (1.0 + if a == 0.0 { 0.0 } else { power(a, b) }));
            }
        }
        assert!(found[0] <= 1.9 && found[1] <= 1.9 && found[2] <= 1.5, "{found:?}");
    }

    type OfOne = fn(f64) -> f64;

    /// Checks that 16-bit results are nearest to the true value, or to a value within f32's error
    /// of it.
    #[test]
    #[cfg_attr(miri, ignore = "there is no memory in it")]
    fn halves_are_rounded_once() {
        let functions: [(Op1, OfOne); 9] = [
            (Op1::Tan, f64::tan),
            (Op1::Asin, f64::asin),
            (Op1::Acos, f64::acos),
            (Op1::Atan, f64::atan),
            (Op1::Sinh, f64::sinh),
            (Op1::Cosh, f64::cosh),
            (Op1::Log10, f64::log10),
            (Op1::ToDegrees, f64::to_degrees),
            (Op1::ToRadians, f64::to_radians),
        ];
        // Two and a half distances between neighbours, each of which is at most 2⁻²³ of the number.
        let doubt = 2.5 * 2.0_f64.powi(-23);
        for (op, function) in functions {
            for bits in 0..=u16::MAX {
                let (x, y) = (F16::from_bits(bits), Bf16::from_bits(bits));
                let exact = function(x.to_f64());
                let near = [1.0 - doubt, 1.0, 1.0 + doubt].map(|by| F16::from_f64(exact * by).to_bits());
                let found = F16::op1(op, x);
                assert!(near.contains(&found.to_bits()), "{op:?} of {x}: {found}, and not {exact:e}");
                let exact = function(y.to_f64());
                let near = [1.0 - doubt, 1.0, 1.0 + doubt].map(|by| Bf16::from_f64(exact * by).to_bits());
                let found = Bf16::op1(op, y);
                assert!(near.contains(&found.to_bits()), "{op:?} of {y}: {found}, and not {exact:e}");
            }
        }
    }

    /// Checks that the special values are those of `std`, which are IEEE 754's.
    #[test]
    #[cfg_attr(miri, ignore = "there is no memory in it")]
    fn special_values_are_those_of_ieee_754() {
        let special = [0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 1e30, 1e-30, 1e-44, 16_777_217.0, 3e38, f32::INFINITY, f32::NAN];
        let special: Vec<f32> = special.into_iter().flat_map(|x: f32| [x, -x]).collect();
        for &a in &special {
            for &b in &special {
                let cases = [(Op2::Atan2, a.atan2(b)), (Op2::Powf, a.powf(b)), (Op2::Hypot, a.hypot(b))];
                for (op, want) in cases {
                    let got = f32::op2(op, a, b);
                    if want.is_nan() {
                        assert_eq!(got.to_bits(), 0x7FFF_FFFF, "{op:?} of {a:e} and {b:e}");
                    } else if want == 0.0 || want.is_infinite() || want.abs() == 1.0 {
                        assert_eq!(got.to_bits(), want.to_bits(), "{op:?} of {a:e} and {b:e}: {got:e}, {want:e}");
                    } else {
                        assert!((got / want - 1.0).abs() < 1e-5, "{op:?} of {a:e} and {b:e}: {got:e}, {want:e}");
                    }
                }
            }
        }
        // The value in docs/kernels.md.
        assert_eq!(f32::op2(Op2::Powf, 7.0, 7.0), 823_543.56);
        for x in [f32::NAN, -f32::NAN, 1.5, -1.5] {
            assert_eq!(f32::op1(Op1::Asin, x).to_bits(), 0x7FFF_FFFF);
            assert_eq!(f32::op1(Op1::Acos, x).to_bits(), 0x7FFF_FFFF);
        }
        for op in [Op1::Atan, Op1::Asin, Op1::Sinh, Op1::Tan, Op1::ToDegrees] {
            assert_eq!(f32::op1(op, -0.0).to_bits(), 0x8000_0000, "{op:?}");
        }
    }
}
