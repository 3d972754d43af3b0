//! The zero fill of shared arrays, and the arrays that need none because a block's threads fill
//! them before anything is read.
//!
//! Shared memory begins as zeros on a CPU. In a short kernel writing the zeros takes as long as all
//! of the kernel's own writes. They are left out if the first use of the array is a write, by each
//! thread at its own index in the block, and a barrier stands before the next use:
//!
//! ```text
//! tile[l] = x[t];                 for i in 0..tiles {
//! sync_threads();                     tile[y][x] = a[…];
//! out[t] = tile[63 - l];              sync_threads();
//!                                     sum += tile[…];
//! ```
//!
//! A statement between barriers runs for all threads of a block, since `classes` refuses a `return`
//! of some threads in a kernel with barriers. A run-time check compares the number of the block's
//! threads with the number of elements. If the block is smaller, the array begins as zeros.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ast::{Expr, ExprKind, Id, Index, IndexOf, Kind, Row, Statement, StatementKind};
use super::super::visit::{self, Part};
use super::Printer;
use super::frame::Frame;

impl Printer<'_> {
    /// Prints an expression that is `true` if the block's threads fill the array.
    pub(super) fn is_filled(&self, id: Id, frame: &Frame<'_>, lanes: &TokenStream) -> TokenStream {
        let (kernel, length) = (&self.path, self.length(id));
        let index = filling(&self.kernel.body.statements, id, frame);
        match index.and_then(|index| self.row_length(index, &length)) {
            Some(width) => quote!(#kernel::Block::fills(&__block, #lanes, #width, #length)),
            None => quote!(false),
        }
    }

    /// Prints the number of elements that the threads of one row write next to each other. `None`
    /// if the index is not the thread's own in its block.
    fn row_length(&self, index: &Expr, length: &TokenStream) -> Option<TokenStream> {
        if self.is_local(index, 0) {
            return Some(length.clone());
        }
        let ExprKind::Row(row) = &index.kind else {
            return None;
        };
        let Row { row, width, column, .. } = &**row;
        let numbers =
            |part: Part<'_>| matches!(part, Part::Expr(e) if e.is_outside() || matches!(e.kind, ExprKind::Int(_)));
        let known = visit::all_in_expr(width, numbers);
        (known && self.is_local(row, 1) && self.is_local(column, 0)).then(|| self.scalar(width))
    }

    /// Returns `true` for the thread's index in the block along this axis.
    fn is_local(&self, e: &Expr, axis: usize) -> bool {
        let is_index = |id: Id| self.kernel.variables[id].kind == Kind::Index(Index { of: IndexOf::Local, axis });
        matches!(e.kind, ExprKind::Variable(id) if is_index(id))
    }
}

/// Returns the index at which each thread writes the array before any other use.
fn filling<'k>(statements: &'k [Statement], id: Id, frame: &Frame<'_>) -> Option<&'k Expr> {
    let at = statements.iter().position(|s| uses(s, id))?;
    let (first, after) = statements[at..].split_first()?;
    match &first.kind {
        StatementKind::Store { slice, index, value, .. } if *slice == id && !reads(value, id) => {
            let mut phase = after.iter().take_while(|s| !frame.owns(s));
            phase.all(|s| !uses(s, id)).then_some(index)
        }
        _ if !frame.owns(first) || after.iter().any(|s| uses(s, id)) => None,
        StatementKind::Block(block) => filling(&block.statements, id, frame),
        // Each iteration fills the array before it reads it.
        StatementKind::For { start, end, step, body, .. } => {
            let bounds = [Some(start), Some(end), step.as_ref()];
            let asked = bounds.into_iter().flatten().any(|bound| reads(bound, id));
            if asked { None } else { filling(&body.body.statements, id, frame) }
        }
        StatementKind::While(condition, body) => {
            let asked = condition.as_ref().is_some_and(|condition| reads(condition, id));
            if asked { None } else { filling(&body.body.statements, id, frame) }
        }
        _ => None,
    }
}

/// Returns `true` if the statement uses the array.
fn uses(statement: &Statement, id: Id) -> bool {
    let mut found = false;
    visit::each_in_statement(statement, &mut |part| {
        found |= match part {
            Part::Statement(s) => match &s.kind {
                StatementKind::Store { slice, .. } => *slice == id,
                StatementKind::Atomic(atomic) => atomic.slice == id,
                _ => false,
            },
            Part::Expr(e) => is_read(e, id),
        };
    });
    found
}

/// Returns `true` if the value may depend on the array: it is read in the value, or statements
/// stand there.
fn reads(value: &Expr, id: Id) -> bool {
    value.has_statements() || !visit::all_in_expr(value, |part| matches!(part, Part::Expr(e) if !is_read(e, id)))
}

fn is_read(e: &Expr, id: Id) -> bool {
    matches!(e.kind, ExprKind::Load { slice, .. } | ExprKind::Slice(slice) if slice == id)
}
