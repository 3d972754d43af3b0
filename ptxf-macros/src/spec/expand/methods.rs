//! The same forms as methods of the library's own types.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Form, Table};
use super::super::modifier::TYPES;
use super::{docs, ident, operand_names};

/// An `impl` block per type.
pub(crate) fn methods(table: &Table) -> TokenStream {
    TYPES
        .iter()
        .filter(|t| t.has_methods())
        .map(|t| {
            let ty = ident(t.rust);
            let methods = table.canonical().filter(|f| f.ty == t).map(method);
            let doc = format!("The instructions on `.{}`, one method per form.", t.ptx);
            quote! {
                #[doc = #doc]
                impl #ty {
                    #(#methods)*
                }
            }
        })
        .collect()
}

fn method(form: &Form) -> TokenStream {
    let name = ident(&form.method());
    let function = ident(&form.function());
    let operands = operand_names(form);
    let rest = &operands[1..];
    let doc = docs::method(form);
    let spelling = form.spelling();
    quote! {
        #[doc = #doc]
        #[doc(alias = #spelling)]
        #[inline]
        #[must_use]
        pub fn #name(self, #(#rest: Self),*) -> Self {
            crate::ptx::#function(self, #(#rest),*)
        }
    }
}
