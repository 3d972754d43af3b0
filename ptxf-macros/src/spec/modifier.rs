//! The modifiers and types of PTX: every fact about one of them, once.

/// One modifier.
#[derive(Debug, PartialEq)]
pub(crate) struct Modifier {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// Position among the modifiers of a form; equal ranks exclude each other.
    pub rank: u8,
    /// What it asks for, for the documentation of every form that has it.
    pub sentence: &'static str,
    /// The field of `Modifiers` that it sets, or the `Property` it is; nothing if the row's meaning has it all.
    pub rust: &'static str,
}

/// The rank of what `testp` asks for.
pub(crate) const PROPERTY: u8 = 0;
/// The rank of the roundings and what stands in their place.
pub(crate) const ROUNDING: u8 = 1;

/// Every modifier, in rank order.
///
/// `.ftz`/`.oob`, `.sat`/`.relu`/`.NaN` share a rank: no form has two of them.
pub(crate) static MODIFIERS: &[Modifier] = &[
    property("finite", "Finite", "true if `a` is neither infinite nor NaN"),
    property("infinite", "Infinite", "true if `a` is +∞ or −∞"),
    property("number", "Number", "true if `a` is not a NaN"),
    property("notanumber", "NotANumber", "true if `a` is a NaN"),
    property("normal", "Normal", "true if `a` is a normal number or a zero"),
    property("subnormal", "Subnormal", "true if `a` is a subnormal number"),
    rounding("rn", "rounds to the nearest value, ties to even", "rnd: Round::Rn"),
    rounding("rz", "rounds toward zero", "rnd: Round::Rz"),
    rounding("rm", "rounds toward −∞", "rnd: Round::Rm"),
    rounding("rp", "rounds toward +∞", "rnd: Round::Rp"),
    rounding("approx", "a fast approximation on a GPU; on a CPU the default model", ""),
    rounding("full", "a full-range approximation on a GPU; on a CPU the default model", ""),
    Modifier {
        ptx: "ftz",
        rank: 2,
        sentence: "flushes subnormal inputs and results to zero of the same sign; a result counts as subnormal if it is tiny after rounding",
        rust: "ftz: true",
    },
    Modifier {
        ptx: "oob",
        rank: 2,
        sentence: "gives +0 in each lane where an operand is the out-of-bounds NaN (`OOB_NAN`)",
        rust: "oob: true",
    },
    Modifier {
        ptx: "sat",
        rank: 3,
        sentence: "clamps the rounded result to [+0, 1]; NaN and −0 give +0",
        rust: "sat: true",
    },
    Modifier {
        ptx: "relu",
        rank: 3,
        sentence: "gives +0 for a negative result (−0 too) and the canonical NaN for a NaN",
        rust: "relu: true",
    },
    Modifier { ptx: "NaN", rank: 3, sentence: "gives the canonical NaN if any input is a NaN", rust: "nan: true" },
    Modifier {
        ptx: "xorsign",
        rank: 4,
        sentence: "gives the result the XOR of the original operands' signs, unless it is a NaN",
        rust: "xorsign: true",
    },
    Modifier { ptx: "abs", rank: 5, sentence: "compares magnitudes", rust: "abs: true" },
];

const fn property(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, rank: PROPERTY, sentence, rust }
}

const fn rounding(ptx: &'static str, sentence: &'static str, rust: &'static str) -> Modifier {
    Modifier { ptx, rank: ROUNDING, sentence, rust }
}

/// The modifier that PTX spells `.name`.
pub(crate) fn modifier(name: &str) -> Option<&'static Modifier> {
    MODIFIERS.iter().find(|m| m.ptx == name)
}

/// One operand type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Type {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// The Rust type of a register.
    pub rust: &'static str,
    /// Its variant of `ptxf_core::spec::Type`.
    pub variant: &'static str,
    /// The format of a lane, a type of `ptxf_core::format`.
    pub format: &'static str,
    /// The scalar type of a lane.
    pub lane: &'static str,
    /// Number of lanes.
    pub lanes: u32,
    /// Width of the exponent field of a lane.
    pub exponent_bits: u32,
    /// Width of the fraction field of a lane.
    pub fraction_bits: u32,
    /// The NaN that the documentation's `nan` stands for.
    pub nan: u64,
}

const F16: Type = Type {
    ptx: "f16",
    rust: "F16",
    variant: "F16",
    format: "Binary16",
    lane: "f16",
    lanes: 1,
    exponent_bits: 5,
    fraction_bits: 10,
    nan: 0x7FFF,
};

const BF16: Type = Type {
    ptx: "bf16",
    rust: "Bf16",
    variant: "Bf16",
    format: "BFloat16",
    lane: "bf16",
    exponent_bits: 8,
    fraction_bits: 7,
    ..F16
};

const F32: Type = Type {
    ptx: "f32",
    rust: "f32",
    variant: "F32",
    format: "Binary32",
    lane: "f32",
    exponent_bits: 8,
    fraction_bits: 23,
    nan: 0x7FFF_FFFF,
    ..F16
};

const F64: Type = Type {
    ptx: "f64",
    rust: "f64",
    variant: "F64",
    format: "Binary64",
    lane: "f64",
    exponent_bits: 11,
    fraction_bits: 52,
    nan: 0xFFF8_0000_0000_0000,
    ..F16
};

/// Two lanes of a scalar type.
const fn pair(ptx: &'static str, rust: &'static str, lane: Type) -> Type {
    Type { ptx, rust, variant: rust, lanes: 2, ..lane }
}

/// Every type, scalars before their pairs.
pub(crate) static TYPES: &[Type] =
    &[F16, BF16, F32, F64, pair("f16x2", "F16x2", F16), pair("bf16x2", "Bf16x2", BF16), pair("f32x2", "F32x2", F32)];

/// The type that PTX spells `.name`.
pub(crate) fn ty(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|t| t.ptx == name)
}

impl Type {
    /// Width of a lane in bits.
    pub(crate) fn lane_bits(&self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// Width of the register in bits.
    pub(crate) fn bits(&self) -> u32 {
        self.lane_bits() * self.lanes
    }

    /// Whether the Rust type is one of the library's own, which has methods.
    pub(crate) fn has_methods(&self) -> bool {
        !matches!(self.rust, "f32" | "f64")
    }
}
