//! The names of a device's entries, which are unique in a crate.
//!
//! A macro does not see the module that its kernel is in, nor another kernel of the same name. A
//! `macro_rules!` with `#[macro_export]` is at the crate's root, from every module. So each entry
//! gets such a macro with its name, and the second of a name is an error that shows both places.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Prints an item that a crate can have once. For a second kernel of the name the compiler reports
/// both places. Without the item the assembler would report a duplicate symbol without a place.
///
/// The compiler prints the macro's name, so the name says what to write.
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
