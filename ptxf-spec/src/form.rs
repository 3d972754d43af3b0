//! A form with everything that the table has on it.

use std::fmt;
use std::sync::Arc;

use crate::evidence::Evidence;
use crate::meaning::{Meaning, Shape, meaning};
use crate::modifier::{Group, Modifier, modifier};
use crate::parse::{self, Operand, Row, Section, Sm};
use crate::types::Type;

/// The names of operands in the manual, in their order. A row may leave some out.
pub const OPERANDS: [&str; 7] = ["a", "b", "c", "e", "f", "rbits", "scale"];
/// The greatest number of operands of a form.
pub const MOST_OPERANDS: usize = 5;

/// One legal spelling, or all spellings that differ in their operators only, `set.CmpOp.u32.f16x2`.
#[derive(Clone, Debug)]
pub struct Form {
    /// The section of the manual.
    pub section: Arc<Section>,
    /// The index of the row in the section.
    pub row: usize,
    /// The indices of the section's examples for the form.
    pub examples: Vec<usize>,
    /// The operators, which precede the modifiers.
    pub operators: Operators,
    /// The modifiers in the order of the spelling.
    pub modifiers: Vec<&'static Modifier>,
    /// The types in the order of the spelling: one, or the result's and then those of operands.
    pub types: Vec<&'static Type>,
    /// The types of operands and result.
    pub signature: Signature,
    /// The pairs of version and target that have the form. One of them suffices.
    pub targets: Vec<Target>,
    /// The index among the modifiers of an implied `.rn`. Such a spelling has no function of its
    /// own.
    pub implicit_rn: Option<usize>,
    /// `true` if a form with the same types has fewer operands. Then the function's name contains
    /// their number.
    pub counts_operands: bool,
    /// The examples of the documentation.
    pub cases: Vec<Case>,
    /// CUDA's functions for the form.
    pub cuda: Vec<String>,
    /// The evidence for the result in addition to the tests.
    pub evidence: Evidence,
}

/// The operators of a spelling. It has one of each list that is not empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operators {
    /// The comparisons.
    pub comparisons: Vec<&'static Modifier>,
    /// The operators that combine a comparison with a predicate.
    pub booleans: Vec<&'static Modifier>,
}

impl Operators {
    /// Returns the lists that are not empty, in the order of a spelling.
    pub fn lists(&self) -> impl Iterator<Item = &Vec<&'static Modifier>> {
        [&self.comparisons, &self.booleans].into_iter().filter(|list| !list.is_empty())
    }

    /// Returns every choice of one operator of each list.
    pub fn choices(&self) -> Vec<Vec<&'static Modifier>> {
        self.lists().fold(vec![vec![]], |choices, list| {
            let longer = |choice: &Vec<_>| list.iter().map(|m| [&choice[..], &[*m]].concat()).collect::<Vec<_>>();
            choices.iter().flat_map(longer).collect()
        })
    }
}

/// Returns the manual's placeholder for the operators of a group.
pub(crate) fn open(group: Group) -> &'static str {
    if group == Group::BoolOp { "BoolOp" } else { "CmpOp" }
}

/// The types of operands and result.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The operands in the order of the PTX line.
    pub operands: Vec<&'static Type>,
    /// The destination.
    pub result: &'static Type,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands: Vec<_> = self.operands.iter().map(|t| format!(".{}", t.ptx)).collect();
        write!(f, "({}) -> .{}", operands.join(", "), self.result.ptx)
    }
}

/// The first PTX ISA version (major, minor) and target that have a form.
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

/// An example: bits, and the values as written.
#[derive(Clone, Debug)]
pub struct Case {
    /// The operators of the spelling.
    pub operators: Vec<&'static Modifier>,
    /// One lane of each operand.
    pub operands: Vec<(u64, String)>,
    /// The same lane of the result, or the whole result if operands become its lanes.
    pub result: (u64, String),
}

impl Form {
    /// Returns the row of the form.
    pub fn row(&self) -> &Row {
        &self.section.rows[self.row]
    }

    /// Returns the number of input operands.
    pub fn operands(&self) -> usize {
        self.signature.operands.len()
    }

    /// Returns the input operands.
    pub fn inputs(&self) -> impl Iterator<Item = &Operand> {
        inputs(self.row(), self.groups())
    }

    /// Returns the names of the input operands, `a`, `b`.
    pub fn operand_names(&self) -> Vec<&str> {
        self.inputs().map(|o| o.name.text.as_str()).collect()
    }

    /// Returns the operands of the PTX line, each as `name` writes it: `a, {b, e}, c`.
    pub fn line(&self, name: impl Fn(&Operand) -> String) -> String {
        parse::line(self.inputs(), name)
    }

    /// Returns the type of the first operand. Its lanes are those that are computed.
    pub fn operand(&self) -> &'static Type {
        self.signature.operands[0]
    }

    /// Returns the function that computes the form.
    pub fn meaning(&self) -> &'static Meaning {
        meaning(&self.row().meaning.text).expect("a valid table names known meanings")
    }

    /// Returns the width of the part of the result that depends on one lane of the operands.
    pub fn place_bits(&self) -> u32 {
        let result = self.signature.result;
        match self.meaning().shape {
            Shape::Pack | Shape::Random => result.bits(),
            Shape::Compare => result.bits() / self.operand().lanes,
            _ => result.stride,
        }
    }

    /// Returns the instruction.
    pub fn instruction(&self) -> &str {
        &self.section.instruction.text
    }

    /// Returns the groups of the modifiers and operators.
    fn groups(&self) -> Vec<Group> {
        self.operators.lists().map(|list| list[0].group).chain(self.modifiers.iter().map(|m| m.group)).collect()
    }

    /// Returns the spelling, `fma.rn.f16x2`, or with open operators `set.CmpOp.u32.f16x2`.
    pub fn spelling(&self) -> String {
        self.spelled(&[])
    }

    /// Returns the spelling with these operators. Missing ones stay open.
    pub fn spelled(&self, operators: &[&'static Modifier]) -> String {
        let word = |list: &Vec<&'static Modifier>| {
            let chosen = operators.iter().find(|m| m.group == list[0].group);
            chosen.map_or(open(list[0].group), |m| m.ptx)
        };
        let words: Vec<_> = self.operators.lists().map(word).chain(names(&self.modifiers, &self.types)).collect();
        format!("{}.{}", self.instruction(), words.join("."))
    }

    /// Returns a spelling without open operators: with these if the form has them, otherwise with
    /// the first.
    pub fn closed(&self, operators: &[&'static Modifier]) -> String {
        let choose = |list: &Vec<&'static Modifier>| *operators.iter().find(|m| list.contains(m)).unwrap_or(&list[0]);
        self.spelled(&self.operators.lists().map(choose).collect::<Vec<_>>())
    }

    /// Returns the number of spellings, one for each choice of operators.
    pub fn spellings(&self) -> usize {
        self.operators.lists().map(Vec::len).product()
    }

    /// Returns the spelling with its rounding written out.
    pub fn canonical(&self) -> String {
        spell(self.instruction(), &self.operators, &self.canonical_modifiers(), &self.types)
    }

    /// Returns the modifiers, with an implied rounding written out.
    pub fn canonical_modifiers(&self) -> Vec<&'static Modifier> {
        let mut all = self.modifiers.clone();
        if let (Some(at), Some(rn)) = (self.implicit_rn, modifier("rn")) {
            all.insert(at, rn);
        }
        all
    }

    /// Returns the modifier of this group; `None` if the form has none.
    pub fn of_group(&self, group: Group) -> Option<&'static Modifier> {
        self.modifiers.iter().copied().find(|m| m.group == group)
    }

    /// Returns the function's name: `fma_rn_f16x2`, `set_u32_f16x2`, or `set_bool_u32_f16x2` if a
    /// predicate is combined.
    pub fn function(&self) -> String {
        self.named(&self.types)
    }

    /// Returns the type with the form's method: the type of the first operand, or of a conversion's
    /// result. Returns `None` if that is no type of the library.
    pub fn methods_of(&self) -> Option<&'static Type> {
        let converts = meaning(&self.row().meaning.text)
            .is_some_and(|m| matches!(m.shape, Shape::Convert | Shape::Pack | Shape::Random));
        let result = converts.then_some(self.signature.result);
        [self.operand()].into_iter().chain(result).find(|t| t.has_methods())
    }

    /// Returns the method's name: the function's without the method's type, `fma_rn`,
    /// `F16::cvt_f32`, `F16::cvt_rn_f32`.
    pub fn method(&self) -> String {
        let mut types = self.types.clone();
        if meaning(&self.row().meaning.text).is_some_and(|m| m.shape == Shape::Across) {
            // The type of the first operand follows that of the result.
            types.remove(1);
        } else if self.methods_of() == types.last().copied() {
            types.pop();
        } else {
            types.remove(0);
        }
        self.named(&types)
    }

    /// Returns a Rust name of the instruction, the modifiers and these types.
    fn named(&self, types: &[&'static Type]) -> String {
        let mut name = self.instruction().to_owned();
        if self.counts_operands {
            name.push_str(&self.operands().to_string());
        }
        let boolean = (!self.operators.booleans.is_empty()).then_some("bool");
        for part in boolean.into_iter().chain(names(&self.canonical_modifiers(), types)) {
            name.push('_');
            name.push_str(&part.to_lowercase().replace("::", "_"));
        }
        name
    }

    /// Returns the names after the instruction, without the operators.
    pub fn names(&self) -> Vec<&'static str> {
        names(&self.modifiers, &self.types)
    }

    /// Returns `true` if the form has the modifier.
    pub fn has(&self, name: &str) -> bool {
        self.modifiers.iter().any(|m| m.ptx == name)
    }

    /// Returns `true` if a spelling of the form has the modifier or the operator.
    pub fn allows(&self, m: &'static Modifier) -> bool {
        self.modifiers.contains(&m) || self.operators.lists().any(|list| list.contains(&m))
    }

    /// Returns `true` if a device may differ from the default model.
    pub fn approximate(&self) -> bool {
        self.has("approx") || self.has("full")
    }
}

/// Returns the operands of a row with modifiers of these groups.
pub(crate) fn inputs(row: &Row, groups: Vec<Group>) -> impl Iterator<Item = &Operand> {
    row.operands.iter().filter(move |o| !o.optional || groups.iter().any(|g| g.brings() == Some(&o.name.text)))
}

/// Returns the spelling of an instruction with open operators, modifiers and types.
pub(crate) fn spell(
    instruction: &str,
    operators: &Operators,
    modifiers: &[&'static Modifier],
    types: &[&'static Type],
) -> String {
    let open = operators.lists().map(|list| open(list[0].group));
    let words: Vec<_> = open.chain(names(modifiers, types)).collect();
    format!("{instruction}.{}", words.join("."))
}

/// Returns the names after the instruction.
pub(crate) fn names(modifiers: &[&'static Modifier], types: &[&'static Type]) -> Vec<&'static str> {
    modifiers.iter().map(|m| m.ptx).chain(types.iter().map(|t| t.ptx)).collect()
}
