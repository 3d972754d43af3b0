//! From the table's forms to Rust.

mod callback;
mod device;
mod docs;
mod effects;
mod functions;
mod info;
mod lanes;
mod meanings;
mod methods;
mod models;
mod slices;

pub(crate) use callback::callback;
pub(crate) use effects::effects;
pub(crate) use functions::functions;
pub(crate) use info::info;
pub(crate) use lanes::callback as lanes_callback;
pub(crate) use meanings::meanings;
pub(crate) use methods::methods;
pub(crate) use models::models;
pub(crate) use slices::{callback as slices_callback, slices};

use proc_macro2::{Ident, Span, TokenStream};

use ptxf_spec::Form;
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::{Group, Modifier};
use ptxf_spec::types::{Kind, Type};

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns the names of the form's operands.
fn operand_names(form: &Form) -> Vec<Ident> {
    form.operand_names().into_iter().map(ident).collect()
}

/// Returns the Rust type of a register.
fn rust(ty: &Type) -> TokenStream {
    ty.rust.parse().expect("the table of types holds Rust tokens")
}

/// Returns the names and types of the arguments before the operands in the form's function.
pub(crate) fn operators(form: &Form) -> Vec<(&'static str, &'static str)> {
    let compared = match form.operand().kind {
        Kind::Integer { signed: false } => "UnsignedComparison",
        Kind::Integer { signed: true } => "SignedComparison",
        Kind::Bits => "BitComparison",
        _ => "Comparison",
    };
    let argument = |list: &Vec<&Modifier>| match list[0].group {
        Group::BoolOp => ("boolean", "BoolOp"),
        _ => ("comparison", compared),
    };
    form.operators.lists().map(argument).collect()
}

/// Returns type and variant of each operator: `(Comparison, Lt)`.
pub(crate) fn chosen(form: &Form, operators: &[&'static Modifier]) -> Vec<(&'static str, &'static str)> {
    self::operators(form).iter().zip(operators).map(|((_, ty), m)| (*ty, m.rust)).collect()
}

/// Returns `true` if operands and result have one type and each lane is computed by itself, as
/// models of devices require.
fn is_lanewise(form: &Form) -> bool {
    form.meaning().shape == Shape::Lanes
}

#[cfg(test)]
mod tests;
