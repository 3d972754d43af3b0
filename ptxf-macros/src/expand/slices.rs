//! `ptxf::slice`: the forms over slices, into an output and in place.
//!
//! All functions are generic in their operands, so that a build compiles only those that it calls.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::meanings::variant;
use super::{docs, effects, ident, lanes, operand_names};
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::Group;
use ptxf_spec::types::{Kind, Type};
use ptxf_spec::{Form, Table};

/// Defines a module for each group of forms, and `all` with the functions of all groups.
pub(crate) fn slices(table: &Table) -> TokenStream {
    let lanes = lanes::conversions();
    let groups = groups(table);
    let names: Vec<_> = groups.iter().map(|(name, _)| ident(name)).collect();
    let modules = groups.iter().zip(&names).map(|((group, forms), name)| {
        let functions = forms.iter().map(|form| functions(form));
        let lanes = lanes.iter().filter(|_| name == NARROW).map(lanes::Conversion::function);
        let doc = docs::group(group, forms);
        quote! {
            #[doc = #doc]
            pub mod #name {
                use super::super::imports::*;
                #(#functions)*
                #(#lanes)*
            }
        }
    });
    quote! {
        #(#modules)*
        #[doc(hidden)]
        pub mod all {
            #(pub use super::#names::*;)*
        }
    }
}

/// The module of conversions that have a format of at most 8 bits.
const NARROW: &str = "cvt_narrow";

/// Returns the modules with their forms, in the order of the table. Each instruction has one
/// module, and `cvt` has three.
fn groups(table: &Table) -> Vec<(&str, Vec<&Form>)> {
    let mut groups: Vec<(&str, Vec<&Form>)> = Vec::new();
    for form in table.canonical().filter(|f| has_slices(f)) {
        let name = match form.instruction() {
            "cvt" => {
                let types = [form.operand(), form.signature.result];
                if types.iter().any(|t| matches!(t.kind, Kind::Integer { .. })) {
                    "cvt_integer"
                } else if types.iter().any(|t| t.stride <= 8) {
                    NARROW
                } else {
                    "cvt"
                }
            }
            instruction => instruction,
        };
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, forms)) => forms.push(form),
            None => groups.push((name, vec![form])),
        }
    }
    groups
}

/// Returns the type of an element.
fn element(ty: &Type) -> TokenStream {
    let name = ident(ty.rust);
    if ty.has_methods() { quote!(crate::types::#name) } else { quote!(#name) }
}

/// Returns `true` if each lane of a result is a number and is computed from one lane of each
/// operand. Lanes share random bits: the conversions of scalars in [`lanes`] take those.
fn has_slices(form: &Form) -> bool {
    matches!(form.meaning().shape, Shape::Lanes | Shape::Convert | Shape::Pack)
}

/// Returns `true` if the result can overwrite the first operand.
fn is_in_place(form: &Form) -> bool {
    form.meaning().shape == Shape::Lanes
}

/// Defines `for_each_slice_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().filter(|f| has_slices(f)).map(|f| {
        let (function, assign) = names(f);
        let assign = is_in_place(f).then_some(assign);
        let (operands, result) = (f.signature.operands.iter().map(|t| ident(t.rust)), ident(f.signature.result.rust));
        let spelling = f.spelling();
        quote!(#function #assign #spelling (#(#operands)*) #result;)
    });
    quote! {
        /// Calls `callback! { function function_assign "form" (Type Type) Result; … }` with every
        /// form of `ptxf::slice`.
        ///
        /// A form that has no function in place has no second name.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($(
        ///         $function:ident $($assign:ident)? $form:literal
        ///         ($($operand:ident)*) $result:ident;
        ///     )*) => {
        ///         [$($form),*].len()
        ///     };
        /// }
        /// assert!(ptxf::for_each_slice_form!(count) > 200);
        /// ```
        #[macro_export]
        macro_rules! for_each_slice_form {
            ($callback:ident) => { $callback! { #(#rows)* } };
        }
    }
}

fn names(form: &Form) -> (proc_macro2::Ident, proc_macro2::Ident) {
    let name = ident(&form.function());
    let assign = format_ident!("{name}_assign");
    (name, assign)
}

/// Defines the functions of a form: into an output and, if operands and result have one type, in
/// place.
fn functions(form: &Form) -> TokenStream {
    let (name, assign) = names(form);
    let types: Vec<_> = form.signature.operands.iter().map(|t| element(t)).collect();
    let (ty, result) = (&types[0], element(form.signature.result));
    let effect = effects::effect(form);
    let modifiers = quote!({ #effect.code() });
    let all = operand_names(form);
    let rest = &all[1..];

    let operation = variant(form.meaning());
    let run = match form.meaning().shape {
        Shape::Lanes => quote!(into::<op::#operation, #ty, #modifiers>(&[#(#all.view()),*], out.target())),
        _ => conversion(form),
    };

    let spelling = form.spelling();
    let into_doc = docs::slice(form, &all, "out");
    let into = quote! {
        #[doc = #into_doc]
        #[doc(alias = #spelling)]
        #[inline]
        #[track_caller]
        pub fn #name<O: Output<#result>>(#(#all: impl Operand<#types>,)* mut out: O) -> O::Outcome {
            O::Outcome::of(#run)
        }
    };
    if !is_in_place(form) {
        return into;
    }
    let assign_doc = docs::slice(form, rest, "a");
    if rest.is_empty() {
        // In place there is no second length, so nothing can differ from the first.
        return quote! {
            #into
            #[doc = #assign_doc]
            #[inline]
            pub fn #assign(mut a: impl Output<#ty>) {
                let _ = assign::<op::#operation, #ty, #modifiers>(&[], a.target());
            }
        };
    }
    quote! {
        #into
        #[doc = #assign_doc]
        #[inline]
        #[track_caller]
        pub fn #assign<O: Output<#ty>>(mut a: O, #(#rest: impl Operand<#ty>),*) -> O::Outcome {
            O::Outcome::of(assign::<op::#operation, #ty, #modifiers>(&[#(#rest.view()),*], a.target()))
        }
    }
}

/// Returns the call that converts the operands to `out`.
fn conversion(form: &Form) -> TokenStream {
    let types = [form.operand(), form.signature.result];
    let (ty, result) = (element(types[0]), element(types[1]));
    let effect = effects::effect(form);
    let all = operand_names(form);
    let name = form.meaning().name;
    if form.of_group(Group::Scale).is_some() {
        let conversion = format_ident!("{name}_scaled");
        let (scale, numbers) = all.split_last().expect("a scale");
        let numbers = match numbers {
            [a] => quote!(#a.view()),
            _ => quote!([#(#numbers.view()),*]),
        };
        return quote!(#conversion(#effect, #numbers, #scale.view(), out.target()));
    }
    let [from_integer, to_integer] = types.map(|t| matches!(t.kind, Kind::Integer { .. }));
    if from_integer || to_integer {
        let conversion = ident(if to_integer { "cvt_to_integer" } else { "cvt_from_integer" });
        return quote!(#conversion(#effect, a.view(), out.target()));
    }
    // Two lanes of four bits are one element.
    let nibbles = form.operands() == 1 && types.iter().any(|t| t.ptx == "e2m1x2");
    let conversion = ident(if nibbles { "cvt_pairs" } else { name });
    quote!(run::#conversion::<#ty, #result, { #effect.code() }>(&[#(#all.view()),*], out.target()))
}
