//! Statements.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result, Stmt};

use super::super::ast::{Block, Class, Expr, ExprKind, Id, Kind, Precision, Statement, StatementKind, TypeVar};
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::arrays::{ArrayValue, let_array};
use super::assign::compound;
use super::cuda;
use super::expr::{called, is_statement};
use super::parts::each_once;
use super::signature::scalar;
use super::{Parser, consequence};

/// A closure for the expression that a block ends with.
type AtTheEnd<'e, P> = &'e mut dyn FnMut(&mut P, &syn::Expr, &mut Vec<Statement>) -> Result<()>;

impl Parser<'_> {
    pub(super) fn function_body(&mut self, block: &syn::Block) -> Block {
        let block_span = block.span();
        if let Some(results) = self.frame.results.clone() {
            return self.body_with_results(block, &results);
        }
        let body = self.block(block);
        if self.frame.result == Type::Unit {
            return body;
        }
        match &body.tail {
            Some(tail) => {
                let expected = self.frame.result;
                let (span, ty) = (tail.span, tail.ty);
                if let Err(e) = self.expect(span, ty, expected) {
                    self.errors.push(e);
                }
            }
            None => {
                let message =
                    format!("the function ends without a value: end it with a `{}`", self.frame.result.name());
                self.errors.push(Error::new(block_span, message));
            }
        }
        body
    }

    /// Parses the body of a function with several results, which it assigns to their variables.
    fn body_with_results(&mut self, block: &syn::Block, results: &Parts<Id>) -> Block {
        let span = block.span();
        let unset = |id: &Id| {
            let unset = self.make(span, ExprKind::Unset, self.variables[*id].ty);
            Statement { kind: StatementKind::Let(*id, unset), span }
        };
        let mut statements: Vec<_> = results.leaves().into_iter().map(unset).collect();
        let body = self.block_into(block, results);
        statements.extend(body.statements);
        Block { statements, tail: None }
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        let mut tail = None;
        let statements = self.block_with(block, &mut |parser, e, statements| {
            statements.extend(parser.at_the_end(e, &mut tail)?);
            Ok(())
        });
        Block { statements, tail }
    }

    /// Parses the statements of a block. `end` handles the last expression.
    pub(super) fn block_with(&mut self, block: &syn::Block, end: AtTheEnd<'_, Self>) -> Vec<Statement> {
        self.frame.scopes.push(HashMap::new());
        let mut statements = Vec::new();
        let last = block.stmts.len().wrapping_sub(1);
        for (i, statement) in block.stmts.iter().enumerate() {
            let done = match statement {
                Stmt::Expr(e, None) if i == last => end(self, e, &mut statements),
                Stmt::Local(syn::Local { pat, init: Some(init), .. }) if self.has_parts(pat, &init.expr) => {
                    self.locals(pat, init, &mut statements)
                }
                statement => self.statement(statement).map(|statement| statements.extend(statement)),
            };
            if let Err(e) = done {
                self.errors.push(e);
                if let Stmt::Local(local) = statement {
                    self.note_refused(&local.pat);
                }
            }
        }
        self.frame.scopes.pop();
        statements
    }

    /// Parses the end of a block without a semicolon: its value, or a last statement.
    ///
    /// A value that is refused becomes one of any type, so that there is no second error about a
    /// missing value.
    pub(super) fn at_the_end(&mut self, e: &syn::Expr, tail: &mut Option<Box<Expr>>) -> Result<Option<Statement>> {
        let done = self.value_or_statement(e, tail);
        if done.is_err() && !is_statement(e) && !matches!(e, syn::Expr::Call(_)) {
            let ty = self.types.unknown();
            *tail = Some(Box::new(self.make(e.span(), ExprKind::Unset, ty)));
        }
        done
    }

    fn value_or_statement(&mut self, e: &syn::Expr, tail: &mut Option<Box<Expr>>) -> Result<Option<Statement>> {
        match e {
            syn::Expr::If(e) => self.if_at_the_end(e, tail),
            syn::Expr::Match(e) => self.match_at_the_end(e, tail),
            e if is_statement(e) || self.is_atomic_statement(e) => self.of_expression(e),
            e if self.callee(e).is_some_and(|callee| callee.returns_nothing()) => self.of_expression(e),
            e => {
                let value = self.last(e)?;
                match value.kind {
                    ExprKind::Block(inner) if self.types.get(value.ty) == Type::Unit => {
                        return Ok(Some(Statement { kind: StatementKind::Block(inner), span: e.span() }));
                    }
                    _ => *tail = Some(Box::new(value)),
                }
                Ok(None)
            }
        }
    }

    /// Parses the value of a block. Nothing that the block computes is used before its end, so a
    /// jump may leave it.
    fn last(&mut self, e: &syn::Expr) -> Result<Expr> {
        let block = match e {
            syn::Expr::Block(e) if e.label.is_none() => self.block(&e.block),
            syn::Expr::Unsafe(e) => self.unsafe_block(e),
            other => return self.expr(other),
        };
        self.block_value(e.span(), block)
    }

    fn if_at_the_end(&mut self, e: &syn::ExprIf, tail: &mut Option<Box<Expr>>) -> Result<Option<Statement>> {
        let (condition, then, otherwise) = self.if_parts(e)?;
        match (then.tail.is_some(), otherwise) {
            (true, Some(otherwise)) => {
                *tail = Some(Box::new(self.if_value(e.span(), condition, then, otherwise)?));
                Ok(None)
            }
            (_, otherwise) => {
                let kind = if_statement(condition, then, otherwise)?;
                Ok(Some(Statement { kind, span: e.span() }))
            }
        }
    }

    /// Parses the condition and the arms of an `if`.
    pub(super) fn if_parts(&mut self, e: &syn::ExprIf) -> Result<(Expr, Block, Option<Block>)> {
        let condition = self.condition(&e.cond)?;
        let then = self.block(&e.then_branch);
        let otherwise = match &e.else_branch {
            None => None,
            Some((_, otherwise)) => match &**otherwise {
                syn::Expr::Block(block) => Some(self.block(&block.block)),
                syn::Expr::If(inner) => {
                    let mut tail = None;
                    let statement = self.if_at_the_end(inner, &mut tail)?;
                    Some(Block { statements: statement.into_iter().collect(), tail })
                }
                other => return Err(Error::new(other.span(), "expected a block or another `if`")),
            },
        };
        Ok((condition, then, otherwise))
    }

    pub(super) fn condition(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Let(e) = e {
            let message = "`if let` is not possible in a kernel: compare with `==`, or write a `match`";
            return Err(Error::new(e.span(), message));
        }
        let condition = self.expr(e)?;
        self.expect(condition.span, condition.ty, Type::Bool)?;
        Ok(condition)
    }

    fn statement(&mut self, statement: &Stmt) -> Result<Option<Statement>> {
        let kind = match statement {
            Stmt::Local(local) => match (shared_memory(local), &local.init) {
                (Some(call), _) => return self.shared(local, call).map(|()| None),
                (None, Some(syn::LocalInit { expr, diverge: None, .. })) if self.vote_of(expr).is_some() => {
                    let (vote, call) = self.vote_of(expr).expect("asked for here");
                    self.vote(&local.pat, vote, call)?
                }
                (None, _) => self.local(local)?,
            },
            Stmt::Expr(e, _) => return self.of_expression(e),
            Stmt::Item(item) => {
                return Err(Error::new(
                    item.span(),
                    "an item inside of a kernel is not possible: put it before the \
                     function",
                ));
            }
            Stmt::Macro(m) => {
                let message = "a kernel cannot call a macro: remove this, since a device can neither print nor stop \
                               the program";
                return Err(Error::new(m.span(), message));
            }
        };
        Ok(Some(Statement { kind, span: statement.span() }))
    }

    /// Parses a statement that is an expression. `None` for a semicolon alone.
    fn of_expression(&mut self, e: &syn::Expr) -> Result<Option<Statement>> {
        let kind = match e {
            // A semicolon alone.
            syn::Expr::Verbatim(nothing) if nothing.is_empty() => return Ok(None),
            syn::Expr::Assign(assign) => return self.assign(&assign.left, None, &assign.right).map(Some),
            syn::Expr::Binary(binary) => match compound(&binary.op) {
                Some(op) => return self.assign(&binary.left, Some(op), &binary.right).map(Some),
                None => return Err(Error::new(e.span(), DROPPED)),
            },
            syn::Expr::Call(call) if is_barrier(call) => self.barrier(call)?,
            syn::Expr::Call(call) if self.atomic_op(call).is_some() => {
                let op = self.atomic_op(call).expect("asked for here");
                self.atomic_statement(op, call)?
            }
            e => match self.callee(e) {
                Some(callee) => self.called_for_its_effects(&callee)?,
                None => self.expression_statement(e)?,
            },
        };
        Ok(Some(Statement { kind, span: e.span() }))
    }

    fn barrier(&mut self, call: &syn::ExprCall) -> Result<StatementKind> {
        if self.binding(&syn::Ident::new("sync_threads", call.span())).is_some() {
            return Err(Error::new(call.span(), "`sync_threads` is a variable here: rename it to call the barrier"));
        }
        self.meet_at_barrier(call.span())?;
        Ok(StatementKind::Sync)
    }

    /// Refuses a barrier inside of a value.
    pub(super) fn meet_at_barrier(&mut self, span: Span) -> Result<()> {
        if self.frame.is_in_value() && !self.inlining.is_empty() {
            let message = "this function has a barrier and is called inside of a value: call it in a statement of \
                           its own, `let s = f(x);`";
            return Err(Error::new(span, message));
        }
        if self.frame.is_in_value() {
            let message = "a barrier stands inside of a value: make it a statement of its own, before or after the \
                           value";
            return Err(Error::new(span, message));
        }
        self.synchronizes = true;
        Ok(())
    }

    fn local(&mut self, local: &syn::Local) -> Result<StatementKind> {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else {
            return Err(Error::new(
                pattern.span(),
                "this pattern is not possible in a `let`: write a name, or several names in parentheses, `let (a, b) \
                 = (x, y);`",
            ));
        };
        plain_name(name)?;
        let Some(init) = &local.init else {
            return Err(Error::new(local.span(), format!("`{}` has no value: write `let x = …;`", name.ident)));
        };
        if let Some((_, diverge)) = &init.diverge {
            return Err(Error::new(diverge.span(), "`let … else` is not possible in a kernel: write `if`"));
        }
        let mutable = name.mutability.is_some();
        let (values, declared, repeats) = match self.array_value(&init.expr)? {
            Some(ArrayValue { shape, values, repeats }) => (values, Some(shape), repeats),
            None => (vec![self.expr(&init.expr)?], None, false),
        };
        let ty = self.types.unknown();
        for value in &values {
            self.types.unify(value.span, value.ty, ty)?;
        }
        match (annotation, &declared) {
            (Some(syn::Type::Array(array)), shape) => self.annotated_array(array, shape.as_ref(), ty)?,
            (Some(annotation), Some(shape)) => {
                let message =
                    format!("the value is an array: write its type as `{}`, or leave the type out", shape.of("f32"));
                return Err(Error::new(annotation.span(), message));
            }
            (Some(annotation), None) => self.expect(init.expr.span(), ty, scalar(annotation)?)?,
            _ => {}
        }
        let kind = declared.map_or(Kind::Local, Kind::Array);
        let array = kind != Kind::Local;
        let id = self.declare(&name.ident, kind, ty, mutable);
        let mut values = values;
        Ok(if array { let_array(id, values, repeats) } else { StatementKind::Let(id, values.remove(0)) })
    }

    /// Returns `true` if the `let` has several parts.
    fn has_parts(&self, pattern: &Pat, value: &syn::Expr) -> bool {
        match pattern {
            Pat::Type(typed) => self.shape_of_type(&typed.ty).is_several() || self.has_parts(&typed.pat, value),
            Pat::Tuple(_) | Pat::Struct(_) => true,
            Pat::Ident(_) | Pat::Wild(_) => self.is_several(value) || self.callee(value).is_some(),
            _ => false,
        }
    }

    /// Parses a `let` of several parts as one `let` for each. No value sees the new names.
    fn locals(&mut self, pattern: &Pat, init: &syn::LocalInit, lets: &mut Vec<Statement>) -> Result<()> {
        if let Some((_, diverge)) = &init.diverge {
            return Err(Error::new(diverge.span(), "`let … else` is not possible in a kernel: write `if`"));
        }
        each_once(pattern, &mut Vec::new())?;
        let value = self.value_as(&init.expr, &self.shape_of_pattern(pattern), lets)?;
        self.bind(pattern, value, lets)
    }

    fn expression_statement(&mut self, e: &syn::Expr) -> Result<StatementKind> {
        match e {
            syn::Expr::If(e) => {
                let (condition, then, otherwise) = self.if_parts(e)?;
                if_statement(condition, then, otherwise)
            }
            syn::Expr::ForLoop(e) => self.for_loop(e),
            syn::Expr::While(e) => {
                let condition = self.condition(&e.cond)?;
                let body = self.loop_body(e.label.as_ref(), &e.body);
                Ok(StatementKind::While(Some(condition), body))
            }
            syn::Expr::Loop(e) => {
                let body = self.loop_body(e.label.as_ref(), &e.body);
                Ok(StatementKind::While(None, body))
            }
            syn::Expr::Break(e) => {
                if let Some(value) = &e.expr {
                    return Err(Error::new(
                        value.span(),
                        "a `break` has no value in a kernel: assign the value to a \
                         variable before it",
                    ));
                }
                Ok(StatementKind::Break(self.jump(e.span(), "break", e.label.as_ref())?))
            }
            syn::Expr::Continue(e) => Ok(StatementKind::Continue(self.jump(e.span(), "continue", e.label.as_ref())?)),
            syn::Expr::Match(e) => self.match_statement(e),
            syn::Expr::Return(e) => {
                if self.frame.in_value.is_some() {
                    return Err(halfway(e.span(), "return"));
                }
                let leave = match &self.frame.returns {
                    Some(jump) => StatementKind::Break(jump.clone()),
                    None => StatementKind::Return(None, false),
                };
                if let (Some(value), Some(results)) = (&e.expr, self.frame.results.clone()) {
                    let mut statements = Vec::new();
                    self.assign_value(value, &results, &mut statements)?;
                    statements.push(Statement { kind: leave, span: e.span() });
                    return Ok(StatementKind::Block(Block { statements, tail: None }));
                }
                let value = match &e.expr {
                    None => None,
                    Some(value) => {
                        let value = self.expr(value)?;
                        let expected = self.frame.result;
                        self.expect(value.span, value.ty, expected)?;
                        Some(value)
                    }
                };
                if value.is_none() && (self.frame.result != Type::Unit || self.frame.results.is_some()) {
                    let message = match &self.frame.results {
                        None => format!("expected a `{}`", self.frame.result.name()),
                        Some(results) => {
                            let types = results.map(&mut |&id| self.types.get(self.variables[id].ty));
                            format!("expected `{}`", types.name())
                        }
                    };
                    return Err(Error::new(e.span(), message));
                }
                match value {
                    Some(value) => Ok(StatementKind::Return(Some(value), false)),
                    None => Ok(leave),
                }
            }
            syn::Expr::Block(e) => {
                no_label(e.label.as_ref())?;
                Ok(StatementKind::Block(self.block(&e.block)))
            }
            syn::Expr::Unsafe(e) => {
                let mut block = self.unsafe_block(e);
                drop_old(&mut block);
                Ok(StatementKind::Block(block))
            }
            other => {
                let value = self.expr(other)?;
                Err(Error::new(value.span, DROPPED))
            }
        }
    }

    pub(super) fn make(&self, span: Span, kind: ExprKind, ty: TypeVar) -> Expr {
        Expr { kind, span, ty, class: Class::Uniform, precision: Precision::Element, fused: None }
    }
}

pub(super) fn if_statement(condition: Expr, then: Block, otherwise: Option<Block>) -> Result<StatementKind> {
    match then.tail.as_ref().or(otherwise.as_ref().and_then(|b| b.tail.as_ref())) {
        Some(tail) => Err(unwanted(tail, DROPPED)),
        None => Ok(StatementKind::If(condition, then, otherwise)),
    }
}

/// Returns the error about a value where none belongs. If the value was refused itself, that is the
/// only error.
pub(super) fn unwanted(value: &Expr, message: &str) -> Error {
    match value.kind {
        ExprKind::Unset => consequence(value.span),
        _ => Error::new(value.span, message),
    }
}

/// Drops the old value of an atomic operation at the end of a block whose value nobody uses.
fn drop_old(block: &mut Block) {
    let Some(ExprKind::Block(inner)) = block.tail.as_ref().map(|tail| &tail.kind) else { return };
    if let [Statement { kind: StatementKind::Atomic(atomic), span }] = &inner.statements[..] {
        let (mut atomic, span) = (atomic.clone(), *span);
        atomic.old = None;
        block.statements.push(Statement { kind: StatementKind::Atomic(atomic), span });
        block.tail = None;
    }
}

/// Returns the error about a jump out of a value.
pub(super) fn halfway(span: Span, what: &str) -> Error {
    let message = format!(
        "`{what}` stands inside of a value, which the other threads go on to compute: write an `if` with the \
         `{what}` before this statement"
    );
    Error::new(span, message)
}

/// Refuses `ref x` and `x @ …`.
pub(super) fn plain_name(name: &syn::PatIdent) -> Result<()> {
    let odd = name.by_ref.as_ref().map(Spanned::span).or(name.subpat.as_ref().map(|(at, _)| at.span()));
    odd.map_or(Ok(()), |span| {
        Err(Error::new(span, "this pattern is not possible in a kernel: write a plain name, since values are copied"))
    })
}

pub(super) const DROPPED: &str = "this value is not used: assign it, or remove it";

/// Returns the path of `shared` if the `let` declares shared memory.
fn shared_memory(local: &syn::Local) -> Option<&syn::ExprPath> {
    match &*local.init.as_ref()?.expr {
        syn::Expr::Call(call) if call.args.is_empty() => match &*call.func {
            syn::Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                path.path.segments.last().filter(|s| s.ident == "shared").map(|_| path)
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_barrier(call: &syn::ExprCall) -> bool {
    called(call).is_some_and(|name| name == "sync_threads") && call.args.is_empty()
}

/// Returns the error about a field of a value that has none.
pub(super) fn structure(field: &syn::ExprField) -> Error {
    if let Some(message) = cuda::field(field) {
        return Error::new(field.span(), message);
    }
    let message = "the macro sees no fields of this value: declare the structure in the kernel's module, under \
                   `#[ptx_module]`, or write the type of a function's result, `let p: (f32, f32) = f(x);`";
    Error::new(field.member.span(), message)
}

pub(super) fn no_label(label: Option<&syn::Label>) -> Result<()> {
    label.map_or(Ok(()), |label| {
        Err(Error::new(
            label.span(),
            "a label on a block is not possible in a kernel: write `if` and `else`, or \
                                      label a loop",
        ))
    })
}
