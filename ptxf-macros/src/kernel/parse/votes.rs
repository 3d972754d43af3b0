//! Votes of a block, `let any = sync_threads_or(x > 1.0);`.
//!
//! A vote is a barrier whose result is the same for the block, so loops and barriers may depend on
//! it. It stands in a `let` of its own, as a barrier is a statement of its own: no value is half
//! computed while threads wait.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

use super::super::ast::{Kind, StatementKind, Vote};
use super::super::scalar_type::Type;
use super::Parser;
use super::expr::{bare, called};
use super::signature::scalar;
use super::statement::plain_name;

impl Parser<'_> {
    /// Returns the vote and its call if the expression is one.
    pub(super) fn vote_of<'e>(&self, e: &'e syn::Expr) -> Option<(Vote, &'e syn::ExprCall)> {
        let syn::Expr::Call(call) = bare(e) else { return None };
        let name = called(call)?;
        let vote = Vote::of(&name.to_string()).filter(|_| self.binding(name).is_none())?;
        Some((vote, call))
    }

    /// Parses `let any = sync_threads_or(value);`.
    pub(super) fn vote(&mut self, pattern: &Pat, vote: Vote, call: &syn::ExprCall) -> Result<StatementKind> {
        let (pattern, annotation) = match pattern {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else {
            return Err(Error::new(
                pattern.span(),
                format!(
                    "the result of `{}` needs a plain name: write `let v = \
                 …`",
                    vote.called()
                ),
            ));
        };
        plain_name(name)?;
        let mut arguments = call.args.iter();
        let (Some(value), None) = (arguments.next(), arguments.next()) else {
            let message =
                format!("`{}` takes 1 argument, the thread's vote, `{}(x > 1.0)`", vote.called(), vote.called());
            return Err(Error::new(call.span(), message));
        };
        let value = self.expr(value)?;
        self.expect(value.span, value.ty, Type::Bool)?;
        self.meet_at_barrier(call.span())?;
        let ty = self.types.known(vote.returns());
        if let Some(annotation) = annotation {
            self.expect(call.span(), ty, scalar(annotation)?)?;
        }
        let id = self.declare(&name.ident, Kind::Local, ty, name.mutability.is_some());
        Ok(StatementKind::Vote(id, vote, value))
    }

    /// Returns the error about a vote inside of a value.
    pub(super) fn vote_in_value(span: Span, vote: Vote) -> Error {
        let name = vote.called();
        let message =
            format!("a vote stands inside of a value: write `let v = {name}(x > 1.0);` before it, and use `v`");
        Error::new(span, message)
    }
}
