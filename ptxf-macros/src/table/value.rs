//! Enclosures of real numbers, and arithmetic on them.
//!
//! This is interval arithmetic for one purpose: to decide how a number rounds to 16 bits. It
//! differs in three points:
//!
//! - Exact numbers are values of their own ([`Value::Exact`]), so that a tie is recognised.
//! - Intervals are open: the number is *not* one of the ends. So `1 + tanh(−50)` is positive
//!   although its lower end is 0, and underflows to +0 and not to −0.
//! - IEEE 754's zeros and infinities are values of their own. A [`Value::Open`] number is a real
//!   one, even if its ends are infinite.
//!
//! The rules are the same for both [`Arithmetic`]s: binary64, and any precision.

mod wave;

use std::cmp::Ordering;

use super::format::{Format, NAN, SIGN};
use super::program::Function;

/// The knowledge of a number.
#[derive(Clone, Debug)]
pub(super) enum Value<X, E> {
    /// Any value: nothing is known at this precision.
    Unknown,
    Nan,
    Infinite {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// This nonzero number.
    Exact(X),
    /// A real number strictly between the ends; it may be a zero of unknown sign if they have
    /// opposite signs.
    Open(E, E),
}

impl<X, E> Value<X, E> {
    /// Returns the bits of zeros, infinities and NaNs; `None` for real numbers and unknown ones.
    pub(super) fn special(&self, format: Format) -> Option<u16> {
        let signed = |negative: bool, d: u16| if negative { d | SIGN } else { d };
        match *self {
            Self::Nan => Some(NAN),
            Self::Infinite { negative } => Some(signed(negative, format.infinity())),
            Self::Zero { negative } => Some(signed(negative, 0)),
            _ => None,
        }
    }
}

/// The value type of an arithmetic.
pub(super) type Known<L> = Value<<L as Arithmetic>::Exact, <L as Arithmetic>::End>;

/// Arithmetic on exact numbers and on ends of intervals, at some precision.
///
/// An operation on ends returns an upper bound of the result if `up`, else a lower one. The bound
/// is the result itself if that is representable, else strictly beyond the result.
pub(super) trait Arithmetic: Sized {
    /// A nonzero real number.
    type Exact: Clone;
    /// A real number or an infinity.
    type End: Clone;

    fn exact_neg(x: &Self::Exact) -> Self::Exact;
    fn exact_is_negative(x: &Self::Exact) -> bool;
    fn exact_cmp(&self, a: &Self::Exact, b: &Self::Exact) -> Ordering;
    fn exact_add(&self, a: &Self::Exact, b: &Self::Exact) -> Known<Self>;
    fn exact_mul(&self, a: &Self::Exact, b: &Self::Exact) -> Known<Self>;
    fn exact_div(&self, a: &Self::Exact, b: &Self::Exact) -> Known<Self>;
    /// Returns the root of a positive number.
    fn exact_sqrt(&self, x: &Self::Exact) -> Known<Self>;
    /// Returns the ends around a number: both equal to it, or one on either side.
    fn bracket(&self, x: &Self::Exact) -> (Self::End, Self::End);
    /// Returns the ends around a number like [`bracket`](Self::bracket), with all bits of a large
    /// angle.
    fn angle(&self, x: &Self::Exact) -> (Self::End, Self::End);
    /// Returns the number if it is an integer below 2^30.
    fn exact_integer(x: &Self::Exact) -> Option<i64>;
    /// Returns k if the number is 2^k.
    fn exact_log2(x: &Self::Exact) -> Option<i64>;
    /// Returns 2^k, for k below 2^30.
    fn exp2_of(&self, k: i64) -> Known<Self>;
    /// Converts a nonzero integer.
    fn exact_from(n: i64) -> Self::Exact;

    fn end_from(n: i64) -> Self::End;
    fn end_infinity(negative: bool) -> Self::End;
    fn end_neg(x: &Self::End) -> Self::End;
    fn end_cmp(a: &Self::End, b: &Self::End) -> Ordering;
    /// Compares an end with 0.
    fn end_sign(x: &Self::End) -> Ordering;
    fn end_is_infinite(x: &Self::End) -> bool;
    /// Returns a bound of the sum. The operands are not opposite infinities.
    fn end_add(&self, a: &Self::End, b: &Self::End, up: bool) -> Self::End;
    /// Returns a bound of the product. 0 · ∞ is 0: the numbers lie *between* the ends, and 0 bounds
    /// their products.
    fn end_mul(&self, a: &Self::End, b: &Self::End, up: bool) -> Self::End;
    /// Returns a bound of the quotient by a number that is not negative. A quotient by 0 is an
    /// infinity; the operands are not both infinite.
    fn end_div(&self, a: &Self::End, b: &Self::End, up: bool) -> Self::End;
    /// Returns a bound of the root of a number that is not negative.
    fn end_sqrt(&self, x: &Self::End, up: bool) -> Self::End;
    /// Returns the ends around π.
    fn pi(&mut self) -> (Self::End, Self::End);
    /// Returns the ends around f(x), for a finite x ≠ 0 in the domain of f. One of them is f(x)
    /// only if f(x) is rational.
    fn ends_of(&mut self, f: Function, x: &Self::End) -> (Self::End, Self::End);
}

use Value::{Exact, Infinite, Nan, Open, Unknown, Zero};

impl<X, E> Value<X, E> {
    const fn zero(negative: bool) -> Self {
        Zero { negative }
    }
    const fn infinite(negative: bool) -> Self {
        Infinite { negative }
    }
}

/// Returns an integer as a value.
fn integer<L: Arithmetic>(n: i64) -> Known<L> {
    Exact(L::exact_from(n))
}

/// Returns the ends of an [`Exact`] or [`Open`] number; `None` for the other values.
fn ends<L: Arithmetic>(l: &L, v: &Known<L>) -> Option<(L::End, L::End)> {
    match v {
        Exact(x) => Some(l.bracket(x)),
        Open(lo, hi) => Some((lo.clone(), hi.clone())),
        _ => None,
    }
}

/// Returns the enclosure of a real number that lies in both.
pub(super) fn meet<L: Arithmetic>(a: Known<L>, b: Known<L>) -> Known<L> {
    match (a, b) {
        (Open(a, b), Open(c, d)) => Open(greater::<L>(a, c), lesser::<L>(b, d)),
        (a, _) => a,
    }
}

/// Returns `Some(true)` if the value is negative; a NaN is not. `None` if the sign is unknown.
pub(super) fn is_negative<L: Arithmetic>(v: &Known<L>) -> Option<bool> {
    match v {
        Unknown | Nan => None,
        Infinite { negative } | Zero { negative } => Some(*negative),
        Exact(x) => Some(L::exact_is_negative(x)),
        Open(lo, hi) => {
            if L::end_sign(lo).is_ge() {
                Some(false)
            } else if L::end_sign(hi).is_le() {
                Some(true)
            } else {
                None
            }
        }
    }
}

pub(super) fn neg<L: Arithmetic>(v: &Known<L>) -> Known<L> {
    match v {
        Unknown => Unknown,
        Nan => Nan,
        Infinite { negative } => Value::infinite(!negative),
        Zero { negative } => Value::zero(!negative),
        Exact(x) => Exact(L::exact_neg(x)),
        Open(lo, hi) => Open(L::end_neg(hi), L::end_neg(lo)),
    }
}

pub(super) fn add<L: Arithmetic>(l: &L, a: &Known<L>, b: &Known<L>) -> Known<L> {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Infinite { negative: s }, Infinite { negative: t }) => {
            if s == t {
                Value::infinite(*s)
            } else {
                Nan
            }
        }
        (Infinite { negative }, _) | (_, Infinite { negative }) => Value::infinite(*negative),
        (Zero { negative: s }, Zero { negative: t }) => Value::zero(*s && *t),
        (Zero { .. }, v) | (v, Zero { .. }) => v.clone(),
        (Exact(a), Exact(b)) => l.exact_add(a, b),
        _ => match (ends(l, a), ends(l, b)) {
            (Some(a), Some(b)) => Open(l.end_add(&a.0, &b.0, false), l.end_add(&a.1, &b.1, true)),
            _ => Unknown,
        },
    }
}

pub(super) fn mul<L: Arithmetic>(l: &L, a: &Known<L>, b: &Known<L>) -> Known<L> {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
        (Infinite { negative }, v) | (v, Infinite { negative }) => {
            is_negative::<L>(v).map_or(Unknown, |n| Value::infinite(n != *negative))
        }
        (Zero { negative }, v) | (v, Zero { negative }) => {
            is_negative::<L>(v).map_or(Unknown, |n| Value::zero(n != *negative))
        }
        (Exact(a), Exact(b)) => l.exact_mul(a, b),
        _ => match (ends(l, a), ends(l, b)) {
            (Some(a), Some(b)) => product(l, a, b),
            _ => Unknown,
        },
    }
}

fn product<L: Arithmetic>(l: &L, a: (L::End, L::End), b: (L::End, L::End)) -> Known<L> {
    let positive = |v: &(L::End, L::End)| L::end_sign(&v.0).is_ge();
    let negative = |v: &(L::End, L::End)| L::end_sign(&v.1).is_le();
    let down = |x: &L::End, y: &L::End| l.end_mul(x, y, false);
    let up = |x: &L::End, y: &L::End| l.end_mul(x, y, true);
    if negative(&a) {
        return neg::<L>(&product(l, (L::end_neg(&a.1), L::end_neg(&a.0)), b));
    }
    if negative(&b) {
        return neg::<L>(&product(l, a, (L::end_neg(&b.1), L::end_neg(&b.0))));
    }
    match (positive(&a), positive(&b)) {
        (true, true) => Open(down(&a.0, &b.0), up(&a.1, &b.1)),
        (true, false) => Open(down(&a.1, &b.0), up(&a.1, &b.1)),
        (false, true) => Open(down(&a.0, &b.1), up(&a.1, &b.1)),
        (false, false) => {
            let (x, y) = (down(&a.0, &b.1), down(&a.1, &b.0));
            let (z, w) = (up(&a.0, &b.0), up(&a.1, &b.1));
            Open(lesser::<L>(x, y), greater::<L>(z, w))
        }
    }
}

pub(super) fn lesser<L: Arithmetic>(a: L::End, b: L::End) -> L::End {
    if L::end_cmp(&a, &b).is_le() { a } else { b }
}

pub(super) fn greater<L: Arithmetic>(a: L::End, b: L::End) -> L::End {
    if L::end_cmp(&a, &b).is_ge() { a } else { b }
}

pub(super) fn div<L: Arithmetic>(l: &L, a: &Known<L>, b: &Known<L>) -> Known<L> {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => Nan,
        (Infinite { .. }, _) | (_, Zero { .. }) => sign_of_quotient::<L>(a, b).map_or(Unknown, Value::infinite),
        (Zero { .. }, _) | (_, Infinite { .. }) => sign_of_quotient::<L>(a, b).map_or(Unknown, Value::zero),
        (Exact(a), Exact(b)) => l.exact_div(a, b),
        _ => match (ends(l, a), ends(l, b)) {
            (Some(a), Some(b)) => quotient(l, a, b),
            _ => Unknown,
        },
    }
}

fn sign_of_quotient<L: Arithmetic>(a: &Known<L>, b: &Known<L>) -> Option<bool> {
    Some(is_negative::<L>(a)? != is_negative::<L>(b)?)
}

fn quotient<L: Arithmetic>(l: &L, a: (L::End, L::End), b: (L::End, L::End)) -> Known<L> {
    if L::end_sign(&b.1).is_le() {
        return neg::<L>(&quotient(l, a, (L::end_neg(&b.1), L::end_neg(&b.0))));
    }
    if L::end_sign(&b.0).is_lt() {
        // The divisor may be a zero.
        return Unknown;
    }
    let down = |x: &L::End, y: &L::End| l.end_div(x, y, false);
    let up = |x: &L::End, y: &L::End| l.end_div(x, y, true);
    if L::end_sign(&a.0).is_ge() {
        Open(down(&a.0, &b.1), up(&a.1, &b.0))
    } else if L::end_sign(&a.1).is_le() {
        Open(down(&a.0, &b.0), up(&a.1, &b.1))
    } else {
        Open(down(&a.0, &b.0), up(&a.1, &b.0))
    }
}

pub(super) fn abs<L: Arithmetic>(v: &Known<L>) -> Known<L> {
    match (is_negative::<L>(v), v) {
        (Some(true), _) => neg::<L>(v),
        (None, Open(lo, hi)) => {
            // The number may be 0, which an open interval from 0 does not contain: so the lower end
            // is below 0.
            let far = greater::<L>(L::end_neg(lo), hi.clone());
            Open(L::end_neg(&far), far)
        }
        _ => v.clone(),
    }
}

/// Returns PTX's `min`, or `max`: −0 < +0, and a number instead of a NaN.
pub(super) fn extremum<L: Arithmetic>(l: &L, max: bool, a: &Known<L>, b: &Known<L>) -> Known<L> {
    if max {
        return neg::<L>(&extremum(l, false, &neg::<L>(a), &neg::<L>(b)));
    }
    match (a, b) {
        (Nan, v) | (v, Nan) => return v.clone(),
        (Unknown, _) | (_, Unknown) => return Unknown,
        (Zero { negative: s }, Zero { negative: t }) => return Value::zero(*s || *t),
        _ => {}
    }
    match compare(l, a, b) {
        Relation::Known(Some(Ordering::Greater)) => b.clone(),
        Relation::Known(_) => a.clone(),
        Relation::Unknown => {
            let around = |v: &Known<L>| match v {
                Zero { .. } => Some((L::end_from(0), L::end_from(0))),
                _ => ends(l, v),
            };
            match (around(a), around(b)) {
                // The result is below the lesser upper end, but equals that end if it is an exact
                // number. So the greater is taken.
                (Some(a), Some(b)) => Open(lesser::<L>(a.0, b.0), greater::<L>(a.1, b.1)),
                _ => Unknown,
            }
        }
    }
}

/// The relation of two values.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Relation {
    /// The enclosures overlap at this precision.
    Unknown,
    /// This order; `None` is unordered: one value is a NaN.
    Known(Option<Ordering>),
}

pub(super) fn compare<L: Arithmetic>(l: &L, a: &Known<L>, b: &Known<L>) -> Relation {
    let order = |o| Relation::Known(Some(o));
    match (a, b) {
        (Nan, _) | (_, Nan) => Relation::Known(None),
        (Unknown, _) | (_, Unknown) => Relation::Unknown,
        (Infinite { negative: s }, Infinite { negative: t }) => order(t.cmp(s)),
        (Infinite { negative }, _) => order(if *negative { Ordering::Less } else { Ordering::Greater }),
        (_, Infinite { negative }) => order(if *negative { Ordering::Greater } else { Ordering::Less }),
        (Zero { .. }, Zero { .. }) => order(Ordering::Equal),
        (Zero { .. }, v) => {
            is_negative::<L>(v).map_or(Relation::Unknown, |n| order(if n { Ordering::Greater } else { Ordering::Less }))
        }
        (v, Zero { .. }) => {
            is_negative::<L>(v).map_or(Relation::Unknown, |n| order(if n { Ordering::Less } else { Ordering::Greater }))
        }
        (Exact(a), Exact(b)) => order(l.exact_cmp(a, b)),
        _ => match (ends(l, a), ends(l, b)) {
            (Some(a), Some(b)) if L::end_cmp(&a.1, &b.0).is_le() => order(Ordering::Less),
            (Some(a), Some(b)) if L::end_cmp(&a.0, &b.1).is_ge() => order(Ordering::Greater),
            _ => Relation::Unknown,
        },
    }
}

/// Returns `v^n`. `v^0` is 1 for every v, as in IEEE 754's `pown`.
pub(super) fn powi<L: Arithmetic>(l: &L, v: &Known<L>, n: i32) -> Known<L> {
    if n == 0 {
        return integer::<L>(1);
    }
    // Binary powers. An even power of an interval around 0 is the power of |v|.
    let base = if n % 2 == 0 { abs::<L>(v) } else { v.clone() };
    let (mut power, mut rest, mut result) = (base, n.unsigned_abs(), None);
    loop {
        if rest & 1 == 1 {
            result = Some(match result {
                None => power.clone(),
                Some(r) => mul(l, &r, &power),
            });
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        power = mul(l, &power, &power);
    }
    let result = result.unwrap_or(Unknown);
    if n < 0 { div(l, &integer::<L>(1), &result) } else { result }
}

/// Returns f(v).
pub(super) fn apply<L: Arithmetic>(l: &mut L, f: Function, v: &Known<L>) -> Known<L> {
    use Function::{
        Atan, Cos, Cosh, Erf, Erfcx, Exp, Exp2, ExpM1, Ln, Ln1p, Log2, Sigmoid, Sin, Sinh, Softplus, Sqrt, Tanh,
    };
    match v {
        Unknown => Unknown,
        Nan => Nan,
        Zero { negative } => match f {
            Exp | Exp2 | Cos | Cosh | Erfcx => integer::<L>(1),
            Ln | Log2 => Value::infinite(true),
            Sqrt | Sin | Tanh | Sinh | Atan | Erf | Ln1p => Value::zero(*negative),
            Sigmoid => l.exp2_of(-1),
            ExpM1 => Value::zero(false),
            Softplus => apply(l, Ln, &integer::<L>(2)),
        },
        Infinite { negative } => match f {
            Exp | Exp2 | Sigmoid | Softplus if *negative => Value::zero(false),
            ExpM1 if *negative => integer::<L>(-1),
            Exp | Exp2 | ExpM1 | Softplus | Cosh => Value::infinite(false),
            Ln | Ln1p | Log2 | Sqrt if *negative => Nan,
            Ln | Ln1p | Log2 | Sqrt => Value::infinite(false),
            Erfcx => {
                if *negative {
                    Value::infinite(false)
                } else {
                    Value::zero(false)
                }
            }
            Sin | Cos => Nan,
            Sinh => Value::infinite(*negative),
            Tanh | Erf => integer::<L>(if *negative { -1 } else { 1 }),
            Sigmoid => integer::<L>(1),
            Atan => {
                let (lo, hi) = l.pi();
                let two = L::end_from(2);
                let half = Open(l.end_div(&lo, &two, false), l.end_div(&hi, &two, true));
                if *negative { neg::<L>(&half) } else { half }
            }
        },
        Exact(x) => {
            match f {
                Sqrt | Ln | Log2 if L::exact_is_negative(x) => return Nan,
                Sqrt => return l.exact_sqrt(x),
                Exp2 => {
                    if let Some(n) = L::exact_integer(x) {
                        return l.exp2_of(n);
                    }
                }
                Ln | Log2 => match L::exact_log2(x) {
                    Some(0) => return Value::zero(false),
                    Some(k) if f == Log2 => return integer::<L>(k),
                    _ => {}
                },
                _ => {}
            }
            // Every bit of a large angle matters.
            let (lo, hi) = if let Sin | Cos = f { l.angle(x) } else { l.bracket(x) };
            if L::end_cmp(&lo, &hi).is_eq() {
                let (lo, hi) = l.ends_of(f, &lo);
                Open(lo, hi)
            } else {
                between(l, f, lo, hi)
            }
        }
        Open(lo, hi) => between(l, f, lo.clone(), hi.clone()),
    }
}

/// Returns f of a number strictly between the ends.
fn between<L: Arithmetic>(l: &mut L, f: Function, lo: L::End, hi: L::End) -> Known<L> {
    match f {
        Function::Sqrt | Function::Ln | Function::Log2 if L::end_sign(&hi).is_le() => Nan,
        Function::Sqrt | Function::Ln | Function::Log2 if L::end_sign(&lo).is_lt() => Unknown,
        Function::Sqrt => Open(l.end_sqrt(&lo, false), l.end_sqrt(&hi, true)),
        Function::Sin | Function::Cos => wave::between(l, f, lo, hi),
        Function::Cosh => match (L::end_sign(&lo).is_ge(), L::end_sign(&hi).is_le()) {
            (true, _) => Open(bound(l, f, &lo, false), bound(l, f, &hi, true)),
            (_, true) => Open(bound(l, f, &hi, false), bound(l, f, &lo, true)),
            _ => {
                let far = greater::<L>(L::end_neg(&lo), hi);
                // The result may be 1 itself.
                Open(L::end_from(0), bound(l, f, &far, true))
            }
        },
        Function::Erfcx => Open(bound(l, f, &hi, false), bound(l, f, &lo, true)),
        // The others increase.
        _ => Open(bound(l, f, &lo, false), bound(l, f, &hi, true)),
    }
}

/// Returns a bound of f at an end, or of its limit there.
fn bound<L: Arithmetic>(l: &mut L, f: Function, at: &L::End, up: bool) -> L::End {
    let infinity = L::end_infinity;
    let sign = L::end_sign(at);
    if sign.is_eq() {
        return match f {
            Function::Ln | Function::Log2 => infinity(true),
            Function::Exp | Function::Exp2 | Function::Cosh | Function::Erfcx => L::end_from(1),
            Function::Sigmoid => l.end_div(&L::end_from(1), &L::end_from(2), up),
            Function::Softplus => bound(l, Function::Ln, &L::end_from(2), up),
            _ => L::end_from(0),
        };
    }
    if L::end_is_infinite(at) {
        let negative = sign.is_lt();
        return match f {
            Function::Exp | Function::Exp2 | Function::Sigmoid | Function::Softplus if negative => L::end_from(0),
            Function::ExpM1 if negative => L::end_from(-1),
            Function::Sigmoid => L::end_from(1),
            Function::Tanh | Function::Erf => L::end_from(if negative { -1 } else { 1 }),
            Function::Atan => {
                let pi = l.pi().1;
                let half = l.end_div(&pi, &L::end_from(2), true);
                if negative { L::end_neg(&half) } else { half }
            }
            Function::Sinh => infinity(negative),
            Function::Erfcx => L::end_from(0),
            _ => infinity(false),
        };
    }
    let (lo, hi) = l.ends_of(f, at);
    if up { hi } else { lo }
}
