//! What `ptxf run` passes to an entry: `u32:7`, `f32:1.5`, `buf:IN.bin>OUT.bin`, `zero:1024>OUT.bin`.

use std::path::PathBuf;

use ptxf::spec::Type;
use ptxf_vm::Arg;

use crate::operand::{self, excerpt};

/// An argument as given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A number.
    Scalar(Arg),
    /// A buffer: what it begins with, and where its bytes go in the end.
    Buffer { from: Source, to: Option<PathBuf> },
}

/// What a buffer begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    /// So many zeros.
    Zeros(usize),
}

/// The most that `zero:` takes.
const MOST: usize = 1 << 40;

/// Types by their names.
const TYPES: [(&str, Type); 15] = [
    ("u8", Type::U8),
    ("u16", Type::U16),
    ("u32", Type::U32),
    ("u64", Type::U64),
    ("s8", Type::S8),
    ("s16", Type::S16),
    ("s32", Type::S32),
    ("s64", Type::S64),
    ("b16", Type::B16),
    ("b32", Type::B32),
    ("b64", Type::B64),
    ("f16", Type::F16),
    ("bf16", Type::Bf16),
    ("f32", Type::F32),
    ("f64", Type::F64),
];

/// Reads an argument; a note if its value was rounded.
pub(crate) fn read(text: &str) -> Result<(Argument, Vec<String>), String> {
    let shown = excerpt(text);
    let Some((kind, rest)) = text.split_once(':') else {
        return Err(format!(
            "{shown} is no argument: write a type or `buf` or `zero` in front of it, such as u32:{text}"
        ));
    };
    let (from, to) = match rest.split_once('>') {
        Some((_, "")) => return Err(format!("{shown}: the name of a file is expected behind `>`")),
        Some((from, to)) => (from, Some(PathBuf::from(to))),
        None => (rest, None),
    };
    let source = match kind {
        "buf" if from.is_empty() => return Err(format!("{shown}: the name of a file is expected behind `buf:`")),
        "buf" => Source::File(from.into()),
        "zero" => match from.parse() {
            Ok(bytes) if bytes <= MOST => Source::Zeros(bytes),
            _ => return Err(format!("{shown}: a number of bytes is expected behind `zero:`")),
        },
        _ => return scalar(kind, rest).map_err(|why| format!("{shown}: {why}")),
    };
    Ok((Argument::Buffer { from: source, to }, Vec::new()))
}

fn scalar(kind: &str, text: &str) -> Result<(Argument, Vec<String>), String> {
    let Some(&(_, ty)) = TYPES.iter().find(|(name, _)| *name == kind) else {
        let names = TYPES.map(|(name, _)| name).join(", ");
        return Err(format!("{} is no type: such are {names}, buf, zero", excerpt(kind)));
    };
    let bytes = (ty.bits() / 8) as u8;
    if matches!(ty, Type::F16 | Type::Bf16 | Type::F32 | Type::F64) {
        let operand = operand::parse(text, ty)?;
        return Ok((Argument::Scalar(Arg::Float(operand.bits, bytes)), operand.notes));
    }
    // Of an integer fewer digits than it has are enough, since it is no register's contents.
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let bits = match hexadecimal.map(|digits| u64::from_str_radix(&digits.replace('_', ""), 16)) {
        Some(Ok(bits)) if bits <= u64::MAX >> (64 - ty.bits()) => bits,
        Some(_) => return Err(format!("it is not a hexadecimal number of at most {} bits", ty.bits())),
        None => operand::parse(text, ty)?.bits,
    };
    Ok((Argument::Scalar(Arg::Integer(bits, bytes)), Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_buffers_are_told_apart() {
        let file = |name: &str| Some(PathBuf::from(name));
        for (text, expected) in [
            ("u32:7", Argument::Scalar(Arg::from(7_u32))),
            ("u64:0x10", Argument::Scalar(Arg::from(16_u64))),
            ("s16:-2", Argument::Scalar(Arg::from(-2_i16))),
            ("b16:0x3c00", Argument::Scalar(Arg::from(0x3c00_u16))),
            ("f32:1.5", Argument::Scalar(Arg::from(1.5_f32))),
            ("f32:0x3fc00000", Argument::Scalar(Arg::from(1.5_f32))),
            ("f64:-inf", Argument::Scalar(Arg::from(f64::NEG_INFINITY))),
            ("f16:1.5", Argument::Scalar(Arg::Float(0x3e00, 2))),
            ("buf:a.bin", Argument::Buffer { from: Source::File("a.bin".into()), to: None }),
            ("buf:a:b>c", Argument::Buffer { from: Source::File("a:b".into()), to: file("c") }),
            ("zero:64", Argument::Buffer { from: Source::Zeros(64), to: None }),
            ("zero:64>o.bin", Argument::Buffer { from: Source::Zeros(64), to: file("o.bin") }),
        ] {
            assert_eq!(read(text).unwrap(), (expected, Vec::new()), "{text}");
        }
        assert!(read("f16:0.1").unwrap().1[0].contains("rounded"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, what) in [
            ("7", "write a type or `buf` or `zero` in front of it, such as u32:7"),
            ("i32:7", "i32 is no type: such are u8"),
            ("u8:256", "256"),
            ("u8:0x100", "at most 8 bits"),
            ("u32:x", "not an integer"),
            ("f32:1,2", "2 lanes"),
            ("buf:", "the name of a file"),
            ("buf:a>", "the name of a file is expected behind `>`"),
            ("zero:-1", "a number of bytes"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
