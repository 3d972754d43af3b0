//! The operands that forms are compared on. Each has a number, so that threads make parts of a list
//! independently.

use std::ops::Range;

use oracle::layout::Layout;
use oracle::{Form, Rng, Ty, compare, cvt, edges, generate};
use ptxf::spec::{MOST_OPERANDS, Type};
use rayon::prelude::*;

use crate::forms::{Reading, Subject};

/// Number of random operands that share a seed.
const GROUP: u64 = 4096;

/// The operands of a form, followed by zeros.
type Operands = [u64; MOST_OPERANDS];

/// A list of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Class {
    /// Every combination of the edge operands.
    Edges,
    /// Every combination of a quarter of them.
    FewEdges,
    /// Operands related by what the instruction computes: near ties, sums that cancel, results near
    /// the smallest normal.
    NearTies,
    /// Random operands, half of them with exponents near each other.
    Random,
    /// All 2¹⁶ operands, for 16-bit forms of one.
    AllInputs,
    /// All 2³² pairs, for 16-bit forms of two operands.
    AllPairs,
}

/// A list of operands for a form.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) class: Class,
    /// Number of elements.
    pub(crate) len: u64,
    form: Subject,
    /// The edges of each operand, for lists that combine them; else empty.
    edges: Vec<Vec<u64>>,
    /// The values that a conversion's operands are drawn from; empty for other forms.
    drawn: &'static [u64],
    seed: u64,
}

impl Source {
    /// Makes a list. `count` is the length of lists of random operands.
    pub(crate) fn new(form: &Subject, class: Class, count: u64, seed: u64) -> Self {
        let edges = match class {
            Class::Edges | Class::FewEdges => (0..form.info.operands.len()).map(|k| edges_of(form, k, class)).collect(),
            _ => Vec::new(),
        };
        let len = match class {
            Class::Edges | Class::FewEdges => edges.iter().map(|list| list.len() as u64).product(),
            Class::NearTies | Class::Random => count,
            Class::AllInputs => 1 << 16,
            Class::AllPairs => 1 << 32,
        };
        let drawn = match &form.reading {
            Reading::Converts(cvt) => cvt::operands::list(cvt),
            _ => &[],
        };
        // A form's operands do not depend on the other forms that are compared.
        let seed =
            form.identifier.bytes().fold(seed ^ class as u64, |s, b| (s ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        Self { class, len, form: *form, edges, drawn, seed }
    }

    /// Writes the registers with these numbers, one column per operand. `range` starts at a
    /// multiple of 4096.
    ///
    /// The columns' memory is used again. The system zeroes new memory page by page, and many
    /// threads would wait for each other there.
    pub(crate) fn fill(&self, range: Range<u64>, columns: &mut Vec<Vec<u64>>) {
        assert!(range.start.is_multiple_of(GROUP) && range.end <= self.len, "{range:?} of {}", self.len);
        let count = (range.end - range.start) as usize;
        columns.resize_with(self.form.info.operands.len(), Vec::new);
        columns.iter_mut().for_each(|column| column.resize(count, 0));
        let mut groups: Vec<Vec<&mut [u64]>> = Vec::new();
        for column in columns {
            for (group, part) in column.chunks_mut(GROUP as usize).enumerate() {
                if groups.len() == group {
                    groups.push(Vec::new());
                }
                groups[group].push(part);
            }
        }
        groups.into_par_iter().enumerate().for_each(|(group, mut parts)| {
            let first = range.start + group as u64 * GROUP;
            let mut rng = Rng::new(self.seed ^ first.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for i in 0..parts[0].len() {
                let registers = self.registers(first + i as u64, &mut rng);
                for (part, register) in parts.iter_mut().zip(registers) {
                    part[i] = register;
                }
            }
        });
    }

    fn registers(&self, index: u64, rng: &mut Rng) -> Operands {
        match self.class {
            Class::Edges | Class::FewEdges => self.join(|lane| {
                // The high lane has the same operands in another order.
                let index = if lane == 0 { index } else { (index * 7 + self.len / 3) % self.len };
                self.product(index)
            }),
            Class::NearTies | Class::Random => match self.form.reading {
                Reading::Compares(form) => padded(&compared(&form, rng)),
                Reading::Converts(cvt) => padded(&cvt::operands::registers(&cvt, self.drawn, rng)),
                Reading::Several(form) => padded(&form.registers(rng)),
                Reading::Computes(form) if self.class == Class::NearTies || form.is_mixed() => {
                    padded(&generate::registers(&form, self.form.info.operands.len(), rng))
                }
                Reading::Computes(form) => self.join(|_| padded(&random(&form, rng))),
            },
            // An odd factor permutes the operands of the high lane.
            Class::AllInputs => {
                self.join(|lane| padded(&[if lane == 0 { index } else { (index * 0x6d2b + 0x1234) & 0xffff }]))
            }
            Class::AllPairs => padded(&[index >> 16, index & 0xffff]),
        }
    }

    /// Returns the combination of edges with this number; the last operand changes fastest.
    fn product(&self, mut index: u64) -> Operands {
        let mut out = padded(&[]);
        for (operand, edges) in out.iter_mut().zip(&self.edges).rev() {
            let base = edges.len() as u64;
            *operand = edges[(index % base) as usize];
            index /= base;
        }
        out
    }

    /// Returns registers made of the operands of each lane. An operand of one lane, a predicate, is
    /// the low lane's.
    fn join(&self, mut lane: impl FnMut(u8) -> Operands) -> Operands {
        let low = lane(0);
        if self.form.info.operands[0].lanes() == 1 {
            return low;
        }
        let high = lane(1);
        core::array::from_fn(|k| match self.form.info.operands.get(k) {
            Some(ty) if ty.lanes() == 2 => low[k] | high[k] << ty.stride(),
            _ => low[k],
        })
    }
}

/// Appends zeros.
fn padded(operands: &[u64]) -> Operands {
    core::array::from_fn(|k| operands.get(k).copied().unwrap_or(0))
}

/// Returns the edges of a lane of an operand.
fn edges_of(form: &Subject, operand: usize, class: Class) -> Vec<u64> {
    let of = |ty| if class == Class::Edges { edges::of(ty).to_vec() } else { edges::few(ty) };
    match (form.reading, form.info.operands[operand]) {
        (_, Type::Pred) => vec![0, 1],
        (Reading::Compares(form), _) if form.op == compare::Op::Slct && operand < 2 => form.to.edges(),
        (Reading::Compares(form), _) => form.of.edges(),
        (Reading::Computes(form), Type::F32) if form.is_mixed() => edges::few(Ty::F32),
        (Reading::Computes(form), _) => of(form.ty),
        (Reading::Several(form), _) => {
            let (from, mut edges) = (form.from(), cvt::operands::edges(form.from()[operand].num));
            // Of three operands with up to 8 bits, the codes with one run of ones below the sign:
            // the ends of subnormal numbers, of numbers and of NaNs, and 1.
            let sign = from[operand].num.mask() / 2 + 1;
            if from.len() == 3 && sign < 256 {
                edges.retain(|code| {
                    let x = code & !sign;
                    x & (x + (x & x.wrapping_neg())) == 0
                });
            }
            edges
        }
        (Reading::Converts(_), _) => {
            unreachable!("a conversion's edges are among the values that its operands are drawn from")
        }
    }
}

/// Returns operands of which the second one is often near the first.
fn compared(form: &compare::Form, rng: &mut Rng) -> [u64; 3] {
    let a = rng.next();
    let reach = 1 << (1 + rng.below(12));
    let b = if rng.below(2) == 0 { a ^ rng.below(reach) } else { rng.next() };
    let c = if form.op == compare::Op::Slct { rng.next() } else { rng.below(2) };
    let mask = |kind: compare::Kind| u64::MAX >> (64 - kind.lane_bits() * kind.lanes());
    match form.op {
        compare::Op::Slct => [a & mask(form.to), b & mask(form.to), c & mask(form.of)],
        _ => [a & mask(form.of), b & mask(form.of), c],
    }
}

/// Returns random operands of one lane, at little cost.
fn random(form: &Form, rng: &mut Rng) -> [u64; 3] {
    let layout = Layout::of(form.ty);
    let bits = rng.next();
    let pattern = |rng: &mut Rng| rng.next() & layout.mask();
    let a = pattern(rng);
    match bits & 7 {
        0..=2 => [a, pattern(rng), pattern(rng)],
        // Exponents near each other: the operands of a sum, and the addend of a product.
        3..=5 => {
            let b = beside(layout, a, bits >> 8, rng);
            let third = if bits & 64 == 0 {
                beside(layout, a, bits >> 32, rng)
            } else {
                product(layout, a, b, bits >> 32, rng)
            };
            [a, b, third]
        }
        6 => {
            let mut around_one = || beside(layout, layout.one(), rng.next(), rng);
            [around_one(), around_one(), around_one()]
        }
        _ => {
            let mut edge = || rng.pick(edges::of(form.ty));
            [edge(), edge(), edge()]
        }
    }
}

/// Returns a number of any sign and fraction, with an exponent near that of `x`.
fn beside(layout: &Layout, x: u64, choice: u64, rng: &mut Rng) -> u64 {
    at(layout, (layout.magnitude(x) >> layout.fraction) as i64, choice, rng)
}

/// Returns a number of any sign and fraction, with an exponent near that of the product of `a` and
/// `b`.
fn product(layout: &Layout, a: u64, b: u64, choice: u64, rng: &mut Rng) -> u64 {
    let field = |x| (layout.magnitude(x) >> layout.fraction) as i64;
    at(layout, field(a) + field(b) - i64::from(layout.bias()), choice, rng)
}

fn at(layout: &Layout, field: i64, choice: u64, rng: &mut Rng) -> u64 {
    let reach = i64::from(layout.precision()) + 2;
    let top = (layout.infinity() >> layout.fraction) as i64 - 1;
    let place = ((choice & 0xffff) as i64 * (2 * reach + 1)) >> 16;
    let field = (field + place - reach).clamp(0, top) as u64;
    let rest = rng.next();
    (rest & layout.sign_bit()) | field << layout.fraction | rest & (layout.min_normal() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;

    fn filled(source: &Source, range: Range<u64>) -> Vec<Vec<u64>> {
        // The old contents do not matter.
        let mut columns = vec![vec![1; 7]; 9];
        source.fill(range, &mut columns);
        columns
    }

    fn source(function: &str, class: Class, count: u64) -> Source {
        let form = forms::all().iter().find(|f| f.identifier == function).unwrap();
        Source::new(form, class, count, 1)
    }

    #[test]
    fn a_part_is_the_same_as_in_the_whole() {
        for class in [Class::Edges, Class::NearTies, Class::Random] {
            let source = source("fma_rn_f16x2", class, 3 * GROUP);
            let whole = filled(&source, 0..3 * GROUP);
            let part = filled(&source, GROUP..2 * GROUP);
            for (whole, part) in whole.iter().zip(&part) {
                assert_eq!(whole[GROUP as usize..2 * GROUP as usize], part[..], "{class:?}");
            }
        }
    }

    #[test]
    fn both_lanes_see_every_combination() {
        let pairs = source("add_rn_f16x2", Class::FewEdges, 0);
        let columns = filled(&pairs, 0..pairs.len);
        for shift in [0, 16] {
            let mut seen: Vec<(u64, u64)> =
                columns[0].iter().zip(&columns[1]).map(|(a, b)| (a >> shift & 0xffff, b >> shift & 0xffff)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len() as u64, pairs.len, "lane at {shift}");
        }
        let halves = source("ex2_approx_f16x2", Class::AllInputs, 0);
        let columns = filled(&halves, 0..halves.len);
        for shift in [0, 16] {
            let mut seen: Vec<u64> = columns[0].iter().map(|a| a >> shift & 0xffff).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..1 << 16));
        }
    }

    #[test]
    fn pairs_are_counted_through() {
        let source = source("add_rn_f16", Class::AllPairs, 0);
        let columns = filled(&source, 0x3c00_0000..0x3c01_0000);
        assert!(columns[0].iter().all(|a| *a == 0x3c00) && columns[1].iter().copied().eq(0..1 << 16));
    }
}
