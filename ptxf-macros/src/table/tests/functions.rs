//! Common functions in both formats, against arithmetic of 640 bits that shares no code with the
//! macro.
//!
//! The oracle computes each function in a form written by hand, in which nothing cancels beyond the
//! oracle's precision or exceeds its exponents. By default the inputs are a sample with all special
//! values; `PTXF_EXHAUSTIVE=tables` takes all 65,536.

use oracle::Ty;
use oracle::layout::Layout;
use oracle::real::{self, Number, Real};

use crate::table::eval::{Mode, table};
use crate::table::format::Format;
use crate::table::parse::{self, Input};

fn results(source: &str, name: &str, format: Format) -> Vec<u16> {
    let input = format!("[here] static T: {name} -> {name} = |x| {source};");
    let input: Input = syn::parse_str(&input).expect("a definition");
    let variable = parse::variable(&input.function).expect("a variable");
    let (_, lowering) = crate::table::lower(&input, &variable).expect("a program");
    table(&lowering.program, format, format, Mode::Exact).unwrap_or_else(|e| panic!("{source}, {name}: {e:?}"))
}

/// The expected results: IEEE 754's at zeros and infinities, else the oracle's real number.
struct Oracle {
    at_special: fn(f64) -> f64,
    real: fn(Real) -> Real,
    float: fn(f64) -> f64,
}

fn check(source: &str, oracle: &Oracle) {
    let all = std::env::var("PTXF_EXHAUSTIVE").is_ok_and(|v| v.split(',').any(|w| w == "tables"));
    let formats = [("F16", Format::F16, Ty::F16), ("Bf16", Format::Bf16, Ty::Bf16)];
    let long = all || oracle::long();
    // A short run has a third of the functions, in one of the formats.
    if !long && !source.len().is_multiple_of(3) {
        return;
    }
    let step = if long { 1 } else { 2 };
    for (name, format, ty) in formats.into_iter().skip(source.len() % step).step_by(step) {
        let results = results(source, name, format);
        let layout = Layout::of(ty);
        let mut checked = 0;
        for x in 0..=u16::MAX {
            let magnitude = u64::from(x & 0x7FFF);
            let edge =
                magnitude < 4 || magnitude.abs_diff(layout.infinity()) < 4 || magnitude.abs_diff(layout.one()) < 4;
            if !all && !edge && x % 127 != 0 {
                continue;
            }
            let value = layout.to_f64(x.into());
            let special = value == 0.0 || !value.is_finite();
            let float = if special { oracle.at_special } else { oracle.float };
            let expected = real::unary(layout, layout, x.into(), oracle.real, float);
            let got = u64::from(results[usize::from(x)]);
            assert_eq!(got, expected, "{source}, {name}: {x:#06x} ({value:e}) gives {got:#06x}, not {expected:#06x}");
            checked += 1;
        }
        assert!(checked > 500);
    }
}

fn n<N: Number>(text: &str) -> N {
    N::dec(text)
}

fn is_below<N: Number>(x: &N, limit: &str) -> bool {
    (x.clone() - n(limit)).is_below_zero()
}

fn ln_1p<N: Number>(r: N) -> N {
    if is_below(&r.clone().abs(), "1e-60") { r.clone() - r.powi(2) / n("2") } else { (n::<N>("1") + r).ln() }
}

/// A summand that must not be lost to the oracle's precision.
const LITTLE: &str = "1e-40";

fn softplus<N: Number>(x: N) -> N {
    let rest = ln_1p((-x.clone().abs()).exp());
    if x.is_below_zero() { rest } else { x + rest.max(n(LITTLE)) }
}

fn sigmoid<N: Number>(x: N) -> N {
    let e = (-x.clone().abs()).exp();
    let sum = n::<N>("1") + e.clone();
    if x.is_below_zero() { e / sum } else { n::<N>("1") / sum }
}

fn tanh<N: Number>(x: N) -> N {
    if is_below(&x.clone().abs(), "46") {
        return x.tanh();
    }
    let nearly = n::<N>("1") - n(LITTLE);
    if x.is_below_zero() { -nearly } else { nearly }
}

/// Returns e^(x²) (1 − erf x) for x > 0, by its continued fraction where that converges.
pub(super) fn erfcx<N: Number>(x: N) -> N {
    if is_below(&x, "9") {
        return x.clone().powi(2).exp() * (n::<N>("1") - x.erf());
    }
    let fraction = (1..=120).rev().fold(x.clone(), |f, k| x.clone() + n::<N>(&format!("{}", f64::from(k) / 2.0)) / f);
    n::<N>("1") / (N::pi().sqrt() * fraction)
}

/// Returns 1 − erf x.
fn erfc<N: Number>(x: N) -> N {
    if x.is_below_zero() {
        return n::<N>("2") - erfc(-x);
    }
    let e = if is_below(&x, "100000") { (-x.clone().powi(2)).exp() } else { n("0") };
    e * erfcx(x)
}

fn normal_cdf<N: Number>(x: N) -> N {
    erfc(-x / n::<N>("2").sqrt()) / n("2")
}

/// Returns e^(−x²/2).
fn bell<N: Number>(x: N) -> N {
    if is_below(&x.clone().abs(), "100000") { (-x.powi(2) / n("2")).exp() } else { n("0") }
}

macro_rules! functions {
    ($($test:ident: $source:literal, |$s:ident| $special:expr, |$x:ident| $real:expr;)*) => {$(
        #[test]
        fn $test() {
            fn expression<N: Number>($x: N) -> N {
                $real
            }
            check($source, &Oracle { at_special: |$s| $special, real: expression::<Real>, float: expression::<f64> });
        }
    )*};
}

functions! {
    log_sigmoid: "ln(sigmoid(x))", |x| x.sigmoid().ln(), |x| -softplus(-x);
    logistic: "exp(x) / (1 + exp(x))", |x| x.exp() / (1.0 + x.exp()), |x| sigmoid(x);
    log_cosh: "ln(cosh(x))", |x| x.cosh().ln(), |x| {
        let m = x.abs();
        if is_below(&m, "1") { m.cosh().ln() } else { m.clone() + ln_1p((-(m.clone() + m)).exp()) - n::<N>("2").ln() }
    };
    hyperbolic_quotient: "sinh(x) / cosh(x)", |x| x.sinh() / x.cosh(), |x| tanh(x);
    log_of_exp: "ln(exp(x))", |x| x.exp().ln(), |x| x;
    exponential_quotient: "(exp(2 * x) - 1) / (exp(2 * x) + 1)",
        |x| ((2.0 * x).exp() - 1.0) / ((2.0 * x).exp() + 1.0), |x| tanh(x);
    gumbel_density: "exp(-exp(-x)) * exp(-x)", |x| (-(-x).exp()).exp() * (-x).exp(),
        |x| if is_below(&x, "-100") { n("0") } else { (-((-x.clone()).exp() + x)).exp() };
    gudermannian: "tanh(atan(sinh(x)))", |x| x.sinh().atan().tanh(), |x| {
        let right = N::pi() / n("2");
        if is_below(&x.clone().abs(), "1000") { x.sinh().atan().tanh() }
        else if x.is_below_zero() { -right.tanh() } else { right.tanh() }
    };
    scaled_complement: "(1 - erf(x)) * exp(x * x)", |x| (1.0 - Number::erf(x)) * (x * x).exp(), |x| {
        if !x.is_below_zero() { erfcx(x) }
        else if is_below(&x, "-10000") { n("1e1000") } else { n::<N>("2") * x.clone().powi(2).exp() - erfcx(-x) }
    };
    log_normal_cdf: "ln(0.5 * (1 + erf(x / sqrt(2))))", |x| (0.5 * (1.0 + Number::erf(x / 2f64.sqrt()))).ln(), |x| {
        if is_below(&x, "-1") { (erfcx(-x.clone() / n::<N>("2").sqrt()) / n("2")).ln() - x.powi(2) / n("2") }
        else { ln_1p(-normal_cdf(-x)) }
    };
    binary_entropy: "{ let p = sigmoid(x); -p * log2(p) - (1 - p) * log2(1 - p) }",
        |x| { let p = x.sigmoid(); -p * p.log2() - (1.0 - p) * (1.0 - p).log2() },
        |x| {
            let e = (-x.clone().abs()).exp();
            (ln_1p(e.clone()) + x.abs() * e.clone() / (n::<N>("1") + e)) / n::<N>("2").ln()
        };
    square_of_root: "sqrt(x) * sqrt(x)", |x| x.sqrt() * x.sqrt(), |x| x.clone().sqrt() * x.sqrt();
    error_and_bell: "erf(x) - 1.0 + exp(-x*x)", |x| Number::erf(x) - 1.0 + (-x * x).exp(), |x| {
        if is_below(&x, "1") { x.clone().erf() - n("1") + bell(x * n::<N>("2").sqrt()) }
        else { bell(x.clone() * n::<N>("2").sqrt()) * (n::<N>("1") - erfcx(x)) }
    };
    large_angles: "sin(1e100*x)", |x| (1e100 * x).sin(), |x| (n::<N>("1e100") * x).sin();
    hyperbolic_difference: "cosh(x) - sinh(x)", |x| x.cosh() - x.sinh(), |x| (-x).exp();
    tanh_shrink: "x - tanh(x)", |x| x - x.tanh(), |x| x.clone() - tanh(x);
    gelu: "x * 0.5 * (1 + erf(x / sqrt(2)))", |x| x * 0.5 * (1.0 + Number::erf(x / 2f64.sqrt())), |x| x.clone() * normal_cdf(x);
    mish: "x * tanh(ln(1 + exp(x)))", |x| x * (1.0 + x.exp()).ln().tanh(), |x| x.clone() * tanh(softplus(x));
    elu: "if x > 0 { x } else { exp(x) - 1 }", |x| if x > 0.0 { x } else { x.exp() - 1.0 },
        |x| if x.is_below_zero() { x.exp() - n("1") } else { x };
    sharp_softplus: "ln(1 + exp(4 * x)) / 4", |x| (1.0 + (4.0 * x).exp()).ln() / 4.0, |x| softplus(n::<N>("4") * x) / n("4");
    hard_swish: "x * min(max(x + 3, 0), 6) / 6", |x| x * (x + 3.0).clamp(0.0, 6.0) / 6.0,
        |x| if is_below(&x, "-3") { -n::<N>("0") } else { x.clone() * (x + n("3")).max(n("0")).min(n("6")) / n("6") };
    square_plus: "0.5 * (x + sqrt(x * x + 4))", |x| 0.5 * (x + (x * x + 4.0).sqrt()),
        |x| n::<N>("0.5") * (x.clone() + (x.powi(2) + n("4")).sqrt());
    pseudo_huber: "sqrt(1 + x * x) - 1", |x| (1.0 + x * x).sqrt() - 1.0, |x| (n::<N>("1") + x.powi(2)).sqrt() - n("1");
    cross_entropy: "max(x, 0) - 0.25 * x + ln(1 + exp(-abs(x)))",
        |x| x.max(0.0) - 0.25 * x + (1.0 + (-x.abs()).exp()).ln(),
        |x| softplus(x.clone()) - n::<N>("0.25") * x;
    focal_loss: "-powi(1 - sigmoid(x), 2) * ln(sigmoid(x))", |x| -(1.0 - x.sigmoid()).powi(2) * x.sigmoid().ln(),
        |x| sigmoid(-x.clone()).powi(2) * softplus(-x);
    huber: "if abs(x) <= 1 { 0.5 * x * x } else { abs(x) - 0.5 }",
        |x| if x.abs() <= 1.0 { 0.5 * x * x } else { x.abs() - 0.5 },
        |x| if is_below(&x.clone().abs(), "1") { n::<N>("0.5") * x.powi(2) } else { x.abs() - n("0.5") };
    normal_density: "exp(-x * x / 2) / sqrt(2 * PI)", |x| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt(),
        |x| bell(x) / (n::<N>("2") * N::pi()).sqrt();
    logistic_density: "exp(-x) / powi(1 + exp(-x), 2)", |x| (-x).exp() / (1.0 + (-x).exp()).powi(2),
        |x| sigmoid(x.clone()) * sigmoid(-x);
    cauchy_cdf: "0.5 + atan(x) / PI", |x| 0.5 + x.atan() / std::f64::consts::PI, |x| n::<N>("0.5") + x.atan() / N::pi();
    laplace_cdf: "if x < 0 { 0.5 * exp(x) } else { 1 - 0.5 * exp(-x) }",
        |x| if x < 0.0 { 0.5 * x.exp() } else { 1.0 - 0.5 * (-x).exp() },
        |x| if x.is_below_zero() { n::<N>("0.5") * x.exp() } else { n::<N>("1") - n::<N>("0.5") * (-x).exp() };
    rayleigh_density: "x * exp(-x * x / 2)", |x| x * (-x * x / 2.0).exp(), |x| x.clone() * bell(x);
    hamming_window: "0.54 - 0.46 * cos(2 * PI * x)", |x| 0.54 - 0.46 * (std::f64::consts::TAU * x).cos(),
        |x| n::<N>("0.54") - n::<N>("0.46") * (n::<N>("2") * N::pi() * x).cos();
    decibels: "20 * ln(abs(x)) / ln(10)", |x| 20.0 * x.abs().ln() / 10f64.ln(),
        |x| n::<N>("20") * x.abs().ln() / n::<N>("10").ln();
    mu_law: "ln(1 + 255 * abs(x)) / ln(256)", |x| (1.0 + 255.0 * x.abs()).ln() / 256f64.ln(),
        |x| ln_1p(n::<N>("255") * x.abs()) / n::<N>("256").ln();
    inverse_sinh: "ln(x + sqrt(x * x + 1))", |x| (x + (x * x + 1.0).sqrt()).ln(),
        |x| (x.clone() + (x.powi(2) + n("1")).sqrt()).ln();
    butterworth: "1 / sqrt(1 + powi(x, 8))", |x| 1.0 / (1.0 + x.powi(8)).sqrt(), |x| n::<N>("1") / (n::<N>("1") + x.powi(8)).sqrt();
    langevin: "cosh(x) / sinh(x) - 1 / x", |x| x.cosh() / x.sinh() - 1.0 / x,
        |x| n::<N>("1") / tanh(x.clone()) - n::<N>("1") / x;
    gamma_correction: "exp2(0.4545 * log2(x))", |x| (0.4545 * x.log2()).exp2(), |x| (n::<N>("0.4545") * x.log2()).exp2();
}

/// Angles too large for the oracle, and nesting too deep for it, have results all the same.
#[test]
fn the_rest_is_decided() {
    results("sin(1e300*x)", "Bf16", Format::Bf16);
    let nested = format!("{}x{}", "sin(".repeat(100), ")".repeat(100));
    for (name, format) in [("F16", Format::F16), ("Bf16", Format::Bf16)] {
        let all = results(&nested, name, format);
        // The 100th iterate of sin is x − 100 x³/6 + …, which rounds to x where the second term is
        // small.
        for x in 0..0x0100_u16 {
            assert_eq!((all[usize::from(x)], all[usize::from(x | 0x8000)]), (x, x | 0x8000));
        }
    }
}

/// The sine of multiples of π is 0 with the sign of `sinPi`, and the sine of 30° is ½.
#[test]
fn right_angles_are_exact() {
    let bits = |x: f32| ((x.to_bits() >> 16) as u16, usize::from((x.to_bits() >> 16) as u16));
    let sinc = results("sin(PI * x) / (PI * x)", "Bf16", Format::Bf16);
    let sine = results("sin(PI * x)", "Bf16", Format::Bf16);
    for x in [1.0, 2.0, 3.0, 100.0, 1e30] {
        assert_eq!(sinc[bits(x).1], 0);
        assert_eq!((sine[bits(x).1], sine[bits(-x).1]), (0, 0x8000));
    }
    assert_eq!(sine[bits(0.5).1], bits(1.0).0);
    assert_eq!(sine[bits(-1.5).1], bits(1.0).0);
    let blackman = results("0.42 - 0.5 * cos(2 * PI * x) + 0.08 * cos(4 * PI * x)", "F16", Format::F16);
    assert_eq!((blackman[0x3C00], blackman[0xC000]), (0, 0));
    let thirds = results("sin(PI * x / 6)", "Bf16", Format::Bf16);
    assert_eq!((thirds[bits(1.0).1], thirds[bits(-5.0).1], thirds[bits(6.0).1]), (bits(0.5).0, bits(-0.5).0, 0));
}

/// Complete cancellation is recognised.
#[test]
fn identities_are_exact() {
    for (source, expected) in [
        ("sin(x) - sin(x)", 0),
        ("powi(sin(x), 2) + powi(cos(x), 2)", 0x3C00),
        ("powi(cosh(x), 2) - powi(sinh(x), 2)", 0x3C00),
        ("(1 + exp(x)) / (1 + exp(x)) * 2", 0x4000),
        ("ln(exp(x) * exp(1 - x))", 0x3C00),
        ("if sqrt(2) * sqrt(2) == 2 { 1 } else { 2 }", 0x3C00),
        ("exp(exp(x) - exp(x) - 2 * ln(2))", 0x3400),
    ] {
        let all = results(source, "F16", Format::F16);
        for x in [0x0001, 0x1234, 0x3C00, 0x4321, 0x7BFF, 0x8001, 0xB123, 0xC000] {
            assert_eq!(all[x], expected, "{source} at {x:#06x}");
        }
    }
}
