//! `#[ptx_kernel]` and `#[ptx_fn]`: from one function to a kernel for one thread, for two, and for a vector's.
//!
//! ```text
//! tokens ─ depth, input ► syn ─ header, attributes, options ► parse: a tree (ast), names resolved, types inferred (types)
//!        ─ precision ► which floats are elements and which are f32
//!        ─ own ► which elements of outputs are the thread's own
//!        ─ atomics ► whether what threads do to an element at the same time has one result
//!        ─ classes ► what differs between the threads of a pair, and which assignments and jumps are for some of them only
//!        ─ parity, explain ► which accesses are aligned, and the plan in words
//!        ─ expand ► Rust, whose names hygiene keeps apart from the user's
//! ```
//!
//! The first of these that notices what cannot be converted refuses it, on the user's token. A kernel without `pair` is ordinary
//! Rust and takes none of this way: `plain` prints a launch around it.
//!
//! The macro knows types and classes itself, by unification and by a fixpoint over the body. So it can say what a variable became,
//! refuse on the user's token, and print each operation as the method for exactly that representation; Rust's types then check what
//! it printed. A trait for every mixture of uniform and varying operands would have done neither.
//!
//! Tuples and structures (`parts`) end in the parser, which makes a variable of each part. What the attribute cannot see of the module
//! around its function, `#[ptx_module]` (`module`) writes into it (`known`). Functions with references, arrays, constants of their own or
//! barriers (`inlined`) end in the parser, too: their body stands where they are called.
//!
//! A construct that is added to kernels takes a variant in `ast`, an arm in `visit`, its syntax in `parse`, its rules in `precision` and
//! `classes`, and its print in `expand`; the compiler asks for all of them but the syntax.

mod ast;
mod atomics;
mod attributes;
mod classes;
mod depth;
mod entry;
mod expand;
mod explain;
pub(crate) mod header;
mod hygiene;
mod inlined;
mod known;
mod literal;
mod lost;
mod module;
mod names;
mod options;
mod own;
mod parity;
mod parse;
mod parts;
mod plain;
mod precision;
mod stored;
mod types;
mod visit;

use proc_macro2::TokenStream;
use syn::parse::Parse;
use syn::{Error, ItemFn, Result};

use crate::input;
use header::Role;
use options::Options;

pub(crate) use module::module;

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
    let (mut kernel, mut types) = parse::parse(&item, Role::Kernel, &options)?;
    precision::decide(&mut kernel, &types)?;
    own::find(&mut kernel, &mut types)?;
    atomics::check(&kernel)?;
    classes::classify(&mut kernel, &types, &options)?;
    kernel.lost = lost::find(&kernel, pair);
    let plan = explain::plan(&kernel, &types, pair);
    if options.explain {
        eprint!("{plan}");
    }
    Ok(hygiene::resolve_in_expansion(expand::kernel(&kernel, &types, &options, pair, &plan)?))
}

/// `#[ptx_fn(options)] item`
pub(crate) fn function(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_function(options, item).map_or_else(Error::into_compile_error, hygiene::resolve_in_expansion)
}

fn expand_function(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = Options::of_function(options)?;
    let item = function_item(item)?;
    let inlined = inlined::why(&item);
    let parsed = match item.sig.generics.type_params().next() {
        None => parse::parse(&item, Role::Function, &options),
        // Some functions are of floats, and some of integers.
        Some(_) => inlined::types_stand_alone(&item).and_then(|()| {
            let of = |ty| parse::parse(&inlined::with_one_type(&item, ty)?, Role::Function, &options);
            of("f32").or_else(|e| of("u32").map_err(|_| e))
        }),
    };
    let outside = inlined.as_ref().filter(|_| options.known.module.is_none()).map(inlined::Why::outside);
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
        precision::decide(&mut kernel, &types)?;
        return Ok(expand::inlined(&kernel, &options.path, &item.sig.generics));
    }
    if !kernel.is_function() {
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
