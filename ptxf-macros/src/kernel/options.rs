//! The arguments of the attribute.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, LitInt, Path, Result, Token, parenthesized};

use super::module_items::ModuleItems;
use crate::input;

/// The packed type of a paired kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    F16x2,
    Bf16x2,
    F32x2,
}

impl Pair {
    /// Returns the element's name in Rust.
    pub(crate) const fn element(self) -> &'static str {
        match self {
            Self::F16x2 => "F16",
            Self::Bf16x2 => "Bf16",
            Self::F32x2 => "f32",
        }
    }

    /// Returns the pair's name in Rust.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F16x2 => "F16x2",
            Self::Bf16x2 => "Bf16x2",
            Self::F32x2 => "F32x2",
        }
    }
}

/// `pair = F16x2, per_thread = 8, keep(a, b), fuse, strict, explain, unchecked, crate = path`
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) pair: Option<Pair>,
    /// Number of the kernel's threads that a device's thread runs in the version `pair`.
    pub(crate) per_thread: usize,
    pub(crate) keep: Vec<Ident>,
    /// `true` if a product and its sum are one `fma`.
    pub(crate) fuse: bool,
    pub(crate) strict: bool,
    pub(crate) explain: bool,
    /// `true` if device entries check no bounds.
    pub(crate) unchecked: bool,
    /// The prefix of the names of the device's entries.
    pub(crate) prefix: Option<Ident>,
    /// The names of the given options.
    given: Vec<Ident>,
    /// The module's declarations.
    pub(crate) items: ModuleItems,
    /// The path of the library in the expansion.
    pub(crate) path: TokenStream,
}

const KNOWN: &str = "the options are `pair = F16x2` (or `Bf16x2`, `F32x2`), `per_thread = 8`, `keep(names)`, \
                     `fuse`, `strict`, `explain`, `unchecked`, `prefix = name` and `crate = path`";

/// The option that `#[ptx_module]` adds to the functions in it.
pub(crate) const MODULE: &str = "__module";

/// The option that `#[ptx_module(fuse)]` adds to the functions in it.
pub(crate) const FUSE: &str = "__fuse";

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Self {
            pair: None,
            per_thread: 2,
            keep: Vec::new(),
            fuse: false,
            strict: false,
            explain: false,
            unchecked: false,
            prefix: None,
            given: Vec::new(),
            items: ModuleItems::default(),
            path: quote!(::ptxf),
        };
        while !input.is_empty() {
            // `crate` is a keyword, which is not an `Ident` to syn.
            let name = input.call(Ident::parse_any).map_err(|e| Error::new(e.span(), KNOWN))?;
            if options.given.contains(&name) {
                return Err(Error::new(name.span(), format!("`{name}` is given twice: leave one out")));
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
                "per_thread" => {
                    input.parse::<Token![=]>()?;
                    options.per_thread = per_thread(input)?;
                }
                "keep" => {
                    let names;
                    parenthesized!(names in input);
                    options.keep = Punctuated::<Ident, Token![,]>::parse_terminated(&names)?.into_iter().collect();
                }
                "prefix" => {
                    input.parse::<Token![=]>()?;
                    // A part of a name may be a keyword of Rust.
                    let prefix = input.call(Ident::parse_any)?;
                    in_ptx(&prefix)?;
                    options.prefix = Some(prefix);
                }
                MODULE => {
                    let module;
                    parenthesized!(module in input);
                    options.items = module.parse()?;
                }
                "fuse" | FUSE => options.fuse = true,
                "strict" => options.strict = true,
                "explain" => options.explain = true,
                "unchecked" => options.unchecked = true,
                _ => return Err(Error::new(name.span(), format!("the option `{name}` does not exist: {KNOWN}"))),
            }
            if matches!(&*name.to_string(), "fuse" | "strict" | "explain")
                && !input.is_empty()
                && !input.peek(Token![,])
            {
                return Err(Error::new(input.span(), format!("`{name}` has no value: write `{name}` by itself")));
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
    /// Returns the name of the device's entry, without the version.
    pub(crate) fn symbol(&self, name: &Ident) -> Result<String> {
        in_ptx(name)?;
        let name = name.unraw();
        Ok(match self.prefix.as_ref().or(self.items.module.as_ref()) {
            Some(prefix) => format!("{}_{name}", prefix.unraw()),
            None => name.to_string(),
        })
    }

    /// Refuses options of the conversion in a kernel without `pair`.
    pub(crate) fn refuse_conversion(&self) -> Result<()> {
        match self.given.iter().find(|name| *name != "prefix" && *name != "crate" && *name != MODULE) {
            None => Ok(()),
            Some(name) => {
                let message = match name.to_string().as_str() {
                    "fuse" => "`fuse` needs a conversion, and a kernel without `pair` is ordinary Rust: add `pair = \
                               F16x2`, or write `a.mul_add(b, c)`"
                        .to_owned(),
                    FUSE => "`#[ptx_module(fuse)]` needs kernels with a conversion, and this one is ordinary Rust: \
                             add `pair = F16x2`, or move it out of the module"
                        .to_owned(),
                    name => format!("`{name}` needs a conversion: add `pair = F16x2`"),
                };
                Err(Error::new(name.span(), message))
            }
        }
    }

    /// Parses the options of a `#[ptx_fn]`. Refuses those of kernels.
    pub(crate) fn of_function(tokens: TokenStream) -> Result<Self> {
        let options = input::whole(tokens, Self::parse)?;
        let belongs = |name: &Ident| ["keep", "fuse", "crate", MODULE, FUSE].iter().any(|of| name == of);
        match options.given.iter().find(|name| !belongs(name)) {
            None => Ok(options),
            Some(name) => {
                let message = "a `#[ptx_fn]` is converted with the kernels that call it: only `keep(…)`, `fuse` and \
                               `crate = path` go here";
                Err(Error::new(name.span(), message))
            }
        }
    }
}

/// Refuses a name that PTX cannot have.
fn in_ptx(name: &Ident) -> Result<()> {
    if name.unraw().to_string().is_ascii() {
        return Ok(());
    }
    let message =
        format!("`{name}` becomes the name of an entry on a device, and names in PTX are ASCII: choose another name");
    Err(Error::new(name.span(), message))
}

fn per_thread(input: ParseStream<'_>) -> Result<usize> {
    let span = input.span();
    match input.parse().and_then(|count: LitInt| count.base10_parse()) {
        Ok(threads @ (2 | 4 | 8 | 16)) => Ok(threads),
        _ => {
            let message = "a device's thread runs 2, 4, 8 or 16 threads of the kernel: write `per_thread = 8`";
            Err(Error::new(span, message))
        }
    }
}

fn pair(name: &Ident) -> Result<Pair> {
    [Pair::F16x2, Pair::Bf16x2, Pair::F32x2].into_iter().find(|pair| name == pair.name()).ok_or_else(|| {
        let message = format!("`{name}` is not a pair of floats: write `F16x2`, `Bf16x2` or `F32x2`");
        Error::new(name.span(), message)
    })
}
