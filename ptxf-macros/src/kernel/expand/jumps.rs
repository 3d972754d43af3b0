//! Divergent jumps: the `break`s, `continue`s and `return`s in a piece of code that only some of
//! its threads take. Masks note them.

use std::collections::BTreeSet;

use super::super::ast::{Block, Loop, Statement, StatementKind};
use super::super::visit::{Part, Visit, each_in_statement, walk_statement};

/// The divergent jumps out of a piece of code: to the end or the next iteration of loops around it,
/// by the numbers of the loops, or out of the function.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    pub(super) breaks: BTreeSet<usize>,
    pub(super) continues: BTreeSet<usize>,
    pub(super) returns: bool,
}

impl<'a> Visit<'a> for Jumps {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Break(jump) if jump.masked => _ = self.breaks.insert(jump.to),
            StatementKind::Continue(jump) if jump.masked => _ = self.continues.insert(jump.to),
            StatementKind::Return(_, masked) => self.returns |= masked,
            _ => {}
        }
        walk_statement(self, statement);
        // A loop's own jumps stay in the loop.
        if let StatementKind::For { body, .. } | StatementKind::While(_, body) = &statement.kind {
            self.breaks.remove(&body.id);
            self.continues.remove(&body.id);
        }
    }
}

pub(super) fn in_block(block: &Block) -> Jumps {
    let mut found = Jumps::default();
    found.block(block);
    found
}

/// Returns the divergent jumps out of a statement.
pub(super) fn of(statement: &Statement) -> Jumps {
    let mut found = Jumps::default();
    found.statement(statement);
    found
}

/// The divergent jumps in a loop's body.
pub(super) struct InLoop {
    /// `true` if there is a `break` out of this loop.
    pub(super) breaks: bool,
    /// `true` if there is a `continue` of this loop.
    pub(super) continues: bool,
    /// The jumps out of more than this loop.
    pub(super) outer: Jumps,
}

pub(super) fn in_loop(body: &Loop) -> InLoop {
    let mut outer = in_block(&body.body);
    InLoop { breaks: outer.breaks.remove(&body.id), continues: outer.continues.remove(&body.id), outer }
}

/// Returns `true` if the statement contains a jump, of all threads or of some.
pub(super) fn any_in(statement: &Statement) -> bool {
    let mut any = false;
    each_in_statement(statement, &mut |part| {
        let Part::Statement(statement) = part else { return };
        any |=
            matches!(statement.kind, StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Return(..));
    });
    any
}
