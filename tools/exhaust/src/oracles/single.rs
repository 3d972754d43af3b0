//! f32, one operand.

use core_math::{cosf, exp2f, log2f, rsqrtf, sinf, tanhf};
use oracle::form::Testp;
use oracle::{Form, Op, approx};

use super::definition::{Binary32, Format, Rounding};
use crate::space::{Fill, unary32};

const SIGN: u32 = Binary32::SIGN;

fn flush(ftz: bool, a: u32) -> u32 {
    if ftz && f32::from_bits(a).is_subnormal() { a & SIGN } else { a }
}

fn canonical(x: f32) -> u32 {
    if x.is_nan() { Binary32::CANONICAL_NAN } else { x.to_bits() }
}

/// The value of a magnitude, as [`Format::value`] has it.
fn value(magnitude: u32) -> f64 {
    if magnitude == Binary32::INFINITY { Binary32::value(magnitude) } else { f32::from_bits(magnitude).into() }
}

/// rcp and sqrt by definition: `y` is above `1/x` if `x·y > 1` and above `√x` if `y·y > x`, and 24
/// + 25 bits fit an f64.
pub(super) fn algebraic(form: &Form) -> Fill {
    let rounding = Rounding { rnd: form.rounding(), ftz: form.ftz };
    let ordering = |x: f64, y: f64| x.partial_cmp(&y).expect("neither is a NaN");
    let (ftz, reciprocal) = (form.ftz, form.op == Op::Rcp);
    unary32(move |a| {
        let a = flush(ftz, a);
        let x = f64::from(f32::from_bits(a));
        let sign = a & SIGN;
        if x.is_nan() || !reciprocal && x < 0.0 {
            return Binary32::CANONICAL_NAN;
        }
        if x == 0.0 || x.is_infinite() {
            return if reciprocal { a ^ Binary32::INFINITY } else { a };
        }
        if reciprocal {
            let x = x.abs();
            rounding.apply::<Binary32>(sign != 0, 1.0 / x, value, |y| ordering(x * y, 1.0))
        } else {
            rounding.apply::<Binary32>(false, x.sqrt(), value, |y| ordering(y * y, x))
        }
    })
}

/// rcp and sqrt to nearest by the host's f32 hardware. Neither needs `.ftz`, whose threshold the
/// hardware lacks.
pub(super) fn host(form: &Form) -> Fill {
    match form.op {
        Op::Rcp => unary32(|a| canonical(1.0 / f32::from_bits(a))),
        _ => unary32(|a| canonical(f32::from_bits(a).sqrt())),
    }
}

/// rsqrt, sin, cos, lg2, ex2 and tanh, correctly rounded. No result is one for which rounding with
/// unbounded exponent and rounding in the format differ at the smallest normal number.
pub(super) fn elementary(form: &Form) -> Fill {
    let ftz = form.ftz;
    macro_rules! with {
        ($function:ident) => {
            unary32(move |a| flush(ftz, canonical($function(f32::from_bits(flush(ftz, a))))))
        };
    }
    if form.turns {
        let form = *form;
        let function = move |x| approx::f32_function(&form, x).expect("a sine or a cosine");
        return with!(function);
    }
    match form.op {
        Op::Rsqrt => with!(rsqrtf),
        Op::Sin => with!(sinf),
        Op::Cos => with!(cosf),
        Op::Lg2 => with!(log2f),
        Op::Ex2 => with!(exp2f),
        _ => with!(tanhf),
    }
}

/// abs, neg and testp.
pub(super) fn bits(form: &Form) -> Fill {
    let ftz = form.ftz;
    macro_rules! test {
        ($test:expr) => {
            unary32(|a| u32::from($test(f32::from_bits(a))))
        };
    }
    match (form.op, form.testp) {
        (Op::Abs, _) => unary32(move |a| flush(ftz, a) & !SIGN),
        (Op::Neg, _) => unary32(move |a| flush(ftz, a) ^ SIGN),
        (_, Some(Testp::Finite)) => test!(f32::is_finite),
        (_, Some(Testp::Infinite)) => test!(f32::is_infinite),
        (_, Some(Testp::Number)) => test!(|x: f32| !x.is_nan()),
        (_, Some(Testp::NotANumber)) => test!(f32::is_nan),
        (_, Some(Testp::Subnormal)) => test!(f32::is_subnormal),
        (_, Some(Testp::Normal) | None) => test!(|x: f32| x.is_normal() || x == 0.0),
    }
}
