//! Checks and tools, which look at a launch while it runs. A launch without any contains no code
//! for them.

mod births;
mod clocks;
mod counts;
mod fidelity;
mod moment;
mod pending;
mod race;
mod report;
mod steps;
mod undefined;

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

pub(crate) use clocks::Known;
pub use counts::{Counts, LineCount};
pub use fidelity::{Exactness, Fidelity, FormCount};
pub(crate) use moment::Moment;
pub use report::{Report, ReportKind};
pub use steps::{Filter, Step, Value};

use births::Births;
use counts::Counters;
use race::{Meetings, Races};
use report::Reports;
use steps::Steps;
use undefined::Undefined;

use super::launch::Launch;
use super::program::Loaded;
use super::warp::Next;
use crate::code::Update;

/// A level of checks. Each level includes the ones before it.
///
/// A violation of `Memory` ends the launch with a [`Fault`](crate::Fault). The other levels do not
/// change the result, and the launch goes on. [`Machine::reports`](crate::Machine::reports) then
/// has each violation once, with its number of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// Out-of-bounds accesses, misaligned accesses, accesses of freed memory, writes to constant
    /// memory.
    #[default]
    Memory,
    /// Reads of registers and of bytes in global, shared and local memory that nothing has written.
    Init,
    /// Races: two accesses of the same bytes of shared or global memory, of which one is a write
    /// and which are not both strong (atomic, `.volatile`, `.relaxed`). No barrier, `.sync`, or
    /// fence with an atomic operation orders their threads.
    Race,
}

/// The levels and their names: `memcheck`, `initcheck`, `racecheck`.
///
/// ```
/// use ptxf_vm::Check;
///
/// assert_eq!("racecheck".parse(), Ok(Check::Race));
/// let error = "race".parse::<Check>().unwrap_err();
/// assert_eq!(error, "memcheck, initcheck or racecheck is expected");
/// ```
impl FromStr for Check {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "memcheck" => Ok(Self::Memory),
            "initcheck" => Ok(Self::Init),
            "racecheck" => Ok(Self::Race),
            _ => Err("memcheck, initcheck or racecheck is expected"),
        }
    }
}

/// A tool that looks at a launch.
#[derive(Clone, Copy)]
pub(crate) enum Tool<'m> {
    Count,
    /// The number of bits that may cancel.
    Births(Option<u32>),
    Trace(&'m Filter, &'m (dyn Fn(&Step) + Sync)),
}

impl fmt::Debug for Tool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Count => "Count",
            Self::Births(_) => "Births",
            Self::Trace(..) => "Trace",
        })
    }
}

/// The checks and tools of a launch, with the results of its finished blocks.
#[derive(Debug)]
pub(crate) struct Tools<'m> {
    check: Check,
    tool: Option<Tool<'m>>,
    meetings: Meetings,
    reports: Mutex<Reports>,
    counts: Mutex<Counters>,
}

impl<'m> Tools<'m> {
    pub(crate) fn new(check: Check, tool: Option<Tool<'m>>) -> Self {
        Self {
            check,
            tool,
            meetings: Meetings::new(check >= Check::Race),
            reports: Mutex::default(),
            counts: Mutex::default(),
        }
    }

    /// Returns `true` if what the manual leaves undefined is a fault.
    pub(crate) fn is_strict(&self) -> bool {
        self.check >= Check::Race
    }

    /// Returns the reports, those of the first block first, and the counts.
    pub(crate) fn found(self, loaded: &Loaded) -> (Vec<Report>, Counts) {
        let reports = self.reports.into_inner().unwrap_or_else(PoisonError::into_inner);
        let counts = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        (reports.sorted(), counts.by_line(loaded))
    }
}

/// The checks and tools for the blocks on one CPU thread.
#[derive(Debug)]
pub(crate) struct Watch {
    undefined: Option<Undefined>,
    races: Option<Races>,
    counts: Option<Counters>,
    births: Option<Births>,
    steps: Option<Steps>,
    reports: Reports,
}

impl Watch {
    /// Makes the checks and tools of a launch. Returns `None` if it has none.
    pub(crate) fn new(launch: &Launch<'_>) -> Option<Box<Self>> {
        let Tools { check, tool, .. } = *launch.tools;
        if check == Check::Memory && tool.is_none() {
            return None;
        }
        let births = match tool {
            Some(Tool::Births(bits)) => Some(Births::new(bits)),
            _ => None,
        };
        Some(Box::new(Self {
            undefined: (check >= Check::Init).then(|| Undefined::new(launch)),
            races: (check >= Check::Race).then(|| Races::new(launch)),
            counts: matches!(tool, Some(Tool::Count)).then(Counters::default),
            births,
            steps: matches!(tool, Some(Tool::Trace(..))).then(Steps::default),
            reports: Reports::default(),
        }))
    }

    /// Starts a block.
    pub(crate) fn begin(&mut self, number: u64, place: u64) {
        self.reports.number = place;
        if let Some(undefined) = &mut self.undefined {
            undefined.begin();
        }
        if let Some(races) = &mut self.races {
            races.begin(number);
        }
    }

    /// Handles an instruction before it runs.
    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>) {
        if let Some(undefined) = &mut self.undefined {
            undefined.before(moment, &mut self.reports);
        }
        if let Some(races) = &mut self.races {
            races.before(moment, &moment.launch().tools.meetings, &mut self.reports);
        }
        if let Some(counts) = &mut self.counts {
            counts.before(moment);
        }
        if let Some(births) = &mut self.births {
            births.before(moment, &mut self.reports);
        }
        if let (Some(steps), Some(Tool::Trace(filter, _))) = (&mut self.steps, moment.launch().tools.tool) {
            steps.before(moment, filter);
        }
    }

    /// Handles an instruction after it has run.
    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>, next: Next) {
        // Threads that wait for others run the instruction again later.
        if matches!(next, Next::Waits) {
            return;
        }
        if let Some(undefined) = &mut self.undefined {
            undefined.after(moment);
        }
        if let Some(races) = &mut self.races {
            races.after(moment, &moment.launch().tools.meetings);
        }
        if let Some(counts) = &mut self.counts {
            counts.after(moment);
        }
        if let Some(births) = &mut self.births {
            births.after(moment, &mut self.reports);
        }
        if let (Some(steps), Some(Tool::Trace(_, sink))) = (&mut self.steps, moment.launch().tools.tool) {
            steps.after(moment, sink);
        }
    }

    /// Handles an atomic operation of a lane on this old value.
    pub(crate) fn updated(&mut self, lane: usize, update: Update, old: u64, operand: u64) {
        if let (Some(births), Update::Form(spelling)) = (&mut self.births, update) {
            births.updated(lane, spelling, old, operand);
        }
    }

    /// Handles a copy to these bytes of shared memory.
    pub(crate) fn filled(&mut self, address: u64, bytes: u64) {
        if let Some(undefined) = &mut self.undefined {
            undefined.filled(address, bytes);
        }
    }

    /// Handles the release of a barrier. `all` is `true` if it was for all threads of the block.
    pub(crate) fn released(&mut self, barrier: usize, all: bool) {
        if let Some(races) = &mut self.races {
            races.released(barrier, all);
        }
    }

    /// Handles the release of a barrier for all threads of some blocks. Returns the accesses that
    /// the block has seen, if races are looked for.
    pub(crate) fn known(&self) -> Option<Known> {
        self.races.as_ref().map(Races::known)
    }

    /// Handles the accesses that another block has seen before the barrier.
    pub(crate) fn learn(&mut self, known: &Known) {
        if let Some(races) = &mut self.races {
            races.learn(known);
        }
    }

    /// Passes the results to the launch.
    pub(crate) fn end(&mut self, launch: &Launch<'_>) {
        let reports = std::mem::take(&mut self.reports);
        launch.tools.reports.lock().unwrap_or_else(PoisonError::into_inner).merge(reports);
        if let Some(counts) = &mut self.counts {
            launch.tools.counts.lock().unwrap_or_else(PoisonError::into_inner).merge(std::mem::take(counts));
        }
    }
}
