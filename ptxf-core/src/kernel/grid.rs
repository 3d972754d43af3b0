//! Which threads a launch has, and in what order they run.

use crate::level::Level;

/// The threads of a launch on the CPU, in up to three dimensions: exactly those, no rounding up to blocks.
///
/// The results do not depend on the order, the level, or how many cores take part.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{Grid, Order};
///
/// let line = Grid::from(1000);
/// let image = Grid::from([640, 480]).block([16, 16, 1]).order(Order::Reversed);
/// assert_eq!((line.threads(), image.threads()), ([1000, 1, 1], [640, 480, 1]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    threads: [usize; 3],
    block: [usize; 3],
    order: Order,
    level: Option<Level>,
    head: bool,
    #[cfg(feature = "rayon")]
    parallel: bool,
}

/// The order in which the groups of threads run that share a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By ascending index.
    #[default]
    Serial,
    /// By descending index.
    Reversed,
    /// As if shuffled, the same for the same seed.
    Shuffled(u64),
}

impl From<usize> for Grid {
    #[inline]
    fn from(threads: usize) -> Self {
        [threads, 1, 1].into()
    }
}

impl From<[usize; 1]> for Grid {
    #[inline]
    fn from([x]: [usize; 1]) -> Self {
        [x, 1, 1].into()
    }
}

impl From<[usize; 2]> for Grid {
    #[inline]
    fn from([x, y]: [usize; 2]) -> Self {
        [x, y, 1].into()
    }
}

impl From<[usize; 3]> for Grid {
    #[inline]
    fn from(threads: [usize; 3]) -> Self {
        Self {
            threads,
            block: [256, 1, 1],
            order: Order::Serial,
            level: None,
            head: false,
            #[cfg(feature = "rayon")]
            parallel: false,
        }
    }
}

impl Grid {
    /// The threads along x, y and z.
    #[must_use]
    #[inline]
    pub const fn threads(self) -> [usize; 3] {
        self.threads
    }

    /// The threads of a block.
    #[must_use]
    #[inline]
    pub const fn block_threads(self) -> [usize; 3] {
        self.block
    }

    /// Insists on a grid that has threads along no more axes than a kernel asks for.
    ///
    /// # Panics
    ///
    /// It panics if the grid has threads along another axis, since all of those would do the same work at the same time.
    pub(super) fn require_axes(self, kernel: &str, axes: usize) {
        assert!(
            self.threads[axes..].iter().all(|&n| n <= 1),
            "`{kernel}` takes the index of {axes} axes, and the grid has threads along more: {:?}",
            self.threads
        );
    }

    /// With blocks of so many threads, instead of 256 along x.
    ///
    /// # Panics
    ///
    /// It panics if one of the numbers is 0, since a block has at least one thread.
    #[must_use]
    #[inline]
    pub const fn block(mut self, threads: [usize; 3]) -> Self {
        assert!(threads[0] > 0 && threads[1] > 0 && threads[2] > 0, "a block has at least one thread");
        self.block = threads;
        self
    }

    /// In another order, to see that the results do not depend on it.
    #[must_use]
    #[inline]
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// On all of rayon's threads.
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[must_use]
    #[inline]
    pub const fn parallel(mut self) -> Self {
        self.parallel = true;
        self
    }

    /// Wide launches at this level, instead of [`Level::detect`]'s.
    ///
    /// # Panics
    ///
    /// It panics if this CPU does not have `level`, since its instructions would be undefined behaviour here.
    #[must_use]
    #[inline]
    pub fn level(mut self, level: Level) -> Self {
        level.require();
        self.level = Some(level);
        self
    }

    /// Paired launches with the first thread of a block on its own: lane `l` of pair `p` is thread `2p + l − 1` of it.
    #[must_use]
    #[inline]
    pub const fn head(mut self, head: bool) -> Self {
        self.head = head;
        self
    }

    /// With blocks that are rows.
    pub(super) const fn in_rows(mut self) -> Self {
        let [x, ..] = self.threads;
        self.block[0] = if x == 0 { 1 } else { x };
        self
    }

    /// Whether all threads are one row and block, and a group more is nothing beside the others. Debug builds have more of them, for tests.
    pub(super) const fn is_long(self, lanes: usize) -> bool {
        const GROUPS: usize = if cfg!(debug_assertions) { 1 } else { 64 };
        let [x, y, z] = self.threads;
        y == 1 && z == 1 && x <= self.block[0] && x / lanes >= GROUPS
    }

    /// Whether pairs begin at odd threads.
    pub(super) const fn has_head(self) -> bool {
        self.head
    }

    /// Whether threads of even index along x are the first of their pairs.
    pub(super) const fn pairs_even(self) -> bool {
        !self.head && (self.block[0].is_multiple_of(2) || self.block[0] >= self.threads[0])
    }

    /// The level of wide launches.
    pub(super) fn chosen_level(self) -> Level {
        self.level.unwrap_or_else(Level::detect)
    }

    /// The order of the groups.
    pub(super) const fn chosen_order(self) -> Order {
        self.order
    }

    /// Whether several cores are asked for.
    pub(super) const fn is_parallel(self) -> bool {
        #[cfg(feature = "rayon")]
        return self.parallel;
        #[cfg(not(feature = "rayon"))]
        return false;
    }
}

#[inline_in_release]
impl Order {
    /// Which of `n` comes `i`-th.
    pub(super) fn pick(self, i: usize, n: usize) -> usize {
        match self {
            Self::Serial => i,
            Self::Reversed => n - 1 - i,
            Self::Shuffled(seed) => shuffled(seed, i, n),
        }
    }
}

/// A permutation of the numbers below `n`: one of those below the next power of two, walked until it is back among them.
#[inline(never)]
fn shuffled(seed: u64, i: usize, n: usize) -> usize {
    let mask = n.next_power_of_two() - 1;
    let half = mask.count_ones().div_ceil(2);
    let mut x = i;
    loop {
        for round in 0..3_u64 {
            // Each of these steps can be undone.
            x = (x ^ (seed >> (round * 21)) as usize) & mask;
            x = x.wrapping_mul(0x9E37_79B1) & mask;
            x ^= x >> half;
        }
        if x < n {
            return x;
        }
    }
}
