//! The names of a device's entries, of which a crate has each once.
//!
//! A macro does not know which module its kernel is in, so it cannot see another kernel of the same name. But a `macro_rules!` that is
//! `#[macro_export]`ed is at the crate's root from everywhere: one is named after each entry, so that the second of a name is an error
//! that shows both places.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// An item that a crate can have once, whatever the modules: the compiler says on the second kernel's name that there is
/// another one, where the assembler would say, without a place, that a symbol is defined.
///
/// What the compiler quotes of it is its name, so that is the way out.
pub(crate) fn claim_symbol(symbol: &str, kernel: &Ident) -> TokenStream {
    let name = format_ident!("__entry_{symbol}_is_there_already__use_the_option_prefix", span = kernel.span());
    quote! {
        #[doc(hidden)]
        #[allow(non_local_definitions)]
        #[macro_export]
        macro_rules! #name {
            () => {};
        }
    }
}
