//! Atomic operations: those of `Out` for one thread, and those of the context for several threads,
//! one after the other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::ast::{Atomic, AtomicOp, Expr, Kind};
use super::Printer;

impl Printer<'_> {
    /// Prints the operation for one thread.
    pub(super) fn atomic(&self, atomic: &Atomic, span: Span) -> TokenStream {
        let (name, space, op) = (self.name_at(atomic.slice, span), self.space(atomic), self.op(atomic, span));
        let (count, operands) = operands(atomic, span);
        let call = quote_spanned!(span=> #name.atomic::<#space, #count>(#op, __index, #operands));
        self.kept(atomic, &|e| self.scalar(e), &call, span)
    }

    /// Prints the operation for the running threads.
    pub(super) fn atomics(&self, atomic: &Atomic, span: Span) -> TokenStream {
        let (cx, x, ty) = (&self.cx, &self.exec, self.rust_type(self.types.get(atomic.value.ty)));
        let (name, space, op) = (self.name_at(atomic.slice, span), self.space(atomic), self.op(atomic, span));
        let (count, operands) = operands(atomic, span);
        let call = quote_spanned!(span=> #cx.atomic::<#ty, #space, _, #count>(#op, #name, __index, #x, #operands));
        self.kept(atomic, &|e| self.per_thread(e), &call, span)
    }

    /// Prints the index and the operands, and then the call, with a `let` of the old value if the
    /// kernel uses the value.
    fn kept(
        &self,
        atomic: &Atomic,
        print: &dyn Fn(&Expr) -> TokenStream,
        call: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (index, expected) = (print(&atomic.index), atomic.expected.as_ref().map(print));
        let (expected, value) = (expected.into_iter(), print(&atomic.value));
        let lets = quote_spanned!(span=>
            let __index = #index; #(let __expected = #expected;)* let __value = #value;);
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
        match (atomic.op, atomic.old) {
            (AtomicOp::CompareExchange, _) => quote!(#kernel::#op),
            (_, Some(_)) => quote!(#kernel::Fetch(#kernel::AtomicOp::#op)),
            (_, None) => quote!(#kernel::Reduce(#kernel::AtomicOp::#op)),
        }
    }
}

/// Prints the operands, and returns their number.
fn operands(atomic: &Atomic, span: Span) -> (usize, TokenStream) {
    match atomic.expected {
        Some(_) => (2, quote_spanned!(span=> [__expected, __value])),
        None => (1, quote_spanned!(span=> [__value])),
    }
}
