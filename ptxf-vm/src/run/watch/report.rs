//! What checks and tools find: each thing once, with the number of times.

use std::collections::HashMap;
use std::fmt;

use crate::run::fault::Site;

/// What kind of report it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReportKind {
    /// A register or a predicate that nothing was assigned to is read, by something else than `mov` and `selp`, which hand it on.
    UndefinedRegister,
    /// Bytes that nobody wrote are read.
    UndefinedMemory,
    /// Two accesses of the same bytes that nothing orders.
    Race,
    /// Two such writes of the same value: a remark.
    SameValue,
    /// A NaN out of operands that are none.
    NaN,
    /// An infinity out of finite operands.
    Infinity,
    /// A number that `cvt` cannot reach in its format: it became an infinity, the largest number or the nearest integer.
    Overflow,
    /// A subnormal operand or result that became a zero.
    Flush,
    /// A sum whose leading bits cancelled.
    Cancellation,
}

impl ReportKind {
    /// A word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UndefinedRegister => "undefined register",
            Self::UndefinedMemory => "undefined memory",
            Self::Race => "race",
            Self::SameValue => "same value",
            Self::NaN => "NaN",
            Self::Infinity => "infinity",
            Self::Overflow => "overflow",
            Self::Flush => "flush",
            Self::Cancellation => "cancellation",
        }
    }
}

/// What was found in a line, with the first thread that it happened to; displays with the line of PTX, the thread and its registers.
///
/// # Examples
///
/// ```
/// use ptxf_vm::{Check, Machine, Module, ReportKind};
///
/// let text = ".version 7.8\n.target sm_90\n.visible .entry k() {
///     .reg .b32 %r<4>;
///     add.s32 %r1, %r2, 1;
///     ret;
/// }";
/// let mut machine = Machine::new().check(Check::Init);
/// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
/// machine.launch(&entry, 2, 8, 0, &[])?;
/// let [report] = machine.reports() else { panic!("one report is expected") };
/// assert_eq!((report.kind(), report.line(), report.count()), (ReportKind::UndefinedRegister, 5, 16));
/// assert!(report.what().starts_with("`%r2` is read, and nothing was assigned to it"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    kind: ReportKind,
    what: String,
    site: Site,
    count: u64,
    /// The block in the order of the launch, and how many were found before it there.
    order: (u64, u64),
}

impl Report {
    /// What kind of report it is.
    #[must_use]
    pub const fn kind(&self) -> ReportKind {
        self.kind
    }

    /// Whether it is a remark: nothing that makes a result wrong.
    #[must_use]
    pub const fn is_remark(&self) -> bool {
        matches!(self.kind, ReportKind::SameValue)
    }

    /// What happened, without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// How often it happened in this line: once for each thread and each time.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The line of the PTX text, counted from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.site.line
    }

    /// The file and the line of the source, if the text says them.
    #[must_use]
    pub fn source(&self) -> Option<(&str, u32)> {
        self.site.source.as_ref().map(|(file, line)| (file.as_str(), *line))
    }

    /// The block of the thread that it happened to first.
    #[must_use]
    pub const fn block(&self) -> [u32; 3] {
        self.site.block
    }

    /// That thread in its block.
    #[must_use]
    pub const fn thread(&self) -> [u32; 3] {
        self.site.thread
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if self.count > 1 {
            write!(f, "; {} times in this line, first here", self.count)?;
        }
        write!(f, "{}", self.site)
    }
}

/// By what reports are told apart: the kind, and where the instructions begin in the text.
type Key = (ReportKind, u32, u32);

/// Reports of one or several blocks.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    all: HashMap<Key, Report>,
    /// The block that runs, by its place in the order of the launch.
    pub(crate) number: u64,
    found: u64,
}

impl Reports {
    /// Something was found so many times in an instruction, or between two.
    pub(crate) fn add(&mut self, key: Key, count: u64, make: impl FnOnce() -> (String, Site)) {
        if let Some(report) = self.all.get_mut(&key) {
            report.count += count;
            return;
        }
        let (what, site) = make();
        self.found += 1;
        self.all.insert(key, Report { kind: key.0, what, site, count, order: (self.number, self.found) });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (key, report) in other.all {
            match self.all.get_mut(&key) {
                None => _ = self.all.insert(key, report),
                Some(known) => {
                    let count = known.count + report.count;
                    if report.order < known.order {
                        *known = report;
                    }
                    known.count = count;
                }
            }
        }
    }

    pub(crate) fn sorted(self) -> Vec<Report> {
        let mut all: Vec<Report> = self.all.into_values().collect();
        all.sort_by_key(|report| (report.order, report.kind, report.site.line));
        all
    }
}
