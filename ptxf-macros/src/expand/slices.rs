//! `ptxf::slice`: the forms over slices, into an output and in place.
//!
//! All of them are generic in their operands, so that a build pays only for those that it calls.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::meanings::variant;
use super::{docs, effects, ident, operand_names};
use ptxf_spec::meaning::Shape;
use ptxf_spec::types::Type;
use ptxf_spec::{Form, Table};

/// The items of `ptxf::slice`.
pub(crate) fn slices(table: &Table) -> TokenStream {
    table.canonical().filter(|f| has_slices(f)).map(functions).collect()
}

/// Types that slices have as elements.
const ELEMENTS: [&str; 14] = [
    "f16", "bf16", "f16x2", "bf16x2", "f32", "f32x2", "f64", "tf32", "e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2",
    "ue8m0x2",
];

/// The type of an element.
fn element(ty: &Type) -> TokenStream {
    let name = ident(ty.rust);
    if ty.has_methods() { quote!(crate::types::#name) } else { quote!(#name) }
}

/// Whether each lane of a result is computed from one lane of each operand, is a number, and can be an element.
fn has_slices(form: &Form) -> bool {
    let conversion = matches!(form.meaning().name, "cvt" | "cvt_pack");
    let types = form.signature.operands.iter().chain([&form.signature.result]);
    let scaled = form.modifiers.iter().any(|m| m.ptx.contains("::"));
    (form.meaning().shape == Shape::Lanes || conversion && !scaled)
        && types.into_iter().all(|t| ELEMENTS.contains(&t.ptx))
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
    let (ty, result) = (element(form.operand()), element(form.signature.result));
    let effect = effects::effect(form);
    let modifiers = quote!({ #effect.code() });
    let all = operand_names(form);
    let rest = &all[1..];

    let operation = variant(form.meaning());
    let run = match form.meaning().shape {
        Shape::Lanes => quote!(into::<op::#operation, #ty, #modifiers>),
        _ => {
            // Two lanes of four bits are one element.
            let types = [form.operand(), form.signature.result];
            let nibbles = form.operands() == 1 && types.iter().any(|t| t.ptx == "e2m1x2");
            let conversion = ident(if nibbles { "cvt_pairs" } else { form.meaning().name });
            quote!(run::#conversion::<#ty, #result, #modifiers>)
        }
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
        pub fn #name(#(#all: impl Operand<#ty>,)* out: impl Output<#result>) {
            if let Err(e) = #try_name(#(#all,)* out) {
                e.panic();
            }
        }
        #[doc = #try_into_doc]
        #[inline]
        pub fn #try_name(#(#all: impl Operand<#ty>,)* mut out: impl Output<#result>) -> Result<(), LengthError> {
            #run(&[#(#all.view()),*], out.target())
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
            if let Err(e) = #try_assign(a, #(#rest),*) {
                e.panic();
            }
        }
        #[doc = #try_assign_doc]
        #[inline]
        pub fn #try_assign(mut a: impl Output<#ty>, #(#rest: impl Operand<#ty>),*) -> Result<(), LengthError> {
            assign::<op::#operation, #ty, #modifiers>(&[#(#rest.view()),*], a.target())
        }
    }
}
