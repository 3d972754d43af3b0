//! The threads of a launch, and the order in which they run.

use crate::level::Level;
use crate::matrix::Unit;

/// The threads of a launch, in up to three dimensions. Their number is exact and not rounded up to
/// blocks.
///
/// The results do not depend on the order, the level or the number of cores.
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
    unit: Unit,
    #[cfg(feature = "rayon")]
    parallel: bool,
}

/// The order in which groups of threads run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In the order of ascending indices.
    #[default]
    Serial,
    /// In the order of descending indices.
    Reversed,
    /// In a pseudo-random order that depends only on the seed.
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
            unit: Unit::sm_90(),
            #[cfg(feature = "rayon")]
            parallel: false,
        }
    }
}

impl Grid {
    /// Returns the number of threads along x, y and z.
    #[must_use]
    #[inline]
    pub const fn threads(self) -> [usize; 3] {
        self.threads
    }

    /// Returns the number of threads of a block along x, y and z.
    #[must_use]
    #[inline]
    pub const fn block_threads(self) -> [usize; 3] {
        self.block
    }

    /// Checks that the grid has threads only along the first `axes` axes.
    ///
    /// # Panics
    ///
    /// Panics if the grid has threads along another axis, because all of these threads would do the
    /// same work at the same time.
    pub(super) fn require_axes(self, kernel: &str, axes: usize) {
        assert!(
            self.threads[axes..].iter().all(|&n| n <= 1),
            "`{kernel}` takes the index of {axes} axes, and the grid has threads along more: {:?}",
            self.threads
        );
    }

    /// Sets the number of threads of a block, which is 256 along x by default.
    ///
    /// # Panics
    ///
    /// Panics if one of the numbers is 0.
    #[must_use]
    #[inline]
    pub const fn block(mut self, threads: [usize; 3]) -> Self {
        assert!(threads[0] > 0 && threads[1] > 0 && threads[2] > 0, "a block has at least one thread");
        self.block = threads;
        self
    }

    /// Sets the order of the groups, to test that the results do not depend on it.
    #[must_use]
    #[inline]
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Runs the launch on all of rayon's threads.
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[must_use]
    #[inline]
    pub const fn parallel(mut self) -> Self {
        self.parallel = true;
        self
    }

    /// Sets the level of wide launches, which is [`Level::detect`]'s by default.
    ///
    /// # Panics
    ///
    /// Panics if this CPU does not have `level`, because executing its instructions would be
    /// undefined behaviour.
    #[must_use]
    #[inline]
    pub fn level(mut self, level: Level) -> Self {
        level.require();
        self.level = Some(level);
        self
    }

    /// Lets paired launches run the first thread of a block on its own: lane `l` of pair `p` is
    /// then thread `2p + l − 1` of the block.
    #[must_use]
    #[inline]
    pub const fn head(mut self, head: bool) -> Self {
        self.head = head;
        self
    }

    /// Sets the device whose bits the matrix instructions of a [`Warp`](super::Warp) have on a CPU,
    /// which is an H100, [`Unit::sm_90`], by default.
    ///
    /// # Panics
    ///
    /// Panics unless the unit's instruction is `mma.sync` of 16 rows and 8 columns: that of
    /// `sm_80`, `sm_86`, `sm_89`, `sm_90`, `sm_100` and `sm_120`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::kernel::{FragmentC, Grid};
    /// use ptxf::matrix::Unit;
    /// use ptxf::{F16, ptx_kernel};
    ///
    /// #[ptx_kernel]
    /// fn product(w: Warp, a: &[F16], b: &[F16], d: &mut [f32]) {
    ///     let (a, b) = (w.load_a(a.matrix(1, 16), 0, 0), w.load_b(b.matrix(16, 1), 0, 0));
    ///     // SAFETY: there is one warp.
    ///     unsafe { w.store(w.mma(a, b, FragmentC::splat(1.0)), &mut d.matrix(1, 1), 0, 0) };
    /// }
    ///
    /// // 1 + 2⁻²⁵, sixteen times: a step of an A100 cuts these products, and one of an H100 does not.
    /// let (a, b) = ([F16::from_f32(f32::exp2(-12.0)); 16], [F16::from_f32(f32::exp2(-13.0)); 16]);
    /// let sum = |unit| {
    ///     let mut d = [0.0];
    ///     product::launch(Grid::from(1).unit(unit), &a, &b, &mut d);
    ///     d[0].to_bits()
    /// };
    /// assert_eq!(sum(Unit::sm_90()), 0x3f80_0004);
    /// assert_eq!(sum(Unit::sm_80()), 0x3f80_0000);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn unit(mut self, unit: Unit) -> Self {
        assert!(
            unit.is_of_warps(),
            "this unit has no `mma.sync` of 16 rows and 8 columns: choose sm_80, sm_89 or sm_90"
        );
        self.unit = unit;
        self
    }

    /// Makes each row along x one block.
    pub(super) const fn in_rows(mut self) -> Self {
        let [x, ..] = self.threads;
        self.block[0] = if x == 0 { 1 } else { x };
        self
    }

    /// Returns `true` if all threads are in one row and block that has many groups, so that one
    /// more group costs little. In debug builds one group is enough, so that tests cover this case.
    pub(super) const fn is_long(self, lanes: usize) -> bool {
        const GROUPS: usize = if cfg!(debug_assertions) { 1 } else { 64 };
        let [x, y, z] = self.threads;
        y == 1 && z == 1 && x <= self.block[0] && x / lanes >= GROUPS
    }

    /// Returns `true` if pairs begin at odd threads.
    pub(super) const fn has_head(self) -> bool {
        self.head
    }

    /// Returns `true` if every thread with an even index along x is the first of its pair.
    pub(super) const fn pairs_even(self) -> bool {
        !self.head && (self.block[0].is_multiple_of(2) || self.block[0] >= self.threads[0])
    }

    /// Returns the level of wide launches.
    pub(super) fn chosen_level(self) -> Level {
        self.level.unwrap_or_else(Level::detect)
    }

    /// Returns the matrix unit of the launch's warps.
    pub(super) const fn chosen_unit(self) -> Unit {
        self.unit
    }

    /// Returns the order of the groups.
    pub(super) const fn chosen_order(self) -> Order {
        self.order
    }

    /// Returns `true` if the launch may use several cores.
    pub(super) const fn is_parallel(self) -> bool {
        #[cfg(feature = "rayon")]
        return self.parallel;
        #[cfg(not(feature = "rayon"))]
        return false;
    }
}

#[inline_in_release]
impl Order {
    /// Returns the index of the group that runs `i`-th of `n`.
    pub(super) fn pick(self, i: usize, n: usize) -> usize {
        match self {
            Self::Serial => i,
            Self::Reversed => n - 1 - i,
            Self::Shuffled(seed) => shuffled(seed, i, n),
        }
    }
}

/// Returns element `i` of a permutation of the numbers below `n`. A permutation of the numbers
/// below the next power of two is iterated until its value is less than `n`.
#[inline(never)]
fn shuffled(seed: u64, i: usize, n: usize) -> usize {
    let mask = n.next_power_of_two() - 1;
    let half = mask.count_ones().div_ceil(2);
    let mut x = i;
    loop {
        for round in 0..3_u64 {
            // Each of these steps is invertible.
            x = (x ^ (seed >> (round * 21)) as usize) & mask;
            x = x.wrapping_mul(0x9E37_79B1) & mask;
            x ^= x >> half;
        }
        if x < n {
            return x;
        }
    }
}
