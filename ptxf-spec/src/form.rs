//! A legal spelling and all that the table says of it.

use std::fmt;
use std::sync::Arc;

use crate::evidence::Evidence;
use crate::meaning::{Meaning, Shape, meaning};
use crate::modifier::{Group, Modifier, modifier};
use crate::parse::{self, Operand, Row, Section, Sm};
use crate::types::Type;

/// The names of the operands in their order, as the manual has them. A row need not have those in between.
pub const OPERANDS: [&str; 7] = ["a", "b", "c", "e", "f", "rbits", "scale"];
/// How many operands a form has at most.
pub const MOST_OPERANDS: usize = 5;

/// One legal spelling.
#[derive(Clone, Debug)]
pub struct Form {
    /// Where the manual has it.
    pub section: Arc<Section>,
    /// Which of the section's rows it comes from.
    pub row: usize,
    /// Which of the section's examples serves it.
    pub example: usize,
    /// Its modifiers as spelled.
    pub modifiers: Vec<&'static Modifier>,
    /// Its types as spelled: one, or the result's and then those of operands.
    pub types: Vec<&'static Type>,
    /// What it takes and returns.
    pub signature: Signature,
    /// The ways to have it, of which one suffices.
    pub targets: Vec<Target>,
    /// Where among the modifiers a rounding is left out, which means `.rn`; such a spelling has no function of its own.
    pub implicit_rn: Option<usize>,
    /// Whether the same types also exist with fewer operands; then the function's name says how many.
    pub counts_operands: bool,
    /// The documentation's example.
    pub cases: Vec<Case>,
    /// The CUDA functions that are it.
    pub cuda: Vec<String>,
    /// What stands behind its result beyond the tests.
    pub evidence: Evidence,
}

/// The types of operands and result.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// In the order of the PTX line.
    pub operands: Vec<&'static Type>,
    /// Of the destination.
    pub result: &'static Type,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands: Vec<_> = self.operands.iter().map(|t| format!(".{}", t.ptx)).collect();
        write!(f, "({}) -> .{}", operands.join(", "), self.result.ptx)
    }
}

/// A PTX ISA version (major, minor) and a target that have a form, from which on others have it too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The PTX ISA version.
    pub ptx: (u8, u8),
    /// The target.
    pub sm: Sm,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTX {}.{}, {}", self.ptx.0, self.ptx.1, self.sm)
    }
}

/// One example: bits, and the values as written.
#[derive(Clone, Debug)]
pub struct Case {
    /// A lane of each operand.
    pub operands: Vec<(u64, String)>,
    /// The same lane of the result; all of it where two operands become its lanes.
    pub result: (u64, String),
}

impl Form {
    /// The grammar line it comes from.
    pub fn row(&self) -> &Row {
        &self.section.rows[self.row]
    }

    /// Number of input operands.
    pub fn operands(&self) -> usize {
        self.signature.operands.len()
    }

    /// The input operands.
    pub fn inputs(&self) -> impl Iterator<Item = &Operand> {
        inputs(self.row(), &self.modifiers)
    }

    /// The names of the input operands, `a`, `b`.
    pub fn operand_names(&self) -> Vec<&str> {
        self.inputs().map(|o| o.name.text.as_str()).collect()
    }

    /// The operands of its line, as `name` writes each: `a, {b, e}, c`.
    pub fn line(&self, name: impl Fn(&Operand) -> String) -> String {
        parse::line(self.inputs(), name)
    }

    /// The type of the first operand, which also says how many lanes are computed.
    pub fn operand(&self) -> &'static Type {
        self.signature.operands[0]
    }

    /// What computes it.
    pub fn meaning(&self) -> &'static Meaning {
        meaning(&self.row().meaning.text).expect("a valid table names known meanings")
    }

    /// Width of the part of the result that one lane of the operands decides.
    pub fn place_bits(&self) -> u32 {
        let result = self.signature.result;
        match self.meaning().shape {
            Shape::Pack => result.bits(),
            Shape::Compare => result.bits() / self.operand().lanes,
            _ => result.stride,
        }
    }

    /// The instruction.
    pub fn instruction(&self) -> &str {
        &self.section.instruction.text
    }

    /// The spelling, `fma.rn.f16x2`.
    pub fn spelling(&self) -> String {
        spell(self.instruction(), &self.modifiers, &self.types)
    }

    /// The same form with its rounding written out.
    pub fn canonical(&self) -> String {
        spell(self.instruction(), &self.canonical_modifiers(), &self.types)
    }

    /// Its modifiers with the rounding.
    pub fn canonical_modifiers(&self) -> Vec<&'static Modifier> {
        let mut all = self.modifiers.clone();
        if let (Some(at), Some(rn)) = (self.implicit_rn, modifier("rn")) {
            all.insert(at, rn);
        }
        all
    }

    /// Its modifier of that group.
    pub fn of_group(&self, group: Group) -> Option<&'static Modifier> {
        self.modifiers.iter().copied().find(|m| m.group == group)
    }

    /// The modifiers that its function takes as its first arguments: a comparison, and what combines it with a predicate.
    pub fn operators(&self) -> impl Iterator<Item = &'static Modifier> {
        [Group::Comparison, Group::BoolOp].into_iter().filter_map(|group| self.of_group(group))
    }

    /// The name of the form alone, shared by no other form that is [canonical](Self::canonical): `fma_rn_f16x2`, `set_lt_u32_f16x2`.
    pub fn identifier(&self) -> String {
        self.named(|m| Some(m.ptx), &self.types)
    }

    /// The function's name: `fma_rn_f16x2`, and `set_u32_f16x2` for all comparisons, `set_bool_u32_f16x2` for those that are combined with
    /// a predicate.
    pub fn function(&self) -> String {
        self.named(without_operators, &self.types)
    }

    /// The type that has it as a method: its first operand's, or its result's where that is a type of Rust.
    pub fn methods_of(&self) -> Option<&'static Type> {
        [self.operand(), self.signature.result].into_iter().find(|t| t.has_methods())
    }

    /// The method's name: the function's without the type whose method it is, `fma_rn`, `F16::cvt_f32`, `F16::cvt_rn_f32`.
    pub fn method(&self) -> String {
        let types = match (&self.types[..], self.methods_of()) {
            ([others @ .., last], Some(own)) if own == *last => others,
            (types, _) => &types[1..],
        };
        self.named(without_operators, types)
    }

    /// The instruction, the modifiers as they are called, and these types, as a name of Rust.
    fn named(&self, called: impl Fn(&Modifier) -> Option<&'static str>, types: &[&'static Type]) -> String {
        let mut name = self.instruction().to_owned();
        if self.counts_operands {
            name.push_str(&self.operands().to_string());
        }
        let modifiers = self.canonical_modifiers();
        for part in modifiers.iter().filter_map(|m| called(m)).chain(types.iter().map(|t| t.ptx)) {
            name.push('_');
            name.push_str(&part.to_lowercase().replace("::", "_"));
        }
        name
    }

    /// The names after the instruction's.
    pub fn names(&self) -> Vec<&'static str> {
        names(&self.modifiers, &self.types)
    }

    /// Whether it has the modifier.
    pub fn has(&self, name: &str) -> bool {
        self.modifiers.iter().any(|m| m.ptx == name)
    }

    /// Whether a device may return something else than the default model.
    pub fn approximate(&self) -> bool {
        self.has("approx") || self.has("full")
    }
}

/// What a modifier is called in the name of a function that takes the operators as arguments.
fn without_operators(modifier: &Modifier) -> Option<&'static str> {
    match modifier.group {
        Group::Comparison => None,
        Group::BoolOp => Some("bool"),
        _ => Some(modifier.ptx),
    }
}

/// The operands that the row has with these modifiers.
pub(crate) fn inputs<'r>(row: &'r Row, modifiers: &[&'static Modifier]) -> impl Iterator<Item = &'r Operand> {
    row.operands.iter().filter(|o| !o.optional || modifiers.iter().any(|m| m.group.brings() == Some(&o.name.text)))
}

/// The spelling of an instruction with modifiers and types.
pub(crate) fn spell(instruction: &str, modifiers: &[&'static Modifier], types: &[&'static Type]) -> String {
    format!("{instruction}.{}", names(modifiers, types).join("."))
}

/// The names after the instruction's.
pub(crate) fn names(modifiers: &[&'static Modifier], types: &[&'static Type]) -> Vec<&'static str> {
    modifiers.iter().map(|m| m.ptx).chain(types.iter().map(|t| t.ptx)).collect()
}
