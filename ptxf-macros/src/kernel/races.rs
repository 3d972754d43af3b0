//! Accesses of several threads to one element at the same time: those that are refused, and reads
//! that barriers make safe.
//!
//! Threads may change any element by one atomic operation, in any order. In the same phase no
//! thread may change that element by another operation, or access it without one. Of `atomic_add`
//! and `atomic_max`, or of `hist[l]` and `atomic_add(&mut hist[bin], 1)`, either could come first,
//! and the result would depend on which.
//!
//! A barrier ends the phase of shared memory. It does not order the accesses of two blocks, so all
//! that a kernel does to an output may happen at the same time. The kernel's author answers for an
//! access in `unsafe`.
//!
//! ```text
//! hist[l] = 0;                         done to hist since the last barrier:  { write }
//! sync_threads();                                                            { }
//! for …  atomic_add(&mut hist[b], 1);                                        { sum }
//! sync_threads();                                                            { }
//! out[l] = hist[63 - l];                                                     { others' read }
//! ```
//!
//! A thread may read another thread's element of shared memory without `unsafe` if no access of the
//! same phase writes the array:
//!
//! 1. All threads of a block pass the same barriers, since `classes` refuses a barrier that some
//!    threads skip.
//! 2. So two accesses of a block happen at the same time only if the program has paths without a
//!    barrier to both of them, from the same barrier or from the beginning of the kernel. Then a
//!    path without a barrier leads from one access to the other, or they stand in the two arms of
//!    an `if`.
//! 3. The pass finds each such pair of accesses. A read that is in no pair with a write, in
//!    `unsafe` or not, or with an atomic operation is therefore never at the same time as one.
//! 4. Another block has shared memory of its own.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::{AtomicOp, Block, Expr, ExprKind, Id, Jump, Kernel, Kind, Loop, Right, Statement, StatementKind};
use super::visit::{Nature, Part, Visit, VisitMut, all_in_expr, walk_expr, walk_expr_mut, walk_statement};

/// Refuses accesses whose result depends on the order of threads, and marks the reads that barriers
/// make safe.
pub(crate) fn check(kernel: &mut Kernel) -> Result<()> {
    let mut pass = Pass {
        kernel,
        done: Done::new(),
        loops: Vec::new(),
        errors: BTreeMap::new(),
        reads: Vec::new(),
        unsafe_reads: BTreeSet::new(),
        spans: BTreeMap::new(),
    };
    pass.block(&kernel.body);
    let Pass { errors, reads, unsafe_reads, .. } = pass;
    super::all(errors.into_values().collect())?;
    let safe = reads.into_iter().enumerate().filter(|(i, _)| !unsafe_reads.contains(i)).map(|(_, read)| read);
    Marks(safe.collect()).block(&mut kernel.body);
    Ok(())
}

/// An access at the same time as which other threads may access the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    /// A read of the thread's own element.
    Read,
    /// A write of the thread's own element.
    Write,
    /// An atomic operation; `None` if the result depends on the order of threads.
    Atomic(Option<&'static str>),
    /// A write or an atomic operation in `unsafe`.
    UnsafeWrite,
    /// A read of an element that may be another thread's: a number in `Pass::reads`.
    OthersRead(usize),
}

impl Access {
    /// Returns `true` if the result of two accesses to one element may depend on which of them is
    /// first.
    fn conflicts(self, other: Self) -> bool {
        use Access::{Atomic, OthersRead, Read, UnsafeWrite, Write};
        match (self, other) {
            (Atomic(a), Atomic(b)) => a != b,
            (Atomic(_), Read | Write) | (Read | Write, Atomic(_)) => true,
            (OthersRead(_), Write | UnsafeWrite | Atomic(_)) | (Write | UnsafeWrite | Atomic(_), OthersRead(_)) => true,
            (Read | Write, Read | Write) | (OthersRead(_), Read | OthersRead(_)) | (Read, OthersRead(_)) => false,
            // The kernel's author answers for these.
            (UnsafeWrite, Read | Write | UnsafeWrite | Atomic(_)) | (Read | Write | Atomic(_), UnsafeWrite) => false,
        }
    }
}

/// An access, and its index as it is written.
type Act = (Access, String);

/// The accesses to each slice since the last barrier that orders them.
type Done = BTreeMap<Id, BTreeSet<Act>>;

struct Pass<'a> {
    kernel: &'a Kernel,
    done: Done,
    /// For each loop around this place, the accesses before a jump to the loop's end or its next
    /// iteration.
    loops: Vec<Done>,
    /// One error per (slice, first access, second access): a loop's body may be visited several
    /// times.
    errors: BTreeMap<(Id, Act, Act), Error>,
    /// The reads of shared memory that may be of another thread's element.
    reads: Vec<*const Expr>,
    /// The place of each access.
    spans: BTreeMap<(Id, Act), Span>,
    /// The numbers of those that may happen at the same time as a write.
    unsafe_reads: BTreeSet<usize>,
}

/// Returns an index as it was written, without the space that tokens have before brackets.
pub(super) fn written(text: &str) -> String {
    text.replace(" [", "[")
}

fn join(done: &mut Done, other: &Done) {
    for (slice, acts) in other {
        done.entry(*slice).or_default().extend(acts.iter().cloned());
    }
}

impl<'a> Visit<'a> for Pass<'a> {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.arms(condition, then, otherwise.as_ref());
            }
            StatementKind::For { start, end, step, body, .. } => {
                [Some(start), Some(end), step.as_ref()].into_iter().flatten().for_each(|e| self.expr(e));
                self.iterations(None, body);
            }
            StatementKind::While(condition, body) => self.iterations(condition.as_ref(), body),
            _ => walk_statement(self, statement),
        }
        match &statement.kind {
            StatementKind::Store { slice, text, right, .. } => {
                let access = match right {
                    Right::Own => Access::Write,
                    Right::None | Right::Promised | Right::Barriers => Access::UnsafeWrite,
                };
                self.act(*slice, (access, text.clone()), statement.span);
            }
            StatementKind::Atomic(atomic) => {
                let access = match atomic.promised {
                    false => Access::Atomic(atomic.op.in_any_order().map(AtomicOp::called)),
                    true => Access::UnsafeWrite,
                };
                self.act(atomic.slice, (access, atomic.text.clone()), statement.span);
            }
            StatementKind::Sync | StatementKind::Vote(..) => {
                let variables = &self.kernel.variables;
                self.done.retain(|slice, _| !matches!(variables[*slice].kind, Kind::Shared(_)));
            }
            StatementKind::Break(Jump { .. }) | StatementKind::Continue(Jump { .. }) => {
                // The jump leads to one of these loops.
                self.loops.iter_mut().for_each(|left| join(left, &self.done));
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.arms(condition, then, Some(otherwise));
            }
            _ => walk_expr(self, e),
        }
        if let ExprKind::Load { slice, text, right, .. } = &e.kind {
            let access = match (&self.kernel.variables[*slice].kind, right) {
                (Kind::Out | Kind::Shared(_), Right::Own) => Access::Read,
                (Kind::Shared(_), Right::None) => Access::OthersRead(self.number_of(e)),
                _ => return,
            };
            self.act(*slice, (access, text.clone()), e.span);
        }
    }
}

impl<'a> Pass<'a> {
    /// Visits the arms of an `if`. Some threads may be in one arm while others are in the other.
    fn arms(&mut self, condition: &Expr, then: &'a Block, otherwise: Option<&'a Block>) {
        let before = self.done.clone();
        self.block(then);
        let first = core::mem::replace(&mut self.done, before.clone());
        if let Some(otherwise) = otherwise {
            self.block(otherwise);
        }
        if !self.is_fixed(condition) {
            let new = |done: &Done, slice| {
                let acts = done.get(slice).into_iter().flatten();
                acts.filter(|act| !before.get(slice).is_some_and(|acts| acts.contains(act)))
                    .cloned()
                    .collect::<Vec<_>>()
            };
            for slice in first.keys() {
                for act in new(&self.done, slice) {
                    let others = new(&first, slice);
                    self.pair(*slice, &act, &others);
                }
            }
        }
        join(&mut self.done, &first);
    }

    /// Returns `true` if the condition is certainly the same for the whole launch.
    fn is_fixed(&self, condition: &Expr) -> bool {
        all_in_expr(condition, |part| match part {
            Part::Expr(e) => match &e.kind {
                ExprKind::Variable(id) => matches!(self.kernel.variables[*id].kind, Kind::Scalar | Kind::Dim(_)),
                _ => matches!(Nature::of(e), Nature::Value | Nature::Arithmetic | Nature::Division),
            },
            Part::Statement(_) => false,
        })
    }

    /// Visits a loop until another iteration would add nothing.
    fn iterations(&mut self, condition: Option<&'a Expr>, body: &'a Loop) {
        loop {
            let before = self.done.clone();
            self.loops.push(before.clone());
            if let Some(condition) = condition {
                self.expr(condition);
                // A loop may end here.
                let ended = self.done.clone();
                join(self.loops.last_mut().expect("pushed above"), &ended);
            }
            self.block(&body.body);
            let left = self.loops.pop().expect("pushed above");
            join(&mut self.done, &left);
            if self.done == before {
                return;
            }
        }
    }

    /// Returns the number of a read.
    fn number_of(&mut self, e: &Expr) -> usize {
        let address = core::ptr::from_ref(e);
        self.reads.iter().position(|read| *read == address).unwrap_or_else(|| {
            self.reads.push(address);
            self.reads.len() - 1
        })
    }

    fn act(&mut self, slice: Id, act: Act, span: Span) {
        self.spans.entry((slice, act.clone())).or_insert(span);
        let acts = self.done.entry(slice).or_default();
        acts.insert(act.clone());
        let others: Vec<_> = acts.iter().cloned().collect();
        self.pair(slice, &act, &others);
    }

    /// Notes the conflicts of an access with others that may happen at the same time.
    fn pair(&mut self, slice: Id, act: &Act, others: &[Act]) {
        let mut reported = false;
        for other in others.iter().filter(|other| act.0.conflicts(other.0)) {
            match (act.0, other.0) {
                (Access::OthersRead(read), _) | (_, Access::OthersRead(read)) => _ = self.unsafe_reads.insert(read),
                _ if reported => {}
                _ => {
                    let span = self.spans[&(slice, act.clone())];
                    let error = self.error(slice, act, other, span);
                    self.errors.entry((slice, act.clone(), other.clone())).or_insert(error);
                    reported = true;
                }
            }
        }
    }

    fn error(&self, slice: Id, act: &Act, other: &Act, span: Span) -> Error {
        let v = &self.kernel.variables[slice];
        let shown = |(access, text): &Act| match access {
            Access::Atomic(Some(op)) => format!("`{op}(&mut {}{}, …)`", v.name, written(text)),
            _ => format!("`{}{}`", v.name, written(text)),
        };
        let (act, other) = (shown(act), shown(other));
        let way_out = match v.kind {
            Kind::Shared(_) => "put `sync_threads();` between the two",
            _ => "no barrier orders two blocks, so let another kernel do one of them",
        };
        let message = format!(
            "{act} and {other} may access the same element at the same time, and the result depends on which is first: \
             {way_out}. If they never access the same element, write `unsafe {{ … }}` around one of them"
        );
        Error::new(span, message)
    }
}

/// Marks the reads at these addresses.
struct Marks(BTreeSet<*const Expr>);

impl VisitMut for Marks {
    fn expr(&mut self, e: &mut Expr) {
        let address = core::ptr::from_ref::<Expr>(e);
        if let ExprKind::Load { right, .. } = &mut e.kind
            && self.0.contains(&address)
        {
            *right = Right::Barriers;
        }
        walk_expr_mut(self, e);
    }
}
