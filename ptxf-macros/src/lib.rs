//! The procedural macros of the crate `ptxf`: `ptx!`, `unary_table!`, `#[ptx_kernel]`, `#[ptx_fn]`
//! and `#[ptx_module]`.
//!
//! The documentation of [`ptxf`](https://docs.rs/ptxf) has a page for each of them. The other
//! macros expand the table of instructions for the crates that `ptxf` consists of.

#![forbid(unsafe_code)]

mod expand;
#[cfg(test)]
#[expect(unreachable_pub, reason = "the library in `fuzz/` includes this module and exports it")]
mod fuzz;
mod inline;
mod input;
mod kernel;
mod ptx;
mod table;

use proc_macro::TokenStream;

/// Expands `f` over the table, or into the table's errors.
fn over_table(f: impl FnOnce(&ptxf_spec::Table) -> proc_macro2::TokenStream) -> TokenStream {
    // The table's tokens have no Rust spans; the message names file, line and column instead.
    let error = |e| syn::Error::new(proc_macro2::Span::call_site(), e).into_compile_error();
    ptxf_spec::table().map_or_else(error, f).into()
}

/// A constant for each set of modifiers, for `ptxf_core::modifiers`.
#[doc(hidden)]
#[proc_macro]
pub fn effects(_: TokenStream) -> TokenStream {
    over_table(expand::effects)
}

/// One function per form, for `ptxf_core::ptx`.
#[doc(hidden)]
#[proc_macro]
pub fn functions(_: TokenStream) -> TokenStream {
    over_table(expand::functions)
}

/// One method per form, for `ptxf_core::types`.
#[doc(hidden)]
#[proc_macro]
pub fn methods(_: TokenStream) -> TokenStream {
    over_table(expand::methods)
}

/// The array of `FormInfo`, for `ptxf_core::spec`.
#[doc(hidden)]
#[proc_macro]
pub fn forms(_: TokenStream) -> TokenStream {
    over_table(expand::info)
}

/// The meanings as an enumeration, for `ptxf_core::sem`.
#[doc(hidden)]
#[proc_macro]
pub fn meanings(_: TokenStream) -> TokenStream {
    expand::meanings().into()
}

/// The definition of `for_each_form!`.
#[doc(hidden)]
#[proc_macro]
pub fn callback(_: TokenStream) -> TokenStream {
    over_table(expand::callback)
}

/// The forms over slices, for `ptxf_core::slice`.
#[doc(hidden)]
#[proc_macro]
pub fn slices(_: TokenStream) -> TokenStream {
    over_table(expand::slices)
}

/// The definition of `for_each_slice_form!`.
#[doc(hidden)]
#[proc_macro]
pub fn slices_callback(_: TokenStream) -> TokenStream {
    over_table(expand::slices_callback)
}

/// The definition of `for_each_slice_lane!`.
#[doc(hidden)]
#[proc_macro]
pub fn slice_lanes_callback(_: TokenStream) -> TokenStream {
    expand::lanes_callback().into()
}

/// The approximate forms as methods of a model, for `ptxf_tables::device`.
#[doc(hidden)]
#[proc_macro]
pub fn models(_: TokenStream) -> TokenStream {
    over_table(expand::models)
}

/// Inlines a function, or each function of an `impl` or a trait, where debug assertions are off.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn inline_in_release(_: TokenStream, item: TokenStream) -> TokenStream {
    inline::in_release(item.into()).into()
}

/// `ptx!` for its wrapper, which passes the path of the crate first.
#[doc(hidden)]
#[proc_macro]
pub fn ptx(input: TokenStream) -> TokenStream {
    ptx::expand(input.into()).into()
}

/// `unary_table!` for its wrapper, which passes the path of the crate first.
#[doc(hidden)]
#[proc_macro]
pub fn unary_table(input: TokenStream) -> TokenStream {
    table::expand(input.into()).into()
}

// `ptxf` documents the attributes where it re-exports them: links and examples need the library.

#[allow(missing_docs, reason = "the re-exports in `ptxf` have the documentation")]
#[proc_macro_attribute]
pub fn ptx_kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    kernel::kernel(options.into(), item.into()).into()
}

#[allow(missing_docs, reason = "the re-exports in `ptxf` have the documentation")]
#[proc_macro_attribute]
pub fn ptx_module(options: TokenStream, item: TokenStream) -> TokenStream {
    kernel::module(options.into(), item.into()).into()
}

#[allow(missing_docs, reason = "the re-exports in `ptxf` have the documentation")]
#[proc_macro_attribute]
pub fn ptx_fn(options: TokenStream, item: TokenStream) -> TokenStream {
    kernel::function(options.into(), item.into()).into()
}
