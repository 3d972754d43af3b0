//! The inputs of a form, and their division into blocks.

use std::ops::Range;

use super::draw::Draw;

/// Writes the results of the inputs `first..first + out.len()`, at most a
/// [`CHUNK`](super::check::CHUNK) and aligned to it.
pub(super) type Fill = Box<dyn Fn(u64, &mut [u64]) + Send + Sync>;

/// All inputs of a form, numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// All pairs of 16-bit operands: `a · 2^16 + b`.
    Pairs,
    /// All operands of 16 bits, or pairs of bytes.
    Unary16,
    /// All operands of 32 bits.
    Unary32,
    /// Operands drawn at random, near ties among them, where there are too many.
    #[cfg_attr(not(feature = "levels"), expect(dead_code, reason = "one value at a time, all inputs are tried"))]
    Drawn(Draw),
}

impl Space {
    /// Returns the number of inputs.
    pub(super) const fn inputs(self) -> u64 {
        match self {
            Self::Pairs | Self::Unary32 => 1 << 32,
            Self::Unary16 => 1 << 16,
            Self::Drawn(_) => 1 << 27,
        }
    }

    /// Returns the number of inputs in a block, which takes about a tenth of a second. A sample has
    /// smaller blocks, to cover more places.
    const fn block(self, sample: bool) -> u64 {
        match self {
            Self::Pairs | Self::Unary32 if !sample => 1 << 21,
            Self::Drawn(_) if !sample => 1 << 17,
            _ => 1 << 13,
        }
    }

    /// Returns all blocks, or one at a varying place out of every `sample`. Another seed takes
    /// other places.
    pub(super) fn blocks(self, sample: Option<u64>, seed: u64) -> Vec<Range<u64>> {
        let size = self.block(sample.is_some());
        let (blocks, step) = (self.inputs() / size, sample.unwrap_or(1));
        let chosen = |group: u64| group * step + (group.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed) % step;
        let numbers = (0..blocks.div_ceil(step)).map(chosen).filter(|number| *number < blocks);
        numbers.map(|number| number * size..(number + 1) * size).collect()
    }

    /// The operands' bits of an input.
    pub(super) fn operands(self, input: u64) -> Vec<u64> {
        match self {
            Self::Pairs => vec![input >> 16, input & 0xffff],
            Self::Unary16 | Self::Unary32 => vec![input],
            Self::Drawn(draw) => draw.operands(input),
        }
    }

    /// Hexadecimal digits of an operand.
    pub(super) fn digits(self) -> usize {
        match self {
            Self::Pairs | Self::Unary16 => 4,
            Self::Unary32 => 8,
            Self::Drawn(draw) => draw.digits(),
        }
    }

    /// Returns `true` if the inputs are all that exist.
    pub(super) const fn is_all(self) -> bool {
        !matches!(self, Self::Drawn(_))
    }
}

/// The walk over pairs.
pub(super) fn pairs<D: Into<u64>>(f: impl Fn(u16, u16) -> D + Send + Sync + 'static) -> Fill {
    Box::new(move |first, out| {
        let (a, b) = ((first >> 16) as u16, first as u16);
        for (i, d) in out.iter_mut().enumerate() {
            *d = f(a, b + i as u16).into();
        }
    })
}

/// The walk over 16-bit operands.
pub(super) fn unary16<D: Into<u64>>(f: impl Fn(u16) -> D + Send + Sync + 'static) -> Fill {
    Box::new(move |first, out| {
        for (i, d) in out.iter_mut().enumerate() {
            *d = f(first as u16 + i as u16).into();
        }
    })
}

/// The walk over 32-bit operands.
pub(super) fn unary32<D: Into<u64>>(f: impl Fn(u32) -> D + Send + Sync + 'static) -> Fill {
    Box::new(move |first, out| {
        for (i, d) in out.iter_mut().enumerate() {
            *d = f(first as u32 + i as u32).into();
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CHUNK;

    #[test]
    fn the_blocks_are_the_space() {
        for space in [Space::Pairs, Space::Unary16, Space::Unary32] {
            let mut next = 0;
            for range in space.blocks(None, 1) {
                assert_eq!(range.start, next);
                assert_eq!((range.start % CHUNK as u64, range.end % CHUNK as u64), (0, 0));
                next = range.end;
            }
            assert_eq!(next, space.inputs());
            assert_eq!(space.blocks(Some(1), 1).len() as u64 * space.block(true), space.inputs());
        }
    }

    #[test]
    fn a_sample_takes_one_block_of_every_group_at_varying_places() {
        let numbers = |seed| Space::Unary32.blocks(Some(256), seed).into_iter().map(|range| range.start >> 13);
        assert_eq!(numbers(0).count(), (1 << 32 >> 13) / 256);
        let places: std::collections::BTreeSet<u64> = numbers(0).map(|number| number % 256).collect();
        assert!(places.len() > 200);
        assert!(numbers(0).enumerate().all(|(group, number)| number / 256 == group as u64));
        // Seeds that differ in their last eight bits share no block.
        assert!(numbers(0).zip(numbers(77)).all(|(a, b)| a != b));
    }
}
