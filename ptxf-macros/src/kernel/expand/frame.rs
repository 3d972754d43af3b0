//! What all threads of a block do together, in a kernel whose threads share memory.
//!
//! The *frame* of such a kernel is made of its barriers, of the `if`s, loops and blocks around them, and of jumps that all
//! threads take. What lies between is *phases*, each of which runs for every group of the block before the frame goes on.
//!
//! A variable belongs to the frame, as one copy for the block, if all that ever gives it a value stands in the frame and is
//! computed from the frame alone. Every other variable belongs to the groups, each of which has its own copy, also when the
//! copies are equal: what a phase changes, it changes once per group. To share whatever is uniform was wrong for that reason.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ast::{Block, Expr, ExprKind, Id, IndexOf, Kernel, Kind, Statement, StatementKind};
use super::super::visit::{self, Part, Visit, walk_statement};

/// The frame's own variables.
pub(super) struct Frame<'a> {
    kernel: &'a Kernel,
    variables: BTreeSet<Id>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(kernel: &'a Kernel) -> Self {
        let mut frame = Self { kernel, variables: BTreeSet::new() };
        if !kernel.synchronizes {
            // The body is one phase.
            return frame;
        }
        let mut found = Definitions::default();
        found.block(&kernel.body);
        let Definitions { values, by_groups } = found;
        frame.variables = values.keys().copied().filter(|id| !by_groups.contains(id)).collect();
        // What depends on a group's variable is the group's, too.
        loop {
            let is_of_groups = |id: &Id| !values[id].iter().all(|value| frame.computes(value));
            let Some(id) = frame.variables.iter().copied().find(is_of_groups) else {
                return frame;
            };
            frame.variables.remove(&id);
        }
    }

    /// Whether the frame can compute the value: nothing in it belongs to a thread, and nothing in it is changed.
    pub(super) fn computes(&self, value: &Expr) -> bool {
        visit::all_in_expr(value, |part| match part {
            Part::Statement(_) => false,
            Part::Expr(Expr { kind: ExprKind::Variable(id) | ExprKind::Element(id, _), .. }) => self.has(*id),
            Part::Expr(_) => true,
        })
    }

    fn has(&self, id: Id) -> bool {
        match self.kernel.variables[id].kind {
            Kind::Scalar | Kind::Dim(_) => true,
            Kind::Index(index) => index.of == IndexOf::Block,
            _ => self.variables.contains(&id),
        }
    }

    /// Whether the statement belongs to the frame.
    pub(super) fn owns(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Let(id, _) | StatementKind::LetArray(id, _) | StatementKind::LetRepeat(id, _) => {
                self.variables.contains(id)
            }
            StatementKind::Assign { to: id, .. } | StatementKind::AssignElement { array: id, .. } => {
                self.variables.contains(id)
            }
            _ => self.kernel.synchronizes && is_structure(statement),
        }
    }
}

/// What gives variables their values.
#[derive(Default)]
struct Definitions<'a> {
    /// In the frame.
    values: BTreeMap<Id, Vec<&'a Expr>>,
    /// In phases, or inside of expressions.
    by_groups: BTreeSet<Id>,
}

impl<'a> Definitions<'a> {
    /// A block of the frame.
    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Let(id, value)
            | StatementKind::LetRepeat(id, value)
            | StatementKind::Assign { to: id, value, .. } => self.define(*id, [value]),
            StatementKind::LetArray(id, values) => self.define(*id, values),
            StatementKind::AssignElement { array, index, value, .. } => self.define(*array, [index, value]),
            _ if !is_structure(statement) => self.phase(statement),
            StatementKind::If(condition, then, otherwise) => {
                self.inside(condition);
                self.block(then);
                otherwise.iter().for_each(|b| self.block(b));
            }
            StatementKind::For { counter, start, end, step, body, .. } => {
                [Some(start), Some(end), step.as_ref()].into_iter().flatten().for_each(|e| self.inside(e));
                // Whoever computes the bounds, the frame counts.
                self.values.entry(*counter).or_default();
                self.block(&body.body);
            }
            StatementKind::While(condition, body) => {
                condition.iter().for_each(|c| self.inside(c));
                self.block(&body.body);
            }
            StatementKind::Block(block) => self.block(block),
            StatementKind::Vote(result, _, value) => {
                self.inside(value);
                // Whoever computes the votes, the frame counts.
                self.values.entry(*result).or_default();
            }
            StatementKind::LetCall { .. }
            | StatementKind::Store { .. }
            | StatementKind::Atomic(_)
            | StatementKind::Break(_)
            | StatementKind::Continue(_)
            | StatementKind::Return(..)
            | StatementKind::Sync => {}
        }
    }

    fn define(&mut self, id: Id, values: impl IntoIterator<Item = &'a Expr>) {
        for value in values {
            self.inside(value);
            self.values.entry(id).or_default().push(value);
        }
    }

    fn inside(&mut self, e: &Expr) {
        visit::each_in_expr(e, &mut |part| self.assigned(part));
    }

    fn phase(&mut self, statement: &Statement) {
        visit::each_in_statement(statement, &mut |part| self.assigned(part));
    }

    fn assigned(&mut self, part: Part<'_>) {
        if let Part::Statement(Statement {
            kind: StatementKind::Assign { to: id, .. } | StatementKind::AssignElement { array: id, .. },
            ..
        }) = part
        {
            self.by_groups.insert(*id);
        }
    }
}

/// Whether the statement is a barrier, a jump of all threads, or contains one of them.
fn is_structure(statement: &Statement) -> bool {
    let mut search = Structure::default();
    search.statement(statement);
    search.found
}

/// Looks for what makes a statement part of the frame.
#[derive(Default)]
struct Structure {
    found: bool,
    /// The numbers of loops around this place, in which their own jumps stay.
    loops: Vec<usize>,
}

impl<'a> Visit<'a> for Structure {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Sync | StatementKind::Vote(..) | StatementKind::Return(_, false) => self.found = true,
            StatementKind::Break(jump) | StatementKind::Continue(jump) => {
                self.found |= !jump.masked && !self.loops.contains(&jump.to);
            }
            _ => {}
        }
        let around = self.loops.len();
        if let StatementKind::For { body, .. } | StatementKind::While(_, body) = &statement.kind {
            self.loops.push(body.id);
        }
        walk_statement(self, statement);
        self.loops.truncate(around);
    }
}
