//! `ptxf::ptx`: one function per form.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::model::{Form, Table};
use super::{device, docs, ident, operand_names};

/// The items of `ptxf::ptx`.
pub(crate) fn functions(table: &Table) -> TokenStream {
    table.canonical().map(|form| function(table, form)).collect()
}

fn function(table: &Table, form: &Form) -> TokenStream {
    let name = ident(&form.function());
    let ty = ident(form.ty.rust);
    let operands = operand_names(form);
    let doc = docs::function(table, form);
    let spelling = form.spelling();
    let aliases = std::iter::once(&spelling).chain(&form.cuda);
    let output = if form.predicate() { ident("bool") } else { ty.clone() };
    let body = body(form);
    quote! {
        #[doc = #doc]
        #(#[doc(alias = #aliases)])*
        #[inline]
        #[must_use]
        pub fn #name(#(#operands: #ty),*) -> #output {
            #body
        }
    }
}

/// The instruction on a device that has it, else a substitute, else the meaning.
fn body(form: &Form) -> TokenStream {
    let native = device::native(form);
    let instruction = device::instruction(form);
    let meaning = meaning(form);
    let otherwise = match device::substitute(form) {
        None => meaning,
        Some((condition, substitute)) => quote! {
            #[cfg(#condition)]
            {
                #substitute
            }
            #[cfg(not(#condition))]
            {
                #meaning
            }
        },
    };
    quote! {
        #[cfg(#native)]
        {
            #instruction
        }
        #[cfg(not(#native))]
        {
            #otherwise
        }
    }
}

/// The call of the form's meaning on every lane.
fn meaning(form: &Form) -> TokenStream {
    let format = ident(form.ty.format);
    let meaning = ident(&form.row().meaning.text);
    let modifiers = form.modifiers.iter().filter(|m| !m.rust.is_empty());
    let rust = modifiers.map(|m| m.rust.parse::<TokenStream>().expect("the table of modifiers holds Rust tokens"));
    if form.predicate() {
        return quote!(sem::#meaning::<#format>(Property::#(#rust)*, a.to_bits()));
    }
    let map = format_ident!("map{}", form.operands());
    let operands = operand_names(form);
    let (first, rest) = operands.split_first().expect("every form has an operand");
    quote! {
        const M: Modifiers = Modifiers { #(#rust,)* ..Modifiers::PLAIN };
        #first.#map(#(#rest,)* |#(#operands),*| scalar::#meaning::<#format>(M, #(#operands),*))
    }
}
