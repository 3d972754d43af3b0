//! The meaning of add, sub, mul, fma and mad.
//!
//! With several f64 NaNs the result keeps `b`'s, else `c`'s, else `a`'s, as on an H100; the manual
//! does not define it.

use super::nan::nan;
use super::number::{Finite, Number, flush_input, unpack};
use super::round::round;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// The NaN that `.oob` looks for in each 16-bit lane of a factor, ignoring the sign.
///
/// The manual names it ("OOB NaN") without its bits. An H100 takes these bits and no others, in f16
/// and in bf16, in both factors and not in the addend (`ptxf-tables/device/sm_90/oob.tsv`).
pub const OOB_NAN: u16 = 0x7FF7;

/// Computes `a + b`.
#[inline]
pub fn add<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    let (a, b) = (flush_input::<F>(m.ftz(), a), flush_input::<F>(m.ftz(), b));
    let d = match (unpack::<F>(a), unpack::<F>(b)) {
        (Number::Finite(x), Number::Finite(y)) => round::<F>(m.rnd(), m.ftz(), sum(m.rnd(), x, y)),
        (Number::Nan, _) | (_, Number::Nan) => nan::<F>(&[b, a]),
        (Number::Infinite { negative: x }, Number::Infinite { negative: y }) if x != y => nan::<F>(&[]),
        (Number::Infinite { negative }, _) | (_, Number::Infinite { negative }) => F::signed(negative, F::infinity()),
    };
    clamp::<F>(m, d)
}

/// Computes `a − b`.
#[inline]
pub fn sub<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    // A NaN keeps its sign: only a number is negated.
    add::<F>(m, a, if F::is_nan(b) { b } else { b ^ F::sign_mask() })
}

/// Computes `a × b`.
#[inline]
pub fn mul<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    let (a, b) = (flush_input::<F>(m.ftz(), a), flush_input::<F>(m.ftz(), b));
    let d = match (unpack::<F>(a), unpack::<F>(b)) {
        (Number::Finite(x), Number::Finite(y)) => round::<F>(m.rnd(), m.ftz(), product(x, y)),
        (Number::Nan, _) | (_, Number::Nan) => nan::<F>(&[b, a]),
        _ if F::is_zero(a) || F::is_zero(b) => nan::<F>(&[]),
        _ => F::signed(F::is_negative(a ^ b), F::infinity()),
    };
    clamp::<F>(m, d)
}

/// Computes `a × b + c`, rounded once; `mad.rnd` is the same instruction.
#[inline]
pub fn fma<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> F::Bits {
    if m.oob() && [a, b].into_iter().any(is_oob::<F>) {
        return F::Bits::ZERO;
    }
    let [a, b, c] = [a, b, c].map(|x| flush_input::<F>(m.ftz(), x));
    let d = match (unpack::<F>(a), unpack::<F>(b), unpack::<F>(c)) {
        (Number::Finite(x), Number::Finite(y), Number::Finite(z)) => {
            round::<F>(m.rnd(), m.ftz(), sum(m.rnd(), product(x, y), z))
        }
        (Number::Nan, ..) | (_, Number::Nan, _) | (.., Number::Nan) => nan::<F>(&[b, c, a]),
        (Number::Finite(_), Number::Finite(_), Number::Infinite { .. }) => c,
        (.., z) => {
            // One factor is infinite.
            let negative = F::is_negative(a ^ b);
            match z {
                _ if F::is_zero(a) || F::is_zero(b) => nan::<F>(&[]),
                Number::Infinite { negative: n } if n != negative => nan::<F>(&[]),
                _ => F::signed(negative, F::infinity()),
            }
        }
    };
    clamp::<F>(m, d)
}

/// Computes `mad.f32` without rounding modifier, as on targets `sm_1x` (manual 9.7.3.7).
///
/// The product is exact in double precision; its mantissa is truncated to 23 bits and its exponent
/// kept. Then `c` is added, and the sum rounded to nearest even. If `c` is ±0, the result is a
/// `mul` followed by an `add`. These targets always flush subnormal inputs and results.
#[inline]
pub fn mad_sm1x<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> F::Bits {
    let plain = Modifiers::PLAIN.with_ftz(true);
    let [a, b, c] = [a, b, c].map(|x| flush_input::<F>(true, x));
    let d = match (unpack::<F>(a), unpack::<F>(b), unpack::<F>(c)) {
        (Number::Finite(x), Number::Finite(y), Number::Finite(z)) if !z.is_zero() => {
            let p = product(x, y);
            let cut = p.sig.bit_len().saturating_sub(F::PRECISION);
            let truncated = Finite { sig: p.sig >> cut, exp: p.exp + cut as i32, ..p };
            round::<F>(Round::Rn, true, sum(Round::Rn, truncated, z))
        }
        (Number::Finite(_), Number::Finite(_), Number::Finite(_)) => add::<F>(plain, mul::<F>(plain, a, b), c),
        _ => fma::<F>(plain, a, b, c),
    };
    clamp::<F>(m, d)
}

/// Returns the exact product.
#[inline]
pub(super) fn product<W: Int>(x: Finite<W>, y: Finite<W>) -> Finite<W> {
    Finite { negative: x.negative != y.negative, sig: x.sig * y.sig, exp: x.exp + y.exp }
}

/// Returns the exact sum, with the bits that no rounding can distinguish jammed into the lowest
/// bit.
///
/// Each operand has at most `W::BITS − 2` significant bits. The one with the higher leading bit is
/// moved to the top, leaving one bit for the carry; the other is aligned below it. Bits of the
/// other are lost only if its leading bit is lower by more than the free space, and then at most
/// one leading bit cancels, so the jam stays below any rounding position.
#[inline]
pub(super) fn sum<W: Int>(rnd: Round, x: Finite<W>, y: Finite<W>) -> Finite<W> {
    if x.is_zero() && y.is_zero() {
        let negative = if x.negative == y.negative { x.negative } else { matches!(rnd, Round::Rm) };
        return Finite { negative, ..x };
    }
    if x.is_zero() {
        return y;
    }
    if y.is_zero() {
        return x;
    }
    let leading = |v: Finite<W>| v.exp + v.sig.bit_len() as i32;
    let (x, y) = if leading(x) >= leading(y) { (x, y) } else { (y, x) };
    let x = x.normalised(W::BITS - 1);
    let aligned = match y.exp - x.exp {
        up if up >= 0 => y.sig << up.unsigned_abs(),
        down => y.sig.shr_jam(down.unsigned_abs()),
    };
    if x.negative == y.negative {
        Finite { sig: x.sig + aligned, ..x }
    } else if x.sig == aligned {
        // Exact cancellation.
        Finite { negative: matches!(rnd, Round::Rm), sig: W::ZERO, ..x }
    } else if x.sig > aligned {
        Finite { sig: x.sig - aligned, ..x }
    } else {
        Finite { negative: y.negative, sig: aligned - x.sig, ..x }
    }
}

/// Applies `.sat` or `.relu` to the rounded result.
#[inline]
pub(crate) fn clamp<F: Format>(m: Modifiers, d: F::Bits) -> F::Bits {
    if m.sat() {
        if F::is_nan(d) || F::is_negative(d) {
            F::Bits::ZERO
        } else if d > F::one() {
            F::one()
        } else {
            d
        }
    } else if m.relu() {
        if F::is_nan(d) {
            F::CANONICAL_NAN
        } else if F::is_negative(d) {
            F::Bits::ZERO
        } else {
            d
        }
    } else {
        d
    }
}

/// Returns `true` if `x` is the out-of-bounds NaN, which only the 16-bit formats have.
#[inline]
pub(crate) fn is_oob<F: Format>(x: F::Bits) -> bool {
    F::Bits::BITS == 16 && F::magnitude(x) == OOB_NAN.cast()
}
