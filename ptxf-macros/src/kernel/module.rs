//! `#[ptx_module]`: passes to each kernel and each function of a module the module's other
//! declarations.
//!
//! Their attributes stay, and get one more option: the declarations that the function names,
//! directly or by others. So each function is converted by itself, after the compiler has removed
//! the items under a false `cfg`. It is converted again only if one of those declarations changes.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Fields, ImplItem, Item, ItemFn, ItemImpl, ItemMod, Meta, Result, Stmt, UseName, UseRename,
    UseTree,
};

use super::expand::{allow, expansion_path};
use super::header::{Role, attribute_role};
use super::names::{Names, text};
use super::options::{FUSE, MODULE};
use super::{all, depth, inline_functions};
use crate::input;

/// Expands `#[ptx_module] item`.
pub(crate) fn module(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(options, item).unwrap_or_else(Error::into_compile_error)
}

fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let fuse = fuses(options)?;
    depth::check(&item)?;
    let mut module = input::whole(item, <ItemMod as syn::parse::Parse>::parse)
        .map_err(|e| Error::new(e.span(), format!("`#[ptx_module]` stands on a module, `mod kernels {{ … }}`: {e}")))?;
    let name = module.ident.clone();
    let Some((_, items)) = &mut module.content else {
        let message =
            format!("the macro does not see the items of a module in another file: write `mod {name} {{ … }}` here");
        return Err(Error::new(module.span(), message));
    };
    if fuse {
        items.iter_mut().for_each(add_fuse);
    }
    let declarations = Declarations::of(items, fuse);
    let (imported, library) = (Imported::of(items), library(items));
    let (mut errors, mut passed) = (Vec::new(), BTreeSet::new());
    let ordinary = ordinary(items, &declarations);
    for item in items.iter_mut() {
        let Item::Fn(function) = item else { continue };
        let body = function.to_token_stream();
        if function.attrs.iter().any(|a| attribute_role(a).is_some()) {
            refuse_calls(function.block.to_token_stream(), &ordinary, &mut errors);
        }
        for attribute in function.attrs.iter_mut().filter(|a| attribute_role(a).is_some()) {
            let path = attribute.path();
            let path = match path.get_ident() {
                Some(name) if !imported.has(name) => quote!(#library::#name),
                _ => path.to_token_stream(),
            };
            match declarations.pass(attribute, path, &name, body.clone()) {
                Ok(named) => passed.extend(named),
                Err(e) => errors.push(e),
            }
        }
    }
    let is_passed =
        |item: &ItemImpl| inline_functions::structure_of(item).is_some_and(|of| passed.contains(&text(&of)));
    let methods = items.iter().filter_map(|item| match item {
        Item::Impl(item) if is_passed(item) => Some(item.to_token_stream()),
        _ => None,
    });
    let called = called(methods.collect(), items)?;
    let import = import(&library, &called);
    let plain: Vec<_> = called.into_iter().map(|function| plain(function, &import)).collect();
    // Converted code has a variable for each field and no structure, and a method becomes a part of
    // its caller. So the compiler would report both as unused.
    for item in items.iter_mut() {
        match item {
            Item::Struct(item) if passed.contains(&text(&item.ident)) => {
                item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            }
            Item::Impl(item) if is_passed(item) => {
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
    items.extend(plain.into_iter().map(Item::Verbatim));
    Ok(module.into_token_stream())
}

/// Returns `true` for the option `fuse`. The module has no other.
fn fuses(options: TokenStream) -> Result<bool> {
    let mut options = options.into_iter();
    match (options.next(), options.next(), options.next()) {
        (None, ..) => Ok(false),
        (Some(TokenTree::Ident(name)), None, _) if name == "fuse" => Ok(true),
        (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(comma)), None)
            if name == "fuse" && comma.as_char() == ',' =>
        {
            Ok(true)
        }
        (Some(TokenTree::Ident(name)), Some(found), _) if name == "fuse" => {
            Err(Error::new(found.span(), "`fuse` stands by itself: write `#[ptx_module(fuse)]`"))
        }
        (Some(found), ..) => {
            let message = "`#[ptx_module]` has one option, `fuse`: write others in the attribute of the kernel";
            Err(Error::new(found.span(), message))
        }
    }
}

/// Adds the module's `fuse` to the attribute of a kernel or a function.
fn add_fuse(item: &mut Item) {
    let Item::Fn(item) = item else { return };
    for attribute in item.attrs.iter_mut().filter(|a| attribute_role(a).is_some()) {
        let option = Ident::new(FUSE, attribute.path().span());
        match &mut attribute.meta {
            Meta::Path(path) => *attribute = syn::parse_quote!(#[#path(#option)]),
            Meta::List(list) => {
                let given = core::mem::take(&mut list.tokens);
                list.tokens = quote!(#option, #given);
            }
            Meta::NameValue(_) => {}
        }
    }
}

/// Returns the names of the module's functions without an attribute.
fn ordinary(items: &[Item], declarations: &Declarations) -> BTreeSet<String> {
    let names = items.iter().filter_map(|item| match item {
        Item::Fn(item) if item.attrs.iter().all(|a| attribute_role(a).is_none()) => Some(text(&item.sig.ident)),
        _ => None,
    });
    names.filter(|name| !declarations.0.contains_key(name)).collect()
}

/// Refuses calls of ordinary functions in converted code.
fn refuse_calls(tokens: TokenStream, ordinary: &BTreeSet<String>, errors: &mut Vec<Error>) {
    let (mut before, mut tokens) = (None, tokens.into_iter().peekable());
    while let Some(token) = tokens.next() {
        let is_path = matches!(&before, Some(TokenTree::Punct(mark)) if matches!(mark.as_char(), '.' | ':'));
        match &token {
            TokenTree::Ident(name) if !is_path && ordinary.contains(&text(name)) => {
                if matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
                {
                    let message = format!(
                        "`{name}` is an ordinary function, and a kernel calls functions with `#[ptx_fn]`: write \
                         `#[ptx_fn]` above `fn {name}`"
                    );
                    errors.push(Error::new(name.span(), message));
                }
            }
            TokenTree::Group(group) => refuse_calls(group.stream(), ordinary, errors),
            _ => {}
        }
        before = Some(token);
    }
}

/// Prints the imports of a method in Rust: the library's functions, and the module's unconverted
/// `#[ptx_fn]`s.
fn import(library: &TokenStream, called: &[ItemFn]) -> TokenStream {
    let (path, allow) = (expansion_path(library), allow());
    let own = called.iter().map(|function| {
        let (name, plain) = (&function.sig.ident, plain_name(&function.sig.ident));
        quote!(#allow #[allow(unused_imports)] use self::#plain as #name;)
    });
    quote!(#allow #[allow(unused_imports)] use #path::functions::*; #(#own)*)
}

/// Returns the name of an unconverted `#[ptx_fn]`. The converted one has the function's own name.
fn plain_name(name: &Ident) -> Ident {
    format_ident!("__plain_{}", name.unraw())
}

/// Returns the path of the library in the module's attributes.
fn library(items: &[Item]) -> TokenStream {
    let path = items.iter().find_map(|item| match item {
        Item::Fn(function) => function.attrs.iter().filter(|a| attribute_role(a).is_some()).find_map(path_option),
        _ => None,
    });
    path.unwrap_or_else(|| quote!(::ptxf))
}

/// Returns the path of `crate = path` in an attribute.
fn path_option(attribute: &Attribute) -> Option<TokenStream> {
    let Meta::List(list) = &attribute.meta else { return None };
    let mut tokens =
        list.tokens.clone().into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(name) if name == "crate"));
    let path =
        tokens.by_ref().skip(2).take_while(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','));
    Some(path.collect::<TokenStream>()).filter(|path| !path.is_empty())
}

/// Returns the `#[ptx_fn]`s that methods call, directly or by others.
fn called(methods: TokenStream, items: &[Item]) -> Result<Vec<ItemFn>> {
    let (mut found, mut tokens) = (Vec::new(), vec![methods]);
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
            found.push(syn::parse2(function.to_token_stream())?);
        }
    }
    Ok(found)
}

/// Prints a `#[ptx_fn]` as an ordinary function, for methods in Rust.
fn plain(mut function: ItemFn, import: &TokenStream) -> TokenStream {
    function.sig.ident = plain_name(&function.sig.ident);
    let (signature, body) = (&function.sig, &function.block.stmts);
    let others = function.attrs.iter().filter(|a| attribute_role(a).is_none());
    quote! {
        #(#others)*
        #[allow(dead_code, unused_unsafe, clippy::all, clippy::pedantic)]
        #signature { #import #(#body)* }
    }
}

/// The names that a module's `use` items import.
struct Imported {
    names: Vec<String>,
    /// `true` if there is a glob, which may import any name.
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

    /// Returns `true` if the name may be imported.
    fn has(&self, name: &Ident) -> bool {
        self.all || self.names.contains(&text(name))
    }
}

/// The module's declarations that functions may name.
struct Declarations(BTreeMap<String, Declaration>);

struct Declaration {
    /// The declaration, without a value. Only inlined functions have bodies.
    tokens: TokenStream,
    /// `true` if there are several items of this name, of which `cfg` leaves one.
    ambiguous: bool,
}

impl Declarations {
    /// Returns the declarations of a module. `fuse` is the module's option for methods.
    fn of(items: &[Item], fuse: bool) -> Self {
        let mut declarations = Self(BTreeMap::new());
        for item in items {
            match item {
                Item::Fn(item) if item.attrs.iter().any(|a| attribute_role(a).is_some()) => {
                    let signature = &item.sig;
                    let declaration = match inline_functions::reason(item) {
                        Some(_) => inline_functions::declaration(item),
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
                && let Some(of) = inline_functions::structure_of(item)
                && let Some(structure) = declarations.0.get_mut(&of.unraw().to_string())
            {
                structure.tokens.extend(inline_functions::methods(item, &of, fuse));
            }
        }
        declarations
    }

    fn add(&mut self, name: &Ident, tokens: TokenStream) {
        let text = name.unraw().to_string();
        let ambiguous = self.0.contains_key(&text);
        self.0.insert(text, Declaration { tokens, ambiguous });
    }

    /// Rewrites a function's attribute: gives it the path `path`, and adds the declarations that
    /// the function names.
    fn pass(
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
        let passed = quote!(#option(#module { #(#declarations)* }));
        let given = match &attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(found) => {
                let message = "the options are not in parentheses: write `#[ptx_kernel(pair = F16x2)]`";
                return Err(Error::new(found.span(), message));
            }
        };
        // The given options may end with a comma.
        let separator = (!given.is_empty() && !ends_with_comma(&given)).then(|| quote!(,));
        *attribute = syn::parse_quote!(#[#path(#given #separator #passed)]);
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
