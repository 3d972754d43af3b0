//! The meaning of a form, called from its table entry: what every fast way to its result is compared with.
//!
//! A library, so that tests which are not optimized themselves call it optimized.

use ptxf_core::Modifiers;
use ptxf_core::format::*;
use ptxf_core::int::Int;
use ptxf_core::sem::{self, Encoding, Rounding};
use ptxf_core::spec::FormInfo;

/// `form` through [`sem`], lane by lane: what every fast path has to equal.
///
/// # Panics
///
/// If the number of operands is not the form's.
#[must_use]
pub fn meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    form.by_meaning(operands).expect("the table's operand count")
}

/// `form`'s instruction and modifiers on the 8-bit format.
///
/// # Panics
///
/// If the number of operands is not the form's.
#[must_use]
pub fn mini_meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    let x: Vec<_> = operands.iter().map(|&x| <Mini as Format>::Bits::truncate(x.into())).collect();
    form.meaning.lane::<Mini>(form.effect, &x).expect("a result in the operands' format").into()
}

/// A conversion of one lane between two types of PTX.
///
/// # Panics
///
/// If a type is unknown.
#[must_use]
pub fn cvt(to: &str, from: &str, m: Modifiers, by: Rounding, scale: Option<u8>, x: u64) -> u64 {
    macro_rules! of {
        ($name:expr, $callback:ident) => {
            match $name {
                "f16" => $callback!(Binary16),
                "bf16" => $callback!(BFloat16),
                "f32" => $callback!(Binary32),
                "f64" => $callback!(Binary64),
                "tf32" => $callback!(TensorFloat32),
                "e4m3" => $callback!(Float8E4M3),
                "e5m2" => $callback!(Float8E5M2),
                "e2m3" => $callback!(Float6E2M3),
                "e3m2" => $callback!(Float6E3M2),
                "e2m1" => $callback!(Float4E2M1),
                "ue8m0" => $callback!(Exponent8),
                "s2f6" => $callback!(Fixed2F6),
                "u8" => $callback!(u8),
                "u16" => $callback!(u16),
                "u32" => $callback!(u32),
                "u64" => $callback!(u64),
                "s8" => $callback!(i8),
                "s16" => $callback!(i16),
                "s32" => $callback!(i32),
                "s64" => $callback!(i64),
                other => panic!("{other}"),
            }
        };
    }
    fn one<From: Encoding, To: Encoding>(m: Modifiers, by: Rounding, scale: Option<u8>, x: u64) -> u64 {
        let x = <From as Encoding>::Bits::truncate(x.into());
        match (by, scale) {
            (_, Some(scale)) => sem::cvt_scaled::<From, To>(m, x, scale),
            (Rounding::To(_), _) => sem::cvt::<From, To>(m, x),
            (Rounding::Away, _) => sem::cvt_rna::<From, To>(m, x),
            (Rounding::Stochastic(random), _) => sem::cvt_rs::<From, To>(m, random, x),
        }
        .cast()
    }
    macro_rules! from {
        ($from:ident) => {{
            macro_rules! to {
                ($to:ident) => {
                    one::<$from, $to>(m, by, scale, x)
                };
            }
            of!(to, to)
        }};
    }
    of!(from, from)
}
