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
    /// As a truth value.
    Predicate,
}

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Its type in `ptxf_core::format`.
    pub rust: &'static str,
    /// Width of the exponent field.
    pub exponent_bits: u32,
    /// Width of the fraction field.
    pub fraction_bits: u32,
    /// The NaN that the documentation's `nan` stands for.
    pub nan: u64,
}

/// Every type of the table: scalars before their pairs, then integers, then the predicate.
pub static TYPES: &[Type] = &[
    F16,
    BF16,
    F32,
    F64,
    pair("f16x2", "F16x2", F16),
    pair("bf16x2", "Bf16x2", BF16),
    pair("f32x2", "F32x2", F32),
    integer("u32", "U32", false),
    integer("s32", "S32", true),
    PREDICATE,
];

const F16: Type =
    float("f16", "F16", "F16", Format { rust: "Binary16", exponent_bits: 5, fraction_bits: 10, nan: 0x7FFF });
const BF16: Type =
    float("bf16", "Bf16", "Bf16", Format { rust: "BFloat16", exponent_bits: 8, fraction_bits: 7, nan: 0x7FFF });
const F32: Type =
    float("f32", "f32", "F32", Format { rust: "Binary32", exponent_bits: 8, fraction_bits: 23, nan: 0x7FFF_FFFF });
const F64: Type = float(
    "f64",
    "f64",
    "F64",
    Format { rust: "Binary64", exponent_bits: 11, fraction_bits: 52, nan: 0xFFF8_0000_0000_0000 },
);

/// The type of a predicate, which PTX declares as `.pred` and no spelling names.
pub const PREDICATE: Type =
    Type { ptx: "pred", rust: "bool", variant: "Pred", lane: "pred", lane_bits: 1, lanes: 1, kind: Kind::Predicate };

const fn float(ptx: &'static str, rust: &'static str, variant: &'static str, format: Format) -> Type {
    let lane_bits = 1 + format.exponent_bits + format.fraction_bits;
    Type { ptx, rust, variant, lane: ptx, lane_bits, lanes: 1, kind: Kind::Float(format) }
}

/// Two lanes of a scalar type.
const fn pair(ptx: &'static str, rust: &'static str, lane: Type) -> Type {
    Type { ptx, rust, variant: rust, lanes: 2, ..lane }
}

/// An integer of 32 bits.
const fn integer(ptx: &'static str, variant: &'static str, signed: bool) -> Type {
    let rust = if signed { "i32" } else { "u32" };
    Type { ptx, rust, variant, lane: ptx, lane_bits: 32, lanes: 1, kind: Kind::Integer { signed } }
}

/// The type that PTX spells `.name`.
pub fn ty(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|t| t.ptx == name)
}

impl Type {
    /// Width of the register in bits.
    pub fn bits(&self) -> u32 {
        self.lane_bits * self.lanes
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
        self.format().is_some() && !matches!(self.rust, "f32" | "f64")
    }
}
