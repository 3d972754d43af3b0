//! The forms as methods of the library's own types.

use proc_macro2::TokenStream;
use quote::quote;

use super::{docs, ident, operand_names, operators, rust};
use ptxf_spec::types::{TYPES, Type};
use ptxf_spec::{Form, Table};

/// Defines an `impl` block for each type.
pub(crate) fn methods(table: &Table) -> TokenStream {
    TYPES
        .iter()
        .filter(|t| t.has_methods())
        .map(|t| {
            let ty = ident(t.rust);
            let methods = table.canonical().filter(|form| form.methods_of() == Some(t)).map(|form| method(form, t));
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

fn method(form: &Form, own: &Type) -> TokenStream {
    let name = ident(&form.method());
    let function = ident(&form.function());
    let operands = operand_names(form);
    let doc = docs::method(form);
    let spelling = form.spelling();
    let ty = |t: &Type| if t == own { quote!(Self) } else { rust(t) };
    let types: Vec<_> = form.signature.operands.iter().map(|t| ty(t)).collect();
    let result = ty(form.signature.result);
    let (names, operators): (Vec<_>, Vec<_>) =
        operators(form).into_iter().map(|(name, ty)| (ident(name), ident(ty))).unzip();
    // An operand of the type is `self`. A conversion to the type is an associated function without
    // `self`.
    let (parameters, arguments) = if form.operand() == own {
        let (rest, types) = (&operands[1..], &types[1..]);
        (quote!(self, #(#names: #operators,)* #(#rest: #types),*), quote!(#(#names,)* self, #(#rest),*))
    } else {
        (quote!(#(#names: #operators,)* #(#operands: #types),*), quote!(#(#names,)* #(#operands),*))
    };
    quote! {
        #[doc = #doc]
        #[doc(alias = #spelling)]
        #[inline]
        #[must_use]
        pub fn #name(#parameters) -> #result {
            crate::ptx::#function(#arguments)
        }
    }
}
