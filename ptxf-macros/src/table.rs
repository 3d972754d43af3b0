//! `unary_table!`: an expression of one variable, evaluated for all 65,536 inputs when it is
//! expanded.
//!
//! ```text
//! tokens ─ parse ► options and an expression ─ lower ► a checked program ─ eval ► results
//!        ─ shape ► the stored bytes ─ expand ► a `static` of one byte string
//!
//! exact mode, for each input x:
//!     for each attempt in [fast: binary64; normal: the expression's normal form, in binary64;
//!                          deep: 192 … 3072 bits and rationals]:
//!         enclosure := bounds around the real number that the expression denotes at x
//!         if every number in the enclosure rounds to the same result: return this result
//!     error: names x and the operator that cancels
//! ```
//!
//! - `machine` runs a program in one arithmetic; `run` defines the operations of its nodes there.
//! - `value` has the rules of enclosures for all arithmetics, `number` the rationals and binary
//!   fractions of any length.
//! - `normal` brings the expression into a normal form, in which everything that visibly cancels
//!   has cancelled.
//! - `steps` is the `stepwise` mode.
//! - `tokens` rejects an input that nests too deep before it is parsed: the parser is recursive,
//!   and a stack overflow would crash the compiler.
//!
//! Decisions:
//!
//! - **Work is counted, not timed.** The limit is about two seconds of an unoptimized macro, and
//!   the same on every machine.
//! - **No libm of a system is used.** `fast` has its own functions, `deep` has series in fixed
//!   point.
//! - **`Program::identities`** rewrites `1 ± tanh`, `exp − 1` and `ln(1 + exp)` in `exact` mode,
//!   where binary64 would leave thousands of bf16 inputs undecided. The real number, and so the
//!   result, stays the same.
//! - **The static holds bytes, not u16**: a byte string is the only literal of this size that costs
//!   the compiler nothing. A lookup is still one 16-bit load without a check.
//! - **A table with a range equals the full one, apart from `below` and `above`.** The macro
//!   simulates it on all inputs.
//! - **NaNs are canonical**, those of `-x` included; `min` and `max` prefer numbers, and
//!   `powi(x, 0)` is 1.

mod constants;
mod deep;
mod eval;
mod exact;
mod fast;
pub(crate) mod format;
mod lower;
mod machine;
mod nat;
mod normal;
mod number;
mod parse;
mod program;
mod run;
mod shape;
mod steps;
mod tokens;
mod value;

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse::Parse as _;
use syn::{Error, Result};

use crate::input;
use eval::Mode;
use exact::{Cause, Doubt, Undecided};
use format::Format;
use lower::Lowering;
use parse::{Input, Options, Symmetry};
use shape::{Outside, Run, Shape, Stored};

/// Expands the macro's input to the `static`, or to its errors.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let checked = tokens::check(input.clone());
    let input = match checked.and_then(|()| input::whole(input, Input::parse)) {
        Ok(input) => input,
        Err(e) => return e.into_compile_error(),
    };
    let static_of = |ty: TokenStream, value: TokenStream| {
        let Input { attributes, visibility, name, krate, .. } = &input;
        // The user's lints are not for generated code.
        quote! {
            #(#attributes)*
            #[allow(clippy::all, clippy::pedantic, clippy::nursery, reason = "generated")]
            #visibility static #name: #krate::#ty = #krate::#value;
        }
    };
    match define(&input) {
        Ok(Stored { from, to, shape, results }) => {
            let krate = &input.krate;
            let bytes: Vec<u8> = results.iter().flat_map(|d| d.to_le_bytes()).collect();
            let bytes = Literal::byte_string(&bytes);
            let types = types(krate, from, to);
            match shape {
                None => static_of(quote!(UnaryTable<#types>), quote!(UnaryTable::from_le_bytes(*#bytes))),
                Some(shape) => {
                    let shape = shape_tokens(krate, &shape);
                    static_of(quote!(CompactTable<#types>), quote!(CompactTable::new(#bytes, #shape)))
                }
            }
        }
        // The expansion declares the table all the same, so that uses of it are not errors as well.
        Err(e) => {
            let error = e.into_compile_error();
            let (Ok(from), Ok(to)) = (&input.from, &input.to) else { return error };
            let types = types(&input.krate, *from, *to);
            let placeholder = static_of(quote!(UnaryTable<#types>), quote!(UnaryTable::from_le_bytes([0; 131_072])));
            quote!(#error #placeholder)
        }
    }
}

fn types(krate: &TokenStream, from: Format, to: Format) -> TokenStream {
    let [from, to] = [from, to].map(|f| format_ident!("{}", f.name()));
    quote!(#krate::__private::#from, #krate::__private::#to)
}

fn shape_tokens(krate: &TokenStream, shape: &Shape) -> TokenStream {
    let private = quote!(#krate::__private);
    let run =
        |Run { first, count, offset }: &Run| quote!(#private::Run { first: #first, count: #count, offset: #offset });
    let outside = |outside: &Outside| match outside {
        Outside::Value(d) => quote!(#private::Outside::Value(#d)),
        Outside::Input => quote!(#private::Outside::Input),
        Outside::Negated => quote!(#private::Outside::Negated),
    };
    let (positive, negative) = (run(&shape.positive), run(&shape.negative));
    let (below, above) = (outside(&shape.below), outside(&shape.above));
    let nan = shape.nan;
    let symmetry = match shape.symmetry {
        None => quote!(None),
        Some(Symmetry::Odd) => quote!(Odd),
        Some(Symmetry::Even) => quote!(Even),
    };
    quote!(#private::Shape {
        positive: #positive,
        negative: #negative,
        below: #below,
        above: #above,
        nan: #nan,
        symmetry: #private::Symmetry::#symmetry,
    })
}

/// Returns the value, or adds the error to the others.
fn and<T>(errors: &mut Option<Error>, result: Result<T>) -> Option<T> {
    match (result, errors) {
        (Ok(value), _) => Some(value),
        (Err(e), Some(all)) => {
            all.combine(e);
            None
        }
        (Err(e), errors) => {
            *errors = Some(e);
            None
        }
    }
}

/// Checks the input without evaluating the table, which would take too long for a fuzzer.
#[cfg(any(test, fuzzing))]
pub(crate) fn complaints(input: TokenStream) -> TokenStream {
    let parsed = tokens::check(input.clone()).and_then(|()| input::whole(input, Input::parse));
    let understood = parsed.and_then(|input| understand(&input).map(drop));
    understood.map_or_else(Error::into_compile_error, |()| TokenStream::new())
}

fn define(input: &Input) -> Result<Stored> {
    let Understood { variable, lowering, from, to, options } = understand(input)?;
    let mode = options.mode.map_or(Mode::Exact, |(_, mode)| mode);
    let results = eval::table(&lowering.program, from, to, mode).map_err(|e| undecided(input, from, &e))?;
    shape::store(&Lowered { variable, constants: &input.constants, from, to, mode }, options, results)
}

/// A definition all of whose parts are correct.
struct Understood<'a> {
    variable: Ident,
    lowering: Lowering,
    from: Format,
    to: Format,
    options: &'a Options,
}

fn understand(input: &Input) -> Result<Understood<'_>> {
    let mut errors = None;
    let from = and(&mut errors, input.from.clone());
    let to = and(&mut errors, input.to.clone());
    let variable = and(&mut errors, parse::variable(&input.function));
    // Without the variable's name the expression would only produce a second error.
    let lowered = variable.and_then(|variable| and(&mut errors, lower(input, &variable)));
    let options = match &input.options {
        Ok(options) => Some(options),
        Err(e) => and(&mut errors, Err(e.clone())),
    };
    if let Some(e) = errors {
        return Err(e);
    }
    let (Some(from), Some(to), Some((variable, lowering)), Some(options)) = (from, to, lowered, options) else {
        return Err(Error::new(Span::call_site(), "no errors"));
    };
    Ok(Understood { variable, lowering, from, to, options })
}

/// The parts of a definition that options need.
struct Lowered<'a> {
    variable: Ident,
    constants: &'a [(Ident, syn::Expr)],
    from: Format,
    to: Format,
    mode: Mode,
}

fn lower(input: &Input, variable: &Ident) -> Result<(Ident, Lowering)> {
    let mut lowering = Lowering::new(variable);
    for (name, value) in &input.constants {
        lowering.constant(name, value)?;
    }
    if input.constants.iter().any(|(name, _)| name.unraw() == variable.unraw()) {
        return Err(Error::new(variable.span(), format!("`{variable}` is a `const` already: choose another name")));
    }
    lowering.variable();
    lowering.program.result = lowering.number(&input.function.body)?;
    Ok((variable.clone(), lowering))
}

fn undecided(input: &Input, from: Format, Undecided { input: x, cause, doubt }: &Undecided) -> Error {
    let at = describe(from, *x);
    let value = from.to_f64(*x);
    let (span, what) = match doubt {
        Some((Doubt::Sum, span)) => (
            Some(*span),
            "the terms of this sum cancel almost completely, and the macro cannot prove that the sum is 0",
        ),
        Some((Doubt::Condition, span)) => (Some(*span), "the two sides of this condition are too close to compare"),
        None => (None, "the result is too close to a tie"),
    };
    let (what, way_out) = match (cause, doubt) {
        (Cause::Budget, None) => (
            "the expression takes more work than the limit".to_owned(),
            "Shorten the expression, or split it into two tables".to_owned(),
        ),
        (Cause::Budget, Some(_)) => (
            format!("{what}, and more precision exceeds the limit of work"),
            "Rewrite the expression so that less cancels".to_owned(),
        ),
        (Cause::Precision, _) => {
            let apart = format!("if x == {value:e} {{ … }} else {{ … }}");
            (
                format!("{what} in 3,072 bits"),
                format!("Rewrite the expression, or treat this input separately, `{apart}`"),
            )
        }
    };
    let message = format!(
        "it cannot be decided how this rounds at {at}: {what}. {way_out}; `mode = stepwise` rounds every operation instead"
    );
    match span {
        Some(span) => Error::new(span, message),
        None => Error::new_spanned(&input.function.body, message),
    }
}

/// Prints an input or result for a message.
fn describe(format: Format, x: u16) -> String {
    format!("{} ({x:#06x})", format.to_f64(x))
}
