//! The order of blocks, warps and groups: by number, or by a seed.

/// A generator of random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Makes the generator of a seed and a number, such as a block's.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed);
        dice.0 = dice.next() ^ number;
        dice
    }

    /// Returns the next number of the generator "splitmix64".
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Shuffles a list.
    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (2..=all.len()).rev() {
            let chosen = self.below(end as u64) as usize;
            all.swap(end - 1, chosen);
        }
    }
}

/// An order of blocks that has each number once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permutation {
    count: u64,
    factor: u64,
    first: u64,
}

impl Permutation {
    /// Makes the order of a seed, or the order of the numbers.
    pub(crate) fn new(seed: Option<u64>, count: u64) -> Self {
        let Some(seed) = seed else { return Self { count, factor: 1, first: 0 } };
        let mut dice = Dice::new(seed, count);
        let (first, mut factor) = (dice.below(count), 1 + dice.below(count));
        // Steps of a coprime length reach every number.
        while gcd(factor, count) != 1 {
            factor += 1;
        }
        Self { count, factor, first }
    }

    /// Returns the number at this position of the order.
    pub(crate) fn at(self, place: u64) -> u64 {
        ((u128::from(self.first) + u128::from(self.factor) * u128::from(place)) % u128::from(self.count)) as u64
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once_and_seeds_differ() {
        let order = |seed, count| {
            let permutation = Permutation::new(seed, count);
            (0..count).map(|place| permutation.at(place)).collect::<Vec<_>>()
        };
        assert_eq!(order(None, 5), [0, 1, 2, 3, 4]);
        for count in [1, 2, 7, 64, 1000] {
            let mut all = order(Some(count), count);
            all.sort_unstable();
            assert_eq!(all, order(None, count));
        }
        assert_ne!(order(Some(1), 64), order(Some(2), 64));
        let mut shuffled = [0, 1, 2, 3, 4, 5, 6, 7];
        Dice::new(3, 4).shuffle(&mut shuffled);
        assert_ne!(shuffled, [0, 1, 2, 3, 4, 5, 6, 7]);
        shuffled.sort_unstable();
        assert_eq!(shuffled, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
