//! Launches a benchmark's kernels and measures their times.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ptxf::kernel::Grid;

use crate::gpu::{Argument, Device, Entry};

/// A version of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One thread at a time, the definition.
    Scalar,
    /// Two threads at a time, as on a device.
    Pair,
    /// Eight threads at a time on a device, and two on this CPU.
    Many,
    /// As many threads at a time as a vector of this CPU has lanes.
    Wide,
}

impl Way {
    /// The versions on a CPU.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Pair, Self::Wide];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Pair => "pair",
            Self::Many => "pair, 8 threads",
            Self::Wide => "wide",
        }
    }
}

/// The place where kernels run.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    OneCore,
    AllCores,
    /// All cores, for so many of the grid's threads.
    Sample(usize),
    Device(&'a Device),
}

/// Returns the time of a loop without kernels, measured as by [`Launch::time`] on one core.
pub fn plain(run: impl FnOnce()) -> Duration {
    Launch::new(Way::Scalar, false).time(run)
}

/// A launch of all kernels of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    pub way: Way,
    /// `true` if the variables of `keep` stay f32.
    pub keep: bool,
    /// `true` if a device runs the counterparts in CUDA C++ instead of the suite's kernels.
    pub is_peer: bool,
    /// `true` if products are fused with their sums.
    pub fuse: bool,
    pub place: Place<'a>,
}

impl<'a> Launch<'a> {
    /// Returns a launch on one core, with `fuse`.
    pub const fn new(way: Way, keep: bool) -> Self {
        Self { way, keep, fuse: true, is_peer: false, place: Place::OneCore }
    }

    /// Returns a launch of `scalar` without `fuse` and `keep` on one core.
    pub const fn unfused() -> Self {
        Self { fuse: false, ..Self::new(Way::Scalar, false) }
    }

    /// Returns the launch at another place.
    pub const fn at(self, place: Place<'a>) -> Self {
        Self { place, ..self }
    }

    /// Returns the launch with the kernels in CUDA C++.
    pub const fn of_peers(self) -> Self {
        Self { is_peer: true, ..self }
    }

    /// Returns the grid of this launch.
    pub fn grid(self, threads: impl Into<Grid>) -> Grid {
        let mut grid = threads.into();
        if let Place::Sample(threads) = self.place {
            let [x, y, _] = grid.threads();
            // Whole rows, and blocks of 16 of them.
            let rows = (threads / x).next_multiple_of(16);
            grid = if y > 1 { [x, y.min(rows)].into() } else { x.min(threads).into() };
        }
        #[cfg(feature = "rayon")]
        if matches!(self.place, Place::AllCores | Place::Sample(_)) {
            return grid.parallel();
        }
        grid
    }

    /// Returns the time of `run`.
    ///
    /// On one core this is CPU time, so that other programs do not count. On all cores this is
    /// elapsed time. On a device this is the time of its kernels.
    pub fn time(self, run: impl FnOnce()) -> Duration {
        match self.place {
            Place::OneCore => {
                let start = ThreadTime::now();
                run();
                start.elapsed()
            }
            Place::AllCores | Place::Sample(_) => {
                let start = Instant::now();
                run();
                start.elapsed()
            }
            Place::Device(device) => device.time(run),
        }
    }

    /// Launches the entry of a kernel on a device. Returns `false` if the CPU has to compute.
    pub fn on_device(self, module: &str, kernel: &str, grid: Grid, arguments: &mut [&mut dyn Argument]) -> bool {
        let Place::Device(device) = self.place else { return false };
        let entry = if self.is_peer { Entry::of_peer } else { Entry::of };
        device.launch(&entry(module, kernel, self.way), grid, arguments)
    }

    /// Launches a handwritten kernel on a device. Returns `false` if the CPU has to compute.
    pub fn by_hand_on_device(self, kernel: &str, grid: Grid, arguments: &mut [&mut dyn Argument]) -> bool {
        let Place::Device(device) = self.place else { return false };
        device.launch(&Entry::by_hand(kernel), grid, arguments)
    }
}
