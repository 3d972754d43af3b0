//! The walk over a kernel's tree. Only this file lists the parts of each construct.
//!
//! A pass over a kernel is a [`Visit`], which reads, or a [`VisitMut`], which also writes. It
//! overrides the methods for blocks, statements and expressions, and calls `walk_…` to go on to the
//! parts:
//!
//! ```text
//! fn expr(&mut self, e: &Expr) {
//!     walk_expr(self, e);                        // the parts first, in the order of computation
//!     if let ExprKind::Load { .. } = &e.kind {   // then what this pass is about
//!         …
//!     }
//! }
//! ```
//!
//! The default methods go on to the parts. So a construct that is added to the tree gets its arm
//! here, and every pass walks into it. No match in this file has a wildcard arm, so the compiler
//! reports a missing arm, here and in [`Nature`], which lists what else passes need.

use super::ast::{Block, Expr, ExprKind, Statement, StatementKind};

/// Declares a trait and its walks, with shared or with exclusive references. `$to` is the reference
/// type, `$of` takes a reference.
macro_rules! visitor {
    (
        $(#[$doc:meta])*
        $Visit:ident $(<$a:lifetime>)?: $walk_block:ident $walk_statement:ident $walk_expr:ident $same_float:ident $leaves:ident;
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
                StatementKind::Let(_, value) | StatementKind::LetRepeat(_, value) | StatementKind::Assign { value, .. } => v.expr(value),
                StatementKind::Vote(_, _, value) => v.expr(value),
                StatementKind::LetArray(_, values) => {
                    for value in values {
                        v.expr(value);
                    }
                }
                StatementKind::LetCall { arguments, .. } => {
                    for argument in arguments {
                        argument.$leaves().into_iter().for_each(|a| v.expr(a));
                    }
                }
                StatementKind::AssignElement { index, value, .. } | StatementKind::Store { index, value, .. } => {
                    v.expr(index);
                    v.expr(value);
                }
                StatementKind::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.block(then);
                    if let Some(otherwise) = otherwise {
                        v.block(otherwise);
                    }
                }
                StatementKind::For { start, end, step, body, .. } => {
                    v.expr(start);
                    v.expr(end);
                    if let Some(step) = step {
                        v.expr(step);
                    }
                    v.block($($of)+ body.body);
                }
                StatementKind::While(condition, body) => {
                    if let Some(condition) = condition {
                        v.expr(condition);
                    }
                    v.block($($of)+ body.body);
                }
                StatementKind::Return(value, _) => {
                    if let Some(value) = value {
                        v.expr(value);
                    }
                }
                StatementKind::Block(block) => v.block(block),
                StatementKind::Atomic(atomic) => {
                    v.expr($($of)+ atomic.index);
                    if let Some(expected) = $($of)+ atomic.expected {
                        v.expr(expected);
                    }
                    v.expr($($of)+ atomic.value);
                }
                StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Sync => {}
            }
        }

        /// Visits the parts of an expression.
        pub(super) fn $walk_expr<$($a,)? V: $Visit $(<$a>)? + ?Sized>(v: &mut V, e: $($to)+ Expr) {
            match $($of)+ e.kind {
                ExprKind::Negate(a) | ExprKind::Not(a) | ExprKind::Float1(_, a) | ExprKind::Int1(_, a) | ExprKind::Cast(a) => v.expr(a),
                ExprKind::Power(a, _) | ExprKind::Test(_, a) => v.expr(a),
                ExprKind::Narrow(a) | ExprKind::Widen(a) | ExprKind::Table(_, a) => v.expr(a),
                ExprKind::Element(_, index) | ExprKind::Load { index, .. } => v.expr(index),
                ExprKind::ConstantElement(_, indices) => {
                    for index in indices {
                        v.expr(index);
                    }
                }
                ExprKind::Row(row) => {
                    v.expr($($of)+ row.row);
                    if let Some(rows) = $($of)+ row.rows {
                        v.expr(rows);
                    }
                    v.expr($($of)+ row.width);
                    v.expr($($of)+ row.column);
                }
                ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Logic { a, b, .. } => {
                    v.expr(a);
                    v.expr(b);
                }
                ExprKind::MulAdd(operands) | ExprKind::Clamp(operands) => {
                    for operand in $($of)+ **operands {
                        v.expr(operand);
                    }
                }
                ExprKind::Call(_, arguments) => {
                    for argument in arguments {
                        argument.$leaves().into_iter().for_each(|a| v.expr(a));
                    }
                }
                ExprKind::If(condition, then, otherwise) => {
                    v.expr(condition);
                    v.block(then);
                    v.block(otherwise);
                }
                ExprKind::Block(block) => v.block(block),
                ExprKind::Variable(_)
                | ExprKind::Slice(_)
                | ExprKind::Float(_)
                | ExprKind::Int(_)
                | ExprKind::Bool(_)
                | ExprKind::Constant(_)
                | ExprKind::Limit(_)
                | ExprKind::Unset
                | ExprKind::Length(_) => {}
            }
        }

        /// Calls `see` with the parts that a float expression holds in its own precision: operands,
        /// and the values of a choice.
        pub(super) fn $same_float<$($a,)?>(e: $($to)+ Expr, see: &mut dyn FnMut($($to)+ Expr)) {
            match $($of)+ e.kind {
                ExprKind::Float1(_, a) | ExprKind::Power(a, _) => see(a),
                ExprKind::Binary(_, a, b) => {
                    see(a);
                    see(b);
                }
                ExprKind::MulAdd(operands) | ExprKind::Clamp(operands) => {
                    for operand in $($of)+ **operands {
                        see(operand);
                    }
                }
                ExprKind::If(_, then, otherwise) => {
                    for block in [then, otherwise] {
                        if let Some(tail) = $($of)+ block.tail {
                            see(tail);
                        }
                    }
                }
                ExprKind::Block(block) => {
                    if let Some(tail) = $($of)+ block.tail {
                        see(tail);
                    }
                }
                // These have another type or precision than their parts, or no parts.
                ExprKind::Test(..) | ExprKind::Compare(..) | ExprKind::Logic { .. } => {}
                ExprKind::Not(_) | ExprKind::Negate(_) | ExprKind::Int1(..) => {}
                ExprKind::Cast(_) | ExprKind::Narrow(_) | ExprKind::Widen(_) => {}
                ExprKind::Load { .. } | ExprKind::Element(..) | ExprKind::Table(..) | ExprKind::Call(..) => {}
                ExprKind::Row(_) => {}
                ExprKind::Variable(_) | ExprKind::Slice(_) | ExprKind::Length(_) | ExprKind::ConstantElement(..) => {}
                ExprKind::Float(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Constant(_) | ExprKind::Limit(_) | ExprKind::Unset => {}
            }
        }
    };
}

visitor! {
    /// A pass that reads a kernel and may keep references into it.
    Visit<'a>: walk_block walk_statement walk_expr same_float leaves; [&'a] [&]
}

visitor! {
    /// A pass that writes its results into the kernel.
    VisitMut: walk_block_mut walk_statement_mut walk_expr_mut same_float_mut leaves_mut; [&mut] [&mut]
}

/// The effect of an expression, apart from its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// A value that is there: a variable, a constant, or a length of a slice.
    Value,
    /// Arithmetic in a few instructions that never fail.
    Arithmetic,
    /// A division: integers fail for zero, floats are slow.
    Division,
    /// An access to an element, or its place, with a bounds check.
    Access,
    /// A call of a function or a table.
    Call,
    /// An expression with statements in it.
    Compound,
}

impl Nature {
    pub(super) const fn of(e: &Expr) -> Self {
        match &e.kind {
            ExprKind::Variable(_) | ExprKind::Slice(_) | ExprKind::Length(_) | ExprKind::Unset => Self::Value,
            ExprKind::Float(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Constant(_) | ExprKind::Limit(_) => {
                Self::Value
            }
            ExprKind::Binary(op, ..) if op.divides() => Self::Division,
            ExprKind::Power(_, ..0) => Self::Division,
            ExprKind::Binary(..) | ExprKind::MulAdd(_) | ExprKind::Clamp(_) | ExprKind::Power(..) => Self::Arithmetic,
            ExprKind::Float1(..) | ExprKind::Int1(..) | ExprKind::Negate(_) | ExprKind::Not(_) => Self::Arithmetic,
            ExprKind::Compare(..) | ExprKind::Test(..) | ExprKind::Logic { .. } => Self::Arithmetic,
            ExprKind::Cast(_) | ExprKind::Narrow(_) | ExprKind::Widen(_) => Self::Arithmetic,
            ExprKind::Load { .. } | ExprKind::Element(..) | ExprKind::ConstantElement(..) => Self::Access,
            ExprKind::Row(_) => Self::Access,
            ExprKind::Table(..) | ExprKind::Call(..) => Self::Call,
            ExprKind::If(..) | ExprKind::Block(_) => Self::Compound,
        }
    }
}

/// A part of the tree that a walk with a closure visits.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Statement(&'a Statement),
    Expr(&'a Expr),
}

/// A walk that calls a closure, from the outside in.
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

/// Calls `see` with the statement and all parts.
pub(super) fn each_in_statement<'a>(statement: &'a Statement, see: &mut dyn FnMut(Part<'a>)) {
    Each(see).statement(statement);
}

/// Calls `see` with the expression and all parts.
pub(super) fn each_in_expr<'a>(e: &'a Expr, see: &mut dyn FnMut(Part<'a>)) {
    Each(see).expr(e);
}

/// Returns `true` if `holds` is true for the expression and all parts.
pub(super) fn all_in_expr(e: &Expr, mut holds: impl FnMut(Part<'_>) -> bool) -> bool {
    let mut all = true;
    each_in_expr(e, &mut |part| all = all && holds(part));
    all
}

impl Expr {
    /// Returns `true` if the expression contains statements, which may change what others compute.
    pub(crate) fn has_statements(&self) -> bool {
        !all_in_expr(self, |part| matches!(part, Part::Expr(_)))
    }

    /// Returns `true` for a constant or an element of one, whose type the macro does not see.
    pub(crate) const fn is_outside(&self) -> bool {
        matches!(self.kind, ExprKind::Constant(_) | ExprKind::ConstantElement(..))
    }

    /// Returns `true` if the expression is only arithmetic of variables and constants, so that
    /// computing it twice changes nothing.
    pub(crate) fn is_repeatable(&self) -> bool {
        all_in_expr(self, |part| match part {
            Part::Statement(_) => false,
            Part::Expr(e) => matches!(Nature::of(e), Nature::Value | Nature::Arithmetic | Nature::Division),
        })
    }
}
