//! f16 and bf16, two operands: exact results in f64, rounded by definition.

use std::cmp::Ordering;

use oracle::{Form, Op, Ty};

use super::definition::{BFloat16, Binary16, Format, Rounding};
use crate::space::{Fill, pairs, unary16};

/// The value of every pattern.
fn values<F: Format>(ftz: bool) -> Vec<f64> {
    let value = |bits: u32| {
        let magnitude = bits & !F::SIGN;
        let value = match magnitude {
            _ if magnitude > F::INFINITY => f64::NAN,
            _ if magnitude == F::INFINITY => f64::INFINITY,
            _ if ftz && magnitude < F::NORMAL => 0.0,
            _ => F::value(magnitude),
        };
        if bits == magnitude { value } else { -value }
    };
    (0..=0xffff).map(value).collect()
}

/// The sum as an f64 and what that leaves out, exactly (Knuth).
#[inline(always)]
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let z = s - a;
    (s, (a - (s - z)) + (b - z))
}

/// add, sub and mul.
pub(super) fn arithmetic(form: &Form) -> Fill {
    match form.ty {
        Ty::F16 => arithmetic_in::<Binary16>(form),
        _ => arithmetic_in::<BFloat16>(form),
    }
}

fn arithmetic_in<F: Format>(form: &Form) -> Fill {
    let values = values::<F>(form.ftz);
    let magnitudes: Vec<f64> = (0..=F::INFINITY).map(F::value).collect();
    let (rounding, sat) = (Rounding { rnd: form.rounding(), ftz: form.ftz }, form.sat);
    // Rounds `x + rest`, where `rest` is less than half of the last bit of `x`.
    let round = move |x: f64, rest: f64| {
        if x.is_nan() {
            return if sat { 0 } else { F::CANONICAL_NAN as u16 };
        }
        let negative = x.is_sign_negative();
        let compare = |y: f64| {
            let rest = if negative { -rest } else { rest };
            match y.partial_cmp(&x.abs()).expect("neither is a NaN") {
                Ordering::Equal => 0.0.partial_cmp(&rest).expect("a rest of finite numbers"),
                different => different,
            }
        };
        if sat && (negative || compare(1.0).is_le()) {
            return if negative { 0 } else { F::ONE as u16 };
        }
        if x == 0.0 || x.is_infinite() {
            let magnitude = if x == 0.0 { 0 } else { F::INFINITY };
            return (if negative { F::SIGN } else { 0 } | magnitude) as u16;
        }
        rounding.apply::<F>(negative, x.abs(), |magnitude| magnitudes[magnitude as usize], compare) as u16
    };
    match form.op {
        Op::Add => pairs(move |a, b| {
            let (s, rest) = sum(values[usize::from(a)], values[usize::from(b)]);
            round(s, rest)
        }),
        Op::Sub => pairs(move |a, b| {
            let (s, rest) = sum(values[usize::from(a)], -values[usize::from(b)]);
            round(s, rest)
        }),
        // At most 22 bits.
        _ => pairs(move |a, b| round(values[usize::from(a)] * values[usize::from(b)], 0.0)),
    }
}

/// min and max.
pub(super) fn extreme(form: &Form) -> Fill {
    match form.ty {
        Ty::F16 => extreme_in::<Binary16>(form),
        _ => extreme_in::<BFloat16>(form),
    }
}

fn extreme_in<F: Format>(form: &Form) -> Fill {
    const SIGN: u16 = 0x8000;
    let values = values::<F>(form.ftz);
    let Form { ftz, nan, abs, xorsign, .. } = *form;
    let max = form.op == Op::Max;
    // An operand as compared: its bits and its value.
    let read = move |x: u16| {
        let x = if abs { x & !SIGN } else { x };
        let value = values[usize::from(x)];
        (if ftz && value == 0.0 { x & SIGN } else { x }, value)
    };
    pairs(move |a, b| {
        let ((x, u), (y, v)) = (read(a), read(b));
        let d = if u.is_nan() || v.is_nan() {
            match (u.is_nan(), v.is_nan()) {
                (false, _) if !nan => x,
                (_, false) if !nan => y,
                _ => return F::CANONICAL_NAN as u16,
            }
        } else if u == v {
            // Equal values have equal bits except for zeros, of which the negative one is the
            // smaller.
            if max { x & y } else { x | y }
        } else if (u > v) == max {
            x
        } else {
            y
        };
        if xorsign { d & !SIGN | (a ^ b) & SIGN } else { d }
    })
}

/// abs and neg, which touch the sign bit alone.
pub(super) fn sign(form: &Form) -> Fill {
    let sign = 0x8000;
    let values = match form.ty {
        Ty::F16 => values::<Binary16>(form.ftz),
        _ => values::<BFloat16>(form.ftz),
    };
    let negate = form.op == Op::Neg;
    unary16(move |a| {
        let a = if values[usize::from(a)] == 0.0 { a & sign } else { a };
        if negate { a ^ sign } else { a & !sign }
    })
}
