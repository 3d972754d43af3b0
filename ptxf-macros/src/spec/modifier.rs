//! The modifiers and types of PTX: every fact about one of them, once.

/// One modifier.
#[derive(Debug)]
pub(crate) struct Modifier {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// Position among the modifiers of a form; equal ranks exclude each other.
    pub rank: u8,
    /// What it asks for, for the documentation of every form that has it.
    pub sentence: &'static str,
    /// The field of `Modifiers` that it sets, as Rust tokens.
    pub field: &'static str,
}

/// Every modifier, in rank order.
///
/// `.ftz`/`.oob`, `.sat`/`.relu`/`.NaN` share a rank: no form has two of them.
pub(crate) static MODIFIERS: &[Modifier] = &[
    property("finite", "true if `a` is neither infinite nor NaN"),
    property("infinite", "true if `a` is +∞ or −∞"),
    property("number", "true if `a` is not a NaN"),
    property("notanumber", "true if `a` is a NaN"),
    property("normal", "true if `a` is a normal number or a zero"),
    property("subnormal", "true if `a` is a subnormal number"),
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
        field: "ftz: true",
    },
    Modifier {
        ptx: "oob",
        rank: 2,
        sentence: "gives +0 in each lane where an operand is the out-of-bounds NaN (`OOB_NAN`)",
        field: "oob: true",
    },
    Modifier {
        ptx: "sat",
        rank: 3,
        sentence: "clamps the rounded result to [+0, 1]; NaN and −0 give +0",
        field: "sat: true",
    },
    Modifier {
        ptx: "relu",
        rank: 3,
        sentence: "gives +0 for a negative result (−0 too) and the canonical NaN for a NaN",
        field: "relu: true",
    },
    Modifier { ptx: "NaN", rank: 3, sentence: "gives the canonical NaN if any input is a NaN", field: "nan: true" },
    Modifier {
        ptx: "xorsign",
        rank: 4,
        sentence: "gives the result the XOR of the original operands' signs, unless it is a NaN",
        field: "xorsign: true",
    },
    Modifier { ptx: "abs", rank: 5, sentence: "compares magnitudes", field: "abs: true" },
];

const fn property(ptx: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, rank: 0, sentence, field: "" }
}

const fn rounding(ptx: &'static str, sentence: &'static str, field: &'static str) -> Modifier {
    Modifier { ptx, rank: 1, sentence, field }
}

/// The modifier that PTX spells `.name`.
pub(crate) fn modifier(name: &str) -> Option<&'static Modifier> {
    MODIFIERS.iter().find(|m| m.ptx == name)
}

/// One operand type.
#[derive(Debug)]
pub(crate) struct Type {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// The Rust type of a register.
    pub rust: &'static str,
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

/// Every type, scalars before their pairs.
pub(crate) static TYPES: &[Type] = &[
    scalar("f16", "F16", "Binary16", 5, 10, 0x7FFF),
    scalar("bf16", "Bf16", "BFloat16", 8, 7, 0x7FFF),
    scalar("f32", "f32", "Binary32", 8, 23, 0x7FFF_FFFF),
    scalar("f64", "f64", "Binary64", 11, 52, 0xFFF8_0000_0000_0000),
    pair("f16x2", "F16x2", "Binary16", "f16", 5, 10, 0x7FFF),
    pair("bf16x2", "Bf16x2", "BFloat16", "bf16", 8, 7, 0x7FFF),
    pair("f32x2", "F32x2", "Binary32", "f32", 8, 23, 0x7FFF_FFFF),
];

const fn scalar(
    ptx: &'static str,
    rust: &'static str,
    format: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
    nan: u64,
) -> Type {
    Type { ptx, rust, format, lane: ptx, lanes: 1, exponent_bits, fraction_bits, nan }
}

const fn pair(
    ptx: &'static str,
    rust: &'static str,
    format: &'static str,
    lane: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
    nan: u64,
) -> Type {
    Type { ptx, rust, format, lane, lanes: 2, exponent_bits, fraction_bits, nan }
}

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

impl PartialEq for Modifier {
    fn eq(&self, other: &Self) -> bool {
        self.ptx == other.ptx
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.ptx == other.ptx
    }
}
