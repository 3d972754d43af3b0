//! Runs the blocks of a launch on the CPU's cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::argument::Extent;
use super::fault::Fault;
use super::memory::Memory;
use super::objects::Objects;
use super::output::Output;
use super::program::Loaded;
use super::progress::Progress;
use super::schedule::Permutation;
use super::team::Team;
use super::watch::Tools;
use crate::code::Code;

/// State that all blocks of a launch share.
#[derive(Debug)]
pub(crate) struct Launch<'m> {
    pub(crate) program: &'m Loaded,
    pub(crate) memory: &'m Memory,
    /// Textures and surfaces.
    pub(crate) objects: &'m Objects,
    pub(crate) output: &'m Output,
    pub(crate) progress: Option<&'m Progress>,
    /// The code of the entry.
    pub(crate) code: &'m Code,
    /// The bytes of the arguments.
    pub(crate) input: Vec<u8>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Blocks of a cluster.
    pub(crate) cluster: [u32; 3],
    /// Bytes of dynamic shared memory, and of all shared memory.
    pub(crate) dynamic: u32,
    pub(crate) shared: u32,
    /// The offset of the shared memory that is reserved for the system.
    pub(crate) reserved: u32,
    /// The address of the words with which the blocks of a cooperative launch wait for each other,
    /// or 0.
    pub(crate) workspace: u64,
    /// The most instructions of a block's warps.
    pub(crate) limit: u64,
    /// The seed of the order of blocks, warps and groups. `None` is the order of their numbers.
    pub(crate) schedule: Option<u64>,
    pub(crate) tools: &'m Tools<'m>,
    pub(crate) at_once: bool,
    /// The lowest position of a cluster that has failed, or `u64::MAX`.
    pub(crate) failed: AtomicU64,
}

/// The sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) grid: Extent,
    pub(crate) block: Extent,
    /// Bytes of dynamic shared memory.
    pub(crate) shared: u32,
    /// `true` if all blocks run at the same time.
    pub(crate) at_once: bool,
}

impl Launch<'_> {
    /// Returns the number of threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Returns the index of the block with this number.
    pub(crate) fn index(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [number % x, number / x % y, number / (x * y)].map(|i| i as u32)
    }

    /// Returns the number of blocks of a cluster.
    pub(crate) fn cluster_size(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Returns the rank of a block in its cluster.
    pub(crate) fn rank(&self, block: [u32; 3]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|axis| block[axis] % self.cluster[axis]);
        (z * self.cluster[1] + y) * self.cluster[0] + x
    }

    /// Returns the number of the block with a rank in a cluster.
    pub(crate) fn number_of(&self, cluster: u64, rank: u32) -> u64 {
        let count = |axis: usize| u64::from(self.grid[axis] / self.cluster[axis]);
        let first = [cluster % count(0), cluster / count(0) % count(1), cluster / (count(0) * count(1))];
        let [width, height, _] = self.cluster;
        let own = [rank % width, rank / width % height, rank / (width * height)];
        let [x, y, z] = [0, 1, 2].map(|axis| first[axis] * u64::from(self.cluster[axis]) + u64::from(own[axis]));
        (z * u64::from(self.grid[1]) + y) * u64::from(self.grid[0]) + x
    }

    /// Returns the most blocks of a CPU thread that take turns. All blocks of a cooperative launch
    /// do.
    fn most_residents(&self, clusters: u64, threads: usize) -> usize {
        if self.at_once {
            return usize::try_from(clusters).unwrap_or(usize::MAX).div_ceil(threads);
        }
        let code = self.code;
        let registers = 64 * u64::from(code.b16) + 128 * u64::from(code.b32) + 256 * u64::from(code.b64);
        let warps = u64::from(self.threads().div_ceil(32) * self.cluster_size());
        let bytes = u64::from(self.shared * self.cluster_size()) + warps * (registers + 32 * u64::from(code.frame));
        (RESIDENT_BYTES / bytes.max(1)).clamp(1, MOST_RESIDENTS) as usize
    }

    /// Runs all blocks on `threads` threads. Returns the fault of the first block in the order of
    /// the launch.
    ///
    /// Blocks run to their end, one after another. A block that runs for long may wait for a later
    /// one: then others start, and all take turns.
    pub(crate) fn run(&self, threads: usize) -> Result<(), Fault> {
        let blocks = self.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        let clusters = blocks / u64::from(self.cluster_size());
        let threads = threads.min(usize::try_from(clusters).unwrap_or(usize::MAX)).max(1);
        let queue = Queue {
            launch: self,
            order: Permutation::new(self.schedule, clusters),
            clusters,
            blocks,
            most: self.most_residents(clusters, threads),
            next: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            first_fault: Mutex::new(None),
        };
        if threads == 1 {
            queue.work();
        } else {
            std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(|| queue.work())));
        }
        match queue.first_fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }
}

/// The instructions after which a cluster may be found to wait for another one, and of its turns
/// from then on.
const SHORT: u64 = 1 << 14;
/// The instructions of another turn, and those of a cluster after which others start in any case.
const LONG: u64 = 1 << 20;
const PATIENCE: u64 = 1 << 24;
/// The most clusters that take turns on a CPU thread, and the most memory of their registers and
/// shared memory in bytes.
const MOST_RESIDENTS: u64 = 256;
const RESIDENT_BYTES: u64 = 1 << 28;
/// The instructions that a cluster may still run after a later one has failed.
const GRACE: u64 = 1 << 20;

/// The clusters of a launch that have not started, and what has become of the others.
struct Queue<'q, 'm> {
    launch: &'q Launch<'m>,
    order: Permutation,
    clusters: u64,
    blocks: u64,
    /// The most clusters that take turns on a CPU thread.
    most: usize,
    next: AtomicU64,
    ended: AtomicU64,
    first_fault: Mutex<Option<(u64, Fault)>>,
}

impl Queue<'_, '_> {
    /// Runs clusters until none is left.
    fn work(&self) {
        let (mut running, mut unused): (Vec<Team<'_>>, Vec<Team<'_>>) = (Vec::new(), Vec::new());
        let mut wanted = if self.launch.at_once { self.most } else { 1 };
        loop {
            while running.len() < wanted {
                let place = self.next.fetch_add(1, Ordering::Relaxed);
                if place >= self.clusters {
                    break;
                }
                let mut team = unused.pop().unwrap_or_else(|| Team::new(self.launch));
                team.begin(self.order.at(place), place);
                running.push(team);
            }
            if running.is_empty() {
                return;
            }
            let before = running.len();
            let mut i = 0;
            while i < running.len() {
                if self.turn(&mut running[i]) {
                    i += 1;
                } else {
                    unused.push(running.remove(i));
                }
            }
            if !self.launch.at_once {
                let is_stuck = |team: &Team<'_>| team.waits() || team.steps() >= PATIENCE;
                let starts = running.len() == before && running.iter().all(is_stuck);
                wanted = if starts { (2 * before).min(self.most) } else { running.len().max(1) };
            }
        }
    }

    /// Gives a cluster a turn. Returns `false` if it has ended.
    fn turn(&self, team: &mut Team<'_>) -> bool {
        let failed = self.launch.failed.load(Ordering::Relaxed);
        // A cluster that waits for one that has failed would never end.
        let is_over = failed != u64::MAX && (self.launch.at_once || failed < team.place || team.steps() > GRACE);
        if is_over {
            return false;
        }
        let turn = if self.launch.at_once || team.steps() == 0 || team.waits() { SHORT } else { LONG };
        let done = team.run(turn);
        if let Ok(false) = done {
            return true;
        }
        team.end();
        match done {
            Ok(_) => {
                if let Some(progress) = self.launch.progress {
                    (0..self.launch.cluster_size()).for_each(|_| progress.of(&self.ended, self.blocks));
                }
            }
            Err(fault) => {
                // Clusters before it have started, so that the first fault in order is found.
                self.next.fetch_max(self.clusters, Ordering::Relaxed);
                self.launch.failed.fetch_min(team.place, Ordering::Relaxed);
                let mut first = self.first_fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if first.as_ref().is_none_or(|(of, _)| team.place < *of) {
                    *first = Some((team.place, fault));
                }
            }
        }
        false
    }
}
