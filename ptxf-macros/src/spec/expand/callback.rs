//! `for_each_form!`, which tests and benches iterate.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::Table;
use super::ident;

/// The definition of `for_each_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().map(|f| {
        let (function, ty, spelling, n) = (ident(&f.function()), ident(f.ty.rust), f.spelling(), f.operands());
        let operands = proc_macro2::Literal::usize_unsuffixed(n);
        quote!(#function #spelling #ty #operands;)
    });
    quote! {
        /// Calls `callback! { function "form" Type operands; … }` with every form that has a function.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($function:ident $form:literal $ty:ident $operands:literal;)*) => { [$($form),*].len() };
        /// }
        /// let functions = ptxf::for_each_form!(count);
        /// assert!(functions < ptxf::spec::FORMS.len()); // some spellings share a function
        /// ```
        #[macro_export]
        macro_rules! for_each_form {
            ($callback:ident) => { $callback! { #(#rows)* } };
        }
    }
}
