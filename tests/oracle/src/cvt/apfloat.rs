//! A conversion by LLVM's soft float, with PTX's modifiers around it.
//!
//! A format without infinities is computed in the IEEE format with the same smallest numbers and
//! one more exponent bit, in which nothing overflows. Afterwards results above the largest number
//! are clamped to it.

use core::cmp::Ordering;

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{ExpInt, Float, FloatConvert, Round};

use super::{By, Cvt, Extra, Num};
use crate::form::Rnd;

macro_rules! semantics {
    ($($name:ident $bits:literal $exp:literal $min:expr;)*) => {$(
        #[derive(Debug)]
        struct $name;

        impl Semantics for $name {
            const BITS: usize = $bits;
            const EXP_BITS: usize = $exp;
            const MIN_EXP: ExpInt = $min;
        }
    )*};
}

semantics! {
    Tf32S 19 8 -126;
    // One bit more than e2m3, e3m2, e2m1 and ue5m3, between sign and exponent.
    E2m3S 7 3 0;
    E3m2S 7 4 -2;
    E2m1S 5 3 0;
    // And a sign in ue5m3.
    Ue5m3S 10 6 -14;
}

/// The result of one lane; `None` for `.rs`.
#[must_use]
pub fn lane(cvt: &Cvt, x: u64, extra: Extra) -> Option<u64> {
    let bits = u128::from(x);
    let spread = |width: u32| (bits & ((1 << (width - 1)) - 1)) | ((bits >> (width - 1)) & 1) << width;
    match cvt.from.num {
        _ if cvt.by == By::Random => None,
        Num::F16 => from::<Half>(cvt, bits, extra),
        Num::Bf16 => from::<BFloat>(cvt, bits, extra),
        Num::F32 => from::<Single>(cvt, bits, extra),
        Num::F64 => from::<Double>(cvt, bits, extra),
        Num::E4m3 => from::<Float8E4M3FN>(cvt, bits, extra),
        Num::E5m2 => from::<Float8E5M2>(cvt, bits, extra),
        Num::E2m3 => from::<IeeeFloat<E2m3S>>(cvt, spread(6), extra),
        Num::E3m2 => from::<IeeeFloat<E3m2S>>(cvt, spread(6), extra),
        Num::E2m1 => from::<IeeeFloat<E2m1S>>(cvt, spread(4), extra),
        Num::Ue5m3 if x == 0xff => from::<Double>(cvt, Double::NAN.to_bits(), extra),
        Num::Ue5m3 => from::<IeeeFloat<Ue5m3S>>(cvt, bits, extra),
        Num::Tf32 => from::<IeeeFloat<Tf32S>>(cvt, bits >> 13, extra),
        Num::Ue8m0 => {
            let power = if x == 0xff { Double::NAN } else { one::<Double>().scalbn(x as ExpInt - 127) };
            from::<Double>(cvt, power.to_bits(), extra)
        }
        Num::S2f6 => {
            let sixty_fourths = Double::from_i128((x as u8 as i8).into()).value;
            from::<Double>(cvt, sixty_fourths.scalbn(-6).to_bits(), extra)
        }
        Num::Int { signed, bits } => {
            let shift = 64 - bits;
            Some(integer(cvt, if signed { i128::from((x << shift) as i64 >> shift) } else { x.into() }))
        }
    }
}

/// From an integer to a float.
fn integer(cvt: &Cvt, x: i128) -> u64 {
    let rnd = direction(cvt.by);
    match cvt.to.num {
        Num::F16 => finish(cvt, Half::from_i128_r(x, rnd).value, 0x7fff),
        Num::Bf16 => finish(cvt, BFloat::from_i128_r(x, rnd).value, 0x7fff),
        Num::F32 => finish(cvt, Single::from_i128_r(x, rnd).value, 0x7fff_ffff),
        _ => finish(cvt, Double::from_i128_r(x, rnd).value, 0),
    }
}

fn direction(by: By) -> Round {
    match by {
        By::To(Rnd::Rn) | By::Integer(Rnd::Rn) | By::Unsaid | By::Random => Round::NearestTiesToEven,
        By::To(Rnd::Rz) | By::Integer(Rnd::Rz) => Round::TowardZero,
        By::To(Rnd::Rm) | By::Integer(Rnd::Rm) => Round::TowardNegative,
        By::To(Rnd::Rp) | By::Integer(Rnd::Rp) => Round::TowardPositive,
        By::Away => Round::NearestTiesToAway,
    }
}

fn sign_of<F: Float, D: Float>(x: F, magnitude: D) -> D {
    if x.is_negative() { -magnitude } else { magnitude }
}

fn one<F: Float>() -> F {
    F::from_u128(1).value
}

/// The format in which every conversion is computed here.
trait Source:
    Float
    + FloatConvert<Half>
    + FloatConvert<BFloat>
    + FloatConvert<Single>
    + FloatConvert<Double>
    + FloatConvert<Quad>
    + FloatConvert<Float8E4M3FN>
    + FloatConvert<Float8E5M2>
    + FloatConvert<IeeeFloat<Tf32S>>
    + FloatConvert<IeeeFloat<E2m3S>>
    + FloatConvert<IeeeFloat<E3m2S>>
    + FloatConvert<IeeeFloat<E2m1S>>
    + FloatConvert<IeeeFloat<Ue5m3S>>
{
}

impl<S: Semantics> Source for IeeeFloat<S> {}

fn from<F: Source>(cvt: &Cvt, bits: u128, extra: Extra) -> Option<u64> {
    let (to, from) = (cvt.to.num, cvt.from.num);
    let x = F::from_bits(bits);
    if cvt.by == By::Unsaid && to == from && !cvt.ftz && !cvt.sat && matches!(to, Num::F32 | Num::F64) {
        return Some(bits as u64);
    }
    if x.is_nan() {
        return Some(nan(cvt, bits as u64));
    }
    let flushes = cvt.ftz && from == Num::F32 || cvt.divided;
    let x = if flushes && x.is_denormal() { F::ZERO.copy_sign(x) } else { x };
    let x = match cvt.by {
        By::Integer(_) if !to.is_int() => x.round_to_integral(direction(cvt.by)).value,
        _ => x,
    };
    let Some(scale) = extra.scale else { return Some(convert(cvt, x)) };
    if scale == 0xff {
        return Some(nan(cvt, 0));
    }
    let exponent = ExpInt::from(scale) - 127;
    let wide: Quad = x.convert(&mut false).value;
    let divides = cvt.divided || matches!(from, Num::F32 | Num::Bf16);
    Some(convert(cvt, wide.scalbn(if divides { -exponent } else { exponent })))
}

/// Returns the result for a NaN. `bits` is used if the result keeps the NaN's payload.
fn nan(cvt: &Cvt, bits: u64) -> u64 {
    let from = cvt.from.num;
    match cvt.to.num {
        Num::Int { bits, .. } => u64::from(from == Num::F64 || bits == 64) << (bits - 1),
        Num::S2f6 => 0x7f,
        Num::Ue8m0 | Num::Ue5m3 => 0xff,
        _ if cvt.sat => 0,
        Num::F16 | Num::Bf16 => 0x7fff,
        Num::F32 => 0x7fff_ffff,
        Num::Tf32 => 0x7fff_e000,
        Num::E4m3 | Num::E5m2 => 0x7f,
        Num::E2m3 | Num::E3m2 => 0x1f,
        Num::E2m1 => 0x7,
        Num::F64 => {
            // The fraction and the sign move to the upper ends of theirs.
            let (width, fraction) = match from {
                Num::F16 => (16, 10),
                Num::Bf16 => (16, 7),
                Num::F32 => (32, 23),
                _ => (64, 52),
            };
            let payload = bits & ((1 << fraction) - 1);
            bits >> (width - 1) << 63 | 0x7ff8 << 48 | payload << (52 - fraction)
        }
    }
}

/// Rounds a value that is not NaN once.
fn convert<F: Source>(cvt: &Cvt, x: F) -> u64 {
    let rnd = direction(cvt.by);
    macro_rules! to {
        ($to:ty) => {{
            let d: $to = x.convert_r(rnd, &mut false).value;
            d
        }};
    }
    match cvt.to.num {
        Num::F16 => finish(cvt, to!(Half), 0x7fff),
        Num::Bf16 => finish(cvt, to!(BFloat), 0x7fff),
        Num::F32 => finish(cvt, flushed(cvt, x), 0x7fff_ffff),
        Num::F64 => finish(cvt, to!(Double), 0),
        Num::Tf32 => finish(cvt, to!(IeeeFloat<Tf32S>), 0) << 13,
        Num::E5m2 => finish(cvt, to!(Float8E5M2), 0),
        Num::E4m3 => {
            // Overflow is a NaN there.
            let d: Float8E4M3FN = x.convert_r(rnd, &mut false).value;
            finish(cvt, if d.is_nan() { sign_of(x, Float8E4M3FN::largest()) } else { d }, 0)
        }
        Num::E2m3 => finite(cvt, to!(IeeeFloat<E2m3S>), 6, 0x1f),
        Num::E3m2 => finite(cvt, to!(IeeeFloat<E3m2S>), 6, 0x1f),
        Num::E2m1 => finite(cvt, to!(IeeeFloat<E2m1S>), 4, 0x7),
        Num::Ue8m0 => power(cvt, x),
        Num::Ue5m3 => {
            let d: IeeeFloat<Ue5m3S> = x.abs().convert_r(rnd, &mut false).value;
            let largest = if cvt.satfinite || rnd == Round::TowardZero && x.is_finite() { 0xfe } else { 0xff };
            (d.to_bits() as u64).min(largest)
        }
        Num::S2f6 => {
            let d = x.convert_r(rnd, &mut false).value;
            let sixty_fourths: Quad = d;
            let d = sixty_fourths.scalbn(6).to_i128_r(8, rnd, &mut false).value;
            if cvt.relu && d < 0 { 0 } else { u64::from(d as u8) }
        }
        Num::Int { signed, bits } => {
            let width = bits as usize;
            let d = if signed {
                x.to_i128_r(width, rnd, &mut false).value as u64
            } else {
                x.to_u128_r(width, rnd, &mut false).value as u64
            };
            d & cvt.to.num.mask()
        }
    }
}

/// Rounds to f32. With `.ftz` the result is zero if it is tiny when rounded with two more binades
/// below.
fn flushed<F: Source>(cvt: &Cvt, x: F) -> Single {
    let rnd = direction(cvt.by);
    let mut loses = false;
    let d: Single = x.convert_r(rnd, &mut loses).value;
    if !cvt.ftz || !(d.is_denormal() || d.is_smallest_normalized()) {
        return d;
    }
    let wide: Quad = x.convert(&mut false).value;
    let above: Single = wide.scalbn(2).convert_r(rnd, &mut false).value;
    let tiny = above.cmp_abs_normal(Single::smallest_normalized().scalbn(2)) == Ordering::Less;
    if d.is_denormal() || tiny { Single::ZERO.copy_sign(d) } else { d }
}

/// The modifiers that act on a rounded result, and its bits.
fn finish<F: Float>(cvt: &Cvt, d: F, nan: u64) -> u64 {
    if d.is_nan() {
        return nan;
    }
    if d.is_negative() && (cvt.relu || cvt.sat || cvt.pzo && d.is_zero()) {
        return 0;
    }
    if cvt.sat && d.partial_cmp(&one::<F>()) == Some(Ordering::Greater) {
        return one::<F>().to_bits() as u64;
    }
    let d = if cvt.satfinite && d.is_infinite() { F::largest().copy_sign(d) } else { d };
    d.to_bits() as u64
}

/// Returns a result in a format of `width` bits that has only numbers, the largest of them `max`.
fn finite<F: Float>(cvt: &Cvt, d: F, width: u32, max: u64) -> u64 {
    if d.is_negative() && (cvt.relu || cvt.pzo && d.is_zero()) {
        return 0;
    }
    let sign = u64::from(d.is_negative()) << (width - 1);
    (d.abs().to_bits() as u64).min(max) | sign
}

/// Returns the exponent of the power of two next to the magnitude, downward or upward.
fn power<F: Source>(cvt: &Cvt, x: F) -> u64 {
    let x: Quad = x.convert(&mut false).value;
    let x = x.abs();
    let largest = if cvt.satfinite { 0xfe } else { 0xff };
    if x.is_infinite() {
        return largest;
    }
    if x.is_zero() {
        return 0;
    }
    let below = x.ilogb();
    let is_power = one::<Quad>().scalbn(below).cmp_abs_normal(x) == Ordering::Equal;
    let exponent = if is_power || direction(cvt.by) == Round::TowardZero { below } else { below + 1 };
    if exponent > 127 { largest } else { u64::try_from(exponent + 127).unwrap_or(0) }
}
