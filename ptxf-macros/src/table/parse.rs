//! From tokens to the definition of a table and its options.
//!
//! ```text
//! input   = (`const` name (`:` type)? `=` expression `;`)*
//!           attribute* visibility `static` name `:` type `->` type
//!           `=` `|` name `|` expression option* `;`?
//! option  = `,` name `=` value
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprClosure, Pat, Result, ReturnType, Token, Type, Visibility, bracketed};

use super::eval::Mode;
use super::format::Format;

/// The macro's input, with its expressions as syntax trees.
pub(super) struct Input {
    pub(super) krate: TokenStream,
    pub(super) constants: Vec<(Ident, Expr)>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Ident,
    pub(super) from: Result<Format>,
    pub(super) to: Result<Format>,
    pub(super) function: ExprClosure,
    pub(super) options: Result<Options>,
}

/// The options after the expression.
#[derive(Default)]
pub(super) struct Options {
    pub(super) mode: Option<(Span, Mode)>,
    pub(super) range: Option<Expr>,
    pub(super) below: Option<Expr>,
    pub(super) above: Option<Expr>,
    pub(super) symmetry: Option<(Span, Symmetry)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    Odd,
    Even,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path;
        bracketed!(path in input);
        let krate = path.parse()?;
        let mut constants: Vec<(Ident, Expr)> = Vec::new();
        while input.peek(Token![const]) {
            let (name, value) = constant(input)?;
            if constants.iter().any(|(other, _)| other.unraw() == name.unraw()) {
                return Err(Error::new(name.span(), format!("there is a `const {name}` already: choose another name")));
            }
            constants.push((name, value));
        }
        let attributes = input.call(Attribute::parse_outer)?;
        if let (Some(attribute), true) = (attributes.first(), input.peek(Token![const])) {
            return Err(Error::new_spanned(attribute, "write attributes before the `static`"));
        }
        let visibility = input.parse()?;
        if !input.peek(Token![static]) {
            return Err(input.error("expected `static NAME: F16 -> F16 = |x| expression`"));
        }
        input.parse::<Token![static]>()?;
        if input.peek(Token![mut]) {
            return Err(input.error("a table does not change: remove `mut`"));
        }
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let from = format(&input.parse()?);
        input.parse::<Token![->]>()?;
        let to = format(&input.parse()?);
        input.parse::<Token![=]>()?;
        if !input.peek(Token![|]) {
            return Err(input.error("expected a function of one variable: `|x| expression`"));
        }
        let function: ExprClosure = input.parse()?;
        if let ReturnType::Type(arrow, ty) = &function.output {
            let written = quote!(#arrow #ty);
            return Err(Error::new_spanned(
                written,
                "the closure has no types: write them before it, `static T: F16 -> F16 = |x| …`",
            ));
        }
        let options = options(input)?;
        Ok(Self { krate, constants, attributes, visibility, name, from, to, function, options })
    }
}

fn constant(input: ParseStream<'_>) -> Result<(Ident, Expr)> {
    input.parse::<Token![const]>()?;
    let name = input.parse()?;
    if input.parse::<Option<Token![:]>>()?.is_some() {
        let ty: Type = input.parse()?;
        if !["f32", "f64"].iter().any(|t| is_name(&ty, t)) {
            return Err(Error::new_spanned(
                ty,
                "a `const` is a real number here; its type, if written, is `f32` or `f64`",
            ));
        }
    }
    input.parse::<Token![=]>()?;
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((name, value))
}

/// Returns `true` if the type is `name`, with or without a path.
fn is_name(ty: &Type, name: &str) -> bool {
    let Type::Path(p) = ty else { return false };
    let plain = p.qself.is_none() && p.path.segments.iter().all(|s| s.arguments.is_empty());
    plain && p.path.segments.last().is_some_and(|s| s.ident.unraw() == name)
}

fn format(ty: &Type) -> Result<Format> {
    for format in [Format::F16, Format::Bf16] {
        if is_name(ty, format.name()) {
            return Ok(format);
        }
    }
    Err(Error::new_spanned(ty, "expected a 16-bit float: `F16` or `Bf16`"))
}

/// Returns the name of the closure's one variable.
pub(super) fn variable(function: &ExprClosure) -> Result<Ident> {
    let mut inputs = function.inputs.iter();
    let Some(first) = inputs.next() else {
        return Err(Error::new(function.span(), "a table needs a variable: `|x| expression`"));
    };
    if let Some(second) = inputs.next() {
        return Err(Error::new_spanned(
            second,
            "a table has one variable, since two would need 2^32 entries: combine two tables, or compute without one",
        ));
    }
    match first {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => Ok(p.ident.clone()),
        Pat::Type(p) => Err(Error::new_spanned(
            &p.ty,
            "the closure has no types: write them before it, `static T: F16 -> F16 = |x| …`",
        )),
        other => Err(Error::new_spanned(other, "expected the name of the variable")),
    }
}

fn options(input: ParseStream<'_>) -> Result<Result<Options>> {
    let mut options = Options::default();
    let mut errors: Option<Error> = None;
    let mut complain = |e: Error| match &mut errors {
        None => errors = Some(e),
        Some(all) => all.combine(e),
    };
    while input.parse::<Option<Token![,]>>()?.is_some() {
        if input.is_empty() || input.peek(Token![;]) {
            break;
        }
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let value: Expr = input.parse()?;
        let twice = || Error::new(name.span(), format!("`{name}` is given twice"));
        match name.to_string().as_str() {
            "range" | "below" | "above" => {
                let option = match name.to_string().as_str() {
                    "range" => &mut options.range,
                    "below" => &mut options.below,
                    _ => &mut options.above,
                };
                if option.replace(value).is_some() {
                    complain(twice());
                }
            }
            "mode" => match word(&value).as_deref() {
                Some(w @ ("exact" | "stepwise")) => {
                    let mode = if w == "exact" { Mode::Exact } else { Mode::Stepwise };
                    if options.mode.replace((value.span(), mode)).is_some() {
                        complain(twice());
                    }
                }
                _ => complain(Error::new_spanned(&value, "the modes are `exact` and `stepwise`")),
            },
            "symmetry" => match word(&value).as_deref() {
                Some(w @ ("odd" | "even")) => {
                    let symmetry = if w == "odd" { Symmetry::Odd } else { Symmetry::Even };
                    if options.symmetry.replace((value.span(), symmetry)).is_some() {
                        complain(twice());
                    }
                }
                _ => complain(Error::new_spanned(&value, "a function can be `odd` or `even`")),
            },
            _ => complain(Error::new(
                name.span(),
                format!("there is no option `{name}`; there are `mode`, `range`, `below`, `above` and `symmetry`"),
            )),
        }
    }
    input.parse::<Option<Token![;]>>()?;
    if !input.is_empty() {
        return Err(input.error("expected `, option = value` or the end"));
    }
    Ok(errors.map_or(Ok(options), Err))
}

fn word(value: &Expr) -> Option<String> {
    match value {
        Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}
