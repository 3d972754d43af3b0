//! A form and all that the table says of it.

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

/// One legal spelling; or all those that differ in their operators alone, `set.CmpOp.u32.f16x2`.
#[derive(Clone, Debug)]
pub struct Form {
    /// Where the manual has it.
    pub section: Arc<Section>,
    /// Which of the section's rows it comes from.
    pub row: usize,
    /// Which of the section's examples serve it.
    pub examples: Vec<usize>,
    /// The operators, which stand before its modifiers.
    pub operators: Operators,
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

/// What a spelling may have for its operators: one of each list that is not empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operators {
    /// The comparisons.
    pub comparisons: Vec<&'static Modifier>,
    /// What combines a comparison with a predicate.
    pub booleans: Vec<&'static Modifier>,
}

impl Operators {
    /// The lists that are not empty, in the order of a spelling.
    pub fn lists(&self) -> impl Iterator<Item = &Vec<&'static Modifier>> {
        [&self.comparisons, &self.booleans].into_iter().filter(|list| !list.is_empty())
    }

    /// Every choice of one of each list.
    pub fn choices(&self) -> Vec<Vec<&'static Modifier>> {
        self.lists().fold(vec![vec![]], |choices, list| {
            let longer = |choice: &Vec<_>| list.iter().map(|m| [&choice[..], &[*m]].concat()).collect::<Vec<_>>();
            choices.iter().flat_map(longer).collect()
        })
    }
}

/// What stands for the operators of a group, as in the manual's grammar.
pub(crate) fn open(group: Group) -> &'static str {
    if group == Group::BoolOp { "BoolOp" } else { "CmpOp" }
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
    /// The operators of the spelling that it is about.
    pub operators: Vec<&'static Modifier>,
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
        inputs(self.row(), self.groups())
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
            Shape::Pack | Shape::Random => result.bits(),
            Shape::Compare => result.bits() / self.operand().lanes,
            _ => result.stride,
        }
    }

    /// The instruction.
    pub fn instruction(&self) -> &str {
        &self.section.instruction.text
    }

    /// What its modifiers and operators are about.
    fn groups(&self) -> Vec<Group> {
        self.operators.lists().map(|list| list[0].group).chain(self.modifiers.iter().map(|m| m.group)).collect()
    }

    /// The spelling, `fma.rn.f16x2`; with operators `set.CmpOp.u32.f16x2`.
    pub fn spelling(&self) -> String {
        self.spelled(&[])
    }

    /// The spelling with these operators; those that are left out are open.
    pub fn spelled(&self, operators: &[&'static Modifier]) -> String {
        let word = |list: &Vec<&'static Modifier>| {
            let chosen = operators.iter().find(|m| m.group == list[0].group);
            chosen.map_or(open(list[0].group), |m| m.ptx)
        };
        let words: Vec<_> = self.operators.lists().map(word).chain(names(&self.modifiers, &self.types)).collect();
        format!("{}.{}", self.instruction(), words.join("."))
    }

    /// A spelling without open operators: these where it has them, else the first.
    pub fn closed(&self, operators: &[&'static Modifier]) -> String {
        let choose = |list: &Vec<&'static Modifier>| *operators.iter().find(|m| list.contains(m)).unwrap_or(&list[0]);
        self.spelled(&self.operators.lists().map(choose).collect::<Vec<_>>())
    }

    /// How many spellings it is: one for each choice of its operators.
    pub fn spellings(&self) -> usize {
        self.operators.lists().map(Vec::len).product()
    }

    /// The same form with its rounding written out.
    pub fn canonical(&self) -> String {
        spell(self.instruction(), &self.operators, &self.canonical_modifiers(), &self.types)
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

    /// The function's name: `fma_rn_f16x2`; `set_u32_f16x2`, and `set_bool_u32_f16x2` for what is combined with a predicate.
    pub fn function(&self) -> String {
        self.named(&self.types)
    }

    /// The type that has it as a method: its first operand's, or that of the result of a conversion, where that is a type of Rust.
    pub fn methods_of(&self) -> Option<&'static Type> {
        let converts = meaning(&self.row().meaning.text)
            .is_some_and(|m| matches!(m.shape, Shape::Convert | Shape::Pack | Shape::Random));
        let result = converts.then_some(self.signature.result);
        [self.operand()].into_iter().chain(result).find(|t| t.has_methods())
    }

    /// The method's name: the function's without the type whose method it is, `fma_rn`, `F16::cvt_f32`, `F16::cvt_rn_f32`.
    pub fn method(&self) -> String {
        let types = match (&self.types[..], self.methods_of()) {
            ([others @ .., last], Some(own)) if own == *last => others,
            (types, _) => &types[1..],
        };
        self.named(types)
    }

    /// The instruction, the modifiers, and these types, as a name of Rust.
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

    /// The names after the instruction's, without the operators.
    pub fn names(&self) -> Vec<&'static str> {
        names(&self.modifiers, &self.types)
    }

    /// Whether it has the modifier.
    pub fn has(&self, name: &str) -> bool {
        self.modifiers.iter().any(|m| m.ptx == name)
    }

    /// Whether a spelling of it has the modifier, or the operator.
    pub fn allows(&self, m: &'static Modifier) -> bool {
        self.modifiers.contains(&m) || self.operators.lists().any(|list| list.contains(&m))
    }

    /// Whether a device may return something else than the default model.
    pub fn approximate(&self) -> bool {
        self.has("approx") || self.has("full")
    }
}

/// The operands that the row has with modifiers about these.
pub(crate) fn inputs(row: &Row, groups: Vec<Group>) -> impl Iterator<Item = &Operand> {
    row.operands.iter().filter(move |o| !o.optional || groups.iter().any(|g| g.brings() == Some(&o.name.text)))
}

/// The spelling of an instruction with open operators, modifiers and types.
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

/// The names after the instruction's.
pub(crate) fn names(modifiers: &[&'static Modifier], types: &[&'static Type]) -> Vec<&'static str> {
    modifiers.iter().map(|m| m.ptx).chain(types.iter().map(|t| t.ptx)).collect()
}
