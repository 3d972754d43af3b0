//! `#[ptx_kernel]` and `#[ptx_fn]`.
//!
//! `parse` resolves names and types, `precision` decides which floats are f32, `classes` what differs between the threads
//! of a pair; `parity` knows which accesses are aligned, `explain` says all that, and `expand` prints Rust. What cannot be
//! converted is refused by the first of them that notices, on the user's token.

mod ast;
mod attributes;
mod classes;
mod depth;
mod entry;
mod expand;
mod explain;
mod header;
mod hygiene;
mod literal;
mod names;
mod options;
mod parity;
mod parse;
mod plain;
mod precision;
mod types;
mod visit;

use proc_macro2::TokenStream;
use syn::parse::Parse;
use syn::{Error, ItemFn, Result};

use crate::input;
use ast::Type;
use options::Options;
use parse::Role;

/// `#[ptx_kernel(options)] item`
pub(crate) fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_kernel(options, item).unwrap_or_else(Error::into_compile_error)
}

fn expand_kernel(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = input::whole(options, Options::parse)?;
    let item = function_item(item)?;
    let Some(pair) = options.pair else {
        options.refuse_conversion()?;
        return plain::expand(&item, &options);
    };
    let (mut kernel, types) = parse::parse(&item, Role::Kernel, &options)?;
    precision::decide(&mut kernel, &types)?;
    classes::classify(&mut kernel, &types, &options)?;
    let plan = explain::plan(&kernel, &types, pair);
    if options.explain {
        eprint!("{plan}");
    }
    Ok(hygiene::apart(expand::kernel(&kernel, &types, &options, pair, &plan)?))
}

/// `#[ptx_fn(options)] item`
pub(crate) fn function(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_function(options, item).map_or_else(Error::into_compile_error, hygiene::apart)
}

fn expand_function(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = Options::of_function(options)?;
    let item = function_item(item)?;
    let (mut kernel, types) = parse::parse(&item, Role::Function, &options)?;
    if kernel.result == Type::Unit {
        return Err(Error::new(item.sig.ident.span(), "a `#[ptx_fn]` returns a value: write `-> f32`, say"));
    }
    precision::decide(&mut kernel, &types)?;
    classes::classify(&mut kernel, &types, &options)?;
    Ok(expand::function(&kernel, &types, &options))
}

fn function_item(item: TokenStream) -> Result<ItemFn> {
    depth::check(&item)?;
    input::whole(item, ItemFn::parse).map_err(|e| {
        let message = format!("this attribute stands on a function with a body, outside of traits and `impl`s: {e}");
        Error::new(e.span(), message)
    })
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
mod golden;
#[cfg(test)]
mod tests;
