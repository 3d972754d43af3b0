//! Launches kernels on a device, and measures their times.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ptxf::kernel::{Extent, Grid};

use super::argument::{Argument, Passed};
use super::driver::Gpu;
use super::ptx::Ptx;
use super::signature::{Shape, Signature};
use super::target::{Checks, Kernel, Target, Value};
use crate::launch::Way;
use crate::real::Format;

/// Launches per sample, so that the clock's resolution and the launch latency do not matter.
const LAUNCHES: usize = 20;
/// Number of samples, of which the median counts.
const SAMPLES: usize = 9;
/// Threads of the largest block, unless the grid has its own.
const BLOCK: u32 = 256;

/// Kernels with barriers. Their pairs begin with a block.
const WITH_BARRIERS: [&str; 1] = ["matmul_tiled"];

/// A kernel on a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    name: String,
    kind: Kind,
}

/// The parameters of an entry that precede those of its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The number of threads.
    Scalar,
    /// The number of threads, and the head if pairs may begin before the first thread.
    Pair { takes_head: bool },
    /// No parameters.
    ByHand,
}

impl Entry {
    /// Returns the entry that `#[ptx_kernel]` generated.
    pub fn of(module: &str, kernel: &str, way: Way) -> Self {
        let kind = match way {
            Way::Scalar => Kind::Scalar,
            Way::Pair => Kind::Pair { takes_head: !WITH_BARRIERS.contains(&kernel) },
            Way::Wide => panic!("a device has no vectors of threads"),
        };
        Self { name: format!("{module}_{kernel}_{}", way.name()), kind }
    }

    pub fn by_hand(kernel: &str) -> Self {
        Self { name: format!("hand_{kernel}"), kind: Kind::ByHand }
    }

    /// Returns the number of the grid's threads per thread of the device.
    const fn lanes(&self) -> usize {
        if matches!(self.kind, Kind::Pair { .. }) { 2 } else { 1 }
    }

    /// Returns the arguments that precede the kernel's.
    fn first(&self, grid: Grid) -> Vec<Value<'static>> {
        let threads = Value::U32(narrow(grid.threads()[0]));
        match self.kind {
            Kind::Scalar | Kind::Pair { takes_head: false } => vec![threads],
            // A head of 0: the first pair is whole.
            Kind::Pair { takes_head: true } => vec![threads, Value::U32(0)],
            Kind::ByHand => Vec::new(),
        }
    }
}

/// The first device, or `ptxf-vm`, with the suite's kernels. A rehearsal has only the kernels.
pub struct Device {
    loaded: Option<Target>,
    /// `true` if kernels are also launched to measure times.
    is_timed: bool,
    ptx: Option<Ptx>,
    kernels: RefCell<BTreeMap<Entry, Kernel>>,
    /// Signatures of the launched entries, if the PTX has them.
    launched: RefCell<BTreeMap<Entry, Option<Signature>>>,
    launches: Cell<usize>,
    seconds: Cell<f64>,
    failure: RefCell<Option<String>>,
}

impl Device {
    /// Loads the first PTX that the driver accepts.
    pub fn new(gpu: Gpu, found: Vec<Ptx>) -> Result<Self, String> {
        let mut refused = None;
        for ptx in found {
            match gpu.load(&ptx.text) {
                Ok(module) => return Ok(Self::with(Some(Target::Driver(gpu, module)), Some(ptx))),
                Err(error) => {
                    eprintln!("{}: {error}", ptx.name);
                    refused = Some(error);
                }
            }
        }
        Err(refused.expect("there is a PTX"))
    }

    /// Returns `ptxf-vm` with the PTX.
    pub fn machine(ptx: Ptx, checks: Checks) -> Result<Self, String> {
        Ok(Self::with(Some(Target::machine(&ptx.text, checks)?), Some(ptx)))
    }

    /// Returns a rehearsal: launches are checked against the PTX, if there is one, and the CPU
    /// computes.
    pub fn rehearsal(ptx: Option<Ptx>) -> Self {
        Self::with(None, ptx)
    }

    fn with(loaded: Option<Target>, ptx: Option<Ptx>) -> Self {
        Self {
            is_timed: loaded.as_ref().is_some_and(Target::is_timed),
            loaded,
            ptx,
            kernels: RefCell::default(),
            launched: RefCell::default(),
            launches: Cell::new(0),
            seconds: Cell::new(0.0),
            failure: RefCell::new(None),
        }
    }

    /// Measures times as on a device.
    #[cfg(test)]
    pub fn timed(self) -> Self {
        Self { is_timed: true, ..self }
    }

    /// Returns the processor's name.
    pub fn describe(&self) -> String {
        let ptx = self.ptx.as_ref().map_or("no PTX to look entries up in", |ptx| &ptx.name);
        match &self.loaded {
            Some(target) => format!("{}, {ptx}", target.describe()),
            None => format!("no device, {ptx}"),
        }
    }

    /// Returns a summary of the launches.
    pub fn done(&self) -> String {
        let (launches, entries) = (self.launches.get(), self.launched.borrow().len());
        let of = format!("{launches} launches of {entries} entries");
        match (&self.loaded, &self.ptx) {
            (Some(_), _) if self.is_timed => {
                format!("{of}; times are the device's for the kernels alone, medians of {SAMPLES}")
            }
            (Some(_), _) => format!("{of}; times are those of one execution of the PTX on this CPU"),
            (None, Some(ptx)) => format!("{of} would have run, and pass what {} declares", ptx.name),
            (None, None) => format!("{of} would have run; nothing was looked up"),
        }
    }

    /// Returns `true` if the PTX has the format's kernels. Before `sm_80` there are none in bf16.
    pub fn has(&self, format: Format) -> bool {
        format != Format::Bf16 || self.ptx.as_ref().is_none_or(|ptx| ptx.sm >= 80)
    }

    /// Launches the entry and updates the arguments. Returns `false` in a rehearsal.
    ///
    /// Errors are deferred to [`failure`](Self::failure), as on any device.
    pub fn launch(&self, entry: &Entry, grid: Grid, arguments: &mut [&mut dyn Argument]) -> bool {
        if self.failure.borrow().is_none() {
            self.launches.set(self.launches.get() + 1);
            let checked = self.check(entry, arguments);
            let result = checked.and_then(|()| self.run(entry, grid, arguments));
            *self.failure.borrow_mut() = result.err();
        }
        self.loaded.is_some()
    }

    /// Returns the first failure since the last call.
    pub fn failure(&self) -> Result<(), String> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Returns the time of the kernels that `run` launches, or zero in a rehearsal.
    pub fn time(&self, run: impl FnOnce()) -> Duration {
        self.seconds.set(0.0);
        run();
        Duration::from_secs_f64(self.seconds.get())
    }

    /// Checks that the PTX has the entry with these parameters.
    fn check(&self, entry: &Entry, arguments: &[&mut dyn Argument]) -> Result<(), String> {
        let mut launched = self.launched.borrow_mut();
        let look = || self.ptx.as_ref().and_then(|ptx| Signature::of(&ptx.read, &entry.name));
        let signature = launched.entry(entry.clone()).or_insert_with(look).as_ref();
        let Some(ptx) = &self.ptx else { return Ok(()) };
        let signature = signature.ok_or_else(|| format!("{} has no entry {}", ptx.name, entry.name))?;
        let first = [Shape::U32; 2][..entry.first(Grid::from(1)).len()].iter();
        let passed = first.chain(arguments.iter().flat_map(|a| a.shapes())).copied();
        signature.check(passed)
    }

    /// Launches the entry once for its results and, on a GPU, again for its time.
    fn run(&self, entry: &Entry, grid: Grid, arguments: &mut [&mut dyn Argument]) -> Result<(), String> {
        let Some(target) = &self.loaded else { return Ok(()) };
        let mut kernels = self.kernels.borrow_mut();
        if !kernels.contains_key(entry) {
            kernels.insert(entry.clone(), target.kernel(&entry.name)?);
        }
        let kernel = &kernels[entry];
        let passed: Vec<Passed> = arguments.iter().map(|a| a.upload(target)).collect::<Result<_, _>>()?;
        let mut list = entry.first(grid);
        passed.iter().for_each(|p| p.list(&mut list));
        let extent = extent(grid, entry.lanes());
        let launch = || target.launch(kernel, extent, &list);
        let once = target.seconds(launch)?;
        for (argument, passed) in arguments.iter_mut().zip(&passed) {
            argument.download(target, passed)?;
        }
        let seconds = if self.is_timed {
            // The timed launches continue with the results of the first. Their own results are not
            // used.
            let sample = || target.seconds(|| (0..LAUNCHES).try_for_each(|_| launch()));
            let mut samples = (0..SAMPLES).map(|_| sample()).collect::<Result<Vec<f64>, String>>()?;
            samples.sort_by(f64::total_cmp);
            samples[SAMPLES / 2] / LAUNCHES as f64
        } else {
            once
        };
        for passed in &passed {
            if let Passed::Slice(memory, _) = passed {
                target.free(memory)?;
            }
        }
        self.seconds.set(self.seconds.get() + seconds);
        Ok(())
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

/// Returns the blocks for a grid with `lanes` threads along x per thread of the device.
///
/// Along x a block is the grid's, at most as wide as the grid. Along y a block is the grid's if the
/// grid has rows, otherwise as high as [`BLOCK`] allows.
fn extent(grid: Grid, lanes: usize) -> Extent {
    let [x, y, z] = grid.threads();
    assert_eq!(z, 1, "the suite's grids have two axes");
    let [across, down, _] = grid.block_threads();
    let needed = x.div_ceil(lanes);
    let width = narrow((across / lanes).min(needed.next_multiple_of(32)));
    let fits = |height: &u32| width * height <= BLOCK && y.is_multiple_of(*height as usize);
    let height = if down > 1 { narrow(down) } else { [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1) };
    Extent { blocks: [narrow(needed).div_ceil(width), narrow(y) / height, 1], threads: [width, height, 1] }
}

fn narrow(x: usize) -> u32 {
    x.try_into().expect("a grid of a device has fewer than 2^32 threads along an axis")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_every_thread_and_no_row_more() {
        let of = |grid: Grid, lanes| {
            let Extent { blocks, threads } = extent(grid, lanes);
            ([blocks[0], blocks[1]], [threads[0], threads[1]])
        };
        assert_eq!(of(1001.into(), 1), ([4, 1], [256, 1]));
        assert_eq!(of(1001.into(), 2), ([4, 1], [128, 1]));
        assert_eq!(of([17, 4097].into(), 2), ([1, 4097], [32, 1]));
        assert_eq!(of([129, 64].into(), 2), ([1, 32], [96, 2]));
        // Each box is a block.
        assert_eq!(of(Grid::from(2700).block([100, 1, 1]), 2), ([27, 1], [50, 1]));
        assert_eq!(of(Grid::from(100).block([100, 1, 1]), 2), ([1, 1], [50, 1]));
        assert_eq!(of(Grid::from([48, 32]).block([16, 16, 1]), 2), ([3, 2], [8, 16]));
    }

    #[test]
    fn the_number_of_threads_comes_first() {
        let first = |entry: Entry| entry.first(Grid::from([7, 3])).len();
        assert_eq!(Entry::of("in_f16", "nn", Way::Pair).name, "in_f16_nn_pair");
        assert_eq!(
            [first(Entry::of("in_f16", "nn", Way::Scalar)), first(Entry::of("in_f16", "nn", Way::Pair))],
            [1, 2]
        );
        assert_eq!(first(Entry::of("in_f16", "matmul_tiled", Way::Pair)), 1);
        assert_eq!((Entry::by_hand("nn").name.as_str(), first(Entry::by_hand("nn"))), ("hand_nn", 0));
    }
}
