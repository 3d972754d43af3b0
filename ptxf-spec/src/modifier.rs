//! The modifiers of PTX: every fact about one of them, once.

/// One modifier.
#[derive(Debug, PartialEq)]
pub struct Modifier {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// Position among the modifiers of a form; equal ranks exclude each other.
    pub rank: u8,
    /// What it asks for, for the documentation of every form that has it.
    pub sentence: &'static str,
    /// The field of `Modifiers` that it sets, or the `Comparison` or `Property` it is; nothing if the row's meaning has it
    /// all.
    pub rust: &'static str,
}

/// The rank of comparisons, which a function takes as an argument instead of having them in its name.
pub const COMPARISON: u8 = 0;
/// The rank of what `testp` asks for.
pub const PROPERTY: u8 = 1;
/// The rank of the roundings and what stands in their place.
pub const ROUNDING: u8 = 2;

/// Every modifier, in rank order.
///
/// `.ftz`/`.oob`, `.sat`/`.relu`/`.NaN` share a rank: no form has two of them.
pub static MODIFIERS: &[Modifier] = &[
    comparison("eq", "Eq", "compares for `a = b`, both of them numbers"),
    comparison("ne", "Ne", "compares for `a ≠ b`, both of them numbers"),
    comparison("lt", "Lt", "compares for `a < b`, both of them numbers"),
    comparison("le", "Le", "compares for `a ≤ b`, both of them numbers"),
    comparison("gt", "Gt", "compares for `a > b`, both of them numbers"),
    comparison("ge", "Ge", "compares for `a ≥ b`, both of them numbers"),
    comparison("equ", "Equ", "compares for `a = b`, or one of them a NaN"),
    comparison("neu", "Neu", "compares for `a ≠ b`, or one of them a NaN"),
    comparison("ltu", "Ltu", "compares for `a < b`, or one of them a NaN"),
    comparison("leu", "Leu", "compares for `a ≤ b`, or one of them a NaN"),
    comparison("gtu", "Gtu", "compares for `a > b`, or one of them a NaN"),
    comparison("geu", "Geu", "compares for `a ≥ b`, or one of them a NaN"),
    comparison("num", "Num", "asks whether both `a` and `b` are numbers"),
    comparison("nan", "Nan", "asks whether one of `a` and `b` is a NaN"),
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
        rank: 3,
        sentence: "flushes subnormal inputs and results to zero of the same sign; a result counts as subnormal if it is tiny after rounding",
        rust: "ftz: true",
    },
    Modifier {
        ptx: "oob",
        rank: 3,
        sentence: "gives +0 in each lane where an operand is the out-of-bounds NaN (`OOB_NAN`)",
        rust: "oob: true",
    },
    Modifier {
        ptx: "sat",
        rank: 4,
        sentence: "clamps the rounded result to [+0, 1]; NaN and −0 give +0",
        rust: "sat: true",
    },
    Modifier {
        ptx: "relu",
        rank: 4,
        sentence: "gives +0 for a negative result (−0 too) and the canonical NaN for a NaN",
        rust: "relu: true",
    },
    Modifier { ptx: "NaN", rank: 4, sentence: "gives the canonical NaN if any input is a NaN", rust: "nan: true" },
    Modifier {
        ptx: "xorsign",
        rank: 5,
        sentence: "gives the result the XOR of the original operands' signs, unless it is a NaN",
        rust: "xorsign: true",
    },
    Modifier { ptx: "abs", rank: 6, sentence: "compares magnitudes", rust: "abs: true" },
];

const fn comparison(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, rank: COMPARISON, sentence, rust }
}

const fn property(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, rank: PROPERTY, sentence, rust }
}

const fn rounding(ptx: &'static str, sentence: &'static str, rust: &'static str) -> Modifier {
    Modifier { ptx, rank: ROUNDING, sentence, rust }
}

/// The modifier that PTX spells `.name`.
pub fn modifier(name: &str) -> Option<&'static Modifier> {
    MODIFIERS.iter().find(|m| m.ptx == name)
}
