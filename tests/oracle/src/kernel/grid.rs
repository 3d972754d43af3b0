//! The threads and the arguments of a launch.

use std::collections::BTreeSet;

use crate::Rng;

/// The threads of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The numbers of threads along x, y and z.
    pub threads: [usize; 3],
    /// The threads of a block along x, y and z. The last blocks have the remaining threads.
    pub block: [usize; 3],
    /// The order in which they run.
    pub order: Order,
}

/// The order of a launch's blocks, and of a block's threads from one barrier to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Ascending numbers.
    Serial,
    /// Descending numbers.
    Reversed,
    /// A different order for each launch.
    Shuffled(u64),
}

/// The argument for a parameter that is not an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The bits of an `f32`, an integer, or 0 and 1.
    Scalar(u64),
    /// The bits of each element: in the element type, in binary32 if kept, or an integer. For a
    /// narrow format, the bits of each byte.
    Slice(Vec<u64>),
}

/// Accesses: the slice (its number among the arguments), the element, `true` for a write.
pub type Touched = BTreeSet<(usize, usize, bool)>;

impl Order {
    pub(crate) fn of(self, n: usize, time: u64) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        match self {
            Self::Serial => {}
            Self::Reversed => all.reverse(),
            Self::Shuffled(seed) => {
                let mut rng = Rng::new(seed ^ time);
                for i in (1..n).rev() {
                    all.swap(i, rng.below(i as u64 + 1) as usize);
                }
            }
        }
        all
    }
}
