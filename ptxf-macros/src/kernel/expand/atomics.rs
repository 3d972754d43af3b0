//! Atomic operations: those of `Out` for one thread, and those of the context for several threads,
//! one after the other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Atomic, AtomicOp, Kind};
use super::Printer;

impl Printer<'_> {
    /// Prints the operation for one thread.
    pub(super) fn atomic(&self, atomic: &Atomic, span: Span) -> TokenStream {
        let (name, space) = (self.name_at(atomic.slice, span), self.space(atomic));
        let index = self.scalar(&atomic.index);
        let lets = quote_spanned!(span=> let __index = #index;);
        let (lets, call) = match &atomic.expected {
            Some(expected) => {
                let (expected, value) = (self.scalar(expected), self.scalar(&atomic.value));
                let lets = quote_spanned!(span=> #lets let __expected = #expected; let __value = #value;);
                (lets, quote_spanned!(span=> #name.compare_exchange::<#space>(__index, __expected, __value)))
            }
            None => {
                let (value, function, op) = (self.scalar(&atomic.value), function(atomic, span), self.op(atomic, span));
                let lets = quote_spanned!(span=> #lets let __value = #value;);
                (lets, quote_spanned!(span=> #name.#function::<#space>(#op, __index, __value)))
            }
        };
        self.kept(atomic, &lets, &call, span)
    }

    /// Prints the operation for the running threads.
    pub(super) fn atomics(&self, atomic: &Atomic, span: Span) -> TokenStream {
        let (cx, x) = (&self.cx, &self.exec);
        let (name, space) = (self.name_at(atomic.slice, span), self.space(atomic));
        let ty = self.rust_type(self.types.get(atomic.value.ty));
        let index = self.per_thread(&atomic.index);
        let lets = quote_spanned!(span=> let __index = #index;);
        let (lets, call) = match &atomic.expected {
            Some(expected) => {
                let (expected, value) = (self.per_thread(expected), self.per_thread(&atomic.value));
                let lets = quote_spanned!(span=> #lets let __expected = #expected; let __value = #value;);
                let call = quote_spanned!(span=>
                    #cx.compare_exchange::<#ty, #space, _>(#name, __index, #x, __expected, __value));
                (lets, call)
            }
            None => {
                let value = self.per_thread(&atomic.value);
                let (function, op) = (function(atomic, span), self.op(atomic, span));
                let lets = quote_spanned!(span=> #lets let __value = #value;);
                (lets, quote_spanned!(span=> #cx.#function::<#ty, #space, _>(#op, #name, __index, #x, __value)))
            }
        };
        self.kept(atomic, &lets, &call, span)
    }

    /// Prints the call with a `let` of the old value, if the kernel uses the value.
    fn kept(&self, atomic: &Atomic, lets: &TokenStream, call: &TokenStream, span: Span) -> TokenStream {
        match atomic.old {
            Some(old) => {
                let old = self.binding(old);
                quote_spanned!(span=> let #old = { #lets #call };)
            }
            None => quote_spanned!(span=> { #lets #call; }),
        }
    }

    /// Prints the scope of the operation: the block for shared memory, the grid for an output.
    fn space(&self, atomic: &Atomic) -> TokenStream {
        let kernel = &self.path;
        match self.kernel.variables[atomic.slice].kind {
            Kind::Shared(_) => quote!(#kernel::OfBlock),
            _ => quote!(#kernel::OfGrid),
        }
    }

    fn op(&self, atomic: &Atomic, span: Span) -> TokenStream {
        let (kernel, op) = (&self.path, Ident::new(atomic.op.name(), span));
        quote!(#kernel::AtomicOp::#op)
    }
}

/// Returns the name of the function of `Out` and of contexts.
fn function(atomic: &Atomic, span: Span) -> Ident {
    debug_assert_ne!(atomic.op, AtomicOp::CompareExchange);
    format_ident!("{}", if atomic.old.is_some() { "fetch" } else { "reduce" }, span = span)
}
