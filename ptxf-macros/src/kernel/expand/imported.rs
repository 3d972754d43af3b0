//! Names that only the macro reads, so that a `use` of them which the user wrote for that is not called unused.
//!
//! ```text
//! use ptxf::F16x2;  use ptxf::kernel::ThreadX;      the user's, or not
//! #[ptx_kernel(pair = F16x2)]
//! fn k(t: ThreadX, …)
//! ```
//!
//! The expansion names them once more in two blocks. The inner one sees the user's module through a glob: what is imported there goes
//! before what the outer block imports, which is found where the user has imported nothing.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::ast::Kernel;
use super::super::options::Pair;
use super::super::stored::Stored;

/// The blocks, for the pair and for the types in the kernel's signature.
pub(super) fn used(kernel: &Kernel, path: &TokenStream, pair: Pair) -> TokenStream {
    let (mut types, mut supplied) = (BTreeSet::from([pair.name()]), BTreeSet::new());
    for v in &kernel.variables {
        types.extend(v.stored.map(Stored::name));
        supplied.extend(v.kind.supplied_type());
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
