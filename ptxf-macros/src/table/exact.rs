//! The result for an input in the first arithmetic that decides it.

use proc_macro2::Span;

use super::deep::Deep;
use super::fast::Fast;
use super::format::Format;
use super::machine::Machine;
use super::normal::NormalForms;
use super::program::{Id, Node, Program};

/// The attempts after binary64 and binary64 with normal forms, in order: precision in bits, and
/// `true` with normal forms.
const ATTEMPTS: [(i64, bool); 7] =
    [(192, false), (192, true), (384, false), (384, true), (768, true), (1536, true), (3072, true)];

/// The limit of a table's work. A unit takes about 40 ns in an unoptimized macro.
const BUDGET: u64 = 48_000_000;

/// An input whose result is not decided, and the reason.
#[derive(Debug)]
pub(crate) struct Undecided {
    pub(crate) input: u16,
    pub(crate) cause: Cause,
    /// The doubtful part of the expression, and its place in the source.
    pub(crate) doubt: Option<(Doubt, Span)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// All [`ATTEMPTS`] failed.
    Precision,
    /// The work exceeded [`BUDGET`].
    Budget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A sum that may be 0.
    Sum,
    /// A condition that may hold or not.
    Condition,
}

/// The machines of a table, from the fastest to the most precise.
pub(super) struct Exact<'a> {
    program: &'a Program,
    forms: NormalForms,
    fast: Machine<'a, Fast>,
    refined: Machine<'a, Fast>,
    deep: [Option<Machine<'a, Deep>>; ATTEMPTS.len()],
    /// The attempt that decided the last doubtful input; the next one starts there, since
    /// neighbours are alike.
    start: usize,
    /// Consecutive inputs that the attempt `start` decided.
    settled: u32,
    /// `true` if a sum was exactly 0 for the last input.
    pub(super) cancelled: bool,
    /// The last doubtful part of the expression, and its place in the source.
    doubt: Option<(Doubt, Span)>,
    /// Work done so far, in units of [`BUDGET`].
    work: u64,
}

impl<'a> Exact<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self {
            program,
            forms: NormalForms::new(),
            fast: Machine::new(program, Fast::default(), false),
            refined: Machine::new(program, Fast::default(), true),
            deep: [const { None }; ATTEMPTS.len()],
            start: 0,
            settled: 0,
            cancelled: false,
            doubt: None,
            work: 0,
        }
    }

    pub(super) fn result(&mut self, formats: [Format; 2], x: u16, result: Id) -> Result<u16, Undecided> {
        let Self { forms, work, .. } = self;
        let d = self.fast.run(forms, work, formats, x, result);
        self.cancelled = self.fast.cancelled;
        if *work > BUDGET {
            return Err(Undecided { input: x, cause: Cause::Budget, doubt: self.doubt });
        }
        if let Some(d) = d {
            return Ok(d);
        }
        // After 32 such inputs a cheaper attempt may be enough again.
        if self.settled >= 32 {
            (self.start, self.settled) = (self.start.saturating_sub(1), 0);
        }
        let mut doubt = None;
        for i in self.start..=ATTEMPTS.len() {
            let (d, cancelled, in_doubt) = match i.checked_sub(1) {
                None => (self.refined.run(forms, work, formats, x, result), self.refined.cancelled, None),
                Some(i) => {
                    let (precision, refines) = ATTEMPTS[i];
                    let new = || Machine::new(self.program, Deep::new(precision), refines);
                    let machine = self.deep[i].get_or_insert_with(new);
                    let d = machine.run(forms, work, formats, x, result);
                    (d, machine.cancelled, if d.is_none() { machine.doubt() } else { None })
                }
            };
            if let Some(d) = d {
                self.settled = if i == self.start { self.settled + 1 } else { 0 };
                (self.start, self.cancelled) = (i, cancelled);
                return Ok(d);
            }
            doubt = in_doubt.and_then(|id| {
                let what = if let Node::If(..) = self.program.nodes[id] { Doubt::Condition } else { Doubt::Sum };
                self.program.spans[id].map(|span| (what, span))
            });
            self.doubt = doubt.or(self.doubt);
            if *work > BUDGET {
                return Err(Undecided { input: x, cause: Cause::Budget, doubt: self.doubt });
            }
        }
        Err(Undecided { input: x, cause: Cause::Precision, doubt })
    }
}
