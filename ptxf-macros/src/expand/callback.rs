//! `for_each_form!`, which tests and benches expand.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, operators, rust};
use ptxf_spec::Table;

/// Defines `for_each_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().map(|f| {
        let (function, spelling) = (ident(&f.function()), f.spelling());
        let lists = operators(f).into_iter().zip(f.operators.lists()).map(|((_, ty), list)| {
            let (ty, variants) = (ident(ty), list.iter().map(|m| ident(m.rust)));
            quote!(#ty #(#variants)*)
        });
        let mut lists = lists.collect::<Vec<_>>().into_iter();
        let (comparison, boolean) = (lists.next(), lists.next());
        let operands = f.signature.operands.iter().map(|t| rust(t));
        let result = rust(f.signature.result);
        quote!(#function #spelling [#comparison] [#boolean] (#(#operands)*) #result;)
    });
    quote! {
        /// Calls
        /// `callback! { function "form" [Comparison Eq …] [BoolOp And …] (Type Type) Result; … }`
        /// with every form whose rounding is spelled.
        ///
        /// The function takes one variant of the type in each bracket that is not empty, and one
        /// operand of each type.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($(
        ///         $function:ident $form:literal [$($comparison:ident)*] [$($boolean:ident)*]
        ///         ($($operand:ident)*) $result:ty;
        ///     )*) => {
        ///         [$($form),*].len()
        ///     };
        /// }
        /// let forms = ptxf::for_each_form!(count);
        /// assert!(forms < ptxf::spec::FORMS.len()); // some spellings leave out the rounding
        /// ```
        #[macro_export]
        macro_rules! for_each_form {
            ($callback:ident) => { $callback! { #(#rows)* } };
        }
    }
}
