//! `#[ptx_kernel]` and `#[ptx_fn]`: one function becomes a kernel for one thread, for two threads,
//! and for as many as a vector has lanes.
//!
//! ```text
//! tokens ─ depth, input ► syn ─ header, attributes, options
//!        ─ parse ► a tree (ast), names resolved, types inferred (types)
//!        ─ fuse ► makes one `fma` of a product and a sum, by the option of that name
//!        ─ precision ► finds which floats are elements and which are f32
//!        ─ ownership ► finds which elements of outputs are the thread's own
//!        ─ races ► refuses accesses whose result depends on the order of threads
//!        ─ classes ► finds what differs between the threads of a pair, and what some of them skip
//!        ─ parity, explain ► finds which accesses are aligned, and writes the plan
//!        ─ expand ► prints Rust; hygiene keeps its names apart from the user's
//! ```
//!
//! Each pass refuses what it cannot convert, on the user's token. A kernel without `pair` is
//! ordinary Rust and skips all passes:
//! `plain` prints a launch around it.
//!
//! The macro infers types and classes itself, by unification and by a fixpoint over the body. So
//! `k::PLAN` can report what a variable became, an error stands on the user's token, and each
//! operation is printed as the method for exactly its representation. Rust's type checker then
//! checks the printed code. A trait for every mixture of uniform and varying operands would give
//! none of the three.
//!
//! Tuples and structures (`parts`) end in the parser, which makes a variable of each part. An
//! attribute sees its function only, so `#[ptx_module]` (`module`) writes the module's declarations
//! into it (`module_items`). Functions with references, arrays, barriers or generic parameters
//! (`inline_functions`) end in the parser, too: it puts their body in place of each call.
//!
//! A new construct of kernels takes a variant in `ast`, an arm in `visit`, its syntax in `parse`,
//! its rules in `precision` and `classes`, and its printing in `expand`. The compiler reports each
//! missing one except the syntax.

mod ast;
mod attributes;
mod classes;
mod depth;
mod entry;
mod expand;
mod explain;
mod fuse;
pub(crate) mod header;
mod hygiene;
mod inline_functions;
mod literal;
mod literal_overflow;
mod memory_format;
mod module;
mod module_items;
mod names;
mod options;
mod ownership;
mod parity;
mod parse;
mod parts;
mod plain;
mod precision;
mod races;
mod scalar_type;
mod types;
mod visit;

use proc_macro2::TokenStream;
use syn::parse::Parse;
use syn::{Error, ItemFn, Result};

use crate::input;
use header::Role;
use options::Options;

pub(crate) use module::module;

/// Expands `#[ptx_kernel(options)] item`.
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
    let (mut kernel, mut types) = parse::parse(&item, Role::Kernel, &options)?;
    floats(&mut kernel, &types)?;
    ownership::find(&mut kernel, &mut types)?;
    races::check(&mut kernel)?;
    classes::classify(&mut kernel, &types, &options)?;
    kernel.overflows = literal_overflow::find(&kernel, pair);
    let plan = explain::plan(&kernel, &types, pair);
    if options.explain {
        eprint!("{plan}");
    }
    Ok(hygiene::resolve_in_expansion(expand::kernel(&kernel, &types, &options, pair, &plan)?))
}

/// Expands `#[ptx_fn(options)] item`.
pub(crate) fn function(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_function(options, item).map_or_else(Error::into_compile_error, hygiene::resolve_in_expansion)
}

fn expand_function(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = Options::of_function(options)?;
    let item = function_item(item)?;
    let inlined = inline_functions::reason(&item);
    let parsed = match item.sig.generics.type_params().next() {
        None => parse::parse(&item, Role::Function, &options),
        // A function may be for floats only, or for integers only.
        Some(_) => inline_functions::types_stand_alone(&item).and_then(|()| {
            let of = |ty| parse::parse(&inline_functions::with_one_type(&item, ty)?, Role::Function, &options);
            of("f32").or_else(|e| of("u32").map_err(|_| e))
        }),
    };
    let outside =
        inlined.as_ref().filter(|_| options.items.module.is_none()).map(inline_functions::InlineReason::outside);
    let (mut kernel, types) = match (parsed, outside) {
        (Err(e), outside) => {
            return Err(outside.into_iter().fold(e, |mut all, e| {
                all.combine(e);
                all
            }));
        }
        (Ok(_), Some(e)) => return Err(e),
        (Ok(parsed), None) => parsed,
    };
    if inlined.is_some() {
        floats(&mut kernel, &types)?;
        return Ok(expand::inlined(&kernel, &options.path, &item.sig.generics));
    }
    if !kernel.is_function() {
        return Err(Error::new(
            item.sig.ident.span(),
            "this `#[ptx_fn]` returns nothing: write a result, such as `-> \
             f32`",
        ));
    }
    floats(&mut kernel, &types)?;
    classes::classify(&mut kernel, &types, &options)?;
    Ok(expand::function(&kernel, &types, &options))
}

/// Fuses products, and decides the precision of every float.
fn floats(kernel: &mut ast::Kernel, types: &types::Types) -> Result<()> {
    fuse::sums(kernel, types);
    precision::decide(kernel, types)?;
    fuse::signs(kernel);
    Ok(())
}

fn function_item(item: TokenStream) -> Result<ItemFn> {
    depth::check(&item)?;
    input::whole(item, ItemFn::parse).map_err(|e| {
        let message = format!("this attribute stands on a function with a body, outside of traits and `impl`s: {e}");
        Error::new(e.span(), message)
    })
}

/// Combines all errors into one.
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
