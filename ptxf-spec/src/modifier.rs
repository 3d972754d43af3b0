//! The modifiers of PTX: every fact about one of them, once.

/// One modifier.
#[derive(Debug, PartialEq)]
pub struct Modifier {
    /// As PTX spells it, without the dot.
    pub ptx: &'static str,
    /// What it is about.
    pub group: Group,
    /// What it asks for, for the documentation of every form that has it.
    pub sentence: &'static str,
    /// The calls that set it in `Modifiers`, or its variant of `Comparison`, `BoolOp` or `Property`.
    /// Empty if the row's meaning alone implements the modifier.
    pub rust: &'static str,
}

/// What a modifier is about; of one group a form has at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// How two numbers are compared.
    Comparison,
    /// How a comparison is combined with the predicate `c`.
    BoolOp,
    /// What `testp` asks for.
    Property,
    /// The roundings and what stands in their place.
    Rounding,
    /// What subnormal numbers or the out-of-bounds NaN become.
    Flush,
    /// What becomes of results that are negative, large, or no numbers.
    Range,
    /// What becomes of results beyond the largest number.
    Finite,
    /// The sign of the result.
    Sign,
    /// Whether magnitudes are compared.
    Magnitude,
    /// A factor for each lane.
    Scale,
}

impl Group {
    /// Whether such a modifier is an operator: an argument of a function, and left open in the name of a form.
    pub fn is_operator(self) -> bool {
        matches!(self, Self::Comparison | Self::BoolOp)
    }

    /// The operand that such a modifier asks for, which the forms without one do not have.
    pub fn brings(self) -> Option<&'static str> {
        match self {
            Self::BoolOp => Some("c"),
            Self::Scale => Some("scale"),
            _ => None,
        }
    }
}

/// Every modifier, group by group.
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
    comparison("lo", "Lo", "compares for `a < b`"),
    comparison("ls", "Ls", "compares for `a ≤ b`"),
    comparison("hi", "Hi", "compares for `a > b`"),
    comparison("hs", "Hs", "compares for `a ≥ b`"),
    boolean("and", "And", "combines the comparison and `c`: both"),
    boolean("or", "Or", "combines the comparison and `c`: at least one"),
    boolean("xor", "Xor", "combines the comparison and `c`: exactly one"),
    property("finite", "Finite", "true if `a` is neither infinite nor NaN"),
    property("infinite", "Infinite", "true if `a` is +∞ or −∞"),
    property("number", "Number", "true if `a` is not a NaN"),
    property("notanumber", "NotANumber", "true if `a` is a NaN"),
    property("normal", "Normal", "true if `a` is a normal number or a zero"),
    property("subnormal", "Subnormal", "true if `a` is a subnormal number"),
    rounding("rn", "rounds to the nearest value, ties to even", ".with_rnd(Round::Rn)"),
    rounding("rz", "rounds toward zero", ".with_rnd(Round::Rz)"),
    rounding("rm", "rounds toward −∞", ".with_rnd(Round::Rm)"),
    rounding("rp", "rounds toward +∞", ".with_rnd(Round::Rp)"),
    rounding("rna", "rounds to the nearest value, ties away from zero", ""),
    rounding("rs", "rounds away from zero with the probability of what is lost, which the random bits decide", ""),
    rounding("rni", "rounds to the nearest integer, ties to even", ".with_rnd(Round::Rn).with_integral(true)"),
    rounding("rzi", "rounds to an integer toward zero", ".with_rnd(Round::Rz).with_integral(true)"),
    rounding("rmi", "rounds to an integer toward −∞", ".with_rnd(Round::Rm).with_integral(true)"),
    rounding("rpi", "rounds to an integer toward +∞", ".with_rnd(Round::Rp).with_integral(true)"),
    rounding("approx", "a fast approximation on a GPU; on a CPU the default model", ""),
    rounding("full", "a full-range approximation on a GPU; on a CPU the default model", ""),
    Modifier {
        ptx: "ftz",
        group: Group::Flush,
        sentence: "flushes subnormal inputs and results to zero of the same sign; a result counts as subnormal if it is tiny after rounding",
        rust: ".with_ftz(true)",
    },
    Modifier {
        ptx: "oob",
        group: Group::Flush,
        sentence: "gives +0 in each lane where a factor is the out-of-bounds NaN (`OOB_NAN`)",
        rust: ".with_oob(true)",
    },
    Modifier {
        ptx: "sat",
        group: Group::Range,
        sentence: "clamps the rounded result to [+0, 1]; NaN and −0 give +0",
        rust: ".with_sat(true)",
    },
    Modifier {
        ptx: "relu",
        group: Group::Range,
        sentence: "gives +0 for a negative result (−0 too) and the canonical NaN for a NaN",
        rust: ".with_relu(true)",
    },
    Modifier {
        ptx: "NaN",
        group: Group::Range,
        sentence: "gives the canonical NaN if any input is a NaN",
        rust: ".with_nan(true)",
    },
    Modifier {
        ptx: "satfinite",
        group: Group::Finite,
        sentence: "gives the largest number with the result's sign instead of one beyond it, ±∞ too",
        rust: ".with_satfinite(true)",
    },
    Modifier {
        ptx: "xorsign",
        group: Group::Sign,
        sentence: "gives the result the XOR of the original operands' signs, unless it is a NaN",
        rust: ".with_xorsign(true)",
    },
    Modifier { ptx: "abs", group: Group::Magnitude, sentence: "compares magnitudes", rust: ".with_abs(true)" },
    Modifier {
        ptx: "scaled::n2::ue8m0",
        group: Group::Scale,
        sentence: "has a power of two for each lane, which the operand `scale` holds",
        rust: "",
    },
];

const fn comparison(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, group: Group::Comparison, sentence, rust }
}

const fn boolean(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, group: Group::BoolOp, sentence, rust }
}

const fn property(ptx: &'static str, rust: &'static str, sentence: &'static str) -> Modifier {
    Modifier { ptx, group: Group::Property, sentence, rust }
}

const fn rounding(ptx: &'static str, sentence: &'static str, rust: &'static str) -> Modifier {
    Modifier { ptx, group: Group::Rounding, sentence, rust }
}

/// The modifier that PTX spells `.name`.
pub fn modifier(name: &str) -> Option<&'static Modifier> {
    MODIFIERS.iter().find(|m| m.ptx == name)
}
