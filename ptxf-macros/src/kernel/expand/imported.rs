//! Keeps an import from being called unused whose name only the macro reads.
//!
//! ```text
//! use ptxf::{E4m3, F16x2};  use ptxf::kernel::ThreadX;      which a user may write, or not
//! #[ptx_kernel(pair = F16x2)]
//! fn k(t: ThreadX, x: &[E4m3], …)
//! ```
//!
//! The expansion has none of these names: it says `::ptxf::F16`, and takes the index from the launch. So it names them once more, in two
//! blocks, one inside of the other. The outer block imports them from the library. The inner one has a glob import of the user's module,
//! whose names go before those of the outer block: a name is the user's import where there is one, and else the library's.
//!
//! A user's own type of that name is taken for an import, and has to be a type without parameters. An import in a function's body, where no
//! glob can reach it, is still called unused.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::ast::Kernel;
use super::super::options::Pair;
use super::super::stored::Stored;

/// The blocks, for the pair and for the types in the signature, if there is one.
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
