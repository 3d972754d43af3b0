//! Forms of the table, which the library computes in every lane.

use ptxf::spec::{MOST_OPERANDS, Spelling, Type};
use ptxf_text::{Class, Ty};

use super::Reg;
use super::convert::extended;
use super::registers::{LANES, Mask, Registers, Run, Slots, lanes};
use super::replacement::Replacement;
use super::vectors;

/// A place of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Register(Reg),
    /// A predicate. The lowest bit negates it.
    Predicate(u32),
}

/// A place of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination {
    Register(Reg),
    /// Two predicates. The second one gets bit 1 of the result.
    Predicates(u32, u32),
}

/// A form with its operands.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) spelling: Spelling,
    /// The model or the change of the machine.
    replacement: Replacement,
    pub(crate) sources: Vec<Source>,
    pub(crate) destination: Destination,
    /// The function that computes all lanes at once, and its registers.
    vectors: Option<(Run, Slots)>,
}

impl Form {
    pub(crate) fn new(
        spelling: Spelling,
        replacement: Replacement,
        sources: Vec<Source>,
        destination: Destination,
    ) -> Self {
        let vectors = match destination {
            // Vectors compute the table's results only.
            _ if !replacement.is_none() => None,
            Destination::Register(result) => vectors::find(spelling.form.canonical, sources.len())
                .and_then(|run| Some((run, slots(&[result.at], &sources)?))),
            Destination::Predicates(p, q) => {
                vectors::find_comparison(&spelling.to_string()).and_then(|run| Some((run, slots(&[p, q], &sources)?)))
            }
        };
        Self { spelling, replacement, sources, destination, vectors }
    }

    /// Returns `true` if a model of a device computes the results.
    pub(crate) const fn is_modelled(&self) -> bool {
        self.replacement.is_modelled()
    }

    /// Returns the result of a lane. Lowering has checked the number of operands, and that a model
    /// has results.
    pub(crate) fn result(&self, operands: &[u64]) -> u64 {
        self.replacement
            .result(&self.spelling, operands)
            .expect("lowering has asked whether there are results of these operands")
    }

    #[inline]
    pub(crate) fn run(&self, registers: &mut Registers, mask: Mask) {
        match &self.vectors {
            Some((run, slots)) => run(registers, slots, mask),
            None => self.by_lanes(registers, mask),
        }
    }

    /// Computes one lane after another.
    fn by_lanes(&self, registers: &mut Registers, mask: Mask) {
        let count = self.sources.len().min(MOST_OPERANDS);
        let mut columns = [[0; LANES]; MOST_OPERANDS];
        for (column, source) in columns.iter_mut().zip(&self.sources) {
            *column = match *source {
                Source::Register(reg) => registers.column(reg),
                Source::Predicate(slot) => {
                    let truth = registers.truth(slot);
                    std::array::from_fn(|lane| (truth >> lane & 1).into())
                }
            };
        }
        let mut results = [0; LANES];
        for lane in lanes(mask) {
            let operands: [u64; MOST_OPERANDS] = std::array::from_fn(|i| columns[i][lane]);
            results[lane] = self.result(&operands[..count]);
        }
        match self.destination {
            Destination::Register(reg) => {
                if let Some(ty) = integer(self.spelling.form.result) {
                    results = results.map(|x| extended(x, ty));
                }
                registers.set_column(reg, mask, &results);
            }
            Destination::Predicates(p, q) => {
                let truth = |bit: u32| {
                    let ones = lanes(mask).map(|lane| (results[lane] >> bit & 1) << lane);
                    ones.fold(0, |all, one| all | one as Mask)
                };
                let (first, second) = (truth(0), truth(1));
                registers.set_truth(p, first, mask);
                registers.set_truth(q, second, mask);
            }
        }
    }
}

/// Returns the places of results and operands. Returns `None` if one of them is a predicate.
fn slots(results: &[u32], sources: &[Source]) -> Option<Slots> {
    let mut all = Slots::default();
    let (first, rest) = all.split_at_mut(results.len());
    first.copy_from_slice(results);
    for (slot, source) in rest.iter_mut().zip(sources) {
        let Source::Register(reg) = source else { return None };
        *slot = reg.at;
    }
    Some(all)
}

/// Returns the integer type of a form's type, whose results are extended to wider registers.
pub(crate) fn integer(ty: Type) -> Option<Ty> {
    let class = match ty {
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => Class::Unsigned,
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => Class::Signed,
        _ => return None,
    };
    Some(Ty { class, bits: ty.bits() })
}
