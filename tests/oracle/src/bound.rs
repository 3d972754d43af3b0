//! The errors that the manual documents for its approximations, and a check of results against
//! them.

use crate::approx;
use crate::form::{Form, Op, Ty};
use crate::layout::Layout;

/// A documented bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Distance from the exact value in units in the last place.
    Ulp(f64),
    /// Distance from the correctly rounded result in representable numbers.
    Steps(u64),
    /// |result − exact| ≤ bound · |exact|.
    Relative(f64),
    /// |result − exact| ≤ bound.
    Absolute(f64),
}

/// Returns the manual's bound for `form` on these operands of one lane. `None` if the manual has
/// none.
///
/// # Panics
/// It panics if `ops` has fewer operands than the instruction takes.
#[must_use]
pub fn documented(form: &Form, ops: &[u64]) -> Option<Bound> {
    use core::f64::consts::PI;
    let layout = Layout::of(form.ty);
    let value = |x: u64| layout.to_f64(if form.ftz { layout.flush(x) } else { x });
    let x = value(ops[0]);
    Some(match (form.op, form.ty) {
        // The manual's 2 ulp of divisions hold only if they are counted from the correctly rounded
        // quotient.
        (Op::Div, _) if form.full => Bound::Steps(2),
        (Op::Div, _) if form.approx => {
            let b = value(ops[1]).abs();
            if !(2f64.powi(-126)..=2f64.powi(126)).contains(&b) {
                return None;
            }
            Bound::Steps(2)
        }
        (Op::Rcp, Ty::F32) if form.approx => Bound::Ulp(1.0),
        (Op::Sqrt, Ty::F32) if form.approx => Bound::Relative(2f64.powi(-23)),
        (Op::Rsqrt, Ty::F32) => Bound::Relative(2f64.powf(-22.9)),
        (Op::Sin | Op::Cos, _) if form.turns => return None,
        (Op::Sin | Op::Cos, _) if x.abs() <= 2.0 * PI => Bound::Absolute(2f64.powf(-20.5)),
        (Op::Sin | Op::Cos, _) if x.abs() <= 100.0 * PI => Bound::Absolute(2f64.powf(-14.7)),
        (Op::Lg2, _) if 0.5 < x && x < 2.0 => Bound::Absolute(2f64.powi(-22)),
        (Op::Lg2, _) => Bound::Relative(2f64.powi(-22)),
        (Op::Ex2, Ty::F32) => Bound::Steps(2),
        (Op::Ex2, Ty::F16) => Bound::Relative(2f64.powf(-9.9)),
        (Op::Ex2, Ty::Bf16) => Bound::Relative(2f64.powi(-7)),
        (Op::Tanh, Ty::F32) => Bound::Relative(2f64.powi(-11)),
        (Op::Tanh, Ty::F16) => Bound::Absolute(2f64.powf(-10.987)),
        (Op::Tanh, Ty::Bf16) => Bound::Absolute(2f64.powi(-8)),
        _ => return None,
    })
}

/// Returns `true` if `result` is within the documented bound for one lane. `None` if none is
/// documented.
///
/// An exact NaN, infinity or zero is the only result allowed there (any NaN will do). A relative
/// bound cannot hold among subnormal results, such as those of f16's `ex2`. There it is taken
/// relative to the smallest normal number. A flushed result has to come from a value below that
/// number.
#[must_use]
pub fn within(form: &Form, ops: &[u64], result: u64) -> Option<bool> {
    let bound = documented(form, ops)?;
    let layout = Layout::of(form.ty);
    let exact = reference(form, ops)?;
    if exact.is_nan() || layout.is_nan(result) {
        return Some(exact.is_nan() && layout.is_nan(result));
    }
    let got = layout.to_f64(result);
    let least = layout.to_f64(layout.min_normal());
    if exact == 0.0 || exact.is_infinite() {
        return Some(got == exact && got.is_sign_negative() == exact.is_sign_negative());
    }
    if form.ftz && got == 0.0 && exact.abs() < least {
        return Some(got.is_sign_negative() == exact.is_sign_negative());
    }
    let steps = || (signed(layout, result) - signed(layout, correctly_rounded(form, ops))).unsigned_abs();
    if got.is_infinite() {
        // Out of range only the distance from the rounded result is meaningful.
        return Some(steps() <= u64::from(bound == Bound::Steps(2)) * 2);
    }
    let error = (got - exact).abs();
    Some(match bound {
        Bound::Steps(n) => steps() <= n,
        Bound::Ulp(n) => error <= n * ulp(layout, exact),
        Bound::Relative(r) => error <= r * exact.abs().max(least),
        Bound::Absolute(r) => error <= r,
    })
}

/// The exact value in f64, whose precision is some 29 bits finer than any bound here.
fn reference(form: &Form, ops: &[u64]) -> Option<f64> {
    let layout = Layout::of(form.ty);
    let value = |x: u64| layout.to_f64(if form.ftz { layout.flush(x) } else { x });
    let a = value(ops[0]);
    Some(match form.op {
        Op::Div => a / value(ops[1]),
        Op::Rcp => 1.0 / a,
        Op::Sqrt => a.sqrt(),
        Op::Rsqrt => core_math::rsqrt(a),
        _ => approx::f64_function(form, a)?,
    })
}

fn correctly_rounded(form: &Form, ops: &[u64]) -> u64 {
    crate::exact::eval(form, ops).or_else(|| approx::eval(form, ops)).expect("a bound is given for covered forms only")
}

/// The unit in the last place of the format at `x`.
fn ulp(layout: &Layout, x: f64) -> f64 {
    let exponent = (x.abs().to_bits() >> 52) as i32 - 1023;
    2f64.powi(exponent.max(layout.min_exponent()) - layout.fraction as i32)
}

/// Returns the pattern's place in the order of representable numbers.
fn signed(layout: &Layout, bits: u64) -> i64 {
    let m = layout.magnitude(bits) as i64;
    if layout.is_negative(bits) { -m } else { m }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, edges, generate, legal};

    /// The default model lies within every documented bound.
    #[test]
    fn the_default_model_keeps_every_bound() {
        let mut rng = Rng::new(6);
        let mut checked = 0;
        let all = legal::all().into_iter().filter_map(|l| l.form.map(|form| (l, form)));
        for (legal, form) in all.filter(|(_, f)| f.lanes == 1 && (f.approx || f.full)) {
            let form = &form;
            let mut try_one = |ops: &[u64]| {
                let d = correctly_rounded(form, ops);
                if let Some(ok) = within(form, ops, d) {
                    checked += 1;
                    assert!(ok, "{form} {ops:x?} -> {d:#x} is outside {:?}", documented(form, ops));
                }
            };
            if legal.operands == 1 {
                edges::of(form.ty).iter().for_each(|a| try_one(&[*a]));
            }
            for _ in 0..3000 {
                let ops: Vec<u64> = (0..legal.operands).map(|_| generate::operand(form.ty, &mut rng)).collect();
                try_one(&ops);
            }
        }
        assert!(checked > 50_000, "{checked}");
    }

    #[test]
    fn an_error_is_noticed() {
        let check = |spelling: &str, ops: &[u64], d| within(&Form::parse(spelling).unwrap(), ops, d).unwrap();
        let third = 0x3eaa_aaab;
        assert!(check("rcp.approx.f32", &[0x4040_0000], third));
        assert!(!check("rcp.approx.f32", &[0x4040_0000], third + 2));
        assert!(check("div.full.f32", &[0x3f80_0000, 0x4040_0000], third + 2));
        assert!(!check("div.full.f32", &[0x3f80_0000, 0x4040_0000], third + 3));
        assert!(!check("ex2.approx.f32", &[0], 0x3f80_0003));
        assert!(!check("tanh.approx.f16", &[0], 0x8000));
        assert!(!check("lg2.approx.f32", &[0], 0));
    }
}
