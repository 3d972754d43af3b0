//! From forms to Rust.

mod callback;
mod docs;
mod functions;
mod info;
mod methods;

pub(crate) use callback::callback;
pub(crate) use functions::functions;
pub(crate) use info::info;
pub(crate) use methods::methods;

use proc_macro2::{Ident, Span};

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The names of the operands, as the manual has them.
fn operand_names(count: usize) -> Vec<Ident> {
    ["a", "b", "c"][..count].iter().map(|n| ident(n)).collect()
}
