//! Why PTX does not have what one might expect, and what to write instead.

use crate::modifier::{Group, Modifier};
use crate::types::{Kind, Type};

/// Why no form of the instruction on these types has the modifier.
pub(crate) fn no_modifier(m: &Modifier, types: &[&'static Type]) -> Option<String> {
    let compared = types.last()?;
    if m.group != Group::Comparison {
        return None;
    }
    let unsigned = ["lo", "ls", "hi", "hs"].iter().zip(["lt", "le", "gt", "ge"]).find(|(name, _)| **name == m.ptx);
    Some(match (unsigned, compared.kind) {
        (Some((_, same)), Kind::Float(_)) => {
            format!("it compares unsigned integers: of floats write `.{same}`, or `.{same}u`, which a NaN fulfils")
        }
        (Some((_, same)), Kind::Integer { .. }) => {
            format!("it compares unsigned integers: of signed ones write `.{same}`")
        }
        (_, Kind::Bits) => format!("`.{}` has no order: write `.eq` or `.ne`, or a type of integers", compared.ptx),
        (None, Kind::Integer { .. }) => match m.ptx {
            "num" | "nan" => "it asks for NaNs, which only floats have".to_owned(),
            with_nan => {
                format!("it asks for NaNs, which only floats have: write `.{}`", with_nan.trim_end_matches('u'))
            }
        },
        _ => return None,
    })
}

/// Why the instruction does not exist with these types; `operators` are those of the spelling, with their dots.
pub(crate) fn no_types(instruction: &str, operators: &str, types: &[&'static Type]) -> Option<String> {
    let half = |t: &Type| t.lane_bits == 16 && matches!(t.kind, Kind::Float(_));
    let names: Vec<_> = types.iter().map(|t| t.ptx).collect();
    Some(match (instruction, &names[..], types) {
        ("selp", _, [t, ..]) if half(t) => "halves are selected as bits, by `selp.b16` and `selp.b32`".to_owned(),
        ("slct", _, [t, ..]) if half(t) => {
            format!("halves are selected as bits: write `slct.b{}.f32`", t.bits())
        }
        ("slct", [_, _], _) => "the operand that selects is an f32 or an s32".to_owned(),
        ("set", ["f32", _], [_, of]) if half(of) => {
            format!(
                "a comparison of halves writes a half or an integer: write `set{operators}.{0}.{0}` or `set{operators}.u32.{0}`",
                of.ptx
            )
        }
        ("set", ["f64", rest @ ..], _) => {
            let of = rest.first().unwrap_or(&"f64");
            format!("no comparison writes an f64: write `set{operators}.f32.{of}` or `set{operators}.u32.{of}`")
        }
        ("mul", ["f32", narrow], [_, t]) if half(t) && t.lanes == 1 => {
            format!("mixed precision has no `mul`: write `fma.rn.f32.{narrow} d, a, b, c` with `c` −0")
        }
        _ => return None,
    })
}
