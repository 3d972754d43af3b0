//! An argument of an entry: `u32:7`, `f32:1.5`, `buf:IN.npy>OUT.npy`, `zero:f32:256`,
//! `rand:f32:64:1`, `range:u32:64`, `tex.linear:buf:IN.npy`.

use std::path::{Path, PathBuf};

use ptxf::spec::Type;
use ptxf_vm::Arg;

use crate::lane::Lane;
use crate::operand::{self, excerpt};
use crate::texture::Sampled;

/// An argument as the command line has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A number.
    Scalar(Arg),
    /// A buffer with its first contents, and the file for its last contents, if they are kept.
    Buffer { from: Source, to: Option<PathBuf> },
    /// A texture.
    Texture(Sampled),
}

impl Argument {
    /// Returns the first contents of a buffer or texture.
    pub(crate) const fn source(&self) -> Option<&Source> {
        match self {
            Self::Scalar(_) => None,
            Self::Buffer { from, .. } => Some(from),
            Self::Texture(texture) => Some(&texture.from),
        }
    }
}

/// The first contents of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// The bytes of a file, with the type of its elements if the argument gives one.
    File { path: PathBuf, ty: Option<Type> },
    /// Zeros.
    Zeros { ty: Type, count: usize },
    /// Numbers that the seed determines, uniform between two limits.
    Random { ty: Type, count: usize, seed: u64, between: Option<[f64; 2]> },
    /// 0, 1, 2 and so on.
    Range { ty: Type, count: usize },
}

/// Returns `true` if the name of a file stands for standard input or standard output.
pub(crate) fn is_stream(file: &Path) -> bool {
    file == Path::new("-")
}

/// The largest buffer that is made, in bytes.
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

/// Reads an argument. Returns a note if its value was rounded.
pub(crate) fn read(text: &str) -> Result<(Argument, Vec<String>), String> {
    let shown = excerpt(text);
    let Some((kind, rest)) = text.split_once(':') else {
        return Err(format!("{shown} lacks a type: write u32:{text} for a number, buf:{text} for a file"));
    };
    if kind.split('.').next() == Some("tex") {
        let texture = Sampled::read(kind, rest).map_err(|why| format!("{shown}: {why}"))?;
        return Ok((Argument::Texture(texture), Vec::new()));
    }
    let (from, to) = match rest.split_once('>') {
        Some((_, "")) => return Err(format!("{shown}: write the name of a file after `>`")),
        Some((_, to)) if to.to_lowercase().ends_with(".npz") => {
            return Err(format!("{shown}: arrays are written as .npy files, not as .npz: write such a name after `>`"));
        }
        Some((from, to)) => (from, Some(PathBuf::from(to))),
        None => (rest, None),
    };
    let source = match kind {
        "buf" => file(from),
        "zero" | "rand" | "range" => made(kind, from),
        _ => return scalar(kind, rest).map_err(|why| format!("{shown}: {why}")),
    };
    Ok((Argument::Buffer { from: source.map_err(|why| format!("{shown}: {why}"))?, to }, Vec::new()))
}

/// Reads `[TYPE:]FILE` of `buf`.
fn file(text: &str) -> Result<Source, String> {
    let typed = text.split_once(':').and_then(|(ty, path)| Some((find(ty)?, path)));
    let (ty, path) = typed.map_or((None, text), |(ty, path)| (Some(ty), path));
    if path.is_empty() {
        return Err("write the name of a file after `buf:`, or `-` for standard input".to_owned());
    }
    Ok(Source::File { path: path.into(), ty })
}

/// Finds the type of this name.
fn find(name: &str) -> Option<Type> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
}

/// Returns the type of this name. The error also lists `others`.
fn named(name: &str, others: &str) -> Result<Type, String> {
    let names = TYPES.map(|(name, _)| name).join(", ");
    find(name).ok_or_else(|| format!("{} is no type: the types are {names}{others}", excerpt(name)))
}

/// Reads `[TYPE:]COUNT` of `zero`, `TYPE:COUNT:SEED[:LO:HI]` of `rand`, and `TYPE:COUNT` of
/// `range`.
fn made(kind: &str, text: &str) -> Result<Source, String> {
    let words: Vec<&str> = text.split(':').collect();
    let number = |word: &str, what: &str| {
        word.parse::<u64>().map_err(|_| format!("{} is no {what}: write a number such as 64", excerpt(word)))
    };
    let of = |ty: &str, count: &str| {
        let ty = named(ty, "")?;
        let count = number(count, "count")?;
        let fits = usize::try_from(count).ok().filter(|count| *count <= MOST / (ty.bits() / 8) as usize);
        Ok::<_, String>((ty, fits.ok_or_else(|| format!("{count} elements take more than {MOST} bytes"))?))
    };
    match (kind, words.as_slice()) {
        ("zero", [bytes]) => of("u8", bytes).map(|(ty, count)| Source::Zeros { ty, count }),
        ("zero", [ty, count]) => of(ty, count).map(|(ty, count)| Source::Zeros { ty, count }),
        ("range", [ty, count]) => of(ty, count).map(|(ty, count)| Source::Range { ty, count }),
        ("rand", [ty, count, seed, between @ ..]) => {
            let (ty, count) = of(ty, count)?;
            let limit = |word: &str| {
                let x: Option<f64> = word.parse().ok().filter(|x: &f64| x.is_finite());
                x.ok_or_else(|| format!("{} is no limit: write a finite number such as -1.5", excerpt(word)))
            };
            let between = match between {
                [] => None,
                [low, high] => Some([limit(low)?, limit(high)?]),
                _ => return Err("one limit lacks the other: write rand:TYPE:COUNT:SEED:LO:HI".to_owned()),
            };
            if let Some(outside) = between.into_iter().flatten().find(|x| !is_float(ty) && !holds(ty, *x)) {
                return Err(format!("{outside} is outside of .{ty}"));
            }
            if let Some([low, high]) = between.filter(|[low, high]| low > high) {
                return Err(format!("{low} is above {high}: write the lower limit first"));
            }
            Ok(Source::Random { ty, count, seed: number(seed, "seed")?, between })
        }
        ("zero", _) => Err("write zero:BYTES or zero:TYPE:COUNT".to_owned()),
        ("range", _) => Err("write range:TYPE:COUNT".to_owned()),
        _ => Err("write rand:TYPE:COUNT:SEED".to_owned()),
    }
}

impl Source {
    /// Returns the bytes of made contents and the type of their elements; `None` if a file has
    /// them.
    pub(crate) fn bytes(&self) -> Option<(Vec<u8>, Type)> {
        let (ty, values): (Type, Vec<u64>) = match *self {
            Self::File { .. } => return None,
            Self::Zeros { ty, count } => return Some((vec![0; count * (ty.bits() / 8) as usize], ty)),
            Self::Range { ty, count } => (ty, (0..count as u64).map(|i| rounded(ty, i as f64, i)).collect()),
            Self::Random { ty, count, seed, between } => {
                let mut state = seed;
                let mut next = || random(&mut state);
                let value = |bits: u64| {
                    let part = (bits >> 11) as f64 / (1_u64 << 53) as f64;
                    match (between, is_float(ty)) {
                        (Some([low, high]), true) => rounded(ty, low + part * (high - low), 0),
                        (None, true) => rounded(ty, part, 0),
                        // Both limits are included.
                        (Some([low, high]), false) => {
                            let x = (low + part * (high - low + 1.0)).floor().min(high);
                            if x < 0.0 { (x as i64).cast_unsigned() } else { x as u64 }
                        }
                        (None, false) => bits,
                    }
                };
                (ty, (0..count).map(|_| value(next())).collect())
            }
        };
        let bytes = (ty.bits() / 8) as usize;
        let all = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(bytes)).collect();
        Some((all, ty))
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
}

/// Returns `true` if `x` is in the range of an integer type.
fn holds(ty: Type, x: f64) -> bool {
    let bits = ty.bits().cast_signed();
    match ty {
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => (-2_f64.powi(bits - 1)..2_f64.powi(bits - 1)).contains(&x),
        _ => (0.0..2_f64.powi(bits)).contains(&x),
    }
}

/// Returns the bits of a number of this type, which is given in floating point and as an integer.
fn rounded(ty: Type, x: f64, integer: u64) -> u64 {
    if is_float(ty) { Lane::of(ty).round(x) } else { integer }
}

/// Returns the next number of the generator SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

fn scalar(kind: &str, text: &str) -> Result<(Argument, Vec<String>), String> {
    let ty = named(kind, ", buf, zero, rand, range, tex")?;
    let bytes = (ty.bits() / 8) as u8;
    if is_float(ty) {
        let operand = operand::parse(text, ty)?;
        return Ok((Argument::Scalar(Arg::Float(operand.bits, bytes)), operand.notes));
    }
    // An argument may have fewer hexadecimal digits than its type, unlike the contents of a
    // register.
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let bits = match hexadecimal.map(|digits| u64::from_str_radix(&digits.replace('_', ""), 16)) {
        Some(Ok(bits)) if bits <= u64::MAX >> (64 - ty.bits()) => bits,
        Some(_) => return Err(format!("that is no hexadecimal number of at most {} bits", ty.bits())),
        None => operand::parse(text, ty)?.bits,
    };
    Ok((Argument::Scalar(Arg::Integer(bits, bytes)), Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_buffers_are_distinguished() {
        let file = |name: &str| Some(PathBuf::from(name));
        let read_from = |path: &str, ty| Source::File { path: path.into(), ty };
        for (text, expected) in [
            ("u32:7", Argument::Scalar(Arg::from(7_u32))),
            ("u64:0x10", Argument::Scalar(Arg::from(16_u64))),
            ("s16:-2", Argument::Scalar(Arg::from(-2_i16))),
            ("b16:0x3c00", Argument::Scalar(Arg::from(0x3c00_u16))),
            ("f32:1.5", Argument::Scalar(Arg::from(1.5_f32))),
            ("f32:0x3fc00000", Argument::Scalar(Arg::from(1.5_f32))),
            ("f64:-inf", Argument::Scalar(Arg::from(f64::NEG_INFINITY))),
            ("f16:1.5", Argument::Scalar(Arg::Float(0x3e00, 2))),
            ("buf:a.bin", Argument::Buffer { from: read_from("a.bin", None), to: None }),
            ("buf:a:b>c", Argument::Buffer { from: read_from("a:b", None), to: file("c") }),
            ("buf:f32:a>-", Argument::Buffer { from: read_from("a", Some(Type::F32)), to: file("-") }),
            ("zero:64", Argument::Buffer { from: Source::Zeros { ty: Type::U8, count: 64 }, to: None }),
            (
                "zero:f32:8>y.npy",
                Argument::Buffer { from: Source::Zeros { ty: Type::F32, count: 8 }, to: file("y.npy") },
            ),
            ("range:u32:5", Argument::Buffer { from: Source::Range { ty: Type::U32, count: 5 }, to: None }),
            (
                "rand:f16:8:7:-1:1>o.npy",
                Argument::Buffer {
                    from: Source::Random { ty: Type::F16, count: 8, seed: 7, between: Some([-1.0, 1.0]) },
                    to: file("o.npy"),
                },
            ),
        ] {
            assert_eq!(read(text).unwrap(), (expected, Vec::new()), "{text}");
        }
        assert!(read("f16:0.1").unwrap().1[0].contains("rounded"));
    }

    #[test]
    fn a_wrong_argument_is_named() {
        for (text, what) in [
            ("7", "7 lacks a type: write u32:7"),
            ("tex.cubic:buf:a.npy", "cubic is no word about a texture: the words are point, linear"),
            ("tex:u32:7", "texels are a buffer that is not written"),
            ("tex:zero:f31:8", "the texels: zero:f31:8: f31 is no type"),
            ("i32:7", "i32 is no type: the types are u8"),
            ("u8:256", "256"),
            ("u8:0x100", "at most 8 bits"),
            ("u32:x", "not an integer"),
            ("f32:1,2", "2 lanes"),
            ("buf:", "write the name of a file after `buf:`"),
            ("buf:f32:", "write the name of a file after `buf:`"),
            ("buf:a>", "write the name of a file after `>`"),
            ("zero:f32:8>y.npz", "arrays are written as .npy files"),
            ("zero:-1", "-1 is no count"),
            ("zero:f31:8", "f31 is no type"),
            ("zero:f32:8:1", "write zero:BYTES or zero:TYPE:COUNT"),
            ("range:u32", "write range:TYPE:COUNT"),
            ("range:i32:4", "i32 is no type: the types are u8"),
            ("range:u32:x", "x is no count"),
            ("rand:f32:4", "write rand:TYPE:COUNT:SEED"),
            ("rand:f32:4:x", "x is no seed"),
            ("rand:f32:4:1:0", "write rand:TYPE:COUNT:SEED:LO:HI"),
            ("rand:f32:4:1:2:1", "2 is above 1"),
            ("rand:u8:4:1:-1:1", "-1 is outside of .u8"),
            ("rand:s8:4:1:0:128", "128 is outside of .s8"),
            ("rand:f64:999999999999999:1", "more than"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn made_numbers_are_within_their_limits_and_reproducible() {
        let bytes = |text: &str| match read(text).unwrap().0 {
            Argument::Buffer { from, .. } => from.bytes().unwrap(),
            _ => panic!("{text} is a buffer"),
        };
        assert_eq!(bytes("range:f16:3"), (vec![0, 0, 0, 0x3c, 0, 0x40], Type::F16));
        assert_eq!(bytes("range:s16:2"), (vec![0, 0, 1, 0], Type::S16));
        assert_eq!(bytes("rand:f32:64:1"), bytes("rand:f32:64:1"));
        assert_ne!(bytes("rand:f32:64:1"), bytes("rand:f32:64:2"));
        let floats: Vec<f32> =
            bytes("rand:f32:1000:1:-2:3").0.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        assert!(floats.iter().all(|x| (-2.0..=3.0).contains(x)) && floats.iter().any(|x| *x < -1.9));
        let small: Vec<i8> = bytes("rand:s8:1000:1:-2:3").0.into_iter().map(u8::cast_signed).collect();
        for x in -2..=3 {
            assert!(small.contains(&x), "{x}");
        }
        assert!(small.iter().all(|x| (-2..=3).contains(x)));
    }
}
