//! The functions of `ptxf_core::sem` that a row may name, each with the shape of its operands and
//! result.

use crate::form::Signature;
use crate::types::{Kind, PREDICATE, Type};

/// A function of `ptxf_core::sem`.
#[derive(Debug, PartialEq)]
pub struct Meaning {
    /// The name.
    pub name: &'static str,
    /// Number of operands, without those of modifiers.
    pub operands: usize,
    /// The relation between the lanes of operands and result.
    pub shape: Shape,
}

/// A relation between the lanes of operands and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Operands and result have one type, and each lane of the result is computed from the same
    /// lanes of the operands.
    Lanes,
    /// A property of one scalar, as a predicate.
    Property,
    /// A comparison of each lane. The result is all ones or zeros in the lane's part of an integer,
    /// the numbers 1 and 0, or predicates.
    Compare,
    /// One of two operands, unchanged. The third operand selects it.
    Select,
    /// The result and the last operand are f32. Narrower operands are widened first.
    Mixed,
    /// Operands and result have several types of floats, and equally many lanes.
    Across,
    /// Each lane is converted to another type.
    Convert,
    /// Scalars become the lanes of the result. The first one becomes the highest lane.
    Pack,
    /// The same, with random bits after the scalars.
    Random,
}

/// Every function.
pub static MEANINGS: &[Meaning] = &[
    lanes("abs", 1),
    lanes("add", 2),
    lanes("copysign", 2),
    lanes("cos", 1),
    lanes("cos_2pi", 1),
    lanes("div", 2),
    lanes("div_approx", 2),
    lanes("ex2", 1),
    lanes("fma", 3),
    lanes("lg2", 1),
    lanes("mad_sm1x", 3),
    lanes("max", 2),
    lanes("max3", 3),
    lanes("min", 2),
    lanes("min3", 3),
    lanes("mul", 2),
    lanes("neg", 1),
    lanes("rcp", 1),
    lanes("rcp_approx_f64", 1),
    lanes("rsqrt_approx", 1),
    lanes("rsqrt_approx_f64", 1),
    lanes("sin", 1),
    lanes("sin_2pi", 1),
    lanes("sqrt", 1),
    lanes("sub", 2),
    lanes("tanh", 1),
    Meaning { name: "testp", operands: 1, shape: Shape::Property },
    Meaning { name: "set", operands: 2, shape: Shape::Compare },
    Meaning { name: "setp", operands: 2, shape: Shape::Compare },
    Meaning { name: "selp", operands: 3, shape: Shape::Select },
    Meaning { name: "slct", operands: 3, shape: Shape::Select },
    Meaning { name: "mixed_add", operands: 2, shape: Shape::Mixed },
    Meaning { name: "mixed_sub", operands: 2, shape: Shape::Mixed },
    Meaning { name: "mixed_fma", operands: 3, shape: Shape::Mixed },
    Meaning { name: "across_add", operands: 2, shape: Shape::Across },
    Meaning { name: "across_sub", operands: 2, shape: Shape::Across },
    Meaning { name: "across_mul", operands: 2, shape: Shape::Across },
    Meaning { name: "across_fma", operands: 3, shape: Shape::Across },
    Meaning { name: "cvt", operands: 1, shape: Shape::Convert },
    Meaning { name: "cvt_rna", operands: 1, shape: Shape::Convert },
    Meaning { name: "cvt_pack", operands: 2, shape: Shape::Pack },
    Meaning { name: "cvt_rs", operands: 3, shape: Shape::Random },
    Meaning { name: "cvt_rs4", operands: 5, shape: Shape::Random },
];

const fn lanes(name: &'static str, operands: usize) -> Meaning {
    Meaning { name, operands, shape: Shape::Lanes }
}

/// Returns the function of this name.
pub fn meaning(name: &str) -> Option<&'static Meaning> {
    MEANINGS.iter().find(|m| m.name == name)
}

impl Shape {
    /// Returns `true` if a result of this type is a truth value in each lane.
    pub(crate) fn is_truth(self, result: &Type) -> bool {
        matches!(self, Self::Property | Self::Compare) || matches!(result.kind, Kind::Predicate)
    }

    /// Returns the reason why operands and a result of these types do not have this shape; `None`
    /// if they do. Operands of modifiers are ignored.
    pub(crate) fn refuses(self, of: &Signature, operands: usize) -> Option<String> {
        let (result, operands) = (of.result, of.operands.get(..operands)?);
        let alike = operands.iter().all(|t| *t == operands[0]);
        let float = |t: &Type| matches!(t.kind, Kind::Float(_));
        let number = |t: &Type| !matches!(t.kind, Kind::Predicate);
        let fits = match self {
            Self::Lanes => alike && float(operands[0]) && result == operands[0],
            Self::Property => alike && float(operands[0]) && *result == PREDICATE && operands[0].lanes == 1,
            Self::Compare => {
                alike
                    && match result.kind {
                        // Both predicates of a scalar, or one predicate for each lane.
                        Kind::Predicate => {
                            number(operands[0]) && (operands[0].lanes == 1 || result.lanes == operands[0].lanes)
                        }
                        // Half of the word for each of two lanes, or the whole word for one lane.
                        Kind::Integer { .. } | Kind::Bits => number(operands[0]),
                        Kind::Power | Kind::Fixed { .. } => false,
                        Kind::Float(_) => number(operands[0]) && result.lanes == operands[0].lanes,
                    }
            }
            Self::Select => {
                operands[..2].iter().all(|t| *t == result && number(t))
                    && match operands[2].kind {
                        Kind::Predicate => operands[2].lanes == 1,
                        Kind::Float(_) | Kind::Integer { signed: true } => operands[2].bits() == 32,
                        _ => false,
                    }
            }
            Self::Mixed => {
                let (last, narrow) = operands.split_last()?;
                let same = narrow.iter().all(|t| *t == narrow[0] && float(t) && t.lanes == 1 && t.bits() < last.bits());
                same && *last == result && float(result)
            }
            Self::Across => operands.iter().all(|t| number(t) && t.lanes == result.lanes) && float(result),
            Self::Convert => number(result) && number(operands[0]) && result.lanes == operands[0].lanes,
            Self::Random => {
                let (last, scalars) = operands.split_last()?;
                last.kind == Kind::Bits
                    && scalars.iter().all(|t| *t == scalars[0] && t.lanes == 1)
                    && result.lanes as usize == scalars.len()
            }
            Self::Pack => alike && number(result) && operands[0].lanes == 1 && result.lanes as usize == operands.len(),
        };
        let what = match self {
            Self::Lanes => "operands and result of one type of float",
            Self::Property => "a scalar float and a predicate `p` as its result",
            Self::Compare => "two operands of one type, and a result that has a place for each of their lanes",
            Self::Select => {
                "two operands of the result's type and a third one that is a predicate or has 32 bits and a sign"
            }
            Self::Mixed => "a float for its result and its last operand, and narrower floats for the others",
            Self::Across => "floats with as many lanes as its result",
            Self::Convert => "one number as its operand and one with as many lanes as its result",
            Self::Pack => "a scalar for each lane of its result, all of one type",
            Self::Random => "a scalar for each lane of its result, all of one type, and random bits",
        };
        (!fits).then(|| format!("takes {what}, here it has {of}"))
    }
}
