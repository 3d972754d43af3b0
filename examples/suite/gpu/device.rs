//! Launches kernels on a device, and measures their times.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ptxf::kernel::{Extent, Grid};

use super::argument::{Argument, Passed};
use super::driver::Gpu;
use super::peers::Peers;
use super::ptx::Ptx;
use super::signature::{Shape, Signature};
use super::target::{Checks, Kernel, Target, Value};
use crate::benchmarks::Card;
use crate::launch::Way;
use crate::real::Format;

/// Most launches per sample, so that the clock's resolution and the launch latency do not matter.
const LAUNCHES: usize = 20;
/// Seconds of a sample. A longer kernel is launched once.
const SAMPLE: f64 = 4e-3;
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
    /// The kernel, its format and its version, such as `nn f16 pair`.
    title: [String; 3],
    kind: Kind,
}

/// The parameters of an entry that precede those of its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The number of threads.
    Scalar,
    /// The number of threads, and the head if pairs may begin before the first thread.
    Pair { takes_head: bool, per_thread: usize },
    /// No parameters.
    ByHand,
    /// No parameters and no lengths of slices. With two lanes the first size is in pairs.
    Peer { lanes: usize },
}

impl Entry {
    /// Returns the entry that `#[ptx_kernel]` generated.
    pub fn of(module: &str, kernel: &str, way: Way) -> Self {
        let kind = match way {
            Way::Scalar => Kind::Scalar,
            Way::Pair => Kind::Pair { takes_head: !WITH_BARRIERS.contains(&kernel), per_thread: 2 },
            Way::Many => Kind::Pair { takes_head: true, per_thread: 8 },
            Way::Wide => panic!("a device has no vectors of threads"),
        };
        let name = match way {
            Way::Many => format!("{module}_many_{kernel}_{}", Way::Pair.name()),
            _ => format!("{module}_{kernel}_{}", way.name()),
        };
        Self { name, title: title(module, kernel, way.name()), kind }
    }

    pub fn by_hand(kernel: &str) -> Self {
        Self { name: format!("hand_{kernel}"), title: title("in_f16", kernel, "by hand"), kind: Kind::ByHand }
    }

    /// Returns the counterpart in CUDA C++, of `peers/yardstick.cu`.
    pub fn of_peer(module: &str, kernel: &str, way: Way) -> Self {
        let lanes = if way == Way::Pair { 2 } else { 1 };
        let title = title(module, kernel, way.name());
        let format = title[1].split('_').next().unwrap_or_default();
        let name = format!("{kernel}_{format}{}", if lanes == 2 { "x2" } else { "" });
        Self { name, title, kind: Kind::Peer { lanes } }
    }

    /// Returns the number of the grid's threads per thread of the device.
    const fn lanes(&self) -> usize {
        match self.kind {
            Kind::Pair { per_thread, .. } => per_thread,
            Kind::Peer { lanes } => lanes,
            _ => 1,
        }
    }

    const fn is_peer(&self) -> bool {
        matches!(self.kind, Kind::Peer { .. })
    }

    /// Returns the arguments that precede the kernel's.
    fn first(&self, grid: Grid) -> Vec<Value<'static>> {
        let threads = Value::U32(narrow(grid.threads()[0]));
        match self.kind {
            Kind::Scalar | Kind::Pair { takes_head: false, .. } => vec![threads],
            // A head of 0: the first group is whole.
            Kind::Pair { takes_head: true, .. } => vec![threads, Value::U32(0)],
            Kind::ByHand | Kind::Peer { .. } => Vec::new(),
        }
    }

    /// Returns the types of the entry's parameters.
    fn shapes(&self, arguments: &[&mut dyn Argument]) -> Vec<Shape> {
        let first = [Shape::U32; 2][..self.first(Grid::from(1)).len()].iter();
        // A slice is an address, and for the suite's kernels a length.
        let parts = |shapes: &'static [Shape]| if self.is_peer() { &shapes[..1] } else { shapes };
        first.chain(arguments.iter().flat_map(|a| parts(a.shapes()))).copied().collect()
    }

    /// Returns the arguments of a launch. Returns `None` if a row has no whole number of pairs,
    /// which kernels in CUDA C++ need.
    fn list<'a>(&self, grid: Grid, passed: &'a [Passed]) -> Option<Vec<Value<'a>>> {
        let mut list = self.first(grid);
        let Kind::Peer { lanes } = self.kind else {
            passed.iter().for_each(|p| p.list(&mut list));
            return Some(list);
        };
        passed.iter().for_each(|p| p.list_of_peer(&mut list));
        let first = list.iter_mut().find_map(|value| if let Value::U64(size) = value { Some(size) } else { None })?;
        let fits = first.is_multiple_of(lanes as u64);
        *first /= lanes as u64;
        fits.then_some(list)
    }
}

fn title(module: &str, kernel: &str, version: &str) -> [String; 3] {
    [kernel, module.trim_start_matches("in_"), version].map(str::to_owned)
}

/// Counts of warp instructions, by [`Entry::title`]: of the suite's entry, and of its counterpart
/// in CUDA C++.
pub type Counts = BTreeMap<[String; 3], [u64; 2]>;

/// The first device, or `ptxf-vm`, with the suite's kernels. A rehearsal has only the kernels.
pub struct Device {
    loaded: Option<Target>,
    /// `true` if kernels are also launched to measure times.
    is_timed: bool,
    ptx: Option<Ptx>,
    /// The kernels in CUDA C++.
    peers: Option<Ptx>,
    /// `true` since a launch of a kernel in CUDA C++ that does not exist.
    lacks_peer: Cell<bool>,
    /// `None` unless instructions are counted.
    counts: Option<RefCell<Counts>>,
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
                Ok(module) => return Ok(Self::with(Some(Target::Driver(gpu, vec![module])), Some(ptx))),
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
            peers: None,
            lacks_peer: Cell::new(false),
            counts: None,
            kernels: RefCell::default(),
            launched: RefCell::default(),
            launches: Cell::new(0),
            seconds: Cell::new(0.0),
            failure: RefCell::new(None),
        }
    }

    /// Adds the kernels in CUDA C++.
    pub fn with_peers(mut self, peers: Peers) -> Result<Self, String> {
        if let Some(target) = &mut self.loaded {
            target.add(&peers)?;
        }
        Ok(Self { peers: Some(peers.ptx), ..self })
    }

    /// Returns `true` if there are kernels in CUDA C++.
    pub const fn has_peers(&self) -> bool {
        self.peers.is_some()
    }

    /// Returns `true` if, since the last call, a kernel in CUDA C++ was launched that does not
    /// exist. Nothing ran in its place.
    pub fn lacked_peer(&self) -> bool {
        self.lacks_peer.take()
    }

    /// Counts the instructions of each launch; only for `ptxf-vm`.
    pub fn counting(self) -> Self {
        Self { counts: Some(RefCell::default()), ..self }
    }

    /// Returns the counts.
    pub fn counts(self) -> Counts {
        self.counts.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Measures times as on a device.
    #[cfg(test)]
    pub fn timed(self) -> Self {
        Self { is_timed: true, ..self }
    }

    /// Returns the parts of a GPU that sizes depend on, or `None` for a rehearsal and `ptxf-vm`.
    pub fn card(&self) -> Result<Option<Card>, String> {
        match &self.loaded {
            Some(Target::Driver(gpu, _)) => gpu.card().map(Some),
            _ => Ok(None),
        }
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
            let result = checked.and_then(|is_there| if is_there { self.run(entry, grid, arguments) } else { Ok(()) });
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

    /// Checks that the PTX has the entry with these parameters. Returns `false` for a kernel in
    /// CUDA C++ that does not exist.
    fn check(&self, entry: &Entry, arguments: &[&mut dyn Argument]) -> Result<bool, String> {
        let ptx = if entry.is_peer() { &self.peers } else { &self.ptx };
        let look = || ptx.as_ref().and_then(|ptx| Signature::of(&ptx.read, &entry.name));
        if entry.is_peer() && look().is_none() {
            self.lacks_peer.set(true);
            return Ok(false);
        }
        let mut launched = self.launched.borrow_mut();
        let signature = launched.entry(entry.clone()).or_insert_with(look).as_ref();
        let Some(ptx) = ptx else { return Ok(true) };
        let signature = signature.ok_or_else(|| format!("{} has no entry {}", ptx.name, entry.name))?;
        signature.check(entry.shapes(arguments)).map(|()| true)
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
        let Some(list) = entry.list(grid, &passed) else {
            self.lacks_peer.set(true);
            return free(target, &passed);
        };
        let extent = extent(grid, entry.lanes());
        let launch = || target.launch(kernel, extent, &list);
        let once = match &self.counts {
            None => target.seconds(launch)?,
            Some(counts) => {
                let count = target.count(kernel, extent, &list)?;
                counts.borrow_mut().entry(entry.title.clone()).or_default()[usize::from(entry.is_peer())] += count;
                0.0
            }
        };
        for (argument, passed) in arguments.iter_mut().zip(&passed) {
            argument.download(target, passed)?;
        }
        let seconds = if self.is_timed {
            // The timed launches continue with the results of the first. Their own results are not
            // used.
            let launches = ((SAMPLE / target.seconds(launch)?) as usize).clamp(1, LAUNCHES);
            let sample = || target.seconds(|| (0..launches).try_for_each(|_| launch()));
            let mut samples = (0..SAMPLES).map(|_| sample()).collect::<Result<Vec<f64>, String>>()?;
            samples.sort_by(f64::total_cmp);
            samples[SAMPLES / 2] / launches as f64
        } else {
            once
        };
        free(target, &passed)?;
        self.seconds.set(self.seconds.get() + seconds);
        Ok(())
    }
}

/// Frees the slices.
fn free(target: &Target, passed: &[Passed]) -> Result<(), String> {
    let slices = passed.iter().filter_map(|p| if let Passed::Slice(memory, _) = p { Some(memory) } else { None });
    slices.into_iter().try_for_each(|memory| target.free(memory))
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
        assert_eq!(of(4097.into(), 8), ([17, 1], [32, 1]));
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
        assert_eq!(Entry::of("in_f16", "nn", Way::Many).name, "in_f16_many_nn_pair");
        assert_eq!(first(Entry::of("in_f16", "nn", Way::Many)), 2);
        assert_eq!((Entry::by_hand("nn").name.as_str(), first(Entry::by_hand("nn"))), ("hand_nn", 0));
    }
}
