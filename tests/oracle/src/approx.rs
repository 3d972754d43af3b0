//! Oracle for the transcendental approximations' default model: the correctly rounded result, the
//! manual's special values, and its flush rules (9.7.3.18 to 9.7.3.22, 9.7.4.9, 9.7.4.10).
//!
//! CORE-MATH's f32 and f64 functions are separate programs, so each format has two answers.
//! [`eval`] uses the function of its own width (f64 for 16-bit formats). [`eval_wide`] uses the
//! other width where the second rounding provably changes nothing.

use crate::dyadic::Dyadic;
use crate::form::{Form, Op, Rnd, Ty};
use crate::layout::Layout;
use crate::round::{self, Exact};

/// The result of one lane: f32 from CORE-MATH's f32 function, f16 and bf16 from its f64 function.
///
/// `None` for every instruction but `sin cos lg2 ex2 tanh`.
///
/// Panics if an f64 result lies so close to a tie of a 16-bit format that rounding it could differ
/// from rounding the true value. No operand has such a result; the tests check that here.
#[must_use]
pub fn eval(form: &Form, ops: &[u64]) -> Option<u64> {
    let x = operand(form, ops)?;
    Some(match form.ty {
        Ty::F32 => finish(form, f32_function(form, x as f32)?.to_bits().into()),
        Ty::F16 | Ty::Bf16 => {
            let y = f64_function(form, x)?;
            narrow(form, y, F64_DOUBT).unwrap_or_else(|| panic!("{form} {:#x}: {y:e} is near a tie", ops[0]))
        }
        Ty::F64 | Ty::Mini => return None,
    })
}

/// The result of one lane from the function of the other width. `None` if that result is too near a
/// tie.
#[must_use]
pub fn eval_wide(form: &Form, ops: &[u64]) -> Option<u64> {
    let x = operand(form, ops)?;
    match form.ty {
        Ty::F32 => narrow(form, f64_function(form, x)?, F64_DOUBT),
        Ty::F16 | Ty::Bf16 => narrow(form, f64::from(f32_function(form, x as f32)?), F32_DOUBT),
        Ty::F64 | Ty::Mini => None,
    }
}

/// The operand's value after flushing, exact in f64 (and in f32 for the 16-bit formats).
fn operand(form: &Form, ops: &[u64]) -> Option<f64> {
    let layout = Layout::of(form.ty);
    let a = *ops.first()?;
    Some(layout.to_f64(if form.ftz { layout.flush(a) } else { a }))
}

/// Bound of the relative error of a result that CORE-MATH rounded to f64, with a margin.
const F64_DOUBT: i64 = -52;
/// The same for f32.
const F32_DOUBT: i64 = -23;

/// The reference value of the function, correctly rounded to f32.
#[must_use]
pub fn f32_function(form: &Form, x: f32) -> Option<f32> {
    // CORE-MATH has sin πx and cos πx. Numbers from 2²⁴ on are whole turns.
    let halves = || if x.is_finite() && x.abs() >= 16_777_216.0 { 2f32.copysign(x) } else { 2.0 * x };
    Some(match form.op {
        Op::Sin if form.turns => core_math::sinpif(halves()),
        Op::Cos if form.turns => core_math::cospif(halves()),
        Op::Sin => core_math::sinf(x),
        Op::Cos => core_math::cosf(x),
        Op::Lg2 => core_math::log2f(x),
        Op::Ex2 => core_math::exp2f(x),
        Op::Tanh => core_math::tanhf(x),
        _ => return None,
    })
}

/// The reference value of the function, correctly rounded to f64.
#[must_use]
pub fn f64_function(form: &Form, x: f64) -> Option<f64> {
    Some(match form.op {
        // Twice an f32 is an f64.
        Op::Sin if form.turns => core_math::sinpi(2.0 * x),
        Op::Cos if form.turns => core_math::cospi(2.0 * x),
        Op::Sin => core_math::sin(x),
        Op::Cos => core_math::cos(x),
        Op::Lg2 => core_math::log2(x),
        Op::Ex2 => core_math::exp2(x),
        Op::Tanh => core_math::tanh(x),
        _ => return None,
    })
}

/// Rounds `y`, itself within a relative 2^doubt of the truth, to the form's format, or declines.
///
/// The two ends of the interval of doubt must round alike. The one exception is a power of two out
/// of `ex2`, which may be a tie (2⁻²⁵ is one in f16) because it is exact: only an integer operand
/// leads there, or one so near zero that 1, no tie, is the right answer.
fn narrow(form: &Form, y: f64, doubt: i64) -> Option<u64> {
    let layout = Layout::of(form.ty);
    if y.is_nan() {
        return Some(layout.canonical_nan);
    }
    let sign = if y.is_sign_negative() { layout.sign_bit() } else { 0 };
    if y == 0.0 {
        // A result underflows here only at zeros, where it is exact, or below the range of an f32
        // exponential.
        return Some(sign);
    }
    if y.is_infinite() {
        return Some(sign | layout.infinity());
    }
    let value = Dyadic::of(Layout::of(Ty::F64), y.to_bits());
    let nearest = |v: &Dyadic| round::round(layout, &Exact::dyadic(v.clone()), false, Rnd::Rn);
    let result = nearest(&value);
    // The half unit of doubt is measured from y's leading digit; a subnormal f32 carries the doubt
    // of its last digit.
    let floor = Dyadic::new(1, if doubt == F32_DOUBT { -149 } else { -1074 });
    let mut radius = value.truncated(1).scaled(doubt);
    if radius.compare(&floor).is_lt() {
        radius = floor;
    }
    let is_exact_power = form.op == Op::Ex2 && value.truncated(1).compare(&value).is_eq();
    let agrees = nearest(&value.plus(&radius)) == result
        && value.compare(&radius).is_gt()
        && nearest(&value.distance(&radius)) == result;
    (agrees || is_exact_power).then(|| finish(form, sign | result))
}

/// A NaN becomes the canonical one and `.ftz` flushes. The rounded result shows what to flush: a
/// value that only the bounded exponent rounds up to 2^emin lies in (1 − 2^−p, 1 − 2^−p−1)·2^emin,
/// where none of these functions has one.
fn finish(form: &Form, d: u64) -> u64 {
    let layout = Layout::of(form.ty);
    if layout.is_nan(d) {
        layout.canonical_nan
    } else if form.ftz {
        layout.flush(d)
    } else {
        d
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e(spelling: &str, a: u64) -> u64 {
        eval(&Form::parse(spelling).unwrap(), &[a]).unwrap()
    }

    #[test]
    fn f32_special_values_are_the_manuals() {
        let (inf, ninf, nan, zero, nzero, one) =
            (0x7f80_0000, 0xff80_0000, 0x7fff_ffff, 0, 0x8000_0000_u64, 0x3f80_0000_u64);
        for ftz in ["", ".ftz"] {
            for (op, table) in [
                ("sin", [(ninf, nan), (nzero, nzero), (zero, zero), (inf, nan), (0xff80_0001, nan)]),
                ("cos", [(ninf, nan), (nzero, one), (zero, one), (inf, nan), (0x7f80_0001, nan)]),
                ("lg2", [(ninf, nan), (nzero, ninf), (zero, ninf), (inf, inf), (0xbf80_0000, nan)]),
                ("ex2", [(ninf, zero), (nzero, one), (zero, one), (inf, inf), (0x7f80_0001, nan)]),
            ] {
                for (a, d) in table {
                    assert_eq!(e(&format!("{op}.approx{ftz}.f32"), a), d, "{op}{ftz} {a:#x}");
                }
            }
        }
        for (a, d) in [(ninf, 0xbf80_0000), (nzero, nzero), (zero, zero), (inf, one), (1, 1), (0xffff_ffff, nan)] {
            assert_eq!(e("tanh.approx.f32", a), d);
        }
    }

    /// The values in the comments on `__sin2pif` and `__cos2pif`, and multiples of a quarter turn.
    #[test]
    fn special_values_in_turns() {
        let (sin, cos) = ("sin.approx.2pi.ftz.f32", "cos.approx.2pi.ftz.f32");
        let (nan, one, minus) = (0x7fff_ffff, 0x3f80_0000, 0x8000_0000_u64);
        for (a, [s, c]) in [
            (0, [0, one]),
            (minus, [minus, one]),
            (0x7f80_0000, [nan, nan]),
            (0xff80_0000, [nan, nan]),
            (0xff80_0001, [nan, nan]),
            // A quarter, half and three quarters of a turn, and the largest number.
            (0x3e80_0000, [one, 0]),
            (0x3f00_0000, [0, minus | one]),
            (0xbf40_0000, [one, 0]),
            (0xff7f_ffff, [minus, one]),
        ] {
            assert_eq!([e(sin, a), e(cos, a)], [s, c], "{a:#x}");
        }
        // 2π · 2⁻¹²⁶.
        assert_eq!([0x0080_0000, 0x007f_ffff].map(|a| e(sin, a)), [0x01c9_0fdb, 0]);
    }

    #[test]
    fn subnormals_are_kept_or_flushed() {
        assert_eq!(e("sin.approx.f32", 0x8000_0001), 0x8000_0001);
        assert_eq!(e("sin.approx.ftz.f32", 0x8000_0001), 0x8000_0000);
        assert_eq!(e("sin.approx.ftz.f32", 0x0080_0000), 0x0080_0000);
        assert_eq!(e("lg2.approx.f32", 1), (-149f32).to_bits().into());
        assert_eq!(e("lg2.approx.ftz.f32", 1), 0xff80_0000);
        assert_eq!(e("lg2.approx.f32", 0x8000_0001), 0x7fff_ffff);
        assert_eq!(e("lg2.approx.ftz.f32", 0x8000_0001), 0xff80_0000);
        assert_eq!(e("ex2.approx.f32", (-149f32).to_bits().into()), 1);
        assert_eq!(e("ex2.approx.ftz.f32", (-127f32).to_bits().into()), 0);
        assert_eq!(e("ex2.approx.f16", 0xce40), 0, "2^-25 is a tie and goes to the even zero");
        assert_eq!(e("ex2.approx.f16", 0xce00), 1);
        assert_eq!(e("ex2.approx.ftz.bf16", 0x8001), 0x3f80);
        assert_eq!(e("ex2.approx.ftz.bf16", 0xc2fe), 0);
        assert_eq!(e("tanh.approx.f16", 0x8001), 0x8001);
    }

    /// Also runs the near-tie assertion over the whole domain.
    #[test]
    fn every_half_operand_has_one_answer() {
        let mut declined = 0;
        for spelling in ["tanh.approx.f16", "tanh.approx.bf16", "ex2.approx.f16", "ex2.approx.ftz.bf16"] {
            let form = Form::parse(spelling).unwrap();
            for a in 0..=0xffff {
                let d = eval(&form, &[a]);
                match eval_wide(&form, &[a]) {
                    None => declined += 1,
                    wide => assert_eq!(wide, d, "{spelling} {a:#06x}"),
                }
            }
        }
        assert!(declined < 4 * 65_536 / 50, "{declined}");
    }

    #[test]
    fn both_widths_agree_on_f32() {
        let mut rng = crate::Rng::new(5);
        for spelling in [
            "sin.approx.f32",
            "cos.approx.f32",
            "sin.approx.2pi.ftz.f32",
            "cos.approx.2pi.ftz.f32",
            "lg2.approx.ftz.f32",
            "ex2.approx.f32",
            "tanh.approx.f32",
        ] {
            let form = Form::parse(spelling).unwrap();
            let mut declined = 0;
            for _ in 0..20_000 {
                let a = crate::generate::operand(Ty::F32, &mut rng);
                match eval_wide(&form, &[a]) {
                    None => declined += 1,
                    wide => assert_eq!(wide, eval(&form, &[a]), "{spelling} {a:#010x}"),
                }
            }
            assert!(declined < 20_000, "{spelling} {declined}");
        }
    }
}
