//! The walk over a kernel's tree: the one place that knows which parts a construct has.
//!
//! A pass over a kernel is a [`Visit`], which reads, or a [`VisitMut`], which also writes. It says what it does at a block, a
//! statement or an expression, and calls `walk_…` where it wants to go on to the parts:
//!
//! ```text
//! fn expr(&mut self, e: &Expr) {
//!     walk_expr(self, e);                  // the parts first, in the order in which they are computed
//!     if let Is::Load { .. } = &e.kind {   // then what this pass is about
//!         …
//!     }
//! }
//! ```
//!
//! What a pass does not override goes to the parts by itself. So a construct that is added to the tree gets its arm here, and
//! every pass walks into it. No match in this file has a wildcard arm: the compiler asks for the new arm, and also for one in
//! [`Nature`], which says what else the passes have to know of it.

use super::ast::{Binary, Block, Do, Expr, Is, Statement};

/// The traits and their walks, once with shared and once with exclusive references. `$to` is a reference's type, `$of` takes one.
macro_rules! visitor {
    (
        $(#[$doc:meta])*
        $Visit:ident $(<$a:lifetime>)?: $walk_block:ident $walk_statement:ident $walk_expr:ident $same_float:ident;
        [$($to:tt)+] [$($of:tt)+]
    ) => {
        $(#[$doc])*
        pub(super) trait $Visit $(<$a>)? {
            fn block(&mut self, block: $($to)+ Block) {
                $walk_block(self, block);
            }
            fn statement(&mut self, statement: $($to)+ Statement) {
                $walk_statement(self, statement);
            }
            fn expr(&mut self, e: $($to)+ Expr) {
                $walk_expr(self, e);
            }
        }

        /// Visits the statements of a block, and its value.
        pub(super) fn $walk_block<$($a,)? V: $Visit $(<$a>)? + ?Sized>(v: &mut V, block: $($to)+ Block) {
            for statement in $($of)+ block.statements {
                v.statement(statement);
            }
            if let Some(tail) = $($of)+ block.tail {
                v.expr(tail);
            }
        }

        /// Visits the parts of a statement.
        pub(super) fn $walk_statement<$($a,)? V: $Visit $(<$a>)? + ?Sized>(v: &mut V, statement: $($to)+ Statement) {
            match $($of)+ statement.kind {
                Do::Let(_, value) | Do::LetRepeat(_, value) | Do::Assign { value, .. } => v.expr(value),
                Do::LetArray(_, values) => {
                    for value in values {
                        v.expr(value);
                    }
                }
                Do::AssignElement { index, value, .. } | Do::Store { index, value, .. } => {
                    v.expr(index);
                    v.expr(value);
                }
                Do::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.block(then);
                    if let Some(otherwise) = otherwise {
                        v.block(otherwise);
                    }
                }
                Do::For { start, end, body, .. } => {
                    v.expr(start);
                    v.expr(end);
                    v.block($($of)+ body.body);
                }
                Do::While(condition, body) => {
                    if let Some(condition) = condition {
                        v.expr(condition);
                    }
                    v.block($($of)+ body.body);
                }
                Do::Return(value, _) => {
                    if let Some(value) = value {
                        v.expr(value);
                    }
                }
                Do::Block(block) => v.block(block),
                Do::Break(_) | Do::Continue(_) | Do::Sync => {}
            }
        }

        /// Visits the parts of an expression.
        pub(super) fn $walk_expr<$($a,)? V: $Visit $(<$a>)? + ?Sized>(v: &mut V, e: $($to)+ Expr) {
            match $($of)+ e.kind {
                Is::Negate(a) | Is::Not(a) | Is::Float1(_, a) | Is::Nan(a) | Is::Cast(a) => v.expr(a),
                Is::Narrow(a) | Is::Widen(a) | Is::Table(_, a) => v.expr(a),
                Is::Element(_, index) | Is::Load { index, .. } => v.expr(index),
                Is::Binary(_, a, b) | Is::Compare(_, a, b) | Is::Logic { a, b, .. } => {
                    v.expr(a);
                    v.expr(b);
                }
                Is::MulAdd(operands) => {
                    for operand in $($of)+ **operands {
                        v.expr(operand);
                    }
                }
                Is::Call(_, arguments) => {
                    for argument in arguments {
                        v.expr(argument);
                    }
                }
                Is::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.block(then);
                    v.block(otherwise);
                }
                Is::Block(block) => v.block(block),
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

        /// Calls `see` with the parts that an expression of a float has to hold in its own precision: the operands of an operation,
        /// the values that a choice is made of.
        pub(super) fn $same_float<$($a,)?>(e: $($to)+ Expr, see: &mut dyn FnMut($($to)+ Expr)) {
            match $($of)+ e.kind {
                Is::Float1(_, a) => see(a),
                Is::Binary(_, a, b) => {
                    see(a);
                    see(b);
                }
                Is::MulAdd(operands) => {
                    for operand in $($of)+ **operands {
                        see(operand);
                    }
                }
                Is::If(_, then, otherwise) => {
                    for block in [then, otherwise] {
                        if let Some(tail) = $($of)+ block.tail {
                            see(tail);
                        }
                    }
                }
                Is::Block(block) => {
                    if let Some(tail) = $($of)+ block.tail {
                        see(tail);
                    }
                }
                // Of another type or precision than what they are made of, or made of nothing.
                Is::Nan(_) | Is::Compare(..) | Is::Logic { .. } | Is::Not(_) | Is::Negate(_) => {}
                Is::Cast(_) | Is::Narrow(_) | Is::Widen(_) => {}
                Is::Load { .. } | Is::Element(..) | Is::Table(..) | Is::Call(..) => {}
                Is::Variable(_) | Is::Slice(_) | Is::Length(_) => {}
                Is::Float(_) | Is::Int(_) | Is::Bool(_) | Is::Constant(_) | Is::Limit(_) => {}
            }
        }
    };
}

visitor! {
    /// A pass that reads a kernel, parts of which it may keep.
    Visit<'a>: walk_block walk_statement walk_expr same_float; [&'a] [&]
}

visitor! {
    /// A pass that writes what it finds into the kernel.
    VisitMut: walk_block_mut walk_statement_mut walk_expr_mut same_float_mut; [&mut] [&mut]
}

/// What an expression does, apart from its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// It is there: a variable, a constant, a slice's length.
    Value,
    /// It computes with its operands, in a few instructions that never fail.
    Arithmetic,
    /// It divides: integers not by zero, floats slowly.
    Division,
    /// It reads an element, which there has to be.
    Access,
    /// It calls a function or a table.
    Call,
    /// It has statements in it.
    Compound,
}

impl Nature {
    pub(super) const fn of(e: &Expr) -> Self {
        match &e.kind {
            Is::Variable(_) | Is::Slice(_) | Is::Length(_) => Self::Value,
            Is::Float(_) | Is::Int(_) | Is::Bool(_) | Is::Constant(_) | Is::Limit(_) => Self::Value,
            Is::Binary(Binary::Div | Binary::Rem, ..) => Self::Division,
            Is::Binary(..) | Is::MulAdd(_) | Is::Float1(..) | Is::Negate(_) | Is::Not(_) => Self::Arithmetic,
            Is::Compare(..) | Is::Nan(_) | Is::Logic { .. } => Self::Arithmetic,
            Is::Cast(_) | Is::Narrow(_) | Is::Widen(_) => Self::Arithmetic,
            Is::Load { .. } | Is::Element(..) => Self::Access,
            Is::Table(..) | Is::Call(..) => Self::Call,
            Is::If(..) | Is::Block(_) => Self::Compound,
        }
    }
}

/// What a walk with a closure comes by.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Statement(&'a Statement),
    Expr(&'a Expr),
}

/// A walk that has nothing to say but what it sees, from the outside in.
struct Each<'f, 'a>(&'f mut dyn FnMut(Part<'a>));

impl<'a> Visit<'a> for Each<'_, 'a> {
    fn statement(&mut self, statement: &'a Statement) {
        (self.0)(Part::Statement(statement));
        walk_statement(self, statement);
    }
    fn expr(&mut self, e: &'a Expr) {
        (self.0)(Part::Expr(e));
        walk_expr(self, e);
    }
}

/// Calls `see` with the statement and all it contains.
pub(super) fn each_in_statement<'a>(statement: &'a Statement, see: &mut dyn FnMut(Part<'a>)) {
    Each(see).statement(statement);
}

/// Calls `see` with the expression and all it contains.
pub(super) fn each_in_expr<'a>(e: &'a Expr, see: &mut dyn FnMut(Part<'a>)) {
    Each(see).expr(e);
}

/// Whether the answer is yes for the expression and all it contains.
pub(super) fn all_in_expr(e: &Expr, mut holds: impl FnMut(Part<'_>) -> bool) -> bool {
    let mut all = true;
    each_in_expr(e, &mut |part| all = all && holds(part));
    all
}
