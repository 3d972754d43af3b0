//! The arguments of the attribute.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Path, Result, Token, parenthesized};

use super::known::Known;
use crate::input;

/// The packed type of a paired kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    F16x2,
    Bf16x2,
    F32x2,
}

impl Pair {
    /// The element's name in Rust.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::F16x2 => "F16",
            Self::Bf16x2 => "Bf16",
            Self::F32x2 => "f32",
        }
    }

    /// Its own name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F16x2 => "F16x2",
            Self::Bf16x2 => "Bf16x2",
            Self::F32x2 => "F32x2",
        }
    }
}

/// `pair = F16x2, keep(a, b), strict, explain, crate = path`
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) pair: Option<Pair>,
    pub(crate) keep: Vec<Ident>,
    pub(crate) strict: bool,
    pub(crate) explain: bool,
    /// What the names of a device's entries begin with.
    pub(crate) prefix: Option<Ident>,
    /// The names of the options that are given.
    given: Vec<Ident>,
    /// What a module says of what stands in it.
    pub(crate) known: Known,
    /// The crate that the expansion names.
    pub(crate) path: TokenStream,
}

const KNOWN: &str = "the options are `pair = F16x2` (or `Bf16x2`, `F32x2`), `keep(names)`, `strict`, `explain`, \
                     `prefix = name` and `crate = path`";

/// The option that `#[ptx_module]` gives the functions in it.
pub(crate) const MODULE: &str = "__module";

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Self {
            pair: None,
            keep: Vec::new(),
            strict: false,
            explain: false,
            prefix: None,
            given: Vec::new(),
            known: Known::default(),
            path: quote!(::ptxf),
        };
        while !input.is_empty() {
            // `crate` is a keyword.
            let name = input.call(Ident::parse_any).map_err(|e| Error::new(e.span(), KNOWN))?;
            if options.given.contains(&name) {
                return Err(Error::new(name.span(), format!("`{name}` is given twice")));
            }
            match name.to_string().as_str() {
                "crate" => {
                    input.parse::<Token![=]>()?;
                    options.path = input.call(Path::parse_mod_style)?.to_token_stream();
                }
                "pair" => {
                    input.parse::<Token![=]>()?;
                    options.pair = Some(pair(&input.parse()?)?);
                }
                "keep" => {
                    let names;
                    parenthesized!(names in input);
                    options.keep = Punctuated::<Ident, Token![,]>::parse_terminated(&names)?.into_iter().collect();
                }
                "prefix" => {
                    input.parse::<Token![=]>()?;
                    // A part of a name may be a word of Rust's.
                    let prefix = input.call(Ident::parse_any)?;
                    in_ptx(&prefix)?;
                    options.prefix = Some(prefix);
                }
                MODULE => {
                    let module;
                    parenthesized!(module in input);
                    options.known = module.parse()?;
                }
                "strict" => options.strict = true,
                "explain" => options.explain = true,
                _ => return Err(Error::new(name.span(), format!("there is no option `{name}`: {KNOWN}"))),
            }
            options.given.push(name);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    /// The name of a device's entry.
    pub(crate) fn symbol(&self, name: &Ident) -> Result<String> {
        in_ptx(name)?;
        let name = name.unraw();
        Ok(match self.prefix.as_ref().or(self.known.module.as_ref()) {
            Some(prefix) => format!("{}_{name}", prefix.unraw()),
            None => name.to_string(),
        })
    }

    /// Of a kernel without `pair`, which stays as it is.
    pub(crate) fn refuse_conversion(&self) -> Result<()> {
        match self.given.iter().find(|name| *name != "prefix" && *name != "crate" && *name != MODULE) {
            None => Ok(()),
            Some(name) => {
                let message = format!("`{name}` is about a conversion: add `pair = F16x2`, say");
                Err(Error::new(name.span(), message))
            }
        }
    }

    /// Of a `#[ptx_fn]`, which is converted with the kernels that call it.
    pub(crate) fn of_function(tokens: TokenStream) -> Result<Self> {
        let options = input::whole(tokens, Self::parse)?;
        match options.given.iter().find(|name| *name != "keep" && *name != "crate" && *name != MODULE) {
            None => Ok(options),
            Some(name) => {
                let message = "a `#[ptx_fn]` is converted with the kernels that call it: only `keep(…)` and `crate = path` go here";
                Err(Error::new(name.span(), message))
            }
        }
    }
}

/// Refuses a name that the entry of a device cannot have.
fn in_ptx(name: &Ident) -> Result<()> {
    if name.unraw().to_string().is_ascii() {
        return Ok(());
    }
    let message =
        format!("the entry of a device is named after `{name}`, and PTX's names are ASCII: choose another name");
    Err(Error::new(name.span(), message))
}

fn pair(name: &Ident) -> Result<Pair> {
    [Pair::F16x2, Pair::Bf16x2, Pair::F32x2].into_iter().find(|pair| name == pair.name()).ok_or_else(|| {
        let message = format!("`{name}` is no pair of floats: write `F16x2`, `Bf16x2` or `F32x2`");
        Error::new(name.span(), message)
    })
}
