//! The types that stand in a spelling, and predicates: every fact about one of them, once.

/// What a register of a type holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// The Rust type of a register.
    pub rust: &'static str,
    /// Its variant of `ptxf_core::spec::Type`.
    pub variant: &'static str,
    /// The type of a lane, as PTX spells it.
    pub lane: &'static str,
    /// Width of a lane in bits.
    pub lane_bits: u32,
    /// Distance between lanes in bits: a lane may be narrower than its place in the register.
    pub stride: u32,
    /// Number of lanes.
    pub lanes: u32,
    /// How a lane is read.
    pub kind: Kind,
}

/// How the bits of a lane are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// As a floating-point number.
    Float(Format),
    /// As an integer, of which a negative one is in two's complement if it is signed.
    Integer {
        /// Whether it has negative values.
        signed: bool,
    },
    /// As the exponent of a power of two, plus 127; all ones is a NaN.
    Power,
    /// As a number in two's complement.
    Fixed {
        /// Its binary places behind the point.
        places: u32,
    },
    /// As bits without a value.
    Bits,
    /// As a truth value.
    Predicate,
}

/// A floating-point format: a sign, an exponent, a fraction, and zeros below them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Its type in `ptxf_core::format`.
    pub rust: &'static str,
    /// Width of the exponent field.
    pub exponent_bits: u32,
    /// Width of the fraction field.
    pub fraction_bits: u32,
    /// Number of bits below the fraction, which are zero.
    pub padding: u32,
    /// The largest finite number.
    pub largest: u64,
    /// The positive infinity, if there is one.
    pub infinity: Option<u64>,
    /// The NaN that the documentation's `nan` stands for, if there is one.
    pub nan: Option<u64>,
}

/// Every type of the table: scalars before their pairs, then integers, bits, and predicates.
pub static TYPES: &[Type] = &[
    F16,
    BF16,
    F32,
    F64,
    float("tf32", "Tf32", "Tf32", TF32),
    packed("f16x2", "F16x2", 2, F16),
    packed("bf16x2", "Bf16x2", 2, BF16),
    packed("f32x2", "F32x2", 2, F32),
    packed("e4m3x2", "E4m3x2", 2, E4M3),
    packed("e5m2x2", "E5m2x2", 2, E5M2),
    packed("e2m3x2", "E2m3x2", 2, E2M3),
    packed("e3m2x2", "E3m2x2", 2, E3M2),
    packed("e2m1x2", "E2m1x2", 2, E2M1),
    packed("ue8m0x2", "Ue8m0x2", 2, UE8M0),
    packed("s2f6x2", "S2f6x2", 2, S2F6),
    packed("e4m3x4", "E4m3x4", 4, E4M3),
    packed("e5m2x4", "E5m2x4", 4, E5M2),
    packed("e2m3x4", "E2m3x4", 4, E2M3),
    packed("e3m2x4", "E3m2x4", 4, E3M2),
    packed("e2m1x4", "E2m1x4", 4, E2M1),
    integer("u8", "u8", "U8", 8),
    integer("u16", "u16", "U16", 16),
    integer("u32", "u32", "U32", 32),
    integer("u64", "u64", "U64", 64),
    integer("s8", "i8", "S8", 8),
    integer("s16", "i16", "S16", 16),
    integer("s32", "i32", "S32", 32),
    integer("s64", "i64", "S64", 64),
    bits("b16", "u16", "B16", 16),
    bits("b32", "u32", "B32", 32),
    bits("b64", "u64", "B64", 64),
    PREDICATE,
    PREDICATES,
];

const F16: Type = float("f16", "F16", "F16", ieee("Binary16", 5, 10, 0x7FFF));
const BF16: Type = float("bf16", "Bf16", "Bf16", ieee("BFloat16", 8, 7, 0x7FFF));
const F32: Type = float("f32", "f32", "F32", ieee("Binary32", 8, 23, 0x7FFF_FFFF));
const F64: Type = float("f64", "f64", "F64", ieee("Binary64", 11, 52, 0xFFF8_0000_0000_0000));

const TF32: Format = {
    // The upper 19 bits of an f32.
    let f32 = ieee("TensorFloat32", 8, 10, 0x3FFFF);
    Format { padding: 13, largest: f32.largest << 13, infinity: Some(0x7F80_0000), nan: Some(0x7FFF_E000), ..f32 }
};
const E5M2: Type = float("e5m2", "E5m2", "E5m2", ieee("Float8E5M2", 5, 2, 0x7F));
const E4M3: Type = float("e4m3", "E4m3", "E4m3", Format { nan: Some(0x7F), ..finite("Float8E4M3", 4, 3, 0x7E) });
const E2M3: Type = Type { stride: 8, ..float("e2m3", "E2m3", "E2m3", finite("Float6E2M3", 2, 3, 0x1F)) };
const E3M2: Type = Type { stride: 8, ..float("e3m2", "E3m2", "E3m2", finite("Float6E3M2", 3, 2, 0x1F)) };
const E2M1: Type = float("e2m1", "E2m1", "E2m1", finite("Float4E2M1", 2, 1, 0x7));
const UE8M0: Type = scalar("ue8m0", "Ue8m0", "Ue8m0", 8, Kind::Power);
const S2F6: Type = scalar("s2f6", "S2f6", "S2f6", 8, Kind::Fixed { places: 6 });

/// The type of a predicate, which PTX declares as `.pred` and no spelling names.
pub const PREDICATE: Type = Type {
    ptx: "pred",
    rust: "bool",
    variant: "Pred",
    lane: "pred",
    lane_bits: 1,
    stride: 1,
    lanes: 1,
    kind: Kind::Predicate,
};

/// The two predicates `p|q` that some instructions write, the first of them in bit 0.
pub const PREDICATES: Type = Type { ptx: "pred|pred", rust: "(bool, bool)", variant: "Preds", lanes: 2, ..PREDICATE };

/// A format whose largest exponent stands for the infinities and NaNs.
const fn ieee(rust: &'static str, exponent_bits: u32, fraction_bits: u32, nan: u64) -> Format {
    let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    let (largest, infinity, nan) = (infinity - 1, Some(infinity), Some(nan));
    Format { rust, exponent_bits, fraction_bits, padding: 0, largest, infinity, nan }
}

/// A format in which the codes with the largest exponent are numbers too.
const fn finite(rust: &'static str, exponent_bits: u32, fraction_bits: u32, largest: u64) -> Format {
    Format { rust, exponent_bits, fraction_bits, padding: 0, largest, infinity: None, nan: None }
}

const fn float(ptx: &'static str, rust: &'static str, variant: &'static str, format: Format) -> Type {
    let lane_bits = 1 + format.exponent_bits + format.fraction_bits + format.padding;
    scalar(ptx, rust, variant, lane_bits, Kind::Float(format))
}

const fn scalar(ptx: &'static str, rust: &'static str, variant: &'static str, lane_bits: u32, kind: Kind) -> Type {
    Type { ptx, rust, variant, lane: ptx, lane_bits, stride: lane_bits, lanes: 1, kind }
}

/// Lanes of a scalar type.
const fn packed(ptx: &'static str, rust: &'static str, lanes: u32, lane: Type) -> Type {
    Type { ptx, rust, variant: rust, lanes, ..lane }
}

/// An integer, signed if Rust's type begins with an `i`.
const fn integer(ptx: &'static str, rust: &'static str, variant: &'static str, width: u32) -> Type {
    scalar(ptx, rust, variant, width, Kind::Integer { signed: rust.as_bytes()[0] == b'i' })
}

const fn bits(ptx: &'static str, rust: &'static str, variant: &'static str, width: u32) -> Type {
    scalar(ptx, rust, variant, width, Kind::Bits)
}

/// The type that PTX spells `.name`.
pub fn ty(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|t| t.ptx == name)
}

/// What PTX calls the types that stand in a spelling.
pub fn names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().filter(|t| t.is_spelled()).map(|t| t.ptx)
}

impl Type {
    /// Width of the register in bits.
    pub fn bits(&self) -> u32 {
        self.stride * self.lanes
    }

    /// Whether it stands in a spelling, as all types but predicates do.
    pub fn is_spelled(&self) -> bool {
        self.kind != Kind::Predicate
    }

    /// The format of a lane, if it is a floating-point number.
    pub fn format(&self) -> Option<&Format> {
        match &self.kind {
            Kind::Float(format) => Some(format),
            _ => None,
        }
    }

    /// Whether the Rust type is one of the library's own, which has methods.
    pub fn has_methods(&self) -> bool {
        self.rust.starts_with(|c: char| c.is_ascii_uppercase())
    }
}
