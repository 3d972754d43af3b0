//! Statements for one thread: the kernel as it was written, with the types filled in.
//!
//! `k::scalar` is not the masked body with one thread, but the source printed again. It defines the
//! results of the other versions. If they shared a body, a wrong mask would be wrong in both.
// Invariant: all threads of a block reach a barrier, or the kernel was refused.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::super::ast::{Block, Class, Id, Jump, Kind, Statement, StatementKind};
use super::super::parts::Parts;
use super::scalar::{label, range};
use super::{Printer, primitive};

impl Printer<'_> {
    pub(super) fn direct_block(&self, block: &Block) -> TokenStream {
        let statements = block.statements.iter().map(|s| self.direct_statement(s));
        let tail = block.tail.as_ref().map(|tail| self.scalar(tail));
        quote!(#(#statements)* #tail)
    }

    fn direct_statement(&self, statement: &Statement) -> TokenStream {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Let(id, value) => {
                let (binding, value) = (self.binding(*id), self.scalar(value));
                quote_spanned!(span=> let #binding = #value;)
            }
            StatementKind::LetCall { to, function, arguments } => {
                let (bindings, written) = self.bindings_of_call(to);
                let call = self.call_one(function, arguments, &written, span);
                quote_spanned!(span=> let #bindings = #call;)
            }
            StatementKind::LetArray(id, values) => {
                let (binding, values) = (self.binding(*id), values.iter().map(|v| self.scalar(v)));
                quote_spanned!(span=> let #binding = [#(#values),*];)
            }
            StatementKind::LetRepeat(id, value) => {
                let (binding, value, length) = (self.binding(*id), self.scalar(value), self.length(*id));
                quote_spanned!(span=> let #binding = [#value; #length];)
            }
            StatementKind::Assign { to, value, .. } => {
                let (to, value) = (self.name_at(*to, span), self.scalar(value));
                quote_spanned!(span=> #to = #value;)
            }
            StatementKind::AssignElement { array, index, value, .. } => {
                let (array, index, value) = (self.name_at(*array, span), self.scalar(index), self.scalar(value));
                quote_spanned!(span=> #array[#index] = #value;)
            }
            StatementKind::Store { slice, index, value, .. } => {
                let set = match self.kernel.variables[*slice].stored {
                    None => quote_spanned!(span=> set),
                    Some(_) => {
                        let float = self.float(value.precision);
                        quote_spanned!(span=> set_from::<#float>)
                    }
                };
                let (slice, index, value) =
                    (self.accessed(*slice, index, span), self.scalar(index), self.scalar(value));
                // The value is computed first, as in Rust.
                quote_spanned!(span=> { let __value = #value; #slice.#set(#index, __value); })
            }
            StatementKind::Atomic(atomic) => self.atomic(atomic, span),
            StatementKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.scalar(condition), self.direct_block(then));
                let otherwise = otherwise.as_ref().map(|b| {
                    let b = self.direct_block(b);
                    quote!(else { #b })
                });
                quote_spanned!(span=> if #condition { #then } #otherwise)
            }
            StatementKind::For { counter, start, end, step, count, body } => {
                let (name, label) = (self.name(*counter), label(body));
                if let Some(step) = step {
                    let (start, end, step) = (self.scalar(start), self.scalar(end), self.scalar(step));
                    let (range, body) = (range(*count, &start, &end, Some(&step)), self.direct_block(&body.body));
                    return quote_spanned!(span=> #label for #name in #range { #body });
                }
                let print = |start: &TokenStream, end: &TokenStream, first: &TokenStream| {
                    let (range, body) = (range(*count, start, end, None), self.direct_block(&body.body));
                    quote_spanned!(span=> #label for #name in #range { #first #body })
                };
                self.hoisted(*counter, [start, end], *count, body, print)
            }
            StatementKind::While(condition, body) => {
                let (label, body) = (label(body), self.direct_block(&body.body));
                match condition {
                    Some(condition) => {
                        let condition = self.scalar(condition);
                        quote_spanned!(span=> #label while #condition { #body })
                    }
                    None => quote_spanned!(span=> #label loop { #body }),
                }
            }
            StatementKind::Break(Jump { label, .. }) => quote_spanned!(span=> break #label;),
            StatementKind::Continue(Jump { label, .. }) => quote_spanned!(span=> continue #label;),
            StatementKind::Return(value, _) => {
                let value = value.as_ref().map(|v| self.scalar(v));
                self.return_of_all(value.or_else(|| self.results()), span)
            }
            StatementKind::Sync => {
                let kernel = &self.path;
                let barrier = quote!(unsafe { #kernel::device::sync_threads() });
                quote_spanned!(span=> #barrier;)
            }
            StatementKind::Vote(result, vote, value) => self.vote(*result, *vote, value, span),
            StatementKind::Block(block) => {
                let block = self.direct_block(block);
                quote_spanned!(span=> { #block })
            }
        }
    }

    /// Prints the pattern for several results, and their types in kernels.
    pub(super) fn bindings_of_call(&self, to: &Parts<Id>) -> (TokenStream, TokenStream) {
        let bindings = to.map(&mut |&id| self.binding(id)).print();
        let written = to.map(&mut |&id| primitive(self.types.get(self.kernel.variables[id].ty).name())).print();
        (bindings, written)
    }

    /// Prints the results of a function with several. `None` for any other function.
    pub(super) fn results(&self) -> Option<TokenStream> {
        self.kernel.results.as_ref().map(|results| results.map(&mut |&id| self.name(id)).print())
    }

    /// Prints a block that ends with a value in the representation of `class`.
    pub(super) fn block_as(&self, block: &Block, class: Class) -> TokenStream {
        if self.direct { self.direct_block(block) } else { self.masked_block(block, Some(class)) }
    }

    /// Prints the pattern that declares the variable.
    pub(super) fn binding(&self, id: usize) -> TokenStream {
        let (v, name) = (&self.kernel.variables[id], self.name(id));
        if v.mutable { quote!(mut #name) } else { name }
    }

    pub(super) fn length(&self, id: usize) -> TokenStream {
        match &self.kernel.variables[id].kind {
            Kind::Array(shape) | Kind::Shared(shape) => shape.elements(),
            _ => TokenStream::new(),
        }
    }
}
