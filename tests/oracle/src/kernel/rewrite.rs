//! Rewrites the text of kernels as a module of Rust in which `f32` is [`Soft`](super::Soft).
//!
//! Literals and casts become calls. Variables, parameters and results round floats. Accesses to
//! elements are noted, barriers suspend, and quotients wrap.

mod body;
mod constant;
mod expr;
mod quotient;

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut as _;
use syn::{Attribute, FnArg, ImplItem, Item, Meta, Pat, Stmt, Token, Type, parse_quote};

use body::Body;
use constant::{constant, constant_value};
use quotient::quotient_of;

/// A kernel of a text.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its path in the module.
    pub path: String,
    /// The function that returns it as a [`Kernel`](super::Kernel), in the module.
    pub meaning: String,
}

/// Returns a module's items, and the kernels among them.
///
/// # Errors
///
/// Returns the error of a text that is not Rust.
pub fn rewrite(texts: &[&str]) -> syn::Result<(String, Vec<Found>)> {
    let mut items = Vec::new();
    for text in texts {
        items.extend(syn::parse_file(text)?.items);
    }
    let mut names = Names::default();
    names.collect(&items);
    while names.suspend_callers() {}
    let mut module = Module { names, sites: 0, found: Vec::new(), path: String::new(), fuse: false };
    let items = module.items(items)?;
    let text = quote!(#[allow(unused_imports)] use ::oracle::kernel::prelude::*; #[allow(unused_imports)] use ::oracle::kernel::rt; #items);
    Ok((text.to_string(), module.found))
}

/// The names on which the form of a call depends.
#[derive(Default)]
struct Names {
    /// Functions with barriers.
    suspended: HashSet<String>,
    /// Methods that change their receiver.
    changing: HashSet<String>,
    functions: Vec<syn::ItemFn>,
}

const BARRIERS: [&str; 4] = ["sync_threads", "sync_threads_or", "sync_threads_and", "sync_threads_count"];

impl Names {
    fn collect(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(item) => self.functions.push(item.clone()),
                Item::Mod(item) => self.collect(item.content.as_ref().map_or(&[], |(_, items)| items)),
                Item::Impl(item) => {
                    for item in &item.items {
                        let ImplItem::Fn(item) = item else { continue };
                        if item
                            .sig
                            .receiver()
                            .is_some_and(|r| matches!(&r.kind, syn::ReceiverKind::Reference(_, _, Some(_))))
                        {
                            self.changing.insert(text(&item.sig.ident));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the functions that call one with a barrier; returns `true` if there were any.
    fn suspend_callers(&mut self) -> bool {
        fn mentions(tokens: TokenStream, names: &HashSet<String>) -> bool {
            tokens.into_iter().any(|token| match token {
                proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
                proc_macro2::TokenTree::Ident(name) => names.contains(&name.to_string()),
                _ => false,
            })
        }
        let mut names: HashSet<String> = BARRIERS.map(String::from).into();
        names.extend(self.suspended.iter().cloned());
        let found = self.functions.iter().filter(|f| mentions(f.block.to_token_stream(), &names));
        let found: Vec<_> = found.map(|f| text(&f.sig.ident)).collect();
        found.into_iter().fold(false, |any, name| self.suspended.insert(name) | any)
    }
}

struct Module {
    names: Names,
    sites: usize,
    found: Vec<Found>,
    path: String,
    fuse: bool,
}

/// Returns a name without `r#`.
fn text(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|s| text(&s.ident)).unwrap_or_default()
}

fn named<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attrs.iter().find(|a| last(a.path()) == name)
}

/// The options of an attribute that change results.
#[derive(Clone, Default)]
struct Options {
    keep: HashSet<String>,
    fuse: bool,
}

fn options(attribute: Option<&Attribute>, fuse: bool) -> syn::Result<Options> {
    let mut found = Options { fuse, ..Options::default() };
    let Some(Meta::List(list)) = attribute.map(|a| &a.meta) else { return Ok(found) };
    for option in list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
        match option {
            Meta::List(list) if list.path.is_ident("keep") => {
                let kept = list.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
                found.keep.extend(kept.iter().map(text));
            }
            Meta::Path(path) => found.fuse |= path.is_ident("fuse"),
            _ => {}
        }
    }
    Ok(found)
}

impl Module {
    fn items(&mut self, items: Vec<Item>) -> syn::Result<TokenStream> {
        let mut tokens = TokenStream::new();
        for item in items {
            tokens.extend(self.item(item)?);
        }
        Ok(tokens)
    }

    fn item(&mut self, item: Item) -> syn::Result<TokenStream> {
        Ok(match item {
            Item::Mod(item) => {
                let Some((_, items)) = item.content else { return Ok(TokenStream::new()) };
                let outside = (self.path.clone(), self.fuse);
                let name = &item.ident;
                self.path += &format!("{}::", text(name));
                self.fuse =
                    named(&item.attrs, "ptx_module").is_some_and(|a| a.to_token_stream().to_string().contains("fuse"));
                let inner = self.items(items)?;
                (self.path, self.fuse) = outside;
                quote!(pub mod #name {
                    #[allow(unused_imports)]
                    use super::*;
                    #[allow(unused_imports)]
                    use ::oracle::kernel::prelude::*;
                    #[allow(unused_imports)]
                    use ::oracle::kernel::rt;
                    #inner
                })
            }
            Item::Fn(mut item) => {
                let (kernel, function) = (named(&item.attrs, "ptx_kernel"), named(&item.attrs, "ptx_fn"));
                let options = options(kernel.or(function), self.fuse)?;
                match (kernel.is_some(), function.is_some()) {
                    (true, _) => {
                        item.attrs.clear();
                        return Ok(self.kernel(item, options));
                    }
                    (_, true) => {
                        item.attrs.clear();
                        self.function(&mut item.sig, &mut item.block, options);
                        let (sig, block) = (item.sig, item.block);
                        quote!(pub #sig #block)
                    }
                    // The items of a documentation's example stand in a function.
                    _ => {
                        let items = item.block.stmts.into_iter().filter_map(|s| match s {
                            Stmt::Item(item) => Some(item),
                            _ => None,
                        });
                        self.items(items.collect())?
                    }
                }
            }
            Item::Const(item) => constant(&item.ident, &item.ty, &item.expr, &quote!(pub)),
            Item::Struct(item) => structure(&item),
            Item::Impl(mut item) => {
                for item in &mut item.items {
                    match item {
                        ImplItem::Fn(item) => {
                            let options = options(named(&item.attrs, "ptx_fn"), self.fuse)?;
                            item.attrs.clear();
                            // Parameters are rounded by statements, which a `const fn` cannot have.
                            self.function(&mut item.sig, &mut item.block, options);
                        }
                        ImplItem::Const(item) => {
                            let value = constant_value(&item.ty, &item.expr);
                            item.expr = parse_quote!(#value);
                        }
                        _ => {}
                    }
                }
                item.attrs.clear();
                let quotient = item.trait_.as_ref().and_then(|of| quotient_of(&of.0, &item.self_ty));
                quote!(#item #quotient)
            }
            Item::Use(item) if matches!(&item.tree, syn::UseTree::Path(path) if path.ident == "core") => {
                item.to_token_stream()
            }
            _ => TokenStream::new(),
        })
    }

    /// Rewrites a function.
    fn function(
        &mut self,
        sig: &mut syn::Signature,
        block: &mut syn::Block,
        options: Options,
    ) -> HashMap<String, TokenStream> {
        sig.constness = None;
        for of in sig.generics.type_params_mut() {
            of.bounds.push(parse_quote!(Value));
        }
        let suspends = self.names.suspended.contains(&text(&sig.ident));
        let mut held = Vec::new();
        if suspends {
            sig.asyncness = Some(Token![async](Span::call_site()));
        }
        let mut modes = HashMap::new();
        let mut settled = Vec::new();
        for input in &mut sig.inputs {
            let FnArg::Typed(input) = input else { continue };
            let Pat::Ident(name) = &mut *input.pat else { continue };
            let key = text(&name.ident);
            if let Type::Reference(of) = &*input.ty {
                if let Type::Slice(of) = &*of.elem
                    && let Type::Path(path) = &*of.elem
                    && let format @ ("E4m3" | "E5m2" | "E2m3" | "E3m2" | "E2m1" | "E2m1x2" | "Ue8m0") =
                        &*last(&path.path)
                {
                    let format = format_ident!("{}", format.trim_end_matches("x2"));
                    modes.insert(key.clone(), quote!(Mode::Narrow(Num::#format)));
                }
                // A thread that is suspended leaves memory to the others.
                if suspends && of.mutability.is_some() && matches!(&*of.elem, Type::Slice(_) | Type::Array(_)) {
                    let ty = &of.elem;
                    *input.ty = parse_quote!(&mut rt::Held<#ty>);
                    held.push((key, false));
                }
                continue;
            }
            settled.push((name.ident.clone(), name.mutability.take()));
        }
        let returns = !matches!(sig.output, syn::ReturnType::Default);
        let mut body = Body { module: self, options, modes, held, promised: false };
        body.visit_block_mut(block);
        if returns {
            body.settle_tail(block);
        }
        let settled: Vec<Stmt> = settled.iter().map(|(name, mutable)| body.settled(name, mutable.is_some())).collect();
        block.stmts.splice(0..0, settled);
        body.modes
    }

    fn kernel(&mut self, mut item: syn::ItemFn, options: Options) -> TokenStream {
        let name = item.sig.ident.clone();
        let keep = options.keep.clone();
        let inputs: Vec<_> = item
            .sig
            .inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(input) => Some(input.clone()),
                FnArg::Receiver(_) => None,
            })
            .collect();
        let shares = item.block.to_token_stream().to_string().contains("shared ::");
        let modes = self.function(&mut item.sig, &mut item.block, options);
        let (mut axes, mut given, mut arguments) = (1, TokenStream::new(), TokenStream::new());
        let mut cloned = TokenStream::new();
        for (i, input) in inputs.iter().enumerate() {
            let Pat::Ident(pattern) = &*input.pat else { continue };
            let key = text(&pattern.ident);
            if let Some((of, axis)) = index(&input.ty) {
                axes = axes.max(axis + 1);
                let of = format_ident!("{of}");
                arguments.extend(quote!(index.#of[#axis],));
                continue;
            }
            let kept = keep.contains(&key);
            let mode = if kept { quote!(Mode::Single) } else { quote!(Mode::Element) };
            let argument = format_ident!("a{i}");
            if let Type::Reference(of) = &*input.ty
                && let Type::Slice(slice) = &*of.elem
            {
                let ty = &slice.elem;
                let (stored, mode) = match modes.get(&key) {
                    Some(mode) => {
                        let name = ty.to_token_stream().to_string();
                        (quote!(Some(#name)), mode.clone())
                    }
                    None => (quote!(None), mode),
                };
                let (method, passed) = match of.mutability {
                    Some(_) => ("written", quote!(&mut rt::Held::new(&#argument))),
                    None => ("read", quote!(&#argument)),
                };
                let method = format_ident!("{method}");
                given.extend(quote!(let #argument = launch.#method::<#ty>(#key, #kept, #mode, #stored);));
                cloned.extend(quote!(let #argument = #argument.clone();));
                arguments.extend(quote!(#passed,));
            } else {
                let ty = &input.ty;
                given.extend(quote!(let #argument = launch.scalar::<#ty>(#key, #mode);));
                arguments.extend(quote!(#argument,));
            }
        }
        for input in &mut item.sig.inputs {
            if let FnArg::Typed(input) = input
                && index(&input.ty).is_some()
            {
                input.ty = parse_quote!(usize);
            }
        }
        item.sig.asyncness = Some(Token![async](Span::call_site()));
        let meaning = format_ident!("meaning_of_{}", name);
        self.found
            .push(Found { path: format!("{}{}", self.path, text(&name)), meaning: format!("{}{meaning}", self.path) });
        let (sig, block, text) = (&item.sig, &item.block, text(&name));
        quote! {
            #sig #block
            pub fn #meaning() -> Kernel {
                Kernel::new(#text, #axes, #shares, |launch| {
                    #given
                    Box::new(move |&index: &Index| -> Thread {
                        #cloned
                        Box::pin(async move { #name(#arguments).await })
                    })
                })
            }
        }
    }
}

/// The field of an index, and its axis.
fn index(ty: &Type) -> Option<(&'static str, usize)> {
    let Type::Path(path) = ty else { return None };
    let name = last(&path.path);
    let of = [
        ("Threads", "threads"),
        ("Thread", "thread"),
        ("Local", "local"),
        ("BlockDim", "block_dim"),
        ("Block", "block"),
    ];
    of.iter().find_map(|(prefix, field)| {
        Some((*field, ["X", "Y", "Z"].iter().position(|a| Some(*a) == name.strip_prefix(prefix))?))
    })
}

fn structure(item: &syn::ItemStruct) -> TokenStream {
    let (name, generics) = (&item.ident, &item.generics);
    let fields: Vec<_> = item.fields.iter().map(|f| (f.ident.clone().expect("a name"), f.ty.clone())).collect();
    let (names, types): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    quote! {
        #[derive(Clone, Copy)]
        pub struct #name #generics { #(pub #names: #types),* }
        ::oracle::value_of_parts!([] #name, (|#(#names: #types),*| #name { #(#names),* }), #(#names #types),*);
    }
}
