//! Constants for the effects of modifiers, one for each set of modifiers.
//!
//! A separate constant in each of a thousand functions would cost the compiler as much as the
//! functions themselves.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use ptxf_spec::modifier::Modifier;
use ptxf_spec::{Form, Table};
use quote::quote;

use super::ident;

/// Returns the modifiers that are arguments of the form's reference function.
fn effective(form: &Form) -> impl Iterator<Item = &'static Modifier> {
    form.modifiers.iter().copied().filter(|m| m.rust.starts_with('.'))
}

/// Returns the constant's name: `RN_FTZ`, or `PLAIN` without modifiers.
fn name(form: &Form) -> Ident {
    let words: Vec<_> = effective(form).map(|m| m.ptx.to_uppercase()).collect();
    if words.is_empty() { ident("PLAIN") } else { ident(&words.join("_")) }
}

/// Returns the path of the constant for the form's modifiers.
pub(super) fn effect(form: &Form) -> TokenStream {
    let name = name(form);
    quote!(effect::#name)
}

/// Defines the constants of all forms.
pub(crate) fn effects(table: &Table) -> TokenStream {
    let mut constants = BTreeMap::new();
    for form in &table.forms {
        constants.entry(name(form)).or_insert_with(|| {
            let set = effective(form);
            let set = set.map(|m| m.rust.parse::<TokenStream>().expect("the table of modifiers holds Rust tokens"));
            quote!(Modifiers::PLAIN #(#set)*)
        });
    }
    let (names, values) = (constants.keys(), constants.values());
    quote!(#(pub(crate) const #names: Modifiers = #values;)*)
}
