//! Tests of enclosures. `ptxf-tables` tests whole tables.

mod functions;
mod limits;

use oracle::Rng;
use oracle::real::{Number as _, Real};
use quote::quote;

use super::deep::Deep;
use super::fast::Fast;
use super::program::Function;
use super::value::{Arithmetic, Known, Value, apply};

fn real(f: Function, x: Real) -> Real {
    let one = || Real::dec("1");
    match f {
        Function::Sqrt => x.sqrt(),
        Function::Exp => x.exp(),
        Function::Exp2 => x.exp2(),
        Function::Ln => x.ln(),
        Function::Log2 => x.log2(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tanh => x.tanh(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Atan => x.atan(),
        Function::Erf => x.erf(),
        Function::Sigmoid => x.sigmoid(),
        Function::ExpM1 => x.exp() - one(),
        Function::Ln1p => (one() + x).ln(),
        Function::Erfcx => functions::erfcx(x),
        Function::Softplus => {
            let rest = (one() + (-x.clone().abs()).exp()).ln();
            if x.is_below_zero() { rest } else { x + rest }
        }
    }
}

const FUNCTIONS: [Function; 17] = [
    Function::Sqrt,
    Function::Exp,
    Function::Exp2,
    Function::Ln,
    Function::Log2,
    Function::Sin,
    Function::Cos,
    Function::Tanh,
    Function::Sinh,
    Function::Cosh,
    Function::Atan,
    Function::Erf,
    Function::Sigmoid,
    Function::ExpM1,
    Function::Softplus,
    Function::Ln1p,
    Function::Erfcx,
];

/// Draws a number of any length between 2^-140 and 2^140, most often near 1.
fn argument(f: Function, rng: &mut Rng) -> f64 {
    let e = match rng.next() % 4 {
        0 => rng.next() % 280,
        _ => 130 + rng.next() % 20,
    };
    let significand = (rng.next() >> 12) & (u64::MAX << (rng.next() % 52));
    let x = f64::from_bits((1023 - 140 + e) << 52 | significand);
    // Some functions have a smaller domain.
    let x = match f {
        Function::Ln1p if x >= 0.5 => 1.0 / (x + 2.0),
        Function::Erfcx => 0.5 + x % 60.0,
        _ => x,
    };
    let domain = matches!(f, Function::Sqrt | Function::Ln | Function::Log2 | Function::Erfcx);
    if domain || rng.next().is_multiple_of(2) { x } else { -x }
}

fn check(f: Function, x: f64, v: &Known<Fast>) -> bool {
    let is_less = |a: Real, b: Real| (a - b).is_below_zero();
    match v {
        Value::Exact(d) => {
            let difference = (real(f, Real::from_f64(x)) - Real::from_f64(*d)).abs();
            assert!(is_less(difference, Real::from_f64(d.abs() / 1e30)), "{f:?}({x:e}) is not {d:e}");
        }
        Value::Open(lo, hi) => {
            // Larger results are out of binary64's range, and the oracle does not distinguish 1 +
            // tiny from 1.
            if lo.abs() > 1e100 || hi.abs() > 1e100 || lo.abs().max(hi.abs()) < 1e-60 {
                return false;
            }
            let y = real(f, Real::from_f64(x));
            let inside = !is_less(y.clone(), Real::from_f64(*lo)) && !is_less(Real::from_f64(*hi), y);
            assert!(inside, "{f:?}({x:e}) is not between {lo:e} and {hi:e}");
            assert!(lo < hi, "{f:?}({x:e}): {lo:e} {hi:e}");
            // Sine and cosine have an absolute error.
            let wave = matches!(f, Function::Sin | Function::Cos);
            let scale = lo.abs().max(hi.abs()).max(if wave { 1.0 } else { 0.0 });
            assert!(hi - lo <= scale * 2f64.powi(-38), "{f:?}({x:e}): {lo:e} {hi:e}");
        }
        // The logarithm of 1, which seeds seldom draw.
        Value::Zero { .. } => {
            assert!(is_less(real(f, Real::from_f64(x)).abs(), Real::from_f64(1e-30)), "{f:?}({x:e}) is not 0");
        }
        _ => panic!("{f:?}({x:e}): {v:?}"),
    }
    true
}

#[test]
fn binary64_encloses() {
    let mut rng = Rng::from_env(0xFA57);
    let mut fast = Fast::default();
    for f in FUNCTIONS {
        let mut checked = 0;
        for _ in 0..400 {
            let x = argument(f, &mut rng);
            let v = apply(&mut fast, f, &Value::Exact(x));
            checked += usize::from(check(f, x, &v));
        }
        assert!(checked > 200, "{f:?}: {checked}");
    }
}

/// The enclosure of `deep` with 53 bits contains the true value and the one with more bits, which
/// is as narrow as it should be.
#[test]
fn any_precision_encloses() {
    let mut rng = Rng::from_env(0xDEE9);
    let operand = |x: f64| {
        let (significand, shift) = (x.abs().to_bits() & ((1 << 52) - 1) | 1 << 52, (x.to_bits() >> 52 & 0x7FF) as i64);
        Deep::exact_dyadic(x < 0.0, significand, shift - 1075)
    };
    for f in FUNCTIONS {
        for _ in 0..if oracle::long() { 200 } else { 40 } {
            let x = argument(f, &mut rng);
            let at = |precision| {
                let mut deep = Deep::new(precision);
                apply(&mut deep, f, &operand(x))
            };
            let arithmetics = [53, 192, 384].map(at);
            if let Some(narrow) = Deep::to_fast(&arithmetics[0]) {
                check(f, x, &narrow);
            }
            for (pair, precision) in arithmetics.windows(2).zip([53, 192]) {
                let ([Value::Open(a, b), Value::Open(c, d)], true) = (pair, true) else { continue };
                assert!(Deep::end_cmp(a, c).is_le() && Deep::end_cmp(d, b).is_le(), "{f:?}({x:e}) at {precision}");
                if [a, b].iter().all(|e| !Deep::end_is_infinite(e) && Deep::end_sign(e).is_ne()) {
                    let deep = Deep::new(64);
                    let width = deep.end_add(b, &Deep::end_neg(a), true);
                    let scale = if Deep::end_sign(a).is_lt() { Deep::end_neg(a) } else { b.clone() };
                    let wave = matches!(f, Function::Sin | Function::Cos);
                    let scale = if wave { Deep::end_from(1) } else { scale };
                    let bound = deep.end_mul(&scale, &Deep::power(4 - precision), true);
                    assert!(Deep::end_cmp(&width, &bound).is_le(), "{f:?}({x:e}) at {precision}: {pair:?}");
                }
            }
        }
    }
}

#[test]
fn the_expansion_is_one_literal() {
    let out = super::expand(quote!([here] /** Doc. */ pub(crate) static T: F16 -> Bf16 = |x| x * x;)).to_string();
    let start = "# [doc = r\" Doc. \"] # [allow (clippy :: all , clippy :: pedantic , clippy :: nursery , \
                 reason = \"generated\")] pub (crate) static T : here :: UnaryTable < here :: __private :: F16 , \
                 here :: __private :: Bf16 > = here :: UnaryTable :: from_le_bytes (* b\"";
    assert!(out.starts_with(start), "{}", &out[..300]);
    assert!(out.ends_with("\") ;"));
    assert_eq!(out.matches("b\"").count(), 1);
}
