//! The frame of a kernel with shared memory: the statements that all threads of a block do
//! together.
//!
//! The *frame* consists of the barriers, of the `if`s, loops and blocks around them, and of jumps
//! that all threads take. The statements between are *phases*. Each phase runs for every group of
//! the block before the frame goes on.
//!
//! A variable belongs to the frame, as one copy for the block, if every assignment to it stands in
//! the frame and is computed from variables of the frame. Every other variable belongs to the
//! groups, and each group has a copy, even if the copies are equal: a phase changes a variable once
//! per group. Sharing every uniform variable would be wrong for that reason.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ast::{Block, Expr, ExprKind, Id, IndexOf, Kernel, Kind, Statement, StatementKind};
use super::super::visit::{self, Part, Visit, walk_statement};

/// The frame's variables.
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
        // A variable that depends on a group's variable belongs to the groups, too.
        loop {
            let is_of_groups = |id: &Id| !values[id].iter().all(|value| frame.computes(value));
            let Some(id) = frame.variables.iter().copied().find(is_of_groups) else {
                return frame;
            };
            frame.variables.remove(&id);
        }
    }

    /// Returns `true` if the frame can compute the value: no part belongs to a thread, and nothing
    /// is changed.
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

    /// Returns `true` if the statement belongs to the frame.
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

/// The assignments to variables.
#[derive(Default)]
struct Definitions<'a> {
    /// Values that are assigned in the frame.
    values: BTreeMap<Id, Vec<&'a Expr>>,
    /// Variables that are assigned in phases or inside of expressions.
    by_groups: BTreeSet<Id>,
}

impl<'a> Definitions<'a> {
    /// Collects the assignments in a block of the frame.
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
                // The frame counts, even if the groups compute the bounds.
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
                // The frame has the result, even if the groups compute the votes.
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

/// Returns `true` if the statement is a barrier or a jump of all threads, or contains one.
fn is_structure(statement: &Statement) -> bool {
    let mut search = Structure::default();
    search.statement(statement);
    search.found
}

/// The search for barriers and jumps in a statement.
#[derive(Default)]
struct Structure {
    found: bool,
    /// The numbers of the loops inside of the statement. A jump out of one of them stays in the
    /// statement.
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
