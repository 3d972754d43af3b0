//! From forms to Rust.

mod callback;
mod device;
mod docs;
mod functions;
mod info;
mod methods;
mod models;
mod slices;

pub(crate) use callback::callback;
pub(crate) use functions::functions;
pub(crate) use info::info;
pub(crate) use methods::methods;
pub(crate) use models::models;
pub(crate) use slices::{callback as slices_callback, slices};

use proc_macro2::{Ident, Span};

use super::model::{Form, OPERANDS};

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The names of the form's operands.
fn operand_names(form: &Form) -> Vec<Ident> {
    OPERANDS[..form.operands()].iter().map(|n| ident(n)).collect()
}
