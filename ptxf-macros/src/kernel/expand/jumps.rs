//! Jumps that threads take one by one, as masks have to note them: where a piece of code contains `break`, `continue` or `return` for
//! some of its threads only.

use super::super::ast::{Block, Loop, Statement, StatementKind};
use super::super::visit::{Visit, walk_statement};

/// Jumps for some threads only that leave a piece of code: to the next round or the end of the loop around it, or out of
/// the function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jumps {
    pub(super) breaks: bool,
    pub(super) continues: bool,
    pub(super) returns: bool,
}

impl<'a> Visit<'a> for Jumps {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Break(masked) => self.breaks |= masked,
            StatementKind::Continue(masked) => self.continues |= masked,
            StatementKind::Return(_, masked) => self.returns |= masked,
            // A loop's own jumps stay in the loop.
            StatementKind::For { body, .. } | StatementKind::While(_, body) => {
                return self.returns |= in_loop(body).returns;
            }
            _ => {}
        }
        walk_statement(self, statement);
    }
}

pub(super) fn in_block(block: &Block) -> Jumps {
    let mut found = Jumps::default();
    found.block(block);
    found
}

/// Those of a loop's body that concern the loop; returns as they are.
pub(super) fn in_loop(body: &Loop) -> Jumps {
    in_block(&body.body)
}

/// Those that the statement may do.
pub(super) fn of(statement: &Statement) -> Jumps {
    let mut found = Jumps::default();
    found.statement(statement);
    found
}
