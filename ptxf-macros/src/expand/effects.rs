//! What modifiers ask for, once for all forms that have them.
//!
//! A constant of its own in each of some thousand functions costs the compiler as much as the functions do.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use ptxf_spec::modifier::Modifier;
use ptxf_spec::{Form, Table};
use quote::quote;

use super::ident;

/// Those of the form's modifiers that change what its meaning computes.
fn effective(form: &Form) -> impl Iterator<Item = &'static Modifier> {
    form.modifiers.iter().copied().filter(|m| m.rust.starts_with('.'))
}

/// The constant's name: `RN_FTZ`, and `PLAIN` where there is nothing to ask for.
fn name(form: &Form) -> Ident {
    let words: Vec<_> = effective(form).map(|m| m.ptx.to_uppercase()).collect();
    if words.is_empty() { ident("PLAIN") } else { ident(&words.join("_")) }
}

/// The constant that holds what the form's modifiers ask for.
pub(super) fn effect(form: &Form) -> TokenStream {
    let name = name(form);
    quote!(effect::#name)
}

/// The constants.
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
