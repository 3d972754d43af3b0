//! The approximate instructions under the default model: the correctly rounded result (`.rn`), with
//! the manual's tables of special values, its flush rules and its documented exceptions.
//!
//! The results lie inside every bound that the manual documents. A device model has the results of
//! silicon.

use super::elementary::{self, Real};
use super::nan::nan;
use super::number::{Finite, Number, flush_input, unpack};
use super::quotient::{self, reciprocal_root};
use super::round::{Rounding, round, round_sig};
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// Computes `div.approx.f32`: the quotient, except for `2^126 < |b| < 2^128`. Then an infinite `a`
/// gives NaN, and any other `a` zero with the quotient's sign, because the reciprocal of such a `b`
/// is subnormal and flushed.
#[inline]
pub fn div_approx<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    let two_126 = F::infinity() - (F::min_normal() + F::min_normal());
    let magnitude = F::magnitude(b);
    if magnitude > two_126 && magnitude < F::infinity() && !F::is_nan(a) {
        return if F::is_infinite(a) { F::CANONICAL_NAN } else { F::signed(F::is_negative(a ^ b), F::Bits::ZERO) };
    }
    quotient::div::<F>(m, a, b)
}

/// Computes `1 / √a`; ±0 gives an infinity of the same sign, negative numbers NaN.
#[inline]
pub fn rsqrt_approx<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    let a = flush_input::<F>(m.ftz(), a);
    match unpack::<F>(a) {
        Number::Nan => nan::<F>(&[a]),
        _ if F::is_zero(a) => a | F::infinity(),
        _ if F::is_negative(a) => nan::<F>(&[]),
        Number::Infinite { .. } => F::Bits::ZERO,
        Number::Finite(x) => round::<F>(m.rnd(), m.ftz(), reciprocal_root::<F>(x)),
    }
}

/// Computes `rcp.approx.ftz.f64`: the reciprocal of the upper word, truncated to the upper word.
#[inline]
pub fn rcp_approx_f64<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    upper_word::<F>(m, a, quotient::rcp::<F>)
}

/// Computes `rsqrt.approx.ftz.f64`: the reciprocal square root of the upper word, truncated to the
/// upper word.
#[inline]
pub fn rsqrt_approx_f64<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    upper_word::<F>(m, a, rsqrt_approx::<F>)
}

/// Applies `f` to the upper word. Both f64 approximations operate on 1.11.20 numbers: the lower
/// word of the operand is ignored, and that of the result is zero. A NaN is the one that the manual
/// names, all ones except for sign and lower word.
#[inline]
fn upper_word<F: Format>(m: Modifiers, a: F::Bits, f: impl Fn(Modifiers, F::Bits) -> F::Bits) -> F::Bits {
    let upper = !F::Bits::mask(F::Bits::BITS / 2);
    let d = f(m.with_rnd(Round::Rz), a & upper);
    if F::is_nan(d) { F::magnitude(upper) } else { d & upper }
}

/// Computes `2^a`.
#[inline]
pub fn ex2<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { .. } => F::one(),
        Operand::Infinite { negative: true } => F::Bits::ZERO,
        Operand::Infinite { negative: false } => F::infinity(),
        Operand::Real(x) => rounded::<F>(m, elementary::exp2(x)),
    })
}

/// Computes `log₂ a`; ±0 gives −∞, negative numbers NaN.
#[inline]
pub fn lg2<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { .. } => F::signed(true, F::infinity()),
        Operand::Infinite { negative: false } => F::infinity(),
        Operand::Infinite { negative: true } | Operand::Real(Real { negative: true, .. }) => F::CANONICAL_NAN,
        Operand::Real(x) => elementary::log2(x).map_or(F::Bits::ZERO, |d| rounded::<F>(m, d)),
    })
}

/// Computes `sin a` for any finite `a`; ±∞ gives NaN.
#[inline]
pub fn sin<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { negative } => F::signed(negative, F::Bits::ZERO),
        Operand::Infinite { .. } => F::CANONICAL_NAN,
        Operand::Real(x) => rounded::<F>(m, elementary::sin(x)),
    })
}

/// Computes `cos a` for any finite `a`; ±∞ gives NaN.
#[inline]
pub fn cos<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { .. } => F::one(),
        Operand::Infinite { .. } => F::CANONICAL_NAN,
        Operand::Real(x) => rounded::<F>(m, elementary::cos(x)),
    })
}

/// Computes `sin 2πa` for any finite `a`; ±∞ gives NaN. A zero has the sign of `a`.
#[inline]
pub fn sin_2pi<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { negative } => F::signed(negative, F::Bits::ZERO),
        Operand::Infinite { .. } => F::CANONICAL_NAN,
        Operand::Real(x) => elementary::sin_2pi(x).map_or(F::signed(x.negative, F::Bits::ZERO), |d| rounded::<F>(m, d)),
    })
}

/// Computes `cos 2πa` for any finite `a`; ±∞ gives NaN. A zero is +0.
#[inline]
pub fn cos_2pi<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { .. } => F::one(),
        Operand::Infinite { .. } => F::CANONICAL_NAN,
        Operand::Real(x) => elementary::cos_2pi(x).map_or(F::Bits::ZERO, |d| rounded::<F>(m, d)),
    })
}

/// Computes `tanh a`.
#[inline]
pub fn tanh<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    on_operand::<F>(m, a, |x| match x {
        Operand::Zero { negative } => F::signed(negative, F::Bits::ZERO),
        Operand::Infinite { negative } => F::signed(negative, F::one()),
        Operand::Real(x) => rounded::<F>(m, elementary::tanh(x)),
    })
}

/// An operand that is not a NaN.
enum Operand {
    Zero { negative: bool },
    Infinite { negative: bool },
    Real(Real),
}

#[inline]
fn on_operand<F: Format>(m: Modifiers, a: F::Bits, f: impl Fn(Operand) -> F::Bits) -> F::Bits {
    match unpack::<F>(flush_input::<F>(m.ftz(), a)) {
        Number::Nan => F::CANONICAL_NAN,
        Number::Infinite { negative } => f(Operand::Infinite { negative }),
        Number::Finite(x) if x.is_zero() => f(Operand::Zero { negative: x.negative }),
        Number::Finite(Finite { negative, sig, exp }) => {
            let x = Finite { negative, sig: sig.cast::<u64>(), exp }.normalised(u64::BITS);
            f(Operand::Real(Real { negative, sig: x.sig, exp: x.exp, inexact: false }))
        }
    }
}

/// Rounds the result of an elementary function.
#[inline]
fn rounded<F: Format>(m: Modifiers, x: Real) -> F::Bits {
    let sig = x.sig | u64::from(x.inexact);
    round_sig::<F>(Rounding::To(m.rnd()), m.ftz(), Finite { negative: x.negative, sig, exp: x.exp })
}
