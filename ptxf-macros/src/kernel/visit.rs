//! A walk over a body: each statement and each expression, from the outside in and in the order of the source.

use super::ast::{Block, Do, Expr, Is, Statement};

/// What a walk comes by.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Statement(&'a Statement),
    Expr(&'a Expr),
}

/// The statement and all it contains.
pub(super) fn statement<'a>(s: &'a Statement, see: &mut dyn FnMut(Part<'a>)) {
    see(Part::Statement(s));
    match &s.kind {
        Do::Let(_, value) | Do::LetRepeat(_, value) | Do::Assign { value, .. } => expr(value, see),
        Do::LetArray(_, values) => values.iter().for_each(|v| expr(v, see)),
        Do::AssignElement { index, value, .. } | Do::Store { index, value, .. } => {
            expr(index, see);
            expr(value, see);
        }
        Do::If(condition, then, otherwise) => {
            expr(condition, see);
            block(then, see);
            if let Some(otherwise) = otherwise {
                block(otherwise, see);
            }
        }
        Do::For { start, end, body, .. } => {
            expr(start, see);
            expr(end, see);
            block(&body.body, see);
        }
        Do::While(condition, body) => {
            if let Some(condition) = condition {
                expr(condition, see);
            }
            block(&body.body, see);
        }
        Do::Return(Some(value), _) => expr(value, see),
        Do::Block(b) => block(b, see),
        Do::Return(None, _) | Do::Break(_) | Do::Continue(_) | Do::Sync => {}
    }
}

/// What the block contains.
pub(super) fn block<'a>(b: &'a Block, see: &mut dyn FnMut(Part<'a>)) {
    b.statements.iter().for_each(|s| statement(s, see));
    if let Some(tail) = &b.tail {
        expr(tail, see);
    }
}

/// The expression and all it contains.
pub(super) fn expr<'a>(e: &'a Expr, see: &mut dyn FnMut(Part<'a>)) {
    see(Part::Expr(e));
    match &e.kind {
        Is::Negate(a) | Is::Not(a) | Is::Float1(_, a) | Is::Nan(a) | Is::Cast(a) => expr(a, see),
        Is::Narrow(a) | Is::Widen(a) | Is::Table(_, a) | Is::Element(_, a) | Is::Load { index: a, .. } => expr(a, see),
        Is::Binary(_, a, b) | Is::Compare(_, a, b) | Is::Logic { a, b, .. } => {
            expr(a, see);
            expr(b, see);
        }
        Is::MulAdd(x) => x.iter().for_each(|x| expr(x, see)),
        Is::Call(_, arguments) => arguments.iter().for_each(|x| expr(x, see)),
        Is::If(condition, then, otherwise) => {
            expr(condition, see);
            block(then, see);
            block(otherwise, see);
        }
        Is::Block(b) => block(b, see),
        Is::Variable(_)
        | Is::Slice(_)
        | Is::Float(_)
        | Is::Int(_)
        | Is::Bool(_)
        | Is::Constant(_)
        | Is::Limit(_)
        | Is::Length(_) => {}
    }
}
