//! The types of spellings, and predicates, with all facts about each.

/// A type of registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// PTX's spelling, without the dot.
    pub ptx: &'static str,
    /// The Rust type of a register.
    pub rust: &'static str,
    /// The variant of `ptxf_core::spec::Type`.
    pub variant: &'static str,
    /// PTX's spelling of the type of a lane.
    pub lane: &'static str,
    /// Width of a lane in bits.
    pub lane_bits: u32,
    /// Stride of lanes in bits, which may be larger than a lane.
    pub stride: u32,
    /// Number of lanes.
    pub lanes: u32,
    /// The kind of a lane.
    pub kind: Kind,
}

/// An interpretation of the bits of a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A floating-point number.
    Float(Format),
    /// An integer, in two's complement if it is signed.
    Integer {
        /// `true` if negative values exist.
        signed: bool,
    },
    /// The exponent of a power of two, plus 127. All ones is a NaN.
    Power,
    /// A fixed-point number in two's complement.
    Fixed {
        /// The number of fraction bits.
        places: u32,
    },
    /// Bits without a value.
    Bits,
    /// A truth value.
    Predicate,
}

/// A floating-point format: a sign or none, an exponent, a fraction, and zeros below the fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// The type in `ptxf_core::format`.
    pub rust: &'static str,
    /// `true` if there is a sign.
    pub signed: bool,
    /// Width of the exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the fraction field in bits.
    pub fraction_bits: u32,
    /// Number of bits below the fraction, which are zero.
    pub padding: u32,
    /// The largest finite number.
    pub largest: u64,
    /// The positive infinity, if there is one.
    pub infinity: Option<u64>,
    /// The bits of `nan` in the documentation; `None` if the format has no NaN.
    pub nan: Option<u64>,
}

/// The types of the table: scalars before their pairs, then integers, bits, and predicates.
pub static TYPES: &[Type] = &[
    F16,
    BF16,
    F32,
    F64,
    float("tf32", "Tf32", "Tf32", TF32),
    UE8M0,
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
    packed("ue5m3x2", "Ue5m3x2", 2, UE5M3),
    packed("e4m3x4", "E4m3x4", 4, E4M3),
    packed("e5m2x4", "E5m2x4", 4, E5M2),
    packed("e2m3x4", "E2m3x4", 4, E2M3),
    packed("e3m2x4", "E3m2x4", 4, E3M2),
    packed("e2m1x4", "E2m1x4", 4, E2M1),
    packed("e2m1p4x4", "E2m1p4x4", 4, Type { stride: 8, ..E2M1 }),
    packed("ue8m0x4", "Ue8m0x4", 4, UE8M0),
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
const UE5M3: Type = {
    let format = Format { signed: false, nan: Some(0xFF), ..finite("Float8UE5M3", 5, 3, 0xFE) };
    float("ue5m3", "Ue5m3", "Ue5m3", format)
};
const E2M1: Type = float("e2m1", "E2m1", "E2m1", finite("Float4E2M1", 2, 1, 0x7));
const UE8M0: Type = scalar("ue8m0", "Ue8m0", "Ue8m0", 8, Kind::Power);
const S2F6: Type = scalar("s2f6", "S2f6", "S2f6", 8, Kind::Fixed { places: 6 });

/// The type of a predicate. PTX declares it as `.pred`, and no spelling contains it.
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

/// The two predicates `p|q` of some instructions. The first one is bit 0.
pub const PREDICATES: Type = Type { ptx: "pred|pred", rust: "(bool, bool)", variant: "Preds", lanes: 2, ..PREDICATE };

/// Returns a format whose largest exponent encodes infinities and NaNs.
const fn ieee(rust: &'static str, exponent_bits: u32, fraction_bits: u32, nan: u64) -> Format {
    let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    let (largest, infinity, nan) = (infinity - 1, Some(infinity), Some(nan));
    Format { rust, signed: true, exponent_bits, fraction_bits, padding: 0, largest, infinity, nan }
}

/// Returns a format in which codes with the largest exponent are numbers.
const fn finite(rust: &'static str, exponent_bits: u32, fraction_bits: u32, largest: u64) -> Format {
    Format { rust, signed: true, exponent_bits, fraction_bits, padding: 0, largest, infinity: None, nan: None }
}

const fn float(ptx: &'static str, rust: &'static str, variant: &'static str, format: Format) -> Type {
    let lane_bits = format.signed as u32 + format.exponent_bits + format.fraction_bits + format.padding;
    scalar(ptx, rust, variant, lane_bits, Kind::Float(format))
}

const fn scalar(ptx: &'static str, rust: &'static str, variant: &'static str, lane_bits: u32, kind: Kind) -> Type {
    Type { ptx, rust, variant, lane: ptx, lane_bits, stride: lane_bits, lanes: 1, kind }
}

/// Returns the type of several lanes of a scalar type.
const fn packed(ptx: &'static str, rust: &'static str, lanes: u32, lane: Type) -> Type {
    Type { ptx, rust, variant: rust, lanes, ..lane }
}

/// Returns an integer type, signed if Rust's type begins with `i`.
const fn integer(ptx: &'static str, rust: &'static str, variant: &'static str, width: u32) -> Type {
    scalar(ptx, rust, variant, width, Kind::Integer { signed: rust.as_bytes()[0] == b'i' })
}

const fn bits(ptx: &'static str, rust: &'static str, variant: &'static str, width: u32) -> Type {
    scalar(ptx, rust, variant, width, Kind::Bits)
}

/// Returns the type that PTX spells `.name`.
pub fn ty(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|t| t.ptx == name)
}

/// Returns PTX's names of the types that occur in spellings.
pub fn names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().filter(|t| t.is_spelled()).map(|t| t.ptx)
}

impl Type {
    /// Returns the width of the register in bits.
    pub fn bits(&self) -> u32 {
        self.stride * self.lanes
    }

    /// Returns `true` if the type occurs in spellings. Only predicates do not.
    pub fn is_spelled(&self) -> bool {
        self.kind != Kind::Predicate
    }

    /// Returns the format of a lane; `None` if it is not a floating-point number.
    pub fn format(&self) -> Option<&Format> {
        match &self.kind {
            Kind::Float(format) => Some(format),
            _ => None,
        }
    }

    /// Returns `true` if the Rust type is the library's own, and has methods.
    pub fn has_methods(&self) -> bool {
        self.rust.starts_with(|c: char| c.is_ascii_uppercase())
    }
}
