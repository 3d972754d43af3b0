//! `#[ptx_module]`: tells each kernel and each function of a module what else the module declares.
//!
//! Their attributes stay where they are, and get an option more, with the declarations that the function names, directly or by others:
//! so each is converted by itself, when the compiler has dropped what stands under a `cfg`, and is converted again only if something
//! changes that it depends on.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Fields, ImplItem, Item, ItemFn, ItemMod, Meta, Result, Stmt, UseName, UseRename, UseTree};

use super::expand::{allow, expansion_path};
use super::header::{Role, attribute_role};
use super::names::{Names, text};
use super::options::MODULE;
use super::{all, depth, inlined};
use crate::input;

/// `#[ptx_module] item`
pub(crate) fn module(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(options, item).unwrap_or_else(Error::into_compile_error)
}

fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    if let Some(found) = options.into_iter().next() {
        let message = "`#[ptx_module]` has no options: those of a kernel stand in its own attribute";
        return Err(Error::new(found.span(), message));
    }
    depth::check(&item)?;
    let mut module = input::whole(item, <ItemMod as syn::parse::Parse>::parse)
        .map_err(|e| Error::new(e.span(), format!("`#[ptx_module]` stands on a module, `mod kernels {{ … }}`: {e}")))?;
    let name = module.ident.clone();
    let Some((_, items)) = &mut module.content else {
        let message = format!(
            "the module's items stand in another file, where this does not see them: write `mod {name} {{ … }}` here"
        );
        return Err(Error::new(module.span(), message));
    };
    let declarations = Declarations::of(items);
    let (imported, library) = (Imported::of(items), library(items));
    let (mut errors, mut told) = (Vec::new(), BTreeSet::new());
    for item in items.iter_mut() {
        let Item::Fn(function) = item else { continue };
        let body = function.to_token_stream();
        for attribute in function.attrs.iter_mut().filter(|a| attribute_role(a).is_some()) {
            let path = attribute.path();
            let path = match path.get_ident() {
                Some(name) if !imported.has(name) => quote!(#library::#name),
                _ => path.to_token_stream(),
            };
            match declarations.tell(attribute, path, &name, body.clone()) {
                Ok(named) => told.extend(named),
                Err(e) => errors.push(e),
            }
        }
    }
    // Converted code has a variable for each field and no structure, and a method is a part of what calls it.
    let import = import(&library);
    let mut methods = TokenStream::new();
    for item in items.iter_mut() {
        match item {
            Item::Struct(item) if told.contains(&item.ident.unraw().to_string()) => {
                item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            }
            Item::Impl(item)
                if inlined::structure_of(item).is_some_and(|of| told.contains(&of.unraw().to_string())) =>
            {
                methods.extend(item.to_token_stream());
                item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
                for part in &mut item.items {
                    if let ImplItem::Fn(function) = part {
                        function.attrs.retain(|a| attribute_role(a) != Some(Role::Function));
                        function.block.stmts.insert(0, Stmt::Item(Item::Verbatim(import.clone())));
                    }
                }
            }
            _ => {}
        }
    }
    all(errors)?;
    let called = called(methods, items, &import);
    items.extend(called.into_iter().map(Item::Verbatim));
    Ok(module.into_token_stream())
}

/// What kernels call, for the methods as Rust has them.
fn import(library: &TokenStream) -> TokenStream {
    let (path, allow) = (expansion_path(library), allow());
    quote!(#allow #[allow(unused_imports)] use #path::functions::*;)
}

/// The crate that the module's attributes name.
fn library(items: &[Item]) -> TokenStream {
    let path = items.iter().find_map(|item| match item {
        Item::Fn(function) => function.attrs.iter().filter(|a| attribute_role(a).is_some()).find_map(path_option),
        _ => None,
    });
    path.unwrap_or_else(|| quote!(::ptxf))
}

/// What `crate = path` says in an attribute.
fn path_option(attribute: &Attribute) -> Option<TokenStream> {
    let Meta::List(list) = &attribute.meta else { return None };
    let mut tokens =
        list.tokens.clone().into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(name) if name == "crate"));
    let path =
        tokens.by_ref().skip(2).take_while(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','));
    Some(path.collect::<TokenStream>()).filter(|path| !path.is_empty())
}

/// The functions that methods call, as Rust has them, which methods stay: converted ones are types, whose names functions may have too.
fn called(methods: TokenStream, items: &[Item], import: &TokenStream) -> Vec<TokenStream> {
    let (mut plain, mut tokens) = (Vec::new(), vec![methods]);
    let mut left: Vec<&ItemFn> = items
        .iter()
        .filter_map(|item| match item {
            Item::Fn(item) if item.attrs.iter().any(|a| attribute_role(a) == Some(Role::Function)) => Some(item),
            _ => None,
        })
        .collect();
    while let Some(caller) = tokens.pop() {
        let names = Names::of(caller);
        let named;
        (named, left) = left.into_iter().partition(|function| names.contains(&function.sig.ident));
        for function in named {
            tokens.push(function.block.to_token_stream());
            let (signature, body) = (&function.sig, &function.block.stmts);
            let others = function.attrs.iter().filter(|a| attribute_role(a).is_none());
            plain.push(quote! {
                #(#others)*
                #[allow(dead_code, unused_unsafe, clippy::all, clippy::pedantic)]
                #signature { #import #(#body)* }
            });
        }
    }
    plain
}

/// The names that a module's `use` items bring into it.
struct Imported {
    names: Vec<String>,
    /// Whether one of them is a glob, which may bring any name.
    all: bool,
}

impl Imported {
    fn of(items: &[Item]) -> Self {
        let mut imported = Self { names: Vec::new(), all: false };
        for item in items {
            if let Item::Use(item) = item {
                imported.add(&item.tree);
            }
        }
        imported
    }

    fn add(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.add(&path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree)),
            UseTree::Name(UseName { ident: name }) | UseTree::Rename(UseRename { rename: name, .. }) => {
                self.names.push(text(name));
            }
            UseTree::Glob(_) => self.all = true,
        }
    }

    /// Whether the name may be among them.
    fn has(&self, name: &Ident) -> bool {
        self.all || self.names.contains(&text(name))
    }
}

/// What the module's functions may name.
struct Declarations(BTreeMap<String, Declaration>);

struct Declaration {
    /// Without values, and without bodies but for functions that become a part of their callers.
    tokens: TokenStream,
    /// Whether there are several of this name, of which the compiler takes one.
    ambiguous: bool,
}

impl Declarations {
    fn of(items: &[Item]) -> Self {
        let mut declarations = Self(BTreeMap::new());
        for item in items {
            match item {
                Item::Fn(item) if item.attrs.iter().any(|a| attribute_role(a).is_some()) => {
                    let signature = &item.sig;
                    let declaration = match inlined::why(item) {
                        Some(_) => inlined::declaration(item),
                        None => quote!(#signature;),
                    };
                    declarations.add(&signature.ident, declaration);
                }
                Item::Struct(item) if matches!(item.fields, Fields::Named(_)) && item.generics.params.is_empty() => {
                    let (name, fields) = (&item.ident, item.fields.iter().map(|f| (f.ident.as_ref(), &f.ty)));
                    let fields = fields.map(|(name, ty)| quote!(#name: #ty));
                    declarations.add(name, quote!(struct #name { #(#fields),* }));
                }
                Item::Const(item) => {
                    let (name, ty) = (&item.ident, &item.ty);
                    declarations.add(name, quote!(const #name: #ty;));
                }
                _ => {}
            }
        }
        for item in items {
            if let Item::Impl(item) = item
                && let Some(of) = inlined::structure_of(item)
                && let Some(structure) = declarations.0.get_mut(&of.unraw().to_string())
            {
                structure.tokens.extend(inlined::methods(item, &of));
            }
        }
        declarations
    }

    fn add(&mut self, name: &Ident, tokens: TokenStream) {
        let text = name.unraw().to_string();
        let ambiguous = self.0.contains_key(&text);
        self.0.insert(text, Declaration { tokens, ambiguous });
    }

    /// Rewrites the attribute of a function: names it by `path`, and adds the declarations that the function's tokens name.
    fn tell(
        &self,
        attribute: &mut Attribute,
        path: TokenStream,
        module: &Ident,
        function: TokenStream,
    ) -> Result<BTreeSet<String>> {
        let mut named = BTreeSet::new();
        self.collect(function, &mut named);
        let declarations = named.iter().map(|name| &self.0[name].tokens);
        let option = Ident::new(MODULE, module.span());
        let told = quote!(#option(#module { #(#declarations)* }));
        let given = match &attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(found) => {
                let message = "the options stand in parentheses, `#[ptx_kernel(pair = F16x2)]`";
                return Err(Error::new(found.span(), message));
            }
        };
        // With a comma in front: the options that are given may end with one.
        let separator = (!given.is_empty() && !ends_with_comma(&given)).then(|| quote!(,));
        *attribute = syn::parse_quote!(#[#path(#given #separator #told)]);
        Ok(named)
    }

    fn collect(&self, tokens: TokenStream, named: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.unraw().to_string();
                    if let Some(declaration) = self.0.get(&name)
                        && !declaration.ambiguous
                        && named.insert(name)
                    {
                        self.collect(declaration.tokens.clone(), named);
                    }
                }
                TokenTree::Group(group) => self.collect(group.stream(), named),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

fn ends_with_comma(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().last(), Some(TokenTree::Punct(mark)) if mark.as_char() == ',')
}
