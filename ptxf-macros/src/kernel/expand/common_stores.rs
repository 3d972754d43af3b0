//! Common stores: two arms that end with a write of the same element write it once, with the value
//! of the arm that a thread takes.
//!
//! If the threads of a group take both arms, two writes would be two masked writes of the same
//! vector in memory.
//!
//! ```text
//! if c { out[t] = a; } else { let b = …; out[t] = b; }
//!
//! out[t] = if c { a } else { let b = …; b };
//! ```

use std::collections::BTreeSet;

use proc_macro2::Span;

use super::super::ast::{Block, Class, Expr, ExprKind, Id, Statement, StatementKind};
use super::super::visit::{self, Part};
use super::vector::is_pure;

/// The place of the common write.
pub(super) struct Joined<'a> {
    pub(super) slice: Id,
    pub(super) index: &'a Expr,
    pub(super) span: Span,
}

/// Returns the common write of both arms and its value. `None` if the arms do not end with one.
pub(super) fn store<'a>(condition: &Expr, then: &'a Block, otherwise: &Block) -> Option<(Joined<'a>, Expr)> {
    let (first, second) = (Arm::of(then)?, Arm::of(otherwise)?);
    // The slice is the same, and so is the type.
    let same = first.slice == second.slice && first.text == second.text && first.used == second.used;
    if !same || first.value.precision != second.value.precision {
        return None;
    }
    let value = Expr {
        kind: ExprKind::If(Box::new(condition.clone()), first.before(), second.before()),
        class: Class::Varying,
        ..first.value.clone()
    };
    Some((Joined { slice: first.slice, index: first.index, span: first.span }, value))
}

/// An arm that ends with a write.
struct Arm<'a> {
    statements: &'a [Statement],
    slice: Id,
    index: &'a Expr,
    text: &'a str,
    value: &'a Expr,
    span: Span,
    /// The variables of the index, in its order.
    used: Vec<Id>,
}

impl<'a> Arm<'a> {
    fn of(arm: &'a Block) -> Option<Self> {
        let (last, statements) = arm.statements.split_last()?;
        let StatementKind::Store { slice, index, text, value, .. } = &last.kind else {
            return None;
        };
        let mut used = Vec::new();
        visit::each_in_expr(index, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Variable(id) | ExprKind::Element(id, _), .. }) = part {
                used.push(*id);
            }
        });
        // The arm has no other write and no jump, and the index is the same after the arm.
        let (mut set, mut plain) = (BTreeSet::new(), is_pure(index) && arm.tail.is_none());
        let mut see = |part: Part<'_>| {
            if let Part::Statement(statement) = part {
                match &statement.kind {
                    StatementKind::Let(id, _) | StatementKind::Assign { to: id, .. } => {
                        set.insert(*id);
                    }
                    StatementKind::LetCall { to, .. } => set.extend(to.leaves().into_iter().copied()),
                    _ => plain = false,
                }
            }
        };
        statements.iter().for_each(|statement| visit::each_in_statement(statement, &mut see));
        visit::each_in_expr(value, &mut see);
        let plain = plain && !used.iter().any(|id| set.contains(id));
        plain.then_some(Self { statements, slice: *slice, index, text, value, span: last.span, used })
    }

    /// Returns the arm without the write, ending with the written value.
    fn before(&self) -> Block {
        Block { statements: self.statements.to_vec(), tail: Some(Box::new(self.value.clone())) }
    }
}
