//! `ptxf::slice`: the forms over slices, into an output and in place.
//!
//! All of them are generic in their operands, so that a build pays only for those that it calls.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::meanings::variant;
use super::{docs, effects, ident, operand_names};
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::Group;
use ptxf_spec::types::{Kind, Type};
use ptxf_spec::{Form, Table};

/// The items of `ptxf::slice`.
pub(crate) fn slices(table: &Table) -> TokenStream {
    table.canonical().filter(|f| has_slices(f)).map(functions).collect()
}

/// The type of an element.
fn element(ty: &Type) -> TokenStream {
    let name = ident(ty.rust);
    if ty.has_methods() { quote!(crate::types::#name) } else { quote!(#name) }
}

/// Whether each lane of a result is computed from one lane of each operand, and is a number. Random bits are shared by lanes, and
/// there are functions of scalars for them.
fn has_slices(form: &Form) -> bool {
    matches!(form.meaning().shape, Shape::Lanes | Shape::Convert | Shape::Pack)
}

/// Whether the first operand can be overwritten with the result.
fn is_in_place(form: &Form) -> bool {
    form.meaning().shape == Shape::Lanes
}

/// The definition of `for_each_slice_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().filter(|f| has_slices(f)).map(|f| {
        let (function, assign) = names(f);
        let assign = is_in_place(f).then_some(assign);
        let (operands, result) = (f.signature.operands.iter().map(|t| ident(t.rust)), ident(f.signature.result.rust));
        let spelling = f.spelling();
        quote!(#function #assign #spelling (#(#operands)*) #result;)
    });
    quote! {
        /// Calls `callback! { function function_assign "form" (Type Type) Result; … }` with every form that [`slice`](mod@slice)
        /// has, without the second name if it has no function in place.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($function:ident $($assign:ident)? $form:literal ($($operand:ident)*) $result:ident;)*) => { [$($form),*].len() };
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

/// The functions of a form: into an output and, if it has one type, in place, each with a panic and with an error where lengths
/// can differ.
fn functions(form: &Form) -> TokenStream {
    let (name, assign) = names(form);
    let (try_name, try_assign) = (format_ident!("try_{name}"), format_ident!("try_{assign}"));
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
    let (summary, _) = docs::section(form);
    let call =
        |operands: &[proc_macro2::Ident]| operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let value =
        format!("[`{name}`](crate::ptx::{name})`({})`, for every `i`", call(&all).replace(", ", "[i], ") + "[i]");
    let panics = |fallible: &proc_macro2::Ident, operands: &[proc_macro2::Ident], output: &str| {
        let differ = docs::lengths(operands, output);
        format!("# Panics\n\nIt panics if {differ}. [`{fallible}`] returns an error instead.")
    };
    let errors = |of: &proc_macro2::Ident, operands: &[proc_macro2::Ident], output: &str| {
        let differ = docs::lengths(operands, output);
        format!(
            "[`{of}`], with an error instead of a panic where lengths differ.\n\n# Errors\n\nIt returns [`LengthError`] if {differ}. \
             The error names the operand and both lengths, and nothing is written to `{output}`."
        )
    };
    let into_doc = format!("{summary}\n\n`out[i] = `{value}.\n\n{}", panics(&try_name, &all, "out"));
    let try_into_doc = errors(&name, &all, "out");
    let into = quote! {
        #[doc = #into_doc]
        #[doc(alias = #spelling)]
        #[inline]
        #[track_caller]
        pub fn #name(#(#all: impl Operand<#types>,)* out: impl Output<#result>) {
            must(#try_name(#(#all,)* out));
        }
        #[doc = #try_into_doc]
        #[inline]
        pub fn #try_name(#(#all: impl Operand<#types>,)* mut out: impl Output<#result>) -> Result<(), LengthError> {
            #run
        }
    };
    if !is_in_place(form) {
        return into;
    }
    if rest.is_empty() {
        // In place there is no second length, so nothing can differ from the first.
        let assign_doc = format!("{summary}\n\n`a[i] = `{value}.");
        return quote! {
            #into
            #[doc = #assign_doc]
            #[inline]
            pub fn #assign(mut a: impl Output<#ty>) {
                let _ = assign::<op::#operation, #ty, #modifiers>(&[], a.target());
            }
        };
    }
    let assign_doc = format!("{summary}\n\n`a[i] = `{value}.\n\n{}", panics(&try_assign, rest, "a"));
    let try_assign_doc = errors(&assign, rest, "a");
    quote! {
        #into
        #[doc = #assign_doc]
        #[inline]
        #[track_caller]
        pub fn #assign(a: impl Output<#ty>, #(#rest: impl Operand<#ty>),*) {
            must(#try_assign(a, #(#rest),*));
        }
        #[doc = #try_assign_doc]
        #[inline]
        pub fn #try_assign(mut a: impl Output<#ty>, #(#rest: impl Operand<#ty>),*) -> Result<(), LengthError> {
            assign::<op::#operation, #ty, #modifiers>(&[#(#rest.view()),*], a.target())
        }
    }
}

/// What runs a conversion from the operands to `out`.
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
