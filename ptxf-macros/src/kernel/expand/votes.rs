//! Votes: barriers with a result.
//!
//! On a device a barrier counts the votes. The two threads of a pair are one thread there, and
//! bring both votes. On a CPU the frame counts, as groups vote one after the other.
// Invariant: all threads of a block reach a barrier, or the kernel was refused.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Expr, Id, Vote};
use super::Printer;

impl Printer<'_> {
    /// Prints the vote of one thread on a device.
    pub(super) fn vote(&self, result: Id, vote: Vote, value: &Expr, span: Span) -> TokenStream {
        let (kernel, result, value) = (&self.path, self.binding(result), self.scalar(value));
        let barrier = format_ident!("{}", vote.called());
        // The user's tokens stay outside of `unsafe`.
        let barrier = quote!(unsafe { #kernel::device::#barrier(__vote) });
        quote_spanned!(span=> let #result = { let __vote = #value; #barrier };)
    }

    /// Prints the vote of both threads of a pair on a device.
    pub(super) fn votes(&self, result: Id, vote: Vote, value: &Expr, span: Span) -> TokenStream {
        let (kernel, cx) = (&self.path, &self.cx);
        let (result, value) = (self.binding(result), self.per_thread(value));
        let barrier = format_ident!("{}", vote.called());
        let any = quote!(unsafe { #kernel::device::#barrier(#cx.any(__vote)) });
        let all = quote!(unsafe { #kernel::device::#barrier(#cx.all(__vote)) });
        let barrier = match vote {
            Vote::Or => any,
            Vote::And => all,
            // One of the two, plus the other one.
            Vote::Count if self.kernel.per_thread == 2 => quote!((#any) + (#all)),
            // The threads whose count has a bit, for each bit.
            Vote::Count => {
                let bits = (0..=self.kernel.per_thread.ilog2())
                    .map(|bit| quote!((unsafe { #kernel::device::#barrier(__vote >> #bit & 1 != 0) } << #bit)));
                quote!({ let __vote = #cx.count(__vote); #(#bits)+* })
            }
        };
        quote_spanned!(span=> let #result = { let __vote = #value; #barrier };)
    }

    /// Prints the vote of a group on a CPU, which is counted in the variable `name`.
    pub(super) fn voted(&self, name: &TokenStream, vote: Vote, value: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, value.span);
        if self.direct {
            let value = self.scalar(value);
            return match vote {
                Vote::Or => quote_spanned!(span=> #name |= #value;),
                Vote::And => quote_spanned!(span=> #name &= #value;),
                Vote::Count => {
                    quote_spanned!(span=> #name += <::core::primitive::u32 as ::core::convert::From<_>>::from(#value);)
                }
            };
        }
        let (value, mask) = (self.per_thread(value), quote!(#kernel::Exec::mask(#x, #cx)));
        match vote {
            Vote::Or => quote_spanned!(span=> #name |= #cx.any(#cx.and(#mask, #value));),
            Vote::And => quote_spanned!(span=> #name &= !#cx.any(#cx.and_not(#mask, #value));),
            Vote::Count => quote_spanned!(span=> #name += #cx.count(#cx.and(#mask, #value));),
        }
    }
}
