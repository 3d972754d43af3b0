//! `for_each_form!`, which tests and benches iterate.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, operator_value, rust};
use ptxf_spec::Table;

/// The definition of `for_each_form!`.
pub(crate) fn callback(table: &Table) -> TokenStream {
    let rows = table.canonical().map(|f| {
        let (name, function, spelling) = (ident(&f.identifier()), ident(&f.function()), f.spelling());
        let operators = f.operators().map(operator_value);
        let operands = f.signature.operands.iter().map(|t| rust(t));
        let result = rust(f.signature.result);
        quote!(#name #function(#($crate::#operators,)*) #spelling (#(#operands)*) #result;)
    });
    quote! {
        /// Calls `callback! { name function(argument,) "form" (Type Type) Result; … }` with every form whose rounding is spelled.
        ///
        /// The name is the form's own and an identifier. The function is called with the argument, which a comparison has alone,
        /// and one operand of each of the types.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($name:ident $function:ident($($argument:path,)?) $form:literal ($($operand:ident)*) $result:ident;)*) => {
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
