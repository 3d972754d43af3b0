//! From the table's forms to Rust.

mod callback;
mod device;
mod docs;
mod functions;
mod info;
mod lanes;
mod meanings;
mod methods;
mod models;
mod slices;

pub(crate) use callback::callback;
pub(crate) use functions::functions;
pub(crate) use info::info;
pub(crate) use lanes::{callback as lanes_callback, lanes};
pub(crate) use meanings::meanings;
pub(crate) use methods::methods;
pub(crate) use models::models;
pub(crate) use slices::{callback as slices_callback, slices};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use ptxf_spec::Form;
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::Modifier;
use ptxf_spec::types::Type;

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The names of the form's operands.
fn operand_names(form: &Form) -> Vec<Ident> {
    form.operand_names().into_iter().map(ident).collect()
}

/// The Rust type of a register.
fn rust(ty: &Type) -> TokenStream {
    ty.rust.parse().expect("the table of types holds Rust tokens")
}

/// The type and the variant of an operator, `Comparison` and `Lt`.
pub(crate) fn operator(modifier: &Modifier) -> (&'static str, &'static str) {
    (docs::operator_type(modifier), modifier.rust)
}

/// The value of an operator, `Comparison::Lt`.
fn operator_value(modifier: &Modifier) -> TokenStream {
    let (ty, variant) = operator(modifier);
    let (ty, variant) = (ident(ty), ident(variant));
    quote!(#ty::#variant)
}

/// What the modifiers that change the result set in a `Modifiers`.
fn effect(form: &Form) -> TokenStream {
    let rust = form.modifiers.iter().filter(|m| m.rust.contains(':'));
    let rust = rust.map(|m| m.rust.parse::<TokenStream>().expect("the table of modifiers holds Rust tokens"));
    quote!(Modifiers { #(#rust,)* ..Modifiers::PLAIN })
}

/// Whether operands and result have one type, and lanes never meet: what models of devices have.
fn is_lanewise(form: &Form) -> bool {
    form.meaning().shape == Shape::Lanes
}

#[cfg(test)]
mod tests;
