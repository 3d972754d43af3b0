//! Whether all that threads do to a slice at the same time has one result.
//!
//! Threads may change any element by one atomic operation, in any order. It may not be another operation, nor an access without one, while
//! others are at it: of `atomic_add` and `atomic_max`, or of `hist[l]` and `atomic_add(&mut hist[bin], 1)`, either may come first. A barrier
//! is between the two if the memory is the block's. Of an output it is between the threads of one block only, so that everything that a kernel
//! does to an output may be at the same time. What stands in `unsafe` the kernel answers for.
//!
//! ```text
//! hist[l] = 0;                         done to hist since the last barrier:  { plain }
//! sync_threads();                                                            { }
//! for …  atomic_add(&mut hist[b], 1);                                        { sum }
//! sync_threads();                                                            { }
//! out[l] = hist[l];                                                          { plain }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::{AtomicOp, Block, Expr, ExprKind, Id, Jump, Kernel, Kind, Loop, Right, Statement, StatementKind};
use super::visit::{Visit, walk_expr, walk_statement};

/// Refuses what threads do to an element at the same time with more than one result.
pub(crate) fn check(kernel: &Kernel) -> Result<()> {
    let mut pass = Pass { kernel, done: Done::new(), loops: Vec::new(), errors: BTreeMap::new() };
    pass.block(&kernel.body);
    super::all(pass.errors.into_values().collect())
}

/// What is done to an element, as it is written, and by which operation if that is an atomic one.
type Act = (Option<&'static str>, String);

/// What may have been done to each slice since the last barrier that is between.
type Done = BTreeMap<Id, BTreeSet<Act>>;

struct Pass<'a> {
    kernel: &'a Kernel,
    done: Done,
    /// Of the loops around, what may have been done where they are left or begun again.
    loops: Vec<Done>,
    /// By what the complaint is about, of which there is one, however often a loop is looked at.
    errors: BTreeMap<(Id, Act, Act), Error>,
}

/// An index as it was written, without the space that tokens have in front of brackets.
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
                self.arms(then, otherwise.as_ref());
            }
            StatementKind::For { start, end, step, body, .. } => {
                [Some(start), Some(end), step.as_ref()].into_iter().flatten().for_each(|e| self.expr(e));
                self.rounds(None, body);
            }
            StatementKind::While(condition, body) => self.rounds(condition.as_ref(), body),
            _ => walk_statement(self, statement),
        }
        match &statement.kind {
            StatementKind::Store { slice, text, right, .. } => self.plain(*slice, text, *right, statement.span),
            StatementKind::Atomic(atomic) if !atomic.promised => {
                let op = atomic.op.in_any_order().map(AtomicOp::called);
                self.act(atomic.slice, (op, atomic.text.clone()), statement.span);
            }
            StatementKind::Sync | StatementKind::Vote(..) => {
                let variables = &self.kernel.variables;
                self.done.retain(|slice, _| !matches!(variables[*slice].kind, Kind::Shared(_)));
            }
            StatementKind::Break(Jump { .. }) | StatementKind::Continue(Jump { .. }) => {
                // To one of these loops.
                self.loops.iter_mut().for_each(|left| join(left, &self.done));
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.arms(then, Some(otherwise));
            }
            _ => walk_expr(self, e),
        }
        if let ExprKind::Load { slice, text, right, .. } = &e.kind
            && self.kernel.variables[*slice].kind.is_written()
        {
            self.plain(*slice, text, *right, e.span);
        }
    }
}

impl<'a> Pass<'a> {
    fn arms(&mut self, then: &'a Block, otherwise: Option<&'a Block>) {
        let before = self.done.clone();
        self.block(then);
        let after = core::mem::replace(&mut self.done, before);
        if let Some(otherwise) = otherwise {
            self.block(otherwise);
        }
        join(&mut self.done, &after);
    }

    /// A loop, until another round would add nothing.
    fn rounds(&mut self, condition: Option<&'a Expr>, body: &'a Loop) {
        loop {
            let before = self.done.clone();
            self.loops.push(before.clone());
            if let Some(condition) = condition {
                self.expr(condition);
            }
            self.block(&body.body);
            let left = self.loops.pop().expect("pushed above");
            join(&mut self.done, &left);
            if self.done == before {
                return;
            }
        }
    }

    fn plain(&mut self, slice: Id, text: &str, right: Right, span: Span) {
        if right == Right::Own {
            self.act(slice, (None, text.to_owned()), span);
        }
    }

    fn act(&mut self, slice: Id, act: Act, span: Span) {
        let acts = self.done.entry(slice).or_default();
        acts.insert(act.clone());
        let Some(other) = acts.iter().find(|other| other.0 != act.0).cloned() else { return };
        let error = self.complaint(slice, &act, &other, span);
        self.errors.entry((slice, act, other)).or_insert(error);
    }

    fn complaint(&self, slice: Id, act: &Act, other: &Act, span: Span) -> Error {
        let v = &self.kernel.variables[slice];
        let shown = |(op, text): &Act| match op {
            None => format!("`{}{}`", v.name, written(text)),
            Some(op) => format!("`{op}(&mut {}{}, …)`", v.name, written(text)),
        };
        let (act, other) = (shown(act), shown(other));
        let way_out = match v.kind {
            Kind::Shared(_) => "put `sync_threads();` between the two",
            _ => "no barrier is between two blocks, so let another kernel do one of them",
        };
        let message = format!(
            "{act} and {other} may be at the same element at the same time, and what comes of it depends on which is first: {way_out}, \
             or say with `unsafe {{ … }}` that they never are"
        );
        Error::new(span, message)
    }
}
