//! Jumps that threads take one by one, as masks have to note them: where a piece of code contains `break`, `continue` or `return` for
//! some of its threads only.

use std::collections::BTreeSet;

use super::super::ast::{Block, Loop, Statement, StatementKind};
use super::super::visit::{Part, Visit, each_in_statement, walk_statement};

/// Jumps for some threads only that leave a piece of code: to the end or the next round of loops around it, by their numbers, or out of
/// the function.
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

/// Those that the statement may do.
pub(super) fn of(statement: &Statement) -> Jumps {
    let mut found = Jumps::default();
    found.statement(statement);
    found
}

/// Those of a loop's body.
pub(super) struct InLoop {
    /// Whether threads leave this loop by them.
    pub(super) breaks: bool,
    /// Whether threads go to its next round by them.
    pub(super) continues: bool,
    /// Those that leave more than this loop.
    pub(super) outer: Jumps,
}

pub(super) fn in_loop(body: &Loop) -> InLoop {
    let mut outer = in_block(&body.body);
    InLoop { breaks: outer.breaks.remove(&body.id), continues: outer.continues.remove(&body.id), outer }
}

/// Whether there is a jump in the statement, of all threads or of some.
pub(super) fn any_in(statement: &Statement) -> bool {
    let mut any = false;
    each_in_statement(statement, &mut |part| {
        let Part::Statement(statement) = part else { return };
        any |=
            matches!(statement.kind, StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Return(..));
    });
    any
}
