//! The forms over slices.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::meanings::variant;
use super::{docs, effect, ident, is_lanewise, operand_names};
use ptxf_spec::{Form, Table};

/// The items of `ptxf::slice`.
pub(crate) fn slices(table: &Table) -> TokenStream {
    table.canonical().filter(|f| is_lanewise(f)).map(functions).collect()
}

/// The definition of `for_each_slice_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().filter(|f| is_lanewise(f)).map(|f| {
        let (function, assign) = names(f);
        let (ty, spelling, n) = (ident(f.operand().rust), f.spelling(), f.operands());
        let operands = proc_macro2::Literal::usize_unsuffixed(n);
        quote!(#function #assign #spelling #ty #operands;)
    });
    quote! {
        /// Calls `callback! { function function_assign "form" Type operands; … }` with every form that [`slice`](mod@slice) has.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($function:ident $assign:ident $form:literal $ty:ident $operands:literal;)*) => { [$($form),*].len() };
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

/// The four functions of a form.
fn functions(form: &Form) -> TokenStream {
    let (name, assign) = names(form);
    let (try_name, try_assign) = (format_ident!("try_{name}"), format_ident!("try_{assign}"));
    let ty = ident(form.operand().rust);
    let operation = variant(form.meaning());
    let effect = effect(form);
    let modifiers = quote!({ #effect.code() });
    let all = operand_names(form);
    let rest = &all[1..];

    let spelling = form.spelling();
    let (summary, _) = docs::section(form);
    let call =
        |operands: &[proc_macro2::Ident]| operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let into_doc = format!(
        "{summary}\n\n`out[i] = `[`{name}`](crate::ptx::{name})`({})`, for every `i`.\n\n# Panics\n\nIf an operand's length is not that of `out`.",
        call(&all).replace(", ", "[i], ") + "[i]"
    );
    let assign_doc = format!(
        "{summary}\n\n`a[i] = `[`{name}`](crate::ptx::{name})`({})`, for every `i`.\n\n# Panics\n\nIf an operand's length is not that of `a`.",
        call(&all).replace(", ", "[i], ") + "[i]"
    );
    let try_doc = |of: &proc_macro2::Ident| {
        format!("[`{of}`] for lengths that may differ.\n\n# Errors\n\nThen nothing is computed.")
    };
    let (try_into_doc, try_assign_doc) = (try_doc(&name), try_doc(&assign));
    quote! {
        #[doc = #into_doc]
        #[doc(alias = #spelling)]
        #[inline]
        #[track_caller]
        pub fn #name(#(#all: impl Operand<#ty>,)* out: impl Output<#ty>) {
            #try_name(#(#all,)* out).unwrap_or_else(|e| e.panic());
        }
        #[doc = #try_into_doc]
        #[inline]
        pub fn #try_name(#(#all: impl Operand<#ty>,)* mut out: impl Output<#ty>) -> Result<(), LengthError> {
            into::<op::#operation, #ty, #modifiers>(&[#(#all.view()),*], out.target())
        }
        #[doc = #assign_doc]
        #[inline]
        #[track_caller]
        pub fn #assign(a: impl Output<#ty>, #(#rest: impl Operand<#ty>),*) {
            #try_assign(a, #(#rest),*).unwrap_or_else(|e| e.panic());
        }
        #[doc = #try_assign_doc]
        #[inline]
        pub fn #try_assign(mut a: impl Output<#ty>, #(#rest: impl Operand<#ty>),*) -> Result<(), LengthError> {
            assign::<op::#operation, #ty, #modifiers>(&[#(#rest.view()),*], a.target())
        }
    }
}
