//! Oracle B: each form in exact arithmetic, rounded by [`crate::round`].
//!
//! It is slow (microseconds per result) and written to be read beside the manual. It covers every
//! form whose default model is algebraic: all correctly rounded forms, and the approximations whose
//! default model is the correctly rounded result.

use core::cmp::Ordering;

use crate::dyadic::Dyadic;
use crate::form::{Form, Op, Rnd, Testp, Ty};
use crate::layout::{HIGH_WORD, Layout};
use crate::round::{self, Exact};

/// The pattern that published emulators use for the out-of-bounds NaN, with either sign;
/// unverified.
pub const OOB_NAN: u64 = 0x7ff7;

/// A signed exact number before rounding.
#[derive(Clone, Debug)]
enum Number {
    Nan,
    Infinity { negative: bool },
    Zero { negative: bool },
    Finite { negative: bool, exact: Exact },
}

use Number::{Finite, Infinity, Nan, Zero};

/// The result of one lane, `None` for `sin cos lg2 ex2 tanh` and for `.oob` where no such NaN is
/// defined.
///
/// # Panics
/// Panics if `ops` has fewer operands than the instruction takes.
#[must_use]
pub fn eval(form: &Form, ops: &[u64]) -> Option<u64> {
    let layout = Layout::of(form.ty);
    match form.op {
        Op::Sin | Op::Cos | Op::Lg2 | Op::Ex2 | Op::Tanh => None,
        Op::Testp => Some(u64::from(testp(form.testp?, layout, ops[0]))),
        Op::Cvt => Some(cvt(form, layout, ops[0])),
        _ if form.is_mixed() => Some(mixed(form, layout, ops)),
        Op::Abs | Op::Neg | Op::Copysign => Some(sign_op(form, layout, ops)),
        Op::Min | Op::Max => Some(min_max(form, layout, ops)),
        _ if form.oob && layout.bits != 16 => None,
        _ if form.oob && ops[..2].iter().any(|x| layout.magnitude(*x) == OOB_NAN) => Some(0),
        _ if form.is_high_word() => Some(high_word(form, ops[0])),
        _ => Some(clamp(form, layout, arithmetic(form, layout, ops))),
    }
}

/// 9.7.3.1: the two zeros count as normal.
fn testp(test: Testp, layout: &Layout, a: u64) -> bool {
    let (nan, infinite, subnormal) = (layout.is_nan(a), layout.is_infinite(a), layout.is_subnormal(a));
    match test {
        Testp::Finite => !(nan || infinite),
        Testp::Infinite => infinite,
        Testp::Number => !nan,
        Testp::NotANumber => nan,
        Testp::Normal => !(nan || infinite || subnormal),
        Testp::Subnormal => subnormal,
    }
}

/// 9.7.5: the exact sum or product of operands of two formats, rounded to the last one's.
fn mixed(form: &Form, narrow: &Layout, ops: &[u64]) -> u64 {
    let wide = Layout::of(Ty::F32);
    let (last, narrow) = (number(wide, ops[ops.len() - 1]), ops[..ops.len() - 1].iter().map(|x| number(narrow, *x)));
    let product = narrow.reduce(|a, b| mul(&a, &b)).expect("an operand is narrow");
    let last = if form.op == Op::Sub { negated(&last) } else { last };
    clamp(form, wide, rounded(form, wide, &add(&product, &last, form.rounding())))
}

/// 9.7.9.21 between floats: `.ftz` concerns f32 alone.
fn cvt(form: &Form, layout: &Layout, a: u64) -> u64 {
    let target = form.target().expect("a conversion has a target");
    let to = Layout::of(target);
    let a = if form.ftz && form.ty == Ty::F32 { layout.flush(a) } else { a };
    let form = Form { ftz: form.ftz && target == Ty::F32, ..*form };
    clamp(&form, to, rounded(&form, to, &number(layout, a)))
}

/// Changes only the sign bit, for every operand; `.ftz` flushes first.
fn sign_op(form: &Form, layout: &Layout, ops: &[u64]) -> u64 {
    let flushed = |x| if form.ftz { layout.flush(x) } else { x };
    match form.op {
        Op::Abs => layout.magnitude(flushed(ops[0])),
        Op::Neg => flushed(ops[0]) ^ layout.sign_bit(),
        _ => layout.magnitude(ops[1]) | (ops[0] & layout.sign_bit()),
    }
}

/// 9.7.3.11, 9.7.4.7, following the manual's pseudo-code line by line.
fn min_max(form: &Form, layout: &Layout, ops: &[u64]) -> u64 {
    let prepared = ops.iter().map(|&x| {
        let x = if form.ftz { layout.flush(x) } else { x };
        if form.abs { layout.magnitude(x) } else { x }
    });
    let d = prepared.reduce(|x, y| two_inputs(form, layout, x, y)).expect("min and max have operands");
    if form.xorsign && !layout.is_nan(d) { layout.magnitude(d) | ((ops[0] ^ ops[1]) & layout.sign_bit()) } else { d }
}

fn two_inputs(form: &Form, layout: &Layout, x: u64, y: u64) -> u64 {
    match (layout.is_nan(x), layout.is_nan(y)) {
        (true, true) if layout.payloads => y | layout.quiet_bit(),
        (true, true) => layout.canonical_nan,
        (true, _) | (_, true) if form.nan => layout.canonical_nan,
        (true, false) => y,
        (false, true) => x,
        (false, false) => {
            let less = order(layout, x) < order(layout, y);
            if less == (form.op == Op::Min) { x } else { y }
        }
    }
}

/// Returns a key in the order of the values, with −0 below +0.
fn order(layout: &Layout, x: u64) -> i64 {
    let m = layout.magnitude(x) as i64;
    if layout.is_negative(x) { -1 - m } else { m }
}

/// Computes a number and rounds it.
fn arithmetic(form: &Form, layout: &Layout, ops: &[u64]) -> u64 {
    let flushed: Vec<u64> = ops.iter().map(|&x| if form.flushes() { layout.flush(x) } else { x }).collect();
    if layout.payloads {
        // The manual leaves open which of several NaNs is kept. This is the order in which an H100
        // looks at its operands.
        let asked: &[usize] = match (form.op, flushed.len()) {
            (Op::Div, _) => &[0, 1],
            (_, 1) => &[0],
            (_, 2) => &[1, 0],
            _ => &[1, 2, 0],
        };
        if let Some(nan) = asked.iter().map(|&i| flushed[i]).find(|&x| layout.is_nan(x)) {
            return nan | layout.quiet_bit();
        }
    }
    if form.is_legacy_mad() && layout.is_zero(flushed[2]) {
        return mul_then_add(form, layout, &flushed);
    }
    let rnd = form.rounding();
    let x: Vec<Number> = flushed.iter().map(|&x| number(layout, x)).collect();
    let result = match form.op {
        Op::Add => add(&x[0], &x[1], rnd),
        Op::Sub => add(&x[0], &negated(&x[1]), rnd),
        Op::Mul => mul(&x[0], &x[1]),
        Op::Mad if form.is_legacy_mad() => add(&truncated(mul(&x[0], &x[1])), &x[2], rnd),
        Op::Fma | Op::Mad => add(&mul(&x[0], &x[1]), &x[2], rnd),
        Op::Div if form.approx => div_approx(form, layout, &flushed, &x),
        Op::Div => div(&x[0], &x[1]),
        Op::Rcp => div(&one(), &x[0]),
        Op::Sqrt => sqrt(&x[0]),
        Op::Rsqrt => rsqrt(&x[0]),
        _ => unreachable!("{form} is handled elsewhere"),
    };
    rounded(form, layout, &result)
}

/// The sm_1x exception of 9.7.3.7: with `c` = ±0 the result is that of `mul` followed by `add`.
fn mul_then_add(form: &Form, layout: &Layout, ops: &[u64]) -> u64 {
    let step = |op, a, b| arithmetic(&Form { ftz: true, ..Form::bare(op, form.ty, 1) }, layout, &[a, b]);
    step(Op::Add, step(Op::Mul, ops[0], ops[1]), ops[2])
}

/// "the mantissa is truncated to 23 bits, but the exponent is preserved": 24 significant bits, no
/// range.
fn truncated(product: Number) -> Number {
    match product {
        Finite { negative, exact } => finite(negative, exact.num.truncated(24)),
        other => other,
    }
}

/// 9.7.3.8: for 2¹²⁶ < |b| < 2¹²⁸ the divisor's reciprocal is lost, so ∞ gives NaN and the rest a
/// signed zero.
fn div_approx(form: &Form, layout: &Layout, bits: &[u64], x: &[Number]) -> Number {
    let b = layout.magnitude(bits[1]);
    if form.ty == Ty::F32 && layout.power_of_two(126) < b && b < layout.infinity() {
        match x[0] {
            Nan | Infinity { .. } => Nan,
            Zero { negative } | Finite { negative, .. } => Zero { negative: negative ^ layout.is_negative(bits[1]) },
        }
    } else {
        div(&x[0], &x[1])
    }
}

/// `rcp` and `rsqrt.approx.ftz.f64` (9.7.3.14, 9.7.3.17): exact on the high word read as 1.11.20,
/// then truncated. The low word has no effect, even between an infinity and a NaN.
fn high_word(form: &Form, a: u64) -> u64 {
    let layout = &HIGH_WORD;
    let x = number(layout, layout.flush(a >> 32));
    let result = if form.op == Op::Rcp { div(&one(), &x) } else { rsqrt(&x) };
    rounded(&Form { rnd: Some(Rnd::Rz), ..*form }, layout, &result) << 32
}

/// Reads a pattern as an exact number.
fn number(layout: &Layout, x: u64) -> Number {
    let negative = layout.is_negative(x);
    if layout.is_nan(x) {
        Nan
    } else if layout.is_infinite(x) {
        Infinity { negative }
    } else if layout.is_zero(x) {
        Zero { negative }
    } else {
        finite(negative, Dyadic::of(layout, x))
    }
}

fn finite(negative: bool, value: Dyadic) -> Number {
    Finite { negative, exact: Exact::dyadic(value) }
}

fn one() -> Number {
    finite(false, Dyadic::new(1, 0))
}

fn negated(x: &Number) -> Number {
    match x.clone() {
        Nan => Nan,
        Infinity { negative } => Infinity { negative: !negative },
        Zero { negative } => Zero { negative: !negative },
        Finite { negative, exact } => Finite { negative: !negative, exact },
    }
}

/// Returns an exact sum; `rnd` decides only the sign of an exact zero.
fn add(x: &Number, y: &Number, rnd: Rnd) -> Number {
    match (x, y) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinity { negative: s }, Infinity { negative: t }) if s != t => Nan,
        (Infinity { .. }, _) => x.clone(),
        (_, Infinity { .. }) => y.clone(),
        (Zero { negative: s }, Zero { negative: t }) if s == t => x.clone(),
        (Zero { .. }, Zero { .. }) => Zero { negative: rnd == Rnd::Rm },
        (Zero { .. }, _) => y.clone(),
        (_, Zero { .. }) => x.clone(),
        (Finite { negative: s, exact: a }, Finite { negative: t, exact: b }) => {
            let (a, b) = (&a.num, &b.num);
            if s == t {
                return finite(*s, a.plus(b));
            }
            match a.compare(b) {
                Ordering::Equal => Zero { negative: rnd == Rnd::Rm },
                Ordering::Less => finite(*t, a.distance(b)),
                Ordering::Greater => finite(*s, a.distance(b)),
            }
        }
    }
}

fn is_negative(x: &Number) -> bool {
    match x {
        Nan => false,
        Infinity { negative } | Zero { negative } | Finite { negative, .. } => *negative,
    }
}

fn mul(x: &Number, y: &Number) -> Number {
    let negative = is_negative(x) ^ is_negative(y);
    match (x, y) {
        (Nan, _) | (_, Nan) | (Infinity { .. }, Zero { .. }) | (Zero { .. }, Infinity { .. }) => Nan,
        (Infinity { .. }, _) | (_, Infinity { .. }) => Infinity { negative },
        (Zero { .. }, _) | (_, Zero { .. }) => Zero { negative },
        (Finite { exact: a, .. }, Finite { exact: b, .. }) => finite(negative, a.num.times(&b.num)),
    }
}

fn div(x: &Number, y: &Number) -> Number {
    let negative = is_negative(x) ^ is_negative(y);
    match (x, y) {
        (Nan, _) | (_, Nan) | (Infinity { .. }, Infinity { .. }) | (Zero { .. }, Zero { .. }) => Nan,
        (Infinity { .. }, _) | (_, Zero { .. }) => Infinity { negative },
        (Zero { .. }, _) | (_, Infinity { .. }) => Zero { negative },
        (Finite { exact: a, .. }, Finite { exact: b, .. }) => {
            Finite { negative, exact: Exact { num: a.num.clone(), den: b.num.clone(), root: 1 } }
        }
    }
}

/// The table of 9.7.3.15, and √x for x > 0.
fn sqrt(x: &Number) -> Number {
    match x {
        Nan | Infinity { negative: true } | Finite { negative: true, .. } => Nan,
        Zero { .. } | Infinity { negative: false } => x.clone(),
        Finite { exact, .. } => Finite { negative: false, exact: Exact { root: 2, ..exact.clone() } },
    }
}

/// The table of 9.7.3.16, and 1/√x for x > 0.
fn rsqrt(x: &Number) -> Number {
    match x {
        Nan | Infinity { negative: true } | Finite { negative: true, .. } => Nan,
        Infinity { negative: false } => Zero { negative: false },
        Zero { negative } => Infinity { negative: *negative },
        Finite { exact, .. } => {
            Finite { negative: false, exact: Exact { num: exact.den.clone(), den: exact.num.clone(), root: 2 } }
        }
    }
}

/// Rounds once, then flushes a result that was tiny before the exponent was bounded.
fn rounded(form: &Form, layout: &Layout, result: &Number) -> u64 {
    let signed = |negative: bool, m: u64| if negative { m | layout.sign_bit() } else { m };
    match result {
        Nan => layout.canonical_nan,
        Infinity { negative } => signed(*negative, layout.infinity()),
        Zero { negative } => signed(*negative, 0),
        Finite { negative, exact } => {
            let rnd = form.rounding();
            let flushed = form.flushes() && round::is_tiny(layout, exact, *negative, rnd);
            signed(*negative, if flushed { 0 } else { round::round(layout, exact, *negative, rnd) })
        }
    }
}

/// `.sat` and `.relu`, on the finished result.
fn clamp(form: &Form, layout: &Layout, d: u64) -> u64 {
    if form.sat {
        if layout.is_nan(d) || layout.is_negative(d) { 0 } else { d.min(layout.one()) }
    } else if form.relu {
        match (layout.is_nan(d), layout.is_negative(d)) {
            (true, _) => layout.canonical_nan,
            (false, true) => 0,
            (false, false) => d,
        }
    } else {
        d
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e(spelling: &str, ops: &[u64]) -> u64 {
        eval(&Form::parse(spelling).unwrap(), ops).unwrap()
    }

    #[test]
    fn high_word_forms_follow_their_tables() {
        let nan = 0x7fff_ffff_0000_0000;
        for (op, table) in [
            ("rcp", [(0xfff0_0000, 0x8000_0000), (0x8000_0001, 0xfff0_0000), (0x7ff0_0000, 0)]),
            ("rsqrt", [(0xfff0_0000, 0x7fff_ffff), (0x8000_0001, 0xfff0_0000), (0x7ff0_0000, 0)]),
        ] {
            let form = format!("{op}.approx.ftz.f64");
            for (a, d) in table {
                // A low word changes nothing, not even next to an infinity.
                assert_eq!(e(&form, &[a << 32 | 77]), d << 32, "{form} {a:#x}");
            }
            assert_eq!(e(&form, &[0x7ff0_0001_0000_0000]), nan);
            assert_eq!(e(&form, &[0x8000_0000_0000_0000]), 0xfff0_0000_0000_0000);
            assert_eq!(e(&form, &[0x0000_0000_0000_0001]), 0x7ff0_0000_0000_0000);
            assert_eq!(e(&form, &[1f64.to_bits()]), 1f64.to_bits());
        }
        assert_eq!(e("rcp.approx.ftz.f64", &[3f64.to_bits()]), 0x3fd5_5555_0000_0000);
        // 1/(2^1022·(1+2⁻²⁰)) is subnormal, 1/2^1022 is not.
        assert_eq!(e("rcp.approx.ftz.f64", &[0x7fd0_0001_0000_0000]), 0);
        assert_eq!(e("rcp.approx.ftz.f64", &[0xffd0_0000_0000_0000]), 0x8010_0000_0000_0000);
        assert_eq!(e("rsqrt.approx.ftz.f64", &[2f64.to_bits()]), 0x3fe6_a09e_0000_0000);
    }

    #[test]
    fn div_approx_loses_the_largest_divisors() {
        for form in ["div.approx.f32", "div.approx.ftz.f32"] {
            assert_eq!(e(form, &[0x7f80_0000, 0x7e80_0001]), 0x7fff_ffff);
            assert_eq!(e(form, &[0x7f00_0000, 0xfe80_0001]), 0x8000_0000);
            assert_eq!(e(form, &[0x7f00_0000, 0x7e80_0000]), 0x4000_0000);
            assert_eq!(e(form, &[0x3f80_0000, 0x7f80_0000]), 0);
        }
        assert_eq!(e("div.full.f32", &[0x7f00_0000, 0x7f00_0000]), 0x3f80_0000);
    }

    #[test]
    fn legacy_mad_truncates_the_product() {
        // (1+2⁻²³)² = 1 + 2⁻²² + 2⁻⁴⁶; cut to 24 bits the last term is gone, and an fma would keep
        // it.
        let a = 0x3f80_0001;
        let c = 0xbf80_0002;
        assert_eq!(e("mad.f32", &[a, a, c]), 0);
        assert_eq!(e("fma.rn.f32", &[a, a, c]), 0x2880_0000);
        // The exponent is preserved: 2^127 · 2 − 2^127 does not overflow on the way.
        assert_eq!(e("mad.f32", &[0x7f00_0000, 0x4000_0000, 0xff00_0000]), 0x7f00_0000);
        // With c = 0 it is mul then add, so the product overflows, and rounds to nearest.
        assert_eq!(e("mad.f32", &[0x7f00_0000, 0x4000_0000, 0]), 0x7f80_0000);
        assert_eq!(e("mad.f32", &[0x3fc0_0001, 0x3fc0_0001, 0]), e("mul.rn.f32", &[0x3fc0_0001, 0x3fc0_0001]));
        // A subnormal c is a zero by then.
        assert_eq!(e("mad.f32", &[0x7f00_0000, 0x4000_0000, 0x8000_0001]), 0x7f80_0000);
        assert_eq!(e("mad.sat.f32", &[0x7f00_0000, 0x4000_0000, 0]), 0x3f80_0000);
    }

    #[test]
    fn f64_keeps_a_payload() {
        let (q, s) = (0xfff8_0000_0000_0123, 0x7ff0_0000_0000_0456);
        let one = 1f64.to_bits();
        assert_eq!(e("fma.rn.f64", &[q, s, q]), 0x7ff8_0000_0000_0456);
        assert_eq!(e("fma.rn.f64", &[s, one, q]), q);
        assert_eq!(e("fma.rn.f64", &[q, one, one]), q);
        assert_eq!(e("mul.rn.f64", &[q, s]), 0x7ff8_0000_0000_0456);
        assert_eq!(e("div.rn.f64", &[q, s]), q);
        assert_eq!(e("sub.rn.f64", &[one, q]), q);
        assert_eq!(e("fma.rn.f64", &[0, 0x7ff0_0000_0000_0000, q]), q);
        assert_eq!(e("sqrt.rn.f64", &[(-1f64).to_bits()]), 0xfff8_0000_0000_0000);
        assert_eq!(e("min.f64", &[q, s]), 0x7ff8_0000_0000_0456);
        assert_eq!(e("max.f64", &[q, one]), one);
        assert_eq!(e("neg.f64", &[s]), 0xfff0_0000_0000_0456);
    }

    #[test]
    fn min_and_max_order_the_zeros_and_ignore_a_nan() {
        for (form, want) in [("min.f16", 0x8000), ("max.f16", 0x0000), ("min.ftz.f16", 0x8000), ("max.ftz.f16", 0x0000)]
        {
            assert_eq!(e(form, &[0x0000, 0x8000]), want);
            assert_eq!(e(form, &[0x8000, 0x0000]), want);
        }
        assert_eq!(e("min.ftz.f16", &[0x8001, 0x0001]), 0x8000);
        assert_eq!(e("max.f16", &[0x7c01, 0xbc00]), 0xbc00);
        assert_eq!(e("max.NaN.f16", &[0x7c01, 0xbc00]), 0x7fff);
        assert_eq!(e("max.xorsign.abs.f16", &[0xfc01, 0xbc00]), 0x3c00);
        assert_eq!(e("max.xorsign.abs.f16", &[0xbc00, 0x4000]), 0xc000);
        assert_eq!(e("max.xorsign.abs.f16", &[0xfc01, 0x7c01]), 0x7fff);
        assert_eq!(e("min.abs.f32", &[0xc000_0000, 0xbf80_0000, 0x7fc0_0000]), 0x3f80_0000);
    }
}
