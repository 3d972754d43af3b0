//! Conversions, and arithmetic of several formats, by their meaning, with the types and modifiers
//! as data.

use super::{FormInfo, Type};
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, TensorFloat32,
};
use crate::int::Int;
use crate::modifiers::Modifiers;
use crate::sem::{
    Encoding, Meaning, Random, Rounding, Value, negative, prepared, product, random_pair, random_quad, scale_of, sum,
};

/// Computes a conversion, or returns `None` if the form is not a conversion or does not fit its
/// operands.
pub(super) fn convert(form: &FormInfo, operands: &[u64]) -> Option<u64> {
    let (to, from) = (form.result, form.operands[0]);
    let lanes = to.lanes() as usize;
    let sources = if from.lanes() == 1 { lanes } else { 1 };
    let (sources, last) = operands.split_at_checked(sources)?;
    let mut register = 0;
    for i in 0..lanes {
        // The first of several operands is the uppermost lane.
        let x = match *sources {
            [x] => x >> (i as u32 * from.stride()),
            ref all => all[lanes - 1 - i],
        };
        let x = x & u64::mask(from.lane_bits());
        let random = |last: u64| random(to, last as u32, lanes - 1 - i);
        let by = match (form.meaning, last) {
            (Meaning::CvtRna, []) => Rounding::Away,
            (Meaning::CvtRs | Meaning::CvtRs4, &[rbits]) => Rounding::Stochastic(random(rbits)?),
            (Meaning::Cvt | Meaning::CvtPack, [] | [_]) => Rounding::To(form.effect.rnd()),
            _ => return None,
        };
        let scale = match (form.meaning, last) {
            (Meaning::Cvt | Meaning::CvtPack, &[scale]) if divides(form) => Some(scale as u8),
            (Meaning::Cvt | Meaning::CvtPack, &[scale]) => Some((scale >> (8 * i)) as u8),
            _ => None,
        };
        register |= lane(form, by, scale, x)? << (i as u32 * to.stride());
    }
    Some(register)
}

fn lane(form: &FormInfo, by: Rounding, scale: Option<u8>, x: u64) -> Option<u64> {
    let (to, from, m) = (form.result, form.operands[0], form.effect);
    let plain = m.only_rounds();
    if plain && to == from && matches!(to, Type::F32 | Type::F64) {
        return Some(x);
    }
    let value = read(from, m.ftz(), divides(form), x)?;
    let value = match scale {
        None => prepared(by, m, 0, value),
        Some(scale) => {
            scale_of(scale, to.lane_bits() < from.lane_bits()).map_or(Value::NAN, |e| prepared(by, m, e, value))
        }
    };
    write(to, by, m, value)
}

/// Returns `true` for `.scaled::n1::ue8m0`, which has one scale for all lanes and flushes them.
fn divides(form: &FormInfo) -> bool {
    form.operands.last() == Some(&Type::Ue8m0)
}

/// Computes arithmetic of several formats, or returns `None` if the form is something else.
pub(super) fn across(form: &FormInfo, operands: &[u64]) -> Option<u64> {
    let (to, m) = (form.result, form.effect);
    let by = Rounding::To(m.rnd());
    let mut register = 0;
    for i in 0..to.lanes() {
        let mut x = [Value::NAN; 3];
        for ((x, ty), operand) in x.iter_mut().zip(form.operands).zip(operands) {
            *x = read(*ty, m.ftz(), false, operand >> (i * ty.stride()) & u64::mask(ty.lane_bits()))?;
        }
        let [a, b, c] = x;
        let exact = match form.meaning {
            Meaning::AcrossAdd => sum(m.rnd(), a, b),
            Meaning::AcrossSub => sum(m.rnd(), a, negative(b)),
            Meaning::AcrossMul => product(a, b),
            Meaning::AcrossFma => sum(m.rnd(), product(a, b), c),
            _ => return None,
        };
        let d = write(to, by, m, exact)?;
        let d = if m.ftz() { write(to, by, m, read(to, false, true, d)?)? } else { d };
        register |= d << (i * to.stride());
    }
    Some(register)
}

/// Returns the random number of an operand, or `None` if the type has no `.rs`.
fn random(to: Type, rbits: u32, operand: usize) -> Option<Random> {
    let all: &[Random] = match to {
        Type::F16x2 => &random_pair::<Binary16>(rbits),
        Type::Bf16x2 => &random_pair::<BFloat16>(rbits),
        Type::E4m3x4 => &random_quad::<Float8E4M3>(rbits),
        Type::E5m2x4 => &random_quad::<Float8E5M2>(rbits),
        Type::E2m3x4 => &random_quad::<Float6E2M3>(rbits),
        Type::E3m2x4 => &random_quad::<Float6E3M2>(rbits),
        Type::E2m1x4 => &random_quad::<Float4E2M1>(rbits),
        _ => return None,
    };
    all.get(operand).copied()
}

/// One row per encoding: the types whose lanes are in it.
macro_rules! encodings {
    ($($encoding:ident: $($ty:ident)|*;)*) => {
        /// Decodes a lane of the type. With `flushes` any subnormal number is zero.
        fn read(ty: Type, ftz: bool, flushes: bool, x: u64) -> Option<Value> {
            Some(match ty {
                $($(Type::$ty)|* => {
                    let value = <$encoding as Encoding>::read(ftz, Int::of_low_bits(x.into()));
                    if flushes { value.flushed::<$encoding>() } else { value }
                })*
                _ => return None,
            })
        }

        /// Encodes a lane of the type.
        fn write(ty: Type, by: Rounding, m: Modifiers, x: Value) -> Option<u64> {
            Some(match ty {
                $($(Type::$ty)|* => <$encoding as Encoding>::write(by, m, x).cast(),)*
                _ => return None,
            })
        }
    };
}

encodings! {
    Binary16: F16 | F16x2;
    BFloat16: Bf16 | Bf16x2;
    Binary32: F32 | F32x2;
    Binary64: F64;
    TensorFloat32: Tf32;
    Float8E4M3: E4m3x2 | E4m3x4;
    Float8E5M2: E5m2x2 | E5m2x4;
    Float6E2M3: E2m3x2 | E2m3x4;
    Float6E3M2: E3m2x2 | E3m2x4;
    Float4E2M1: E2m1x2 | E2m1x4 | E2m1p4x4;
    Exponent8: Ue8m0 | Ue8m0x2 | Ue8m0x4;
    Fixed2F6: S2f6x2;
    Float8UE5M3: Ue5m3x2;
    u8: U8;
    u16: U16;
    u32: U32;
    u64: U64;
    i8: S8;
    i16: S16;
    i32: S32;
    i64: S64;
}
