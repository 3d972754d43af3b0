//! `ptxf::ptx`: one function per form, and one for all comparisons of a type.

use proc_macro2::TokenStream;
use ptxf_spec::meaning::Shape;
use ptxf_spec::{Form, Table};
use quote::{format_ident, quote};

use super::{device, docs, effect, ident, operand_names, operator_value, rust};

/// The items of `ptxf::ptx`.
pub(crate) fn functions(table: &Table) -> TokenStream {
    table.functions().iter().map(|forms| function(table, forms)).collect()
}

fn function(table: &Table, forms: &[&Form]) -> TokenStream {
    let form = forms[0];
    let name = ident(&form.function());
    let operands = operand_names(form);
    let types = form.signature.operands.iter().map(|t| rust(t));
    let operators = form.operators().map(|m| {
        let (name, ty) = (ident(docs::operator_name(m)), ident(docs::operator_type(m)));
        quote!(#name: #ty,)
    });
    let doc = docs::function(table, forms);
    let spellings = forms.iter().map(|f| f.spelling());
    let aliases = spellings.chain(forms.iter().flat_map(|f| f.cuda.clone()));
    let output = rust(form.signature.result);
    let body = body(forms);
    quote! {
        #[doc = #doc]
        #(#[doc(alias = #aliases)])*
        #[inline]
        #[must_use]
        pub fn #name(#(#operators)* #(#operands: #types),*) -> #output {
            #body
        }
    }
}

/// The instruction on a device that has it, else a substitute, else the meaning.
fn body(forms: &[&Form]) -> TokenStream {
    let form = forms[0];
    let native = device::native(form);
    let instruction = instruction(forms);
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

/// The one instruction, chosen by the operators if there are any: constants in most calls, and then no choice is left.
fn instruction(forms: &[&Form]) -> TokenStream {
    let names: Vec<_> = forms[0].operators().map(|m| ident(docs::operator_name(m))).collect();
    if names.is_empty() {
        return device::instruction(forms[0]);
    }
    let arms = forms.iter().map(|form| {
        let operators = form.operators().map(operator_value);
        let instruction = device::instruction(form);
        quote!((#(#operators),*) => #instruction,)
    });
    quote!(match (#(#names),*) { #(#arms)* })
}

/// The call of the form's meaning on every lane.
fn meaning(form: &Form) -> TokenStream {
    let meaning = ident(form.meaning().name);
    let constant = effect(form);
    let operands = operand_names(form);
    let (result, operand) = (rust(form.signature.result), rust(form.operand()));
    let format = || ident(form.operand().format().expect("floats are computed with").rust);
    match form.meaning().shape {
        Shape::Property => {
            let format = format();
            let property = ident(form.modifiers[0].rust);
            quote!(sem::#meaning::<#format>(Property::#property, a.to_bits()))
        }
        Shape::Lanes => {
            let format = format();
            let map = format_ident!("map{}", form.operands());
            let (first, rest) = operands.split_first().expect("every form has an operand");
            quote! {
                const M: Modifiers = #constant;
                #first.#map(#(#rest,)* |#(#operands),*| scalar::#meaning::<#format>(M, #(#operands),*))
            }
        }
        Shape::Compare => quote!(mixed::#meaning::<#operand, #result>(#constant, comparison, #(#operands),*)),
        Shape::Convert | Shape::Pack => quote!(mixed::#meaning::<#operand, #result>(#constant, #(#operands),*)),
    }
}
