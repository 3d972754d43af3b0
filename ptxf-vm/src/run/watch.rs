//! What looks at a launch while it runs: checks and tools. Without any, nothing of this is asked.

mod births;
mod clocks;
mod counts;
mod moment;
mod race;
mod report;
mod steps;
mod undefined;

use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

pub use counts::{Counts, LineCount};
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

/// What a launch is checked for; each level has those in front of it.
///
/// What is found at the level `Memory` ends the launch as a [`Fault`](crate::Fault). What the other levels find leaves the result as it
/// is, so that the launch goes on, and [`Machine::reports`](crate::Machine::reports) has it, each once with the number of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// Accesses outside of what is allocated, misaligned ones, those of what was freed, writes to constant memory.
    #[default]
    Memory,
    /// Reads of registers and of bytes in global, shared and local memory that nobody wrote.
    Init,
    /// Two accesses of the same bytes of shared or global memory, one of them a write and not both strong (atomic, `.volatile`,
    /// `.relaxed`), by threads with no barrier, no `.sync` and no fence with an atomic operation between them.
    Race,
}

/// The levels by their names: `memcheck`, `initcheck`, `racecheck`.
///
/// ```
/// use ptxf_vm::Check;
///
/// assert_eq!("racecheck".parse(), Ok(Check::Race));
/// assert_eq!("race".parse::<Check>().unwrap_err(), "memcheck, initcheck or racecheck is expected");
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

/// What is asked of a launch beside its result.
#[derive(Clone, Copy)]
pub(crate) enum Tool<'m> {
    Count,
    /// With the number of bits that may cancel.
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

/// What looks at a launch, and what all of its blocks have found.
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

    /// What was found, the first block's first, and what was counted.
    pub(crate) fn found(self, loaded: &Loaded) -> (Vec<Report>, Counts) {
        let reports = self.reports.into_inner().unwrap_or_else(PoisonError::into_inner);
        let counts = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        (reports.sorted(), counts.by_line(loaded))
    }
}

/// What looks at the blocks that one thread of this CPU runs.
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
    /// Something, if something is asked for.
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

    /// A block begins.
    pub(crate) fn begin(&mut self, number: u64, place: u64) {
        self.reports.number = place;
        if let Some(undefined) = &mut self.undefined {
            undefined.begin();
        }
        if let Some(races) = &mut self.races {
            races.begin(number);
        }
    }

    /// An instruction is about to run.
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

    /// An instruction has run.
    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>, next: Next) {
        // Threads that wait for others run it again when these have come.
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

    /// An atomic operation of a lane has met this value.
    pub(crate) fn updated(&mut self, lane: usize, update: Update, old: u64, operand: u64) {
        if let (Some(births), Update::Form(spelling)) = (&mut self.births, update) {
            births.updated(lane, spelling, old, operand);
        }
    }

    /// Threads that waited at a barrier go on; whether it was one for all threads of the block.
    pub(crate) fn released(&mut self, barrier: usize, all: bool) {
        if let Some(races) = &mut self.races {
            races.released(barrier, all);
        }
    }

    /// Gives what was found to the launch.
    pub(crate) fn end(&mut self, launch: &Launch<'_>) {
        let reports = std::mem::take(&mut self.reports);
        launch.tools.reports.lock().unwrap_or_else(PoisonError::into_inner).merge(reports);
        if let Some(counts) = &mut self.counts {
            launch.tools.counts.lock().unwrap_or_else(PoisonError::into_inner).merge(std::mem::take(counts));
        }
    }
}
