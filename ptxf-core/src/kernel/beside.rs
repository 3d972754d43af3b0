//! The neighbours of a pair in its row: one element of the pair, and one that is loaded.
//!
//! The left neighbours of threads `i` and `i + 1` are the elements `i - 1` and `i`. The second one
//! is the first element of the threads' own pair.

use super::index::Lin;
use super::pair::Pair;

/// The side of an element on which its neighbour is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The element before.
    Before,
    /// The element after.
    After,
}

#[inline_in_release]
impl Side {
    /// Returns the indices of the neighbours.
    pub(super) fn of(self, i: Lin) -> Lin {
        match self {
            Self::Before => i - 1,
            Self::After => i + 1,
        }
    }

    /// Returns the index of the element that is not in the pair at `i`. The threads of `m` take
    /// their own elements, and the others their neighbours. The result is the sum of `i` and an
    /// offset, which a loop that moves `i` does not compute again.
    pub(super) fn index(self, i: Lin, m: u32) -> usize {
        match self {
            Self::Before => i - (m & 1 == 0) as usize,
            Self::After => i + if m >> 31 != 0 { 1 } else { 2 },
        }
        .0
    }

    /// Returns the own elements of the threads of `m`, and the neighbours of the others. `here` is
    /// the pair, and `one` the element at [`index`](Self::index).
    pub(super) fn join<P: Pair>(self, here: P, one: P::Lane, m: u32) -> P {
        match self {
            Self::Before => here.with_left(one, m),
            Self::After => here.with_right(one, m),
        }
    }
}
