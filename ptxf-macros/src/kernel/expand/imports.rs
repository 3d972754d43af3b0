//! Uses of imports that only the macro reads, so that the compiler does not report them as unused.
//!
//! ```text
//! use ptxf::{E4m3, F16x2};  use ptxf::kernel::ThreadX;      which a user may write, or not
//! #[ptx_kernel(pair = F16x2)]
//! fn k(t: ThreadX, x: &[E4m3], …)
//! ```
//!
//! The expansion has none of these names: it writes `::ptxf::F16`, and takes the index from the
//! launch. So it names them once more, in two blocks, one inside of the other. The outer block
//! imports them from the library. The inner block has a glob import of the user's module, which
//! takes precedence over the outer block. So a name is the user's import if there is one, and the
//! library's otherwise.
//!
//! A user's own type of that name counts as an import, and must be a type without parameters. An
//! import in a function's body is still reported as unused, since no glob reaches it.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::ast::Kernel;
use super::super::memory_format::Stored;
use super::super::options::Pair;

/// Prints the blocks for the types in the signature, and for the pair if there is one.
pub(super) fn used(kernel: &Kernel, path: &TokenStream, pair: Option<Pair>) -> TokenStream {
    let (mut types, mut supplied): (BTreeSet<_>, _) = (pair.map(Pair::name).into_iter().collect(), BTreeSet::new());
    for v in &kernel.variables {
        types.extend(v.stored.map(Stored::name));
        supplied.extend(v.kind.supplied_type());
    }
    if types.is_empty() && supplied.is_empty() {
        return TokenStream::new();
    }
    let types: Vec<_> = types.into_iter().map(|name| format_ident!("{name}")).collect();
    let supplied: Vec<_> = supplied.into_iter().map(|name| format_ident!("{name}")).collect();
    quote! {
        #[allow(
            unused_imports, elided_lifetimes_in_paths, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
        const _: () = {
            use #path::{#(#types,)* kernel::{#(#supplied,)*}};
            const _: () = {
                use self::*;
                #(let _: ::core::option::Option<#types>;)*
                #(let _: ::core::option::Option<#supplied>;)*
            };
        };
    }
}
