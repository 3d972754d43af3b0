//! Compares one block of inputs.

use std::ops::Range;

use super::oracles::Oracle;
use super::subject::Subject;

/// Number of inputs that a buffer holds. It divides a row of pairs, so that the first operand is
/// constant in a buffer.
pub(super) const CHUNK: usize = 2048;

/// Number of mismatches that are stored with their operands.
pub(super) const KEPT: usize = 10;

/// A result that differs from an oracle's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) input: u64,
    pub(super) got: u64,
    pub(super) want: u64,
    pub(super) oracle: String,
}

/// The outcome of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Inputs compared with every oracle.
    pub(super) compared: u64,
    /// Differences, one per input and oracle.
    pub(super) mismatches: u64,
    /// Checksum of the library's results. The sum over blocks does not depend on their order.
    pub(super) checksum: u64,
}

/// Compares the results of a block with every oracle's.
pub(super) fn block(subject: &Subject, oracles: &[Oracle], inputs: Range<u64>) -> (Block, Vec<Mismatch>) {
    let (mut got, mut want) = ([0; CHUNK], [0; CHUNK]);
    let mut total = Block::default();
    let mut kept = Vec::new();
    for first in inputs.step_by(CHUNK) {
        (subject.fill)(first, &mut got);
        total.checksum = total.checksum.wrapping_add(checksum(first, &got));
        for oracle in oracles {
            (oracle.fill)(first, &mut want);
            if got == want {
                continue;
            }
            for (i, (&got, &want)) in got.iter().zip(&want).enumerate().filter(|(_, (got, want))| got != want) {
                total.mismatches += 1;
                if kept.len() < KEPT {
                    kept.push(Mismatch { input: first + i as u64, got, want, oracle: oracle.name.to_owned() });
                }
            }
        }
        total.compared += got.len() as u64;
    }
    (total, kept)
}

/// Adds the outcomes of two sets of blocks, and keeps the first mismatches by input.
pub(super) fn together(
    (a, mut first): (Block, Vec<Mismatch>),
    (b, others): (Block, Vec<Mismatch>),
) -> (Block, Vec<Mismatch>) {
    first.extend(others);
    first.sort_by_key(|m| m.input);
    first.truncate(KEPT);
    let total = Block {
        compared: a.compared + b.compared,
        mismatches: a.mismatches + b.mismatches,
        checksum: a.checksum.wrapping_add(b.checksum),
    };
    (total, first)
}

/// Returns the sum of the results, each multiplied by an odd number of its own.
fn checksum(first: u64, results: &[u64; CHUNK]) -> u64 {
    let weighted = |(i, d): (usize, &u64)| d.wrapping_add(1).wrapping_mul(2 * (first + i as u64) + 1);
    results.iter().enumerate().map(weighted).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Space, unary16};

    #[test]
    fn every_difference_is_counted_and_the_first_are_kept() {
        let subject = Subject::new("neg.f16", Space::Unary16, unary16(|a| a));
        let lies = Oracle { name: "liar", default: true, fill: unary16(|a| if a % 100 == 7 { !a } else { a }) };
        let (done, kept) = block(&subject, &[lies], 8192..16_384);
        let wrong: Vec<u64> = (8192..16_384).filter(|a| a % 100 == 7).collect();
        assert_eq!((done.compared, done.mismatches), (8192, wrong.len() as u64));
        assert_eq!(kept.iter().map(|m| m.input).collect::<Vec<_>>(), wrong[..KEPT]);
        assert_eq!((kept[0].got, kept[0].want), (wrong[0], u64::from(!(wrong[0] as u16))));
    }

    #[test]
    fn totals_and_first_mismatches_do_not_depend_on_the_order() {
        let wrong = |input| Mismatch { input, got: 1, want: 2, oracle: "host".to_owned() };
        let block = |compared, mismatches, checksum| Block { compared, mismatches, checksum };
        let a = (block(10, 12, u64::MAX), (30..40).map(wrong).collect::<Vec<_>>());
        let b = (block(10, 1, 5), vec![wrong(11)]);
        let (total, first) = together(a.clone(), b.clone());
        assert_eq!(total, block(20, 13, 4));
        assert_eq!(
            first.iter().map(|m| m.input).collect::<Vec<_>>(),
            [&[11][..], &(30..39).collect::<Vec<_>>()].concat()
        );
        assert_eq!(together(b, a), (total, first));
    }

    #[test]
    fn the_checksum_sees_an_exchange_of_two_results() {
        let mut results = [0; CHUNK];
        results[3] = 1;
        let one = checksum(0, &results);
        results.swap(3, 4);
        assert_ne!(one, checksum(0, &results));
    }
}
