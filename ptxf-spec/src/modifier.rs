//! The modifiers of PTX, with all facts about each.

/// A modifier.
#[derive(Debug, PartialEq)]
pub struct Modifier {
    /// PTX's spelling, without the dot.
    pub ptx: &'static str,
    /// The group.
    pub group: Group,
    /// The sentence in the documentation of every form with the modifier.
    pub sentence: &'static str,
    /// The calls that set the modifier in `Modifiers`, or its variant of `Comparison`, `BoolOp` or
    /// `Property`. Empty if the function of the row implements the modifier.
    pub rust: &'static str,
}

/// A group of modifiers. A form has at most one of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The relation of a comparison.
    Comparison,
    /// The combination of a comparison with the predicate `c`.
    BoolOp,
    /// The property that `testp` tests.
    Property,
    /// A rounding, or an approximation in its place.
    Rounding,
    /// The unit of an angle.
    Unit,
    /// The treatment of subnormal numbers, or of the out-of-bounds NaN.
    Flush,
    /// The treatment of results that are negative, large, or NaN.
    Range,
    /// The treatment of results that are out of range.
    Finite,
    /// The sign of a zero.
    Zero,
    /// The sign of the result.
    Sign,
    /// The comparison of magnitudes.
    Magnitude,
    /// A factor for each lane.
    Scale,
}

impl Group {
    /// Returns `true` if the modifiers of the group are operators: arguments of a function, and
    /// open in the name of a form.
    pub fn is_operator(self) -> bool {
        matches!(self, Self::Comparison | Self::BoolOp)
    }

    /// Returns the additional operand of forms with such a modifier.
    pub fn brings(self) -> Option<&'static str> {
        match self {
            Self::BoolOp => Some("c"),
            Self::Scale => Some("scale"),
            _ => None,
        }
    }
}

/// Every modifier, grouped.
pub static MODIFIERS: &[Modifier] = &[
    comparison("eq", "Eq", "compares for `a = b`, neither of which is a NaN"),
    comparison("ne", "Ne", "compares for `a ≠ b`, neither of which is a NaN"),
    comparison("lt", "Lt", "compares for `a < b`, neither of which is a NaN"),
    comparison("le", "Le", "compares for `a ≤ b`, neither of which is a NaN"),
    comparison("gt", "Gt", "compares for `a > b`, neither of which is a NaN"),
    comparison("ge", "Ge", "compares for `a ≥ b`, neither of which is a NaN"),
    comparison("equ", "Equ", "compares for `a = b`, or if one of them is a NaN"),
    comparison("neu", "Neu", "compares for `a ≠ b`, or if one of them is a NaN"),
    comparison("ltu", "Ltu", "compares for `a < b`, or if one of them is a NaN"),
    comparison("leu", "Leu", "compares for `a ≤ b`, or if one of them is a NaN"),
    comparison("gtu", "Gtu", "compares for `a > b`, or if one of them is a NaN"),
    comparison("geu", "Geu", "compares for `a ≥ b`, or if one of them is a NaN"),
    comparison("num", "Num", "is true if neither `a` nor `b` is a NaN"),
    comparison("nan", "Nan", "is true if `a` or `b` is a NaN"),
    comparison("lo", "Lo", "compares for `a < b`"),
    comparison("ls", "Ls", "compares for `a ≤ b`"),
    comparison("hi", "Hi", "compares for `a > b`"),
    comparison("hs", "Hs", "compares for `a ≥ b`"),
    boolean("and", "And", "combines the comparison and `c`: true if both are"),
    boolean("or", "Or", "combines the comparison and `c`: true if at least one is"),
    boolean("xor", "Xor", "combines the comparison and `c`: true if exactly one is"),
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
    rounding(
        "rs",
        "rounds away from zero with the probability of the discarded fraction, decided by the random bits",
        "",
    ),
    rounding("rni", "rounds to the nearest integer, ties to even", ".with_rnd(Round::Rn).with_integral(true)"),
    rounding("rzi", "rounds to an integer toward zero", ".with_rnd(Round::Rz).with_integral(true)"),
    rounding("rmi", "rounds to an integer toward −∞", ".with_rnd(Round::Rm).with_integral(true)"),
    rounding("rpi", "rounds to an integer toward +∞", ".with_rnd(Round::Rp).with_integral(true)"),
    rounding("approx", "a fast approximation on a GPU; on a CPU the default model", ""),
    rounding("full", "a full-range approximation on a GPU; on a CPU the default model", ""),
    Modifier { ptx: "2pi", group: Group::Unit, sentence: "has its operand in turns instead of radians", rust: "" },
    Modifier {
        ptx: "ftz",
        group: Group::Flush,
        sentence: "flushes subnormal inputs and results to zero of the same sign; a result counts as subnormal if it is tiny after rounding",
        rust: ".with_ftz(true)",
    },
    Modifier {
        ptx: "oob",
        group: Group::Flush,
        sentence: "gives +0 in each lane in which a factor is the out-of-bounds NaN (`OOB_NAN`)",
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
        sentence: "gives +0 for a negative result or −0, and the canonical NaN for a NaN",
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
        sentence: "gives the largest number with the result's sign if the result is out of range or infinite",
        rust: ".with_satfinite(true)",
    },
    Modifier { ptx: "pzo", group: Group::Zero, sentence: "gives +0 for a result of −0", rust: ".with_pzo(true)" },
    Modifier {
        ptx: "xorsign",
        group: Group::Sign,
        sentence: "gives the result the XOR of the original operands' signs, unless it is a NaN",
        rust: ".with_xorsign(true)",
    },
    Modifier { ptx: "abs", group: Group::Magnitude, sentence: "compares magnitudes", rust: ".with_abs(true)" },
    Modifier {
        ptx: "scaled::n1::ue8m0",
        group: Group::Scale,
        sentence: "flushes subnormal operands to zero of the same sign, and divides the lanes by a power of two, the operand `scale`",
        rust: "",
    },
    Modifier {
        ptx: "scaled::n2::ue8m0",
        group: Group::Scale,
        sentence: "has a power of two for each lane, in the operand `scale`",
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

/// Returns the modifier that PTX spells `.name`.
pub fn modifier(name: &str) -> Option<&'static Modifier> {
    MODIFIERS.iter().find(|m| m.ptx == name)
}
