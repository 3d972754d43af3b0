//! Reports of checks and tools: each violation once, with its number of times.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::run::fault::Site;

/// A kind of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReportKind {
    /// A read of an unassigned register or predicate. `mov` and `selp` pass on an unassigned value
    /// without a report.
    UndefinedRegister,
    /// A read of unwritten bytes.
    UndefinedMemory,
    /// Two accesses of the same bytes that nothing orders.
    Race,
    /// A race of two writes of the same value, which is a remark.
    SameValue,
    /// A NaN out of operands that are not NaN.
    NaN,
    /// An infinity out of finite operands.
    Infinity,
    /// A conversion that overflowed to infinity, to the largest number, or to the nearest integer.
    Overflow,
    /// A subnormal operand or result that was flushed to zero.
    Flush,
    /// A sum whose leading bits cancelled.
    Cancellation,
    /// A block of `malloc` that was not freed, which is a remark.
    Leak,
}

impl ReportKind {
    /// Returns a short name.
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
            Self::Leak => "leak",
        }
    }
}

/// A finding in a line, with the first thread that it happened to.
///
/// `Display` and `Debug` print the PTX line, the thread and its registers.
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
/// assert_eq!(report.kind(), ReportKind::UndefinedRegister);
/// assert_eq!((report.line(), report.count()), (5, 16));
/// assert!(report.what().starts_with("`%r2` is read, and nothing was assigned to it"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Report {
    kind: ReportKind,
    what: String,
    site: Site,
    count: u64,
    /// The position of the block in the launch, and the number of findings before this one in the
    /// block.
    order: (u64, u64),
}

impl Report {
    /// Makes a report for each line of `malloc`, of the sizes and places of blocks.
    pub(crate) fn of_leaks(left: Vec<(u64, Site)>) -> Vec<Self> {
        let mut lines: BTreeMap<usize, (u64, u64, Site)> = BTreeMap::new();
        for (bytes, site) in left {
            let of = lines.entry(site.line).or_insert_with(|| (0, 0, site));
            (of.0, of.1) = (of.0 + 1, of.1 + bytes);
        }
        let report = |(count, bytes, site)| Self {
            kind: ReportKind::Leak,
            what: format!("{bytes} bytes of the heap were not freed"),
            site,
            count,
            order: (0, 0),
        };
        lines.into_values().map(report).collect()
    }

    /// Returns the kind of report.
    #[must_use]
    pub const fn kind(&self) -> ReportKind {
        self.kind
    }

    /// Returns `true` for a remark, which does not make a result wrong.
    #[must_use]
    pub const fn is_remark(&self) -> bool {
        matches!(self.kind, ReportKind::SameValue | ReportKind::Leak)
    }

    /// Returns the message without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the number of times that this happened in the line, over all threads.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the line of the PTX text, counted from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.site.line
    }

    /// Returns the source file and line. Returns `None` if the text has no `.loc`.
    #[must_use]
    pub fn source(&self) -> Option<(&str, u32)> {
        self.site.source.as_ref().map(|(file, line)| (file.as_str(), *line))
    }

    /// Returns the block of the first thread.
    #[must_use]
    pub const fn block(&self) -> [u32; 3] {
        self.site.block
    }

    /// Returns the index of the first thread in its block.
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

/// Prints what `Display` prints.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The kind of a report, and the positions of its instructions in the text.
type Key = (ReportKind, u32, u32);

/// Reports of one or several blocks.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    all: HashMap<Key, Report>,
    /// The position of the current block in the launch.
    pub(crate) number: u64,
    found: u64,
}

impl Reports {
    /// Adds `count` findings of an instruction, or of two.
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
