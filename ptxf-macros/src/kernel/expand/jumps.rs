//! Where threads leave one by one.

use super::super::ast::{Block, Do, Expr, Is, Loop, Statement};

/// Jumps for some threads only that leave a piece of code: to the next round or the end of the loop around it, or out of
/// the function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jumps {
    pub(super) breaks: bool,
    pub(super) continues: bool,
    pub(super) returns: bool,
}

impl Jumps {
    fn or(self, other: Self) -> Self {
        Self {
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
        }
    }
}

pub(super) fn in_block(block: &Block) -> Jumps {
    let tail = block.tail.as_ref().map(|tail| in_expr(tail)).unwrap_or_default();
    block.statements.iter().map(of).fold(tail, Jumps::or)
}

/// Those of a loop's body that concern the loop; returns as they are.
pub(super) fn in_loop(body: &Loop) -> Jumps {
    in_block(&body.body)
}

pub(super) fn of(statement: &Statement) -> Jumps {
    match &statement.kind {
        Do::Break(masked) => Jumps { breaks: *masked, ..Jumps::default() },
        Do::Continue(masked) => Jumps { continues: *masked, ..Jumps::default() },
        Do::Return(_, masked) => Jumps { returns: *masked, ..Jumps::default() },
        Do::If(_, then, otherwise) => in_block(then).or(otherwise.as_ref().map(in_block).unwrap_or_default()),
        Do::For { body, .. } | Do::While(_, body) => Jumps { returns: in_loop(body).returns, ..Jumps::default() },
        Do::Block(block) => in_block(block),
        Do::Let(_, value) | Do::Assign { value, .. } | Do::LetRepeat(_, value) => in_expr(value),
        Do::AssignElement { value, .. } | Do::Store { value, .. } => in_expr(value),
        Do::Sync => Jumps::default(),
        Do::LetArray(_, values) => values.iter().map(in_expr).fold(Jumps::default(), Jumps::or),
    }
}

/// Blocks may stand inside of expressions.
fn in_expr(e: &Expr) -> Jumps {
    match &e.kind {
        Is::If(condition, then, otherwise) => in_expr(condition).or(in_block(then)).or(in_block(otherwise)),
        Is::Block(block) => in_block(block),
        Is::Negate(a) | Is::Not(a) | Is::Float1(_, a) | Is::Nan(a) => in_expr(a),
        Is::Cast(a)
        | Is::Narrow(a)
        | Is::Widen(a)
        | Is::Table(_, a)
        | Is::Element(_, a)
        | Is::Load { index: a, .. } => in_expr(a),
        Is::Binary(_, a, b) | Is::Compare(_, a, b) | Is::Logic { a, b, .. } => in_expr(a).or(in_expr(b)),
        Is::MulAdd(x) => x.iter().map(in_expr).fold(Jumps::default(), Jumps::or),
        Is::Call(_, arguments) => arguments.iter().map(in_expr).fold(Jumps::default(), Jumps::or),
        _ => Jumps::default(),
    }
}
