//! Routes through the CPU's floating-point unit, for `.rn` and formats of at most 24 bits.
//!
//! `.rn` of f32 without `.ftz` is what hardware does, but for the bits of a NaN. All else goes
//! through binary64.
//!
//! *Why the bits are right.* Let `s` be the exact result rounded **to odd** in binary64: truncated,
//! its last bit set if anything was lost. Rounding `s` to nearest in a format of precision `p ≤ 53
//! − 2` gives what rounding the exact value once would, subnormal results included, because the odd
//! bit lies below every midpoint of the format and no midpoint is odd (Boldo & Melquiond,
//! "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd"). The
//! operands' product is exact in binary64 (2·24 ≤ 53, exponents within ±300), and the error of the
//! sum is itself a binary64 number (Knuth's TwoSum; nothing over- or underflows), so rounding to
//! odd is the sum plus one step.
//!
//! Hardware's own rounding to binary32 is used for f32 wherever `.ftz` cannot tell: it flushes what
//! is tiny after rounding with unbounded exponent, and hardware rounds with bounded exponent.
//! Quotients and roots are computed only so.
//!
//! No NaN bits of the hardware are ever returned.

use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};
use crate::sem::arith::clamp;

/// `a + b`
#[inline(always)]
pub(crate) fn add<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if is_plain::<F>(m) {
        return Some(clamp::<F>(m, number::<F>(single::<F>(a) + single::<F>(b))));
    }
    let [a, b] = operands::<F, 2>(m, [a, b])?;
    Some(clamp::<F>(m, narrow::<F>(m.ftz(), sum_to_odd(a, b))))
}

/// `a − b`
#[inline(always)]
pub(crate) fn sub<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    add::<F>(m, a, b ^ F::sign_mask())
}

/// `a × b`
#[inline(always)]
pub(crate) fn mul<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if is_plain::<F>(m) {
        return Some(clamp::<F>(m, number::<F>(single::<F>(a) * single::<F>(b))));
    }
    let [a, b] = operands::<F, 2>(m, [a, b])?;
    Some(clamp::<F>(m, narrow::<F>(m.ftz(), a * b)))
}

/// `a × b + c`; a finite operand is never the out-of-bounds NaN
#[inline(always)]
pub(crate) fn fma<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> Option<F::Bits> {
    let [a, b, c] = operands::<F, 3>(m, [a, b, c])?;
    Some(clamp::<F>(m, narrow::<F>(m.ftz(), sum_to_odd(a * b, c))))
}

/// `a / b`, for f32
#[inline(always)]
pub(crate) fn div<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> Option<F::Bits> {
    if F::PRECISION != 24 {
        return None;
    }
    let [x, y] = operands::<F, 2>(m, [a, b])?;
    #[expect(clippy::cast_possible_truncation, reason = "both are binary32 values")]
    hardware::<F>(m.ftz(), x as f32 / y as f32)
}

/// `1 / a`, for f32
#[inline(always)]
pub(crate) fn rcp<F: Format>(m: Modifiers, a: F::Bits) -> Option<F::Bits> {
    div::<F>(m, F::one(), a)
}

/// `√a`, for f32
#[inline(always)]
pub(crate) fn sqrt<F: Format>(m: Modifiers, a: F::Bits) -> Option<F::Bits> {
    #[cfg(feature = "std")]
    if F::PRECISION == 24 && m.rnd() == Round::Rn && a >= F::min_normal() && a < F::infinity() {
        // The result is normal.
        let root = f32::from_bits(a.cast()).sqrt();
        return Some(root.to_bits().cast());
    }
    let _ = (m, a);
    None
}

/// A finite number, to nearest
#[inline_in_release]
pub(crate) fn convert<From: Format, To: Format>(rnd: Round, x: From::Bits) -> Option<To::Bits> {
    let open = rnd == Round::Rn && To::PRECISION <= 24 && From::magnitude(x) < From::infinity();
    open.then(|| {
        let exact = if From::PRECISION == 53 { f64::from_bits(x.cast()) } else { widen::<From>(false, x) };
        narrow::<To>(false, exact)
    })
}

/// The operands as binary64 numbers, flushed if asked for, provided that this route is open to
/// them.
#[inline(always)]
fn operands<F: Format, const N: usize>(m: Modifiers, x: [F::Bits; N]) -> Option<[f64; N]> {
    let open = F::PRECISION <= 24 && m.rnd() == Round::Rn && x.iter().all(|&x| F::magnitude(x) < F::infinity());
    open.then(|| x.map(|x| widen::<F>(m.ftz(), x)))
}

/// Returns `true` if hardware computes the form: `.rn` of f32 without `.ftz`.
#[inline(always)]
fn is_plain<F: Format>(m: Modifiers) -> bool {
    F::PRECISION == 24 && m.rnd() == Round::Rn && !m.ftz()
}

/// An f32 value.
#[inline(always)]
fn single<F: Format>(x: F::Bits) -> f32 {
    f32::from_bits(x.cast())
}

/// An f32 result, of a NaN the canonical one.
#[inline(always)]
fn number<F: Format>(d: f32) -> F::Bits {
    if d.is_nan() { F::CANONICAL_NAN } else { d.to_bits().cast() }
}

/// An f32 result that hardware has rounded, unless it is a NaN or `.ftz` is to be judged next to
/// its threshold.
#[inline(always)]
fn hardware<F: Format>(ftz: bool, d: f32) -> Option<F::Bits> {
    let (is_nan, d): (bool, F::Bits) = (d.is_nan(), d.to_bits().cast());
    (!is_nan && (!ftz || F::magnitude(d) > F::min_normal())).then_some(d)
}

/// A finite value, exactly.
#[inline(always)]
fn widen<F: Format>(ftz: bool, x: F::Bits) -> f64 {
    if F::PRECISION == 24 && !ftz {
        return f64::from(single::<F>(x));
    }
    let magnitude = F::magnitude(x);
    let value = if magnitude >= F::min_normal() {
        let rebias = (1023 - F::EMAX as u64) << 52;
        f64::from_bits((magnitude.cast::<u64>() << (52 - F::FRACTION_BITS)) + rebias)
    } else if ftz {
        0.0
    } else {
        // At most 23 bits.
        f64::from(magnitude.cast::<u32>()) * power_of_two(F::EMIN - F::FRACTION_BITS as i32)
    };
    if F::is_negative(x) { -value } else { value }
}

/// `x + y` rounded to odd.
#[inline(always)]
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let s = x + y;
    let z = s - x;
    let error = (x - (s - z)) + (y - z);
    let bits = s.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        return s;
    }
    // The exact sum lies beside the even `s`: the odd neighbour on its side.
    f64::from_bits(if (error > 0.0) == (s > 0.0) { bits + 1 } else { bits - 1 })
}

/// Rounds to nearest even, where `x` is exact or rounded to odd.
#[inline(always)]
fn narrow<F: Format>(ftz: bool, x: f64) -> F::Bits {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
    if F::PRECISION == 24
        && let Some(d) = hardware::<F>(ftz, x as f32)
    {
        return d;
    }
    let bits = x.to_bits();
    let negative = bits >> 63 != 0;
    let magnitude = bits & !(1 << 63);
    let smallest = power_of_two(F::EMIN).to_bits();
    // Everything below this is tiny after rounding with unbounded exponent; at it, the tie goes up.
    let survives = smallest - (1 << (52 - F::PRECISION));
    let rounded: u64 = if magnitude >= smallest {
        let drop = 52 - F::FRACTION_BITS;
        let rebias = (1023 - F::EMAX as u64) << 52;
        let kept = magnitude - rebias;
        // A carry runs into the exponent, and beyond the largest finite value into infinity or
        // above.
        ((kept + ((1 << (drop - 1)) - 1) + (kept >> drop & 1)) >> drop).min(F::infinity().cast())
    } else if ftz {
        if magnitude >= survives { F::min_normal().cast() } else { 0 }
    } else {
        // The sum with 2^52 times the smallest subnormal has that subnormal as its unit.
        let unit = power_of_two(F::EMIN - F::FRACTION_BITS as i32 + 52);
        (f64::from_bits(magnitude) + unit).to_bits() - unit.to_bits()
    };
    F::signed(negative, rounded.cast())
}

/// `2^e`, for normal results.
#[inline(always)]
const fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}
