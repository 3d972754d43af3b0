//! Statements.

use std::collections::HashMap;

use proc_macro2::{Literal, Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result, Stmt};

use super::super::ast::{
    Block, Class, Count, Expr, ExprKind, Kind, Length, Loop, Precision, Statement, StatementKind, Type,
};
use super::assign::compound;
use super::call::SHARED;
use super::expr::{called, is_statement};
use super::signature::scalar;
use super::{Parser, Role};

impl Parser<'_> {
    pub(super) fn function_body(&mut self, block: &syn::Block) -> Block {
        let block_span = block.span();
        let body = self.block(block);
        if self.result == Type::Unit {
            return body;
        }
        match &body.tail {
            Some(tail) => {
                let expected = self.result;
                let (span, ty) = (tail.span, tail.ty);
                if let Err(e) = self.expect(span, ty, expected) {
                    self.errors.push(e);
                }
            }
            None => {
                let message =
                    format!("the function ends without its `{}`: let it end with the value", self.result.name());
                self.errors.push(Error::new(block_span, message));
            }
        }
        body
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.scopes.push(HashMap::new());
        let mut statements = Vec::new();
        let mut tail = None;
        let last = block.stmts.len().wrapping_sub(1);
        for (i, statement) in block.stmts.iter().enumerate() {
            let done = match statement {
                Stmt::Expr(e, None) if i == last && !is_statement(e) => self.last(e).map(|e| match e.kind {
                    ExprKind::Block(inner) if self.types.get(e.ty) == Type::Unit => {
                        Some(Statement { kind: StatementKind::Block(inner), span: statement.span() })
                    }
                    _ => {
                        tail = Some(Box::new(e));
                        None
                    }
                }),
                // An `if` at the end may be a value.
                Stmt::Expr(syn::Expr::If(e), None) if i == last => self.if_at_the_end(e, &mut tail),
                statement => self.statement(statement),
            };
            match done {
                Ok(statement) => statements.extend(statement),
                Err(e) => self.errors.push(e),
            }
        }
        self.scopes.pop();
        Block { statements, tail }
    }

    /// What a block ends with: nothing that it computes is used before it is done, so it may be left halfway.
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

    /// The condition and the arms.
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

    fn condition(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Let(e) = e {
            let message = "there is nothing to match in a kernel: compare with `==` and the like";
            return Err(Error::new(e.span(), message));
        }
        let condition = self.expr(e)?;
        self.expect(condition.span, condition.ty, Type::Bool)?;
        Ok(condition)
    }

    fn statement(&mut self, statement: &Stmt) -> Result<Option<Statement>> {
        let kind = match statement {
            // A semicolon alone.
            Stmt::Expr(syn::Expr::Verbatim(nothing), Some(_)) if nothing.is_empty() => return Ok(None),
            Stmt::Local(local) => match shared_memory(local) {
                Some(call) => return self.shared(local, call).map(|()| None),
                None => self.local(local)?,
            },
            Stmt::Expr(syn::Expr::Assign(assign), _) => {
                return self.assign(&assign.left, None, &assign.right).map(Some);
            }
            Stmt::Expr(syn::Expr::Binary(e), _) => match compound(&e.op) {
                Some(op) => return self.assign(&e.left, Some(op), &e.right).map(Some),
                None => return Err(Error::new(e.span(), DROPPED)),
            },
            Stmt::Expr(syn::Expr::Call(call), _) if is_barrier(call) => {
                if self.role == Role::Function {
                    let message =
                        "a barrier belongs into the kernel: a function may be called where threads go different ways";
                    return Err(Error::new(call.span(), message));
                }
                if self.find(&syn::Ident::new("sync_threads", call.span())).is_some() {
                    return Err(Error::new(call.span(), "`sync_threads` is a variable here, and no barrier"));
                }
                if self.in_value.is_some() {
                    let message = "a barrier stands as a statement of its own, not inside of a value: compute in front of it \
                                   what has to be, and use it behind";
                    return Err(Error::new(call.span(), message));
                }
                self.synchronizes = true;
                StatementKind::Sync
            }
            Stmt::Expr(e, _) => self.expression_statement(e)?,
            Stmt::Item(item) => {
                return Err(Error::new(item.span(), "no items inside a kernel: put it in front of the function"));
            }
            Stmt::Macro(m) => {
                let message = "a kernel calls no macros, on a device there is nothing to print to or to stop";
                return Err(Error::new(m.span(), message));
            }
        };
        Ok(Some(Statement { kind, span: statement.span() }))
    }

    /// `let mut tile = shared::<f32, 256>();`
    fn shared(&mut self, local: &syn::Local, call: &syn::ExprPath) -> Result<()> {
        let refuse = || Error::new(call.span(), SHARED);
        if let Some((otherwise, _)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            return Err(Error::new(otherwise.span(), "no `let … else`: there is nothing to match in a kernel"));
        }
        if self.role == Role::Function {
            return Err(Error::new(
                call.span(),
                "shared memory belongs into the kernel: a function takes it as an input",
            ));
        }
        let Pat::Ident(name) = &local.pat else {
            return Err(refuse());
        };
        plain_name(name)?;
        let last = call.path.segments.last().ok_or_else(refuse)?;
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return Err(refuse());
        };
        let arguments: Vec<_> = arguments.args.iter().collect();
        let [syn::GenericArgument::Type(ty), length] = &arguments[..] else {
            return Err(refuse());
        };
        let of = scalar(ty)?;
        if !matches!(of, Type::Float | Type::I32 | Type::U32) {
            return Err(Error::new(ty.span(), format!("shared memory holds f32, i32 and u32, not `{}`", of.name())));
        }
        let ty = self.types.known(of);
        let length = length.to_token_stream();
        self.constant(length.clone())?;
        self.declare(&name.ident, Kind::Shared(Length(length)), ty, true);
        Ok(())
    }

    fn local(&mut self, local: &syn::Local) -> Result<StatementKind> {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else {
            return Err(Error::new(pattern.span(), "one name a `let`: write a `let` for each"));
        };
        plain_name(name)?;
        let Some(init) = &local.init else {
            return Err(Error::new(local.span(), format!("`{}` needs a value here", name.ident)));
        };
        if let Some((_, diverge)) = &init.diverge {
            return Err(Error::new(diverge.span(), "no `let … else`: there is nothing to match in a kernel"));
        }
        let mutable = name.mutability.is_some();
        let length = match annotation {
            Some(syn::Type::Array(array)) => Some(array),
            _ => None,
        };
        let (values, declared) = match &*init.expr {
            syn::Expr::Array(array) => {
                let values = array.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let length = Literal::usize_unsuffixed(array.elems.len());
                (values, Some(Length(TokenTree::from(length).into())))
            }
            syn::Expr::Repeat(repeat) => {
                let length = repeat.len.to_token_stream();
                self.constant(length.clone())?;
                (vec![self.expr(&repeat.expr)?], Some(Length(length)))
            }
            e => (vec![self.expr(e)?], None),
        };
        let ty = self.types.unknown();
        for value in &values {
            self.types.unify(value.span, value.ty, ty)?;
        }
        match (annotation, length) {
            (_, Some(array)) => {
                self.expect(array.elem.span(), ty, scalar(&array.elem)?)?;
                let written = Length(array.len.to_token_stream());
                if declared.as_ref() != Some(&written) {
                    let found = declared.map_or("no array".to_owned(), |n| format!("an array of {n}"));
                    let message =
                        format!("this says an array of {written}, and the value is {found}: write the same for both");
                    return Err(Error::new(array.span(), message));
                }
            }
            (Some(annotation), None) if declared.is_some() => {
                let message = "the value is an array: write its type as `[f32; N]`, or leave it out";
                return Err(Error::new(annotation.span(), message));
            }
            (Some(annotation), None) => self.expect(init.expr.span(), ty, scalar(annotation)?)?,
            _ => {}
        }
        let kind = declared.map_or(Kind::Local, Kind::Array);
        let repeat = matches!(&*init.expr, syn::Expr::Repeat(_));
        let array = kind != Kind::Local;
        let id = self.declare(&name.ident, kind, ty, mutable);
        let mut values = values;
        Ok(match (array, repeat) {
            (true, false) => StatementKind::LetArray(id, values),
            (true, true) => StatementKind::LetRepeat(id, values.remove(0)),
            (false, _) => StatementKind::Let(id, values.remove(0)),
        })
    }

    fn expression_statement(&mut self, e: &syn::Expr) -> Result<StatementKind> {
        match e {
            syn::Expr::If(e) => {
                let (condition, then, otherwise) = self.if_parts(e)?;
                if_statement(condition, then, otherwise)
            }
            syn::Expr::ForLoop(e) => self.for_loop(e),
            syn::Expr::While(e) => {
                no_label(e.label.as_ref())?;
                let condition = self.condition(&e.cond)?;
                let body = self.loop_body(&e.body);
                Ok(StatementKind::While(Some(condition), body))
            }
            syn::Expr::Loop(e) => {
                no_label(e.label.as_ref())?;
                let body = self.loop_body(&e.body);
                Ok(StatementKind::While(None, body))
            }
            syn::Expr::Break(e) => {
                if let Some(label) = &e.label {
                    return Err(Error::new(label.span(), "no labels: let the inner loop set a `bool` and test it"));
                }
                if let Some(value) = &e.expr {
                    return Err(Error::new(value.span(), "a loop has no value here: assign it to a variable"));
                }
                self.in_loop(e.span(), "break")?;
                Ok(StatementKind::Break(false))
            }
            syn::Expr::Continue(e) => {
                if let Some(label) = &e.label {
                    return Err(Error::new(label.span(), "no labels: let the inner loop set a `bool` and test it"));
                }
                self.in_loop(e.span(), "continue")?;
                Ok(StatementKind::Continue(false))
            }
            syn::Expr::Return(e) => {
                if self.in_value.is_some() {
                    return Err(halfway(e.span(), "return"));
                }
                let value = match &e.expr {
                    None => None,
                    Some(value) => {
                        let value = self.expr(value)?;
                        let expected = self.result;
                        self.expect(value.span, value.ty, expected)?;
                        Some(value)
                    }
                };
                if value.is_none() && self.result != Type::Unit {
                    return Err(Error::new(e.span(), format!("expected a `{}`", self.result.name())));
                }
                Ok(StatementKind::Return(value, false))
            }
            syn::Expr::Block(e) => {
                no_label(e.label.as_ref())?;
                Ok(StatementKind::Block(self.block(&e.block)))
            }
            syn::Expr::Unsafe(e) => Ok(StatementKind::Block(self.unsafe_block(e))),
            other => {
                let value = self.expr(other)?;
                Err(Error::new(value.span, DROPPED))
            }
        }
    }

    fn in_loop(&self, span: Span, what: &str) -> Result<()> {
        if self.loop_depth == 0 {
            return Err(Error::new(span, format!("`{what}` outside of a loop")));
        }
        if self.in_value == Some(self.loop_depth) {
            return Err(halfway(span, what));
        }
        Ok(())
    }

    fn for_loop(&mut self, e: &syn::ExprForLoop) -> Result<StatementKind> {
        no_label(e.label.as_ref())?;
        let (range, reversed) = match &*e.expr {
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() && call.turbofish.is_none() => {
                (&*call.receiver, true)
            }
            other => (other, false),
        };
        let range = match range {
            syn::Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let syn::Expr::Range(syn::ExprRange { start: Some(start), end: Some(end), limits, .. }) = range else {
            let message = "a `for` counts through `a..b` or `a..=b`, or down through `(a..b).rev()`; for anything else write a `while`";
            return Err(Error::new(e.expr.span(), message));
        };
        let Pat::Ident(name) = &*e.pat else {
            return Err(Error::new(e.pat.span(), "a `for` counts with one name"));
        };
        plain_name(name)?;
        if let Some(mutability) = &name.mutability {
            let message = format!("`{}` counts the loop: write a `while` to change it", name.ident);
            return Err(Error::new(mutability.span(), message));
        }
        let (start, end) = (self.expr(start)?, self.expr(end)?);
        self.types.unify(end.span, end.ty, start.ty)?;
        let ty = start.ty;
        self.scopes.push(HashMap::new());
        let counter = self.declare(&name.ident, Kind::Counter, ty, false);
        let body = self.loop_body(&e.body);
        self.scopes.pop();
        if !self.types.get(ty).is_int() {
            return Err(Error::new(range.span(), "a `for` counts integers"));
        }
        let count = Count { inclusive: matches!(limits, syn::RangeLimits::Closed(_)), reversed };
        Ok(StatementKind::For { counter, start, end, count, body })
    }

    fn loop_body(&mut self, block: &syn::Block) -> Loop {
        self.loops += 1;
        let id = self.loops;
        self.loop_depth += 1;
        let body = self.block(block);
        self.loop_depth -= 1;
        if let Some(tail) = &body.tail {
            self.errors.push(Error::new(tail.span, "a loop's body has no value"));
        }
        Loop { body, id, divergent: false, path: Vec::new() }
    }

    pub(super) fn make(&self, span: Span, kind: ExprKind, ty: super::TypeVar) -> Expr {
        Expr { kind, span, ty, class: Class::Uniform, precision: Precision::Element }
    }
}

fn if_statement(condition: Expr, then: Block, otherwise: Option<Block>) -> Result<StatementKind> {
    match then.tail.as_ref().or(otherwise.as_ref().and_then(|b| b.tail.as_ref())) {
        Some(tail) => Err(Error::new(tail.span, DROPPED)),
        None => Ok(StatementKind::If(condition, then, otherwise)),
    }
}

/// A jump out of a value.
fn halfway(span: Span, what: &str) -> Error {
    let message = format!(
        "`{what}` in the middle of a value: what stands around it would go on for the other threads; test in an `if` in front \
         of this statement"
    );
    Error::new(span, message)
}

/// Refuses `ref x` and `x @ …`.
fn plain_name(name: &syn::PatIdent) -> Result<()> {
    let odd = name.by_ref.as_ref().map(Spanned::span).or(name.subpat.as_ref().map(|(at, _)| at.span()));
    odd.map_or(Ok(()), |span| {
        Err(Error::new(span, "a plain name stands here: values are copied, and there is nothing to match"))
    })
}

const DROPPED: &str = "this computes something and drops it: assign it, or remove it";

/// The call of `shared` that a variable is declared with.
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

/// `a[i].x`
pub(super) fn structure(field: &syn::ExprField) -> Error {
    let message = "no fields: threads read elements next to each other, so give each field a slice of its own (a structure \
                   of arrays)";
    Error::new(field.member.span(), message)
}

fn no_label(label: Option<&syn::Label>) -> Result<()> {
    label
        .map_or(Ok(()), |label| Err(Error::new(label.span(), "no labels: let the inner loop set a `bool` and test it")))
}
