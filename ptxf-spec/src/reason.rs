//! Reasons why PTX does not have an expected form, and the form to write instead.

use crate::modifier::{Group, Modifier};
use crate::types::{Kind, Type};

/// Returns the reason why no form of the instruction on these types has the modifier.
pub(crate) fn no_modifier(instruction: &str, m: &Modifier, types: &[&'static Type]) -> Option<String> {
    match (m.group, instruction, types) {
        (Group::Comparison, ..) => no_comparison(m, types.last()?),
        (Group::Rounding, "add" | "sub" | "mul" | "fma", [t]) if is_half(t) && ["rz", "rm", "rp"].contains(&m.ptx) => {
            // The assembler reads the operands of `fma.rz.bf16` as f16, and rounds the form of
            // pairs to nearest.
            let taken = match (instruction, t.lane) {
                ("fma", "bf16") => ", and NVIDIA's assembler compiles other roundings to something else",
                _ => "",
            };
            Some(format!("16-bit floats round to nearest only{taken}: write `.rn`"))
        }
        (Group::Rounding, "cvt", [to, from]) => no_rounding(m, to, from),
        (Group::Zero, ..) => Some("a zero keeps its sign: leave it out".to_owned()),
        (Group::Range, "cvt", [to, _]) if to.kind == Kind::Power && m.ptx == "relu" => {
            Some("no number of the type is negative: leave it out".to_owned())
        }
        _ => None,
    }
}

/// Returns the reason why `cvt` does not have this rounding between these types.
fn no_rounding(m: &Modifier, to: &Type, from: &Type) -> Option<String> {
    let integral = m.ptx.strip_suffix('i').unwrap_or(m.ptx);
    let is_integer = |t: &Type| matches!(t.kind, Kind::Integer { .. });
    Some(match (to.format(), from.format()) {
        _ if m.ptx == "rs" => match to.lanes {
            2 => format!("random bits round four lanes at once: write `.{}x4`, or `.rn`", to.lane),
            _ => return None,
        },
        _ if to.lanes == 4 => {
            format!("only random bits round four lanes: write `.rs`, or `.rn` with `.{}x2`", to.lane)
        }
        (None, Some(_)) if is_integer(to) && ["rn", "rz", "rm", "rp"].contains(&m.ptx) => {
            format!("an integer has its own roundings: write `.{}i`", m.ptx)
        }
        _ if integral != m.ptx && !is_integer(to) => format!("it rounds to an integer: write `.{integral}`"),
        (Some(wide), Some(narrow))
            if to.lane != from.lane
                && wide.exponent_bits >= narrow.exponent_bits
                && wide.fraction_bits >= narrow.fraction_bits =>
        {
            let write = if to.lanes == 1 { "leave it out" } else { "write `.rn`" };
            format!("every number in .{} is one in .{}, and nothing is rounded: {write}", from.lane, to.lane)
        }
        _ if to.kind == Kind::Power => {
            "the power of two is below or above the magnitude: write `.rz` or `.rp`".to_owned()
        }
        _ if to.lane_bits <= 8 && !is_integer(to) => {
            format!(".{} is rounded to nearest or toward zero: write `.rn` or `.rz`", to.lane)
        }
        _ => return None,
    })
}

fn is_half(t: &Type) -> bool {
    t.lane_bits == 16 && matches!(t.kind, Kind::Float(_))
}

/// Returns the reason why the type does not have this comparison.
fn no_comparison(m: &Modifier, compared: &Type) -> Option<String> {
    let unsigned = ["lo", "ls", "hi", "hs"].iter().zip(["lt", "le", "gt", "ge"]).find(|(name, _)| **name == m.ptx);
    Some(match (unsigned, compared.kind) {
        (Some((_, same)), Kind::Float(_)) => {
            format!("it compares unsigned integers: for floats write `.{same}`, or `.{same}u`, which is true for a NaN")
        }
        (Some((_, same)), Kind::Integer { .. }) => {
            format!("it compares unsigned integers: for signed integers write `.{same}`")
        }
        (_, Kind::Bits) => format!("`.{}` has no order: write `.eq` or `.ne`, or a type of integers", compared.ptx),
        (None, Kind::Integer { .. }) => match m.ptx {
            "num" | "nan" => "it tests for NaNs, which only floats have".to_owned(),
            with_nan => {
                format!("it tests for NaNs, which only floats have: write `.{}`", with_nan.trim_end_matches('u'))
            }
        },
        _ => return None,
    })
}

/// Returns the reason why the instruction does not have these types. `operators` are those of the
/// spelling, with their dots.
pub(crate) fn no_types(instruction: &str, operators: &str, types: &[&'static Type]) -> Option<String> {
    let half = |t: &Type| is_half(t);
    let narrow = |t: &Type| t.lanes > 1 && t.lane_bits <= 8;
    let names: Vec<_> = types.iter().map(|t| t.ptx).collect();
    Some(match (instruction, &names[..], types) {
        ("selp", _, [t, ..]) if half(t) => {
            "16-bit floats are selected as bits: write `selp.b16` or `selp.b32`".to_owned()
        }
        ("slct", _, [t, ..]) if half(t) => {
            format!("16-bit floats are selected as bits: write `slct.b{}.f32`", t.bits())
        }
        ("slct", [_, _], _) => "the operand that selects is an f32 or an s32".to_owned(),
        ("set", ["f32", _], [_, of]) if half(of) => {
            format!(
                "a comparison of 16-bit floats gives a 16-bit float or an integer: write `set{operators}.{0}.{0}` or `set{operators}.u32.{0}`",
                of.ptx
            )
        }
        ("set", ["f64", rest @ ..], _) => {
            let of = rest.first().unwrap_or(&"f64");
            format!("no comparison gives an f64: write `set{operators}.f32.{of}` or `set{operators}.u32.{of}`")
        }
        ("mul", ["f32", narrow], [_, t]) if half(t) && t.lanes == 1 => {
            format!("mixed precision has no `mul`: write `fma.rn.f32.{narrow} d, a, b, c` with `c` −0")
        }
        ("add" | "sub" | "mul" | "fma", _, [t, ..]) if narrow(t) && t.lanes == 4 => {
            let factors = if matches!(instruction, "mul" | "fma") { ".e4m3x4.e4m3x4" } else { ".e4m3x4" };
            format!(
                "a result in four lanes is `.e4m3x4` or `.e5m2x4`, and is followed by the types of `a` and of a second factor: write `{instruction}.rn.e4m3x4{factors}`"
            )
        }
        ("add" | "sub" | "mul" | "fma", _, [t, ..]) if narrow(t) => {
            format!("there is no arithmetic on it: convert to 16-bit floats first, `cvt.rn.f16x2.{}x2`", t.lane)
        }
        ("cvt", [to, from], [t, f]) if t.lanes == 1 && narrow(f) && f.kind != Kind::Power => {
            format!("lanes become a pair: write `cvt.rn.f16x2.{from}`, and `cvt.{to}.f16` of each")
        }
        ("cvt", [to, "f64"], [t, _]) if narrow(t) => {
            format!(
                "conversions to it are from f32 or from 16-bit floats: write `cvt.rn.f32.f64`, and `cvt` to `.{to}`, which round twice"
            )
        }
        ("cvt", [to, from], [t, f]) if narrow(t) && half(f) && f.lanes == 1 => {
            format!("16-bit floats are converted in pairs: write `.{to}.{from}x2`")
        }
        ("cvt", [_, _], [t, f]) if [t, f].iter().all(|t| matches!(t.kind, Kind::Integer { .. })) => {
            "a conversion between integers is not a floating-point instruction: write Rust's `as`".to_owned()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
