//! `#[ptx_kernel]` and `#[ptx_fn]`.
//!
//! `parse` resolves names and types, `precision` decides which floats are f32, `classes` what differs between the threads
//! of a pair; `parity` knows which accesses are aligned, `explain` says all that, and `expand` prints Rust. What cannot be
//! converted is refused by the first of them that notices, on the user's token.

mod ast;
mod classes;
mod depth;
mod expand;
mod explain;
mod hygiene;
mod literal;
mod names;
mod options;
mod parity;
mod parse;
mod plain;
mod precision;
mod types;

use proc_macro2::TokenStream;
use syn::{Error, Result};

use ast::Type;
use options::Options;
use parse::Role;

/// `#[ptx_kernel(options)] item`
pub(crate) fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_kernel(options, item).map_or_else(Error::into_compile_error, hygiene::apart)
}

fn expand_kernel(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options: Options = syn::parse2(options)?;
    depth::check(&item)?;
    let item: syn::ItemFn = syn::parse2(item)?;
    let Some(pair) = options.pair else {
        options.refuse_conversion()?;
        return plain::expand(&item, &options);
    };
    let (mut kernel, types) = parse::parse(&item, Role::Kernel, &options.keep)?;
    precision::decide(&mut kernel, &types)?;
    classes::classify(&mut kernel, &types, &options)?;
    let plan = explain::plan(&kernel, &types, pair);
    if options.explain {
        eprint!("{plan}");
    }
    Ok(expand::kernel(&kernel, &types, &options, pair, &plan))
}

/// `#[ptx_fn(options)] item`
pub(crate) fn function(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_function(options, item).map_or_else(Error::into_compile_error, hygiene::apart)
}

fn expand_function(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = Options::of_function(options)?;
    depth::check(&item)?;
    let item: syn::ItemFn = syn::parse2(item)?;
    let (mut kernel, types) = parse::parse(&item, Role::Function, &options.keep)?;
    if kernel.result == Type::Unit {
        return Err(Error::new(item.sig.ident.span(), "a `#[ptx_fn]` returns a value: write `-> f32`, say"));
    }
    precision::decide(&mut kernel, &types)?;
    classes::classify(&mut kernel, &types, &options)?;
    Ok(expand::function(&kernel, &types, &options))
}

/// All complaints as one.
fn all(errors: Vec<Error>) -> Result<()> {
    match errors.into_iter().reduce(|mut all, e| {
        all.combine(e);
        all
    }) {
        None => Ok(()),
        Some(e) => Err(e),
    }
}

#[cfg(test)]
mod tests;
