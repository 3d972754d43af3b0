//! `ptxf::ptx`: one function per form.

use proc_macro2::{Ident, TokenStream};
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::Group;
use ptxf_spec::types::Kind;
use ptxf_spec::{Form, Table};
use quote::{format_ident, quote};

use super::effects::effect;
use super::{device, docs, ident, operand_names, operators, rust};

/// Defines the items of `ptxf::ptx`.
pub(crate) fn functions(table: &Table) -> TokenStream {
    table.canonical().map(|form| function(table, form)).collect()
}

fn function(table: &Table, form: &Form) -> TokenStream {
    let name = ident(&form.function());
    let operands = operand_names(form);
    let types = form.signature.operands.iter().map(|t| rust(t));
    let operators = operators(form).into_iter().map(|(name, ty)| {
        let (name, ty) = (ident(name), ident(ty));
        quote!(#name: #ty,)
    });
    let doc = docs::function(table, form);
    let aliases = [form.spelling()].into_iter().chain(form.cuda.clone());
    let output = rust(form.signature.result);
    let body = body(form);
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

/// Returns the function's body: the instruction on a device that has it, else a replacement, else
/// the reference, in vectors where the build has them.
fn body(form: &Form) -> TokenStream {
    let native = device::native(form);
    let instruction = device::instruction(form);
    let comparison = quote!(comparison.into());
    let combined = if form.operators.booleans.is_empty() { quote!(None) } else { quote!(Some((boolean, c))) };
    let meaning = meaning(form, &effect(form), &comparison, &combined);
    let meaning = match in_vectors(form) {
        Some(operation) => {
            let (effect, operand, operands) = (effect(form), rust(form.operand()), operand_names(form));
            let x = (0..3).map(|i| &operands[i.min(operands.len() - 1)]);
            quote!(
                values::in_vectors!(values::run::<crate::backend::lanes::op::#operation, #operand>(#effect, [#(#x),*]), else #meaning)
            )
        }
        None => meaning,
    };
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

/// Returns the call of the form's reference function on every lane of its operands.
///
/// `m` is the constant of its modifiers; `comparison` and `combined` are the values of its
/// operators.
pub(super) fn meaning(form: &Form, m: &TokenStream, comparison: &TokenStream, combined: &TokenStream) -> TokenStream {
    let meaning = ident(form.meaning().name);
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
            quote!(#first.#map(#(#rest,)* |#(#operands),*| scalar::#meaning::<#format>(#m, #(#operands),*)))
        }
        Shape::Compare => quote!(compare::set::<#operand, #result>(#m, #comparison, #combined, a, b)),
        Shape::Select if form.signature.operands[2].kind == Kind::Predicate => quote!(sem::selp(a, b, c)),
        Shape::Select => quote!(compare::slct(#m, a, b, c)),
        Shape::Mixed => quote!(mixed::#meaning::<#operand>(#m, #(#operands),*)),
        Shape::Across => {
            let types = form.signature.operands.iter().map(|t| rust(t));
            quote!(across::#meaning::<#(#types,)* #result>(#m, #(#operands),*))
        }
        Shape::Convert | Shape::Pack | Shape::Random => {
            let scaled = if form.of_group(Group::Scale).is_some() { "_scaled" } else { "" };
            let conversion = format_ident!("{meaning}{scaled}");
            quote!(convert::#conversion::<#operand, #result>(#m, #(#operands),*))
        }
    }
}

/// Returns the vector operation of a form whose single values are computed in vectors; `None` for
/// other forms.
fn in_vectors(form: &Form) -> Option<Ident> {
    let has_lanes = form.operand().format().is_some_and(|format| format.rust != "Binary64");
    let operation = match form.meaning().name {
        "add" => "Add",
        "sub" => "Sub",
        "mul" => "Mul",
        "fma" => "Fma",
        _ => return None,
    };
    has_lanes.then(|| ident(operation))
}
