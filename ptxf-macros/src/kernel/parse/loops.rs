//! Loops and jumps.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

use super::super::ast::{Count, Expr, ExprKind, Id, Jump, Kind, Loop, StatementKind, TypeVar};
use super::super::scalar_type::Type;
use super::super::{hygiene, names};
use super::expr::name_of;
use super::statement::{halfway, plain_name, unwanted};
use super::{Parser, consequence};

/// A loop around a place.
pub(super) struct Around {
    /// The loop's number.
    id: usize,
    /// The label's text, and the label as it is printed.
    label: Option<(String, TokenStream)>,
}

/// The message about the ranges of a `for`.
const RANGES: &str = "a `for` counts through `a..b` or `a..=b`, down through `(a..b).rev()`, or in steps through \
                      `(a..b).step_by(k)` or `(a..b).rev().step_by(k)`, and through the elements of a slice or an array, `for &v in x`; \
                      for anything else write a `while`";

impl Parser<'_> {
    pub(super) fn for_loop(&mut self, e: &syn::ExprForLoop) -> Result<StatementKind> {
        if let Some(through) = self.for_elements(e) {
            return through;
        }
        let (range, by) = match method(&e.expr, "step_by", 1) {
            Some(call) => (&*call.receiver, call.args.first()),
            None => (&*e.expr, None),
        };
        let (range, reversed) = match method(range, "rev", 0) {
            Some(call) => (&*call.receiver, true),
            None => (range, false),
        };
        if reversed && by.is_none() && method(range, "step_by", 1).is_some() {
            let message = "`rev` after `step_by` is not possible: write `(a..b).rev().step_by(k)`, which begins at \
                           `b - 1`";
            return Err(Error::new(e.expr.span(), message));
        }
        let range = match range {
            syn::Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let syn::Expr::Range(syn::ExprRange { start: Some(start), end: Some(end), limits, .. }) = range else {
            return Err(match range {
                syn::Expr::Path(path) if name_of(path).is_some_and(|name| self.is_refused(name)) => {
                    consequence(path.span())
                }
                _ => Error::new(e.expr.span(), RANGES),
            });
        };
        let (start, end) = (self.expr(start)?, self.expr(end)?);
        self.types.unify(end.span, end.ty, start.ty)?;
        let step = by.map(|step| self.step(step)).transpose()?;
        self.frame.scopes.push(HashMap::new());
        let counter = self.counter(&e.pat, start.ty)?;
        let body = self.loop_body(e.label.as_ref(), &e.body);
        self.frame.scopes.pop();
        if !self.types.get(start.ty).is_int() {
            return Err(Error::new(
                range.span(),
                "a `for` counts integers, and these are not: count an integer, and \
                 convert it, `i as f32`",
            ));
        }
        let count = Count { inclusive: matches!(limits, syn::RangeLimits::Closed(_)), reversed };
        Ok(StatementKind::For { counter, start, end, step, count, body })
    }

    /// Parses a step, which is a `usize` for every type of the counter.
    fn step(&mut self, e: &syn::Expr) -> Result<Expr> {
        let step = self.expr(e)?;
        self.expect(step.span, step.ty, Type::USIZE)?;
        match &step.kind {
            ExprKind::Int(digits) if digits == "0" => {
                Err(Error::new(step.span, "a step of 0 is a panic: the step is 1 or more"))
            }
            _ => Ok(step),
        }
    }

    /// Declares the counter, with a name or with `_`.
    pub(super) fn counter(&mut self, pattern: &Pat, ty: TypeVar) -> Result<Id> {
        let name = match pattern {
            Pat::Ident(name) => name,
            Pat::Wild(nothing) => {
                let id = self.temporary(&Ident::new("round", nothing.span()), ty);
                self.variables[id].kind = Kind::Counter;
                return Ok(id);
            }
            other => {
                return Err(Error::new(
                    other.span(),
                    "this pattern is not possible for a counter: write a name, \
                 or `_`",
                ));
            }
        };
        plain_name(name)?;
        if let Some(mutability) = &name.mutability {
            let message = format!("`{}` is the counter of a `for`: write a `while` to change it", name.ident);
            return Err(Error::new(mutability.span(), message));
        }
        Ok(self.declare(&name.ident, Kind::Counter, ty, false))
    }

    pub(super) fn loop_body(&mut self, label: Option<&syn::Label>, block: &syn::Block) -> Loop {
        if let Some(label) = label
            && let Err(e) = hygiene::check(&label.name.ident)
        {
            self.errors.push(e);
        }
        self.loops += 1;
        let id = self.loops;
        let label = label.map(|label| &label.name).map(|label| (names::text(&label.ident), self.printed(label, id)));
        let printed = label.as_ref().map(|(_, printed)| printed.clone());
        self.frame.around.push(Around { id, label });
        let body = self.block(block);
        self.frame.around.pop();
        if let Some(tail) = &body.tail {
            self.errors.push(unwanted(
                tail,
                "the body of a loop ends with a value that is not used: assign it, or \
                 remove it",
            ));
        }
        Loop { label: printed, body, id, divergent: false, path: Vec::new() }
    }

    /// Returns a label as it is printed. The label of a loop in an inlined function may be that of
    /// a loop around the call, too.
    fn printed(&self, label: &syn::Lifetime, id: usize) -> TokenStream {
        if self.inlining.is_empty() {
            return label.to_token_stream();
        }
        syn::Lifetime::new(&format!("'__{}_{id}", names::text(&label.ident)), label.span()).to_token_stream()
    }

    /// Returns the jump of `break` or `continue`, out of the innermost loop or the one with the
    /// label.
    pub(super) fn jump(&self, span: Span, what: &str, label: Option<&syn::Lifetime>) -> Result<Jump> {
        let to = match label {
            None => self.frame.around.len().checked_sub(1),
            Some(label) => {
                let text = names::text(&label.ident);
                let has = |around: &Around| around.label.as_ref().is_some_and(|(label, _)| *label == text);
                let to = self.frame.around.iter().rposition(has);
                let message = format!("no loop around this has the label `{label}`");
                Some(to.ok_or_else(|| Error::new(label.span(), message))?)
            }
        };
        let Some(to) = to else {
            return Err(Error::new(span, format!("`{what}` outside of a loop")));
        };
        if self.frame.in_value.is_some_and(|around| to < around) {
            return Err(halfway(span, what));
        }
        let Around { id, label: printed } = &self.frame.around[to];
        let label = label.and_then(|_| Some(printed.as_ref()?.1.clone()));
        Ok(Jump { to: *id, label, masked: false })
    }
}

/// Returns the call if the expression calls this method with that number of arguments.
pub(super) fn method<'a>(e: &'a syn::Expr, name: &str, arguments: usize) -> Option<&'a syn::ExprMethodCall> {
    match e {
        syn::Expr::MethodCall(call)
            if call.method == name && call.args.len() == arguments && call.turbofish.is_none() =>
        {
            Some(call)
        }
        _ => None,
    }
}
