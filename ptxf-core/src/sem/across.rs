//! add, sub, mul, fma whose operands and result have several formats.
//!
//! The operands are decoded, the exact result is computed, and rounded once to the format of the
//! result. `.ftz` flushes binary32 operands, and a result of any format.

use super::arith;
use super::encoding::{Encoding, Value};
use super::number::Finite;
use super::round::Rounding;
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// Computes `a + c`.
#[inline]
pub fn across_add<A: Encoding, C: Encoding, D: Encoding>(m: Modifiers, a: A::Bits, c: C::Bits) -> D::Bits {
    written::<D>(m, sum(m.rnd(), A::read(m.ftz(), a), C::read(m.ftz(), c)))
}

/// Computes `a − c`.
#[inline]
pub fn across_sub<A: Encoding, C: Encoding, D: Encoding>(m: Modifiers, a: A::Bits, c: C::Bits) -> D::Bits {
    written::<D>(m, sum(m.rnd(), A::read(m.ftz(), a), negative(C::read(m.ftz(), c))))
}

/// Computes `a × c`.
#[inline]
pub fn across_mul<A: Encoding, C: Encoding, D: Encoding>(m: Modifiers, a: A::Bits, c: C::Bits) -> D::Bits {
    written::<D>(m, product(A::read(m.ftz(), a), C::read(m.ftz(), c)))
}

/// Computes `a × b + c`.
#[inline]
pub fn across_fma<A: Encoding, B: Encoding, C: Encoding, D: Encoding>(
    m: Modifiers,
    a: A::Bits,
    b: B::Bits,
    c: C::Bits,
) -> D::Bits {
    written::<D>(m, sum(m.rnd(), product(A::read(m.ftz(), a), B::read(m.ftz(), b)), C::read(m.ftz(), c)))
}

/// Rounds the exact result.
#[inline]
fn written<D: Encoding>(m: Modifiers, x: Value) -> D::Bits {
    let by = Rounding::To(m.rnd());
    let d = D::write(by, m, x);
    if m.ftz() { D::write(by, m, D::read(false, d).flushed::<D>()) } else { d }
}

/// Returns the value with the other sign; a NaN has none.
#[inline]
pub(crate) fn negative(x: Value) -> Value {
    match x {
        Value::Infinite { negative } => Value::Infinite { negative: !negative },
        Value::Finite(x) => Value::Finite(Finite { negative: !x.negative, ..x }),
        Value::Nan { .. } => x,
    }
}

/// Returns the product of two values with at most 32 significant bits, exactly.
#[inline]
pub(crate) fn product(x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => Value::NAN,
        (Value::Finite(x), Value::Finite(y)) => Value::Finite(arith::product(x, y)),
        (Value::Infinite { .. }, Value::Finite(z)) | (Value::Finite(z), Value::Infinite { .. }) if z.is_zero() => {
            Value::NAN
        }
        _ => Value::Infinite { negative: is_negative(x) != is_negative(y) },
    }
}

/// Returns the sum, with the bits below the 64th jammed into the lowest one.
#[inline]
pub(crate) fn sum(rnd: Round, x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => Value::NAN,
        (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a != b => Value::NAN,
        (Value::Infinite { .. }, _) => x,
        (_, Value::Infinite { .. }) => y,
        (Value::Finite(x), Value::Finite(y)) => {
            let wide = |x: Finite<u64>| Finite { negative: x.negative, sig: u128::from(x.sig), exp: x.exp };
            let exact = arith::sum(rnd, wide(x), wide(y));
            let excess = exact.sig.bit_len().saturating_sub(u64::BITS);
            let sig = exact.sig.shr_jam(excess).cast();
            Value::Finite(Finite { negative: exact.negative, sig, exp: exact.exp + excess as i32 })
        }
    }
}

#[inline]
const fn is_negative(x: Value) -> bool {
    match x {
        Value::Nan { negative, .. } | Value::Infinite { negative } => negative,
        Value::Finite(x) => x.negative,
    }
}
