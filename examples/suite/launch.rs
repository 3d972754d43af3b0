//! How a benchmark's kernels are launched, and how long they take.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ptxf::kernel::Grid;

/// Which of a kernel's siblings runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One thread at a time: the definition.
    Scalar,
    /// Two threads at a time, as on a device.
    Pair,
    /// As many threads at a time as a vector of this CPU has lanes.
    Wide,
}

impl Way {
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Pair, Self::Wide];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Pair => "pair",
            Self::Wide => "wide",
        }
    }
}

/// A launch of all kernels of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    pub way: Way,
    /// Whether the accumulators, and what else the kernel names, stay f32.
    pub keep: bool,
    /// Whether all cores take part.
    pub all_cores: bool,
}

impl Launch {
    /// On one core.
    pub const fn new(way: Way, keep: bool) -> Self {
        Self { way, keep, all_cores: false }
    }

    /// The grid of this launch.
    pub fn grid(self, threads: impl Into<Grid>) -> Grid {
        let grid = threads.into();
        #[cfg(feature = "rayon")]
        if self.all_cores {
            return grid.parallel();
        }
        grid
    }

    /// How long it takes: the core's time, so that other programs do not count, or the clock's if all cores take part.
    pub fn time(self, run: impl FnOnce()) -> Duration {
        if self.all_cores {
            let start = Instant::now();
            run();
            start.elapsed()
        } else {
            let start = ThreadTime::now();
            run();
            start.elapsed()
        }
    }
}
