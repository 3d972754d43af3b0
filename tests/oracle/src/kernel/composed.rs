//! Functions of floats for which PTX has no instruction: a second copy of the steps and constants
//! that define them (`ptxf-core/src/kernel/composed.rs`).
//!
//! They are computed in f32, whose sums, products, quotients and roots Rust rounds as PTX does. The
//! oracles supply PTX's approximations. The tests compare each definition with `std`.

use std::f32::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_2, PI};

use super::number::{self, Binary, Function1};
use crate::form::Op;

/// Returns `None` for an instruction.
pub(super) fn of_one(function: Function1, x: f32) -> Option<f32> {
    let a = x.abs();
    Some(match function {
        Function1::Fract => x - x.trunc(),
        Function1::Tan => approximately(Op::Sin, x) / approximately(Op::Cos, x),
        Function1::Asin => {
            let r = arc_sine(a);
            (if a > 0.5 { (-2.0_f32).mul_add(r, FRAC_PI_2) } else { r }).copysign(x)
        }
        Function1::Acos => match arc_sine(a) {
            r if a > 0.5 && x < 0.0 => PI - 2.0 * r,
            r if a > 0.5 => 2.0 * r,
            r => FRAC_PI_2 - r.copysign(x),
        },
        Function1::Atan => match a > 1.0 {
            true => (FRAC_PI_2 - arc_tangent(1.0 / a)).copysign(x),
            false => arc_tangent(a).copysign(x),
        },
        Function1::Sinh if a < 1.0 => {
            odd(&[2.806_290_2e-6, 1.983_81e-4, 0.008_333_339, 0.166_666_67], a, a * a).copysign(x)
        }
        Function1::Sinh => (half_of_power(a) - 0.25 / half_of_power(a)).copysign(x),
        Function1::Cosh => half_of_power(a) + 0.25 / half_of_power(a),
        Function1::Log10 => approximately(Op::Lg2, x) * LOG10_2,
        Function1::ToDegrees => x * (180.0 / std::f64::consts::PI) as f32,
        Function1::ToRadians => x * (std::f64::consts::PI / 180.0) as f32,
        _ => return None,
    })
}

/// Returns `None` for an instruction.
pub(super) fn of_two(op: Binary, a: f32, b: f32) -> Option<f32> {
    match op {
        Binary::Atan2 => Some(angle(a, b)),
        Binary::Powf => Some(power(a, b)),
        Binary::Hypot if a.is_infinite() || b.is_infinite() => Some(f32::INFINITY),
        Binary::Hypot if a == 0.0 && b == 0.0 => Some(0.0),
        Binary::Hypot if a.is_nan() || b.is_nan() => Some(f32::NAN),
        Binary::Hypot => {
            let (least, most) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
            let ratio = least / most;
            Some(most * ratio.mul_add(ratio, 1.0).sqrt())
        }
        _ => None,
    }
}

/// The angle of (x, y), counted from the x axis.
fn angle(y: f32, x: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let (a, b) = (y.abs(), x.abs());
    let of_steep = a > b;
    let tangent = if a == b { f32::from(u8::from(a != 0.0)) } else { a.min(b) / a.max(b) };
    let r = arc_tangent(tangent);
    let r = if of_steep { FRAC_PI_2 - r } else { r };
    (if x.is_sign_negative() { PI - r } else { r }).copysign(y)
}

/// `pow` of IEEE 754, by powers of two.
fn power(x: f32, y: f32) -> f32 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let is_whole = y.trunc() == y;
    let is_odd = is_whole && (y * 0.5).trunc() != y * 0.5;
    if x < 0.0 && x.is_finite() && !is_whole {
        return f32::NAN;
    }
    let of_absolute = if x == -1.0 { 1.0 } else { approximately(Op::Ex2, y * approximately(Op::Lg2, x.abs())) };
    if x.is_sign_negative() && is_odd { -of_absolute } else { of_absolute }
}

/// Returns half of `eᵃ`. The exponent of 2 is rounded; the rest is a factor afterwards.
fn half_of_power(a: f32) -> f32 {
    let exponent = a * LOG2_E;
    let half = approximately(Op::Ex2, exponent - 1.0);
    if half.is_infinite() {
        return half;
    }
    let rounded = a.mul_add(LOG2_E, -exponent);
    let missing = a.mul_add(1.925_963e-8, rounded);
    half.mul_add(missing * LN_2, half)
}

/// The arc tangent of 0 to 1.
fn arc_tangent(z: f32) -> f32 {
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
    odd(&C, z, z * z)
}

/// Returns the arc sine of an `a` up to ½. For a larger one, returns half of its distance to a
/// right angle.
fn arc_sine(a: f32) -> f32 {
    const C: [f32; 6] = [0.033_805_758, 0.017_077_884, 0.031_116_158, 0.044_598_03, 0.075_000_99, 0.166_666_66];
    if a > 0.5 {
        let square = (-0.5_f32).mul_add(a, 0.5);
        odd(&C, square.sqrt(), square)
    } else {
        odd(&C, a, a * a)
    }
}

fn odd(coefficients: &[f32], z: f32, square: f32) -> f32 {
    let sum = coefficients.iter().copied().reduce(|sum, c| sum.mul_add(square, c));
    (z * square).mul_add(sum.expect("a polynomial has coefficients"), z)
}

fn approximately(op: Op, x: f32) -> f32 {
    f32::from_bits(number::approximate(op, x.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    type OfOne = fn(f32) -> f32;
    type OfTwo = fn(f32, f32) -> f32;

    /// The definitions are near the functions of their names.
    #[test]
    fn definitions_are_near_the_functions() {
        let of_one: [(Function1, OfOne); 10] = [
            (Function1::Fract, f32::fract),
            (Function1::Tan, f32::tan),
            (Function1::Asin, f32::asin),
            (Function1::Acos, f32::acos),
            (Function1::Atan, f32::atan),
            (Function1::Sinh, f32::sinh),
            (Function1::Cosh, f32::cosh),
            (Function1::Log10, f32::log10),
            (Function1::ToDegrees, f32::to_degrees),
            (Function1::ToRadians, f32::to_radians),
        ];
        let of_two: [(Binary, OfTwo); 3] =
            [(Binary::Atan2, f32::atan2), (Binary::Powf, f32::powf), (Binary::Hypot, f32::hypot)];
        let near = |a: f32, b: f32| a == b || (a - b).abs() <= 2e-6 * b.abs().max(0.1) || a.is_nan() && b.is_nan();
        let numbers = [-3.0, -1.0, -0.75, -0.25, -0.0, 0.0, 0.3, 0.5, 0.9, 1.0, 1.5, 7.0, f32::INFINITY, f32::NAN];
        for x in numbers {
            for (name, function) in of_one {
                let (ours, theirs) = (super::of_one(name, x).unwrap(), function(x));
                assert!(near(ours, theirs), "{name:?} of {x}: {ours}, {theirs}");
            }
            for (name, function) in of_two {
                for y in numbers {
                    let (ours, theirs) = (super::of_two(name, x, y).unwrap(), function(x, y));
                    assert!(near(ours, theirs), "{name:?} of {x} and {y}: {ours}, {theirs}");
                }
            }
        }
    }
}
