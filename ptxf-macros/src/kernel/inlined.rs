//! Functions that become a part of their callers: those that take a reference or an array, have a constant (`const N: usize`) or a type of
//! their own, or a barrier.
//!
//! Any other `#[ptx_fn]` is a function of the expansion, too. These have parameters that name what is the caller's, whose class, place and
//! owner the passes have to see. So `#[ptx_module]` tells the caller all of such a function, and the parser puts it where it is called; by
//! itself it is only checked. Methods and operators of structures are such functions, too; they stay what they are in Rust, besides.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parse;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Block, Error, FnArg, GenericParam, ImplItem, ItemFn, ItemImpl, Meta, Pat, PatIdent, PatType,
    ReceiverKind, Result, ReturnType, Signature, Token,
};

use super::ast::Vote;
use super::header::{self, Role, attribute_role};
use super::names;
use super::options::Options;

/// A function that becomes a part of its callers.
pub(crate) struct Inlined {
    pub(crate) signature: Signature,
    pub(crate) body: Block,
    /// What is f32 in it.
    pub(crate) keep: Vec<Ident>,
    /// Whether its result has to be used.
    pub(crate) must_use: bool,
    /// Its own types, `T`.
    pub(crate) types: Vec<Ident>,
}

impl Inlined {
    pub(crate) fn new(attributes: &[Attribute], signature: Signature, body: Block) -> Result<Self> {
        let options = attributes.iter().find(|a| attribute_role(a) == Some(Role::Function)).map(|a| &a.meta);
        let keep = match options {
            Some(Meta::List(list)) => Options::of_function(list.tokens.clone())?.keep,
            _ => Vec::new(),
        };
        let must_use = attributes.iter().any(|a| a.path().is_ident("must_use"));
        let types = signature.generics.type_params().map(|of| of.ident.clone()).collect();
        Ok(Self { signature, body, keep, must_use, types })
    }

    /// A part of the function, where its own types are known.
    pub(crate) fn with<T: Parse>(
        &self,
        part: &impl ToTokens,
        known: &impl Fn(&Ident) -> Option<TokenStream>,
    ) -> Result<T> {
        with_types(part, &self.types, known)
    }

    /// What it returns, with f32 for its own types: as many values.
    pub(crate) fn shape_of_result(&self) -> Option<syn::Type> {
        let ReturnType::Type(_, ty) = &self.signature.output else { return None };
        self.with(ty, &|_| Some(quote!(f32))).ok()
    }
}

fn with_types<T: Parse>(
    part: &impl ToTokens,
    own: &[Ident],
    known: &impl Fn(&Ident) -> Option<TokenStream>,
) -> Result<T> {
    syn::parse2(names::replace(part.to_token_stream(), &|name| own.contains(name).then(|| known(name))?))
}

/// Refuses a parameter whose type only names one of the function's own among others.
pub(crate) fn types_stand_alone(item: &ItemFn) -> Result<()> {
    let own: Vec<_> = item.sig.generics.type_params().map(|of| &of.ident).collect();
    for input in &item.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let ty = match header::bare(&typed.ty) {
            syn::Type::Reference(reference) => header::bare(&reference.elem),
            ty => ty,
        };
        let is_one = matches!(ty, syn::Type::Path(path) if path.path.get_ident().is_some());
        if let Some(name) = own
            .iter()
            .filter(|_| !is_one)
            .find(|name| names::position(ty.to_token_stream(), &names::text(name)).is_some())
        {
            let message =
                format!("a type of a function's own stands alone in a parameter, `x: {name}` or `x: &mut {name}`");
            return Err(Error::new(ty.span(), message));
        }
    }
    Ok(())
}

/// A function with types of its own as one of `ty`, which is enough to say what is wrong with it.
pub(crate) fn with_one_type(item: &ItemFn, ty: &str) -> Result<ItemFn> {
    let own: Vec<_> = item.sig.generics.type_params().map(|of| of.ident.clone()).collect();
    let mut item: ItemFn = syn::parse2(item.to_token_stream())?;
    let parameters = core::mem::take(&mut item.sig.generics.params).into_iter();
    item.sig.generics.params = parameters.filter(|of| !matches!(of, GenericParam::Type(_))).collect();
    item.sig.generics.where_clause = None;
    with_types(&item, &own, &|name| Some(Ident::new(ty, name.span()).into_token_stream()))
}

/// Makes a method's `self` a parameter of that name like the others.
pub(crate) fn name_receiver(signature: &mut Signature, of: &syn::Type) -> Result<()> {
    let Some(first @ FnArg::Receiver(_)) = signature.inputs.first_mut() else { return Ok(()) };
    let FnArg::Receiver(receiver) = &mut *first else { unreachable!("asked for above") };
    let span = receiver.self_token.span();
    let ty = match &receiver.kind {
        ReceiverKind::Reference(sign, _, mutability) => syn::parse2(quote!(#sign #mutability #of))?,
        _ => syn::parse2(of.to_token_stream())?,
    };
    let name = Pat::Ident(PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: receiver.mutability.take(),
        ident: Ident::new("self", span),
        subpat: None,
    });
    *first = FnArg::Typed(PatType {
        attrs: Vec::new(),
        pat: Box::new(name),
        colon_token: Token![:](span),
        ty: Box::new(ty),
    });
    Ok(())
}

/// The name of the structure whose methods or operators these are, if kernels may use them.
pub(crate) fn structure_of(item: &ItemImpl) -> Option<Ident> {
    const OPERATORS: [&str; 11] =
        ["Add", "Sub", "Mul", "Div", "Rem", "Neg", "AddAssign", "SubAssign", "MulAssign", "DivAssign", "RemAssign"];
    let name = |ty: &syn::Type| match header::bare(ty) {
        syn::Type::Path(path) => path.path.get_ident().map(|name| Ident::new(&name.to_string(), name.span())),
        _ => None,
    };
    let plain = item.generics.params.is_empty() && item.unsafety.is_none();
    let of = name(&item.self_ty).filter(|_| plain && !item.attrs.iter().any(|a| a.path().is_ident("cfg")))?;
    let Some((path, _)) = &item.trait_ else { return Some(of) };
    let last = path.segments.last().filter(|last| OPERATORS.iter().any(|name| last.ident == name))?;
    // An operator of a number and a structure is the structure's.
    match &last.arguments {
        syn::PathArguments::AngleBracketed(arguments) if super::parse::is_scalar(&item.self_ty) => {
            match arguments.args.first() {
                Some(syn::GenericArgument::Type(ty)) => name(ty),
                _ => None,
            }
        }
        _ => Some(of),
    }
}

/// What a module tells of methods, operators, and constants, which it tells without their values.
pub(crate) fn methods(item: &ItemImpl, of: &Ident) -> TokenStream {
    let always = |attributes: &[Attribute]| !attributes.iter().any(|a| a.path().is_ident("cfg"));
    let constants = item.items.iter().filter_map(|part| match part {
        ImplItem::Const(constant) if item.trait_.is_none() && always(&constant.attrs) => {
            let (name, ty) = (&constant.ident, &constant.ty);
            Some(quote!(const #name: #ty = ();))
        }
        _ => None,
    });
    let functions = item.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) if always(&function.attrs) => Some(function),
        _ => None,
    });
    let functions = functions.map(|function| {
        let attributes = function.attrs.iter().filter(|a| attribute_role(a).is_some() || a.path().is_ident("must_use"));
        let (signature, body) = (&function.sig, &function.block);
        quote!(#(#attributes)* #signature #body)
    });
    let (ty, of_trait) = (&item.self_ty, item.trait_.as_ref().map(|(path, of)| quote!(#path #of)));
    let told = quote!(impl #of_trait #ty { #(#constants)* #(#functions)* });
    let own = match super::parse::is_scalar(ty) {
        true => ty.to_token_stream(),
        false => of.to_token_stream(),
    };
    names::replace(told, &|name| (name == "Self").then(|| own.clone()))
}

/// Why a function is one of these.
pub(crate) struct Why {
    span: Span,
    has: &'static str,
}

impl Why {
    /// The complaint about one that stands outside of a module.
    pub(crate) fn outside(&self) -> Error {
        let message = format!(
            "a `#[ptx_fn]` with {} becomes a part of the kernels that call it, which have to see it: put it and them into a module, \
             `#[ptx_module] mod kernels {{ … }}`",
            self.has
        );
        Error::new(self.span, message)
    }
}

/// Whether the function is one of these, and why.
pub(crate) fn why(item: &ItemFn) -> Option<Why> {
    let signature = &item.sig;
    if !item.attrs.is_empty() && item.attrs.iter().any(|a| attribute_role(a) == Some(Role::Kernel)) {
        return None;
    }
    let of_parameter = |input: &FnArg| {
        let FnArg::Typed(typed) = input else { return None };
        let syn::Type::Reference(reference) = header::bare(&typed.ty) else { return None };
        let has = match header::bare(&reference.elem) {
            _ if reference.mutability.is_some() => "a `&mut` parameter",
            syn::Type::Array(_) => "an array for a parameter",
            _ => return None,
        };
        Some(Why { span: typed.ty.span(), has })
    };
    let constant = signature.generics.params.iter().find_map(|parameter| match parameter {
        GenericParam::Const(constant) => Some(Why { span: constant.span(), has: "a constant of its own" }),
        GenericParam::Type(ty) => Some(Why { span: ty.span(), has: "a type of its own" }),
        GenericParam::Lifetime(_) => None,
    });
    let barrier = || {
        let votes = Vote::ALL.map(Vote::called);
        let barriers = votes.iter().chain(&["sync_threads"]);
        let span = barriers.filter_map(|name| names::position(item.block.to_token_stream(), name)).next()?;
        Some(Why { span, has: "a barrier" })
    };
    signature.inputs.iter().find_map(of_parameter).or(constant).or_else(barrier)
}

/// What a module tells the callers of one of these.
pub(crate) fn declaration(item: &ItemFn) -> TokenStream {
    let attributes = item.attrs.iter().filter(|a| attribute_role(a).is_some() || a.path().is_ident("must_use"));
    let (signature, body) = (&item.sig, &item.block);
    quote!(#(#attributes)* #signature #body)
}

/// Whether a function returns nothing.
pub(crate) fn returns_nothing(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => matches!(header::bare(ty), syn::Type::Tuple(of) if of.elems.is_empty()),
    }
}
