//! Routes through the floating-point unit of a Cortex-M4F and its successors: binary32 and
//! conversion from and to binary16, taken for `.rn`. What it takes it finishes, NaNs and infinities
//! included, so a program need not hold the meaning too.
//!
//! *Why the bits are right.* The unit follows IEEE 754 in the state that a reset leaves it in,
//! which is the only one that Rust code may run in: to nearest, subnormals kept, IEEE's own
//! binary16. Of its NaNs only that they are NaNs is used.
//!
//! - f32: one instruction, one rounding.
//! - f16 `add`, `sub`, `mul`: operands are exact in binary32, so is a product, and a sum that is
//!   not exact has been rounded to 24 ≥ 2·11 + 2 bits, after which rounding to 11 gives what
//!   rounding once does; a sum below the normal range is exact.
//! - f16 `fma`: the product is exact (22 bits, above 2⁻⁴⁸), the error of the sum is a binary32
//!   number (Knuth's TwoSum), and with it the sum is rounded to odd, after which rounding to 11 ≤
//!   24 − 2 bits gives what rounding once does.
//!
//! The conversions have the library's bits but for NaNs: `vcvtb` narrows a NaN with its payload and
//! widens a signalling one to a quiet one. So a NaN's result is the canonical one, and `to_f32`
//! moves bits itself but for subnormals. Subnormals are kept in both directions, since FPSCR.FZ
//! does not apply to binary16; with FPSCR.AHP there would be no infinities, and it is 0 after a
//! reset.
//!
//! Results are finished here and not by the meaning, which saves code: `add` and `fma` of f16x2
//! take 0.6 KiB instead of 1.5 KiB, and a network takes 0.29 times the instructions.
//!
//! The result before the last rounding decides if `.ftz` flushes it. That result is exact or
//! rounded to odd, and so on the right side of the bound. An f32 `.ftz` result at or below the
//! smallest normal number is left to the meaning.
//!
//! bf16 is left to integers: it has binary32's range, in which products of small numbers are not
//! exact.

use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};
use crate::sem::arith::{clamp, is_oob};

#[cfg_attr(not(target_arch = "arm"), path = "vfp/model.rs")]
mod unit;

/// `a + b`
#[inline(always)]
pub(crate) fn add<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) {
        return None;
    }
    finish::<F>(m, operand::<F>(m, a) + operand::<F>(m, b))
}

/// `a − b`
#[inline(always)]
pub(crate) fn sub<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) {
        return None;
    }
    finish::<F>(m, operand::<F>(m, a) - operand::<F>(m, b))
}

/// `a × b`
#[inline(always)]
pub(crate) fn mul<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) {
        return None;
    }
    finish::<F>(m, operand::<F>(m, a) * operand::<F>(m, b))
}

/// `a × b + c`
#[inline(always)]
pub(crate) fn fma<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) {
        return None;
    }
    if m.oob() && (is_oob::<F>(a) || is_oob::<F>(b)) {
        return Some(F::Bits::ZERO);
    }
    let (x, y, z) = (operand::<F>(m, a), operand::<F>(m, b), operand::<F>(m, c));
    finish::<F>(m, if F::PRECISION == 24 { unit::fma(x, y, z) } else { sum_to_odd(x * y, z) })
}

/// `a / b`, for f32
#[inline(always)]
pub(crate) fn div<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) || F::PRECISION != 24 {
        return None;
    }
    finish::<F>(m, operand::<F>(m, a) / operand::<F>(m, b))
}

/// `1 / a`, for f32
#[inline(always)]
pub(crate) fn rcp<F: Format>(m: Modifiers, a: F::Bits) -> Option<F::Bits> {
    div::<F>(m, F::one(), a)
}

/// `√a`, for f32
#[inline(always)]
pub(crate) fn sqrt<F: Format>(m: Modifiers, a: F::Bits) -> Option<F::Bits> {
    if !is_open::<F>(m) || F::PRECISION != 24 {
        return None;
    }
    finish::<F>(m, unit::sqrt(operand::<F>(m, a)))
}

/// Between f16 and f32, and from bf16 to f16; to nearest
#[inline(always)]
pub(crate) fn convert<From: Format, To: Format>(rnd: Round, x: From::Bits) -> Option<To::Bits> {
    if rnd != Round::Rn || From::PRECISION > 24 {
        return None;
    }
    if is_f16::<To>() {
        let exact = if is_f16::<From>() { unit::widen(x.cast()) } else { short_binary32::<From>(x) };
        return finish::<To>(Modifiers::PLAIN, exact);
    }
    if is_f16::<From>() && To::PRECISION == 24 {
        return finish::<To>(Modifiers::PLAIN, unit::widen(x.cast()));
    }
    None
}

fn is_f16<F: Format>() -> bool {
    (F::PRECISION, F::EXPONENT_BITS) == (11, 5)
}

/// The value of a format that is binary32 or its upper half.
#[inline(always)]
fn short_binary32<F: Format>(x: F::Bits) -> f32 {
    f32::from_bits(x.cast::<u32>() << (24 - F::PRECISION))
}

/// Returns `true` if the unit computes the form: f16 and f32, to nearest.
#[inline(always)]
fn is_open<F: Format>(m: Modifiers) -> bool {
    m.rnd() == Round::Rn && (F::PRECISION == 24 || is_f16::<F>())
}

/// Returns an operand in binary32, flushed under `.ftz`.
#[inline(always)]
fn operand<F: Format>(m: Modifiers, x: F::Bits) -> f32 {
    let x = if m.ftz() && F::is_subnormal(x) { x & F::sign_mask() } else { x };
    if F::PRECISION == 24 { f32::from_bits(x.cast()) } else { unit::widen(x.cast()) }
}

/// `x + y` rounded to odd; infinities and NaNs as a sum gives them.
#[inline(always)]
fn sum_to_odd(x: f32, y: f32) -> f32 {
    let s = x + y;
    let z = s - x;
    let error = (x - (s - z)) + (y - z);
    let bits = s.to_bits();
    // Without a finite sum there is no error, only a NaN, which is not above 0.
    if error.abs() > 0.0 && bits & 1 == 0 {
        // The exact sum lies beside the even `s`: the odd neighbour on its side.
        f32::from_bits(if (error > 0.0) == (s > 0.0) { bits + 1 } else { bits - 1 })
    } else {
        s
    }
}

/// The last rounding, `.ftz`, `.sat` and `.relu`.
#[inline(always)]
fn finish<F: Format>(m: Modifiers, x: f32) -> Option<F::Bits> {
    let magnitude = x.to_bits() & !(1 << 31);
    let d: F::Bits = if F::PRECISION == 24 {
        if m.ftz() && magnitude <= 0x0080_0000 {
            return None;
        }
        x.to_bits().cast()
    } else if m.ftz() && magnitude < SURVIVES {
        F::signed(x.is_sign_negative(), F::Bits::ZERO)
    } else {
        unit::narrow(x).cast()
    };
    Some(clamp::<F>(m, if F::is_nan(d) { F::CANONICAL_NAN } else { d }))
}

/// 2⁻¹⁴ − 2⁻²⁶: what is smaller is below 2⁻¹⁴ after rounding to 11 bits, too.
const SURVIVES: u32 = ((127 - 14) << 23) - (1 << 12);

#[cfg(all(test, not(target_arch = "arm")))]
mod tests;
