//! Inlined functions: those that take a reference or an array, have a generic parameter (`const N:
//! usize` or a type), or a barrier.
//!
//! Any other `#[ptx_fn]` is a function of the expansion, too. The parameters of an inlined function
//! name variables of the caller, and the passes need their class, place and owner. So
//! `#[ptx_module]` passes the whole function to its callers, and the parser puts the body in place
//! of each call. The function by itself is only checked. Methods and operators of structures are
//! inlined, and stay Rust besides.

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
use super::options::{FUSE, Options};

/// An inlined function.
pub(crate) struct InlineFunction {
    pub(crate) signature: Signature,
    pub(crate) body: Block,
    /// The names in `keep`.
    pub(crate) keep: Vec<Ident>,
    /// `true` if it has the option `fuse`.
    pub(crate) fuse: bool,
    /// `true` for `#[must_use]`.
    pub(crate) must_use: bool,
    /// The names of its type parameters, `T`.
    pub(crate) types: Vec<Ident>,
}

impl InlineFunction {
    pub(crate) fn new(attributes: &[Attribute], signature: Signature, body: Block) -> Result<Self> {
        let (mut keep, mut fuse) = (Vec::new(), false);
        for attribute in attributes.iter().filter(|a| attribute_role(a) == Some(Role::Function)) {
            if let Meta::List(list) = &attribute.meta {
                let options = Options::of_function(list.tokens.clone())?;
                keep.extend(options.keep);
                fuse |= options.fuse;
            }
        }
        let must_use = attributes.iter().any(|a| a.path().is_ident("must_use"));
        let types = signature.generics.type_params().map(|of| of.ident.clone()).collect();
        Ok(Self { signature, body, keep, fuse, must_use, types })
    }

    /// Parses a part of the function with its type parameters replaced.
    pub(crate) fn with<T: Parse>(
        &self,
        part: &impl ToTokens,
        known: &impl Fn(&Ident) -> Option<TokenStream>,
    ) -> Result<T> {
        with_types(part, &self.types, known)
    }

    /// Returns the type of the result with f32 for each type parameter, which has as many parts.
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

/// Refuses a parameter whose type contains a type parameter as a part.
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
            let message = format!(
                "a type parameter inside of another type is not possible: write `x: {name}` or `x: &mut \
                         {name}`"
            );
            return Err(Error::new(ty.span(), message));
        }
    }
    Ok(())
}

/// Returns a generic function with `ty` for each type parameter, to check it by itself.
pub(crate) fn with_one_type(item: &ItemFn, ty: &str) -> Result<ItemFn> {
    let own: Vec<_> = item.sig.generics.type_params().map(|of| of.ident.clone()).collect();
    let mut item: ItemFn = syn::parse2(item.to_token_stream())?;
    let parameters = core::mem::take(&mut item.sig.generics.params).into_iter();
    item.sig.generics.params = parameters.filter(|of| !matches!(of, GenericParam::Type(_))).collect();
    item.sig.generics.where_clause = None;
    with_types(&item, &own, &|name| Some(Ident::new(ty, name.span()).into_token_stream()))
}

/// Makes a method's `self` an ordinary parameter of that name.
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

/// Returns the structure that an `impl` belongs to, if kernels may use the `impl`.
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

/// Prints the declarations of methods, operators, and constants. Constants have no values there.
/// `fuse` is the module's option.
pub(crate) fn methods(item: &ItemImpl, of: &Ident, fuse: bool) -> TokenStream {
    let option = fuse.then(|| {
        let option = Ident::new(FUSE, of.span());
        quote!(#[ptx_fn(#option)])
    });
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
        quote!(#(#attributes)* #option #signature #body)
    });
    let (ty, of_trait) = (&item.self_ty, item.trait_.as_ref().map(|(path, of)| quote!(#path #of)));
    let passed = quote!(impl #of_trait #ty { #(#constants)* #(#functions)* });
    let own = match super::parse::is_scalar(ty) {
        true => ty.to_token_stream(),
        false => of.to_token_stream(),
    };
    names::replace(passed, &|name| (name == "Self").then(|| own.clone()))
}

/// The reason why a function is inlined.
pub(crate) struct InlineReason {
    span: Span,
    has: &'static str,
}

impl InlineReason {
    /// Returns the error about an inlined function outside of a module.
    pub(crate) fn outside(&self) -> Error {
        let message = format!(
            "a `#[ptx_fn]` with {} is inlined into the kernels that call it: put it and them into a module, \
             `#[ptx_module] mod kernels {{ … }}`",
            self.has
        );
        Error::new(self.span, message)
    }
}

/// Returns the reason why a function is inlined, or `None` if it is not.
pub(crate) fn reason(item: &ItemFn) -> Option<InlineReason> {
    let signature = &item.sig;
    if !item.attrs.is_empty() && item.attrs.iter().any(|a| attribute_role(a) == Some(Role::Kernel)) {
        return None;
    }
    let of_parameter = |input: &FnArg| {
        let FnArg::Typed(typed) = input else { return None };
        let syn::Type::Reference(reference) = header::bare(&typed.ty) else { return None };
        let has = match header::bare(&reference.elem) {
            _ if reference.mutability.is_some() => "a `&mut` parameter",
            syn::Type::Array(_) => "an array parameter",
            _ => return None,
        };
        Some(InlineReason { span: typed.ty.span(), has })
    };
    let constant = signature.generics.params.iter().find_map(|parameter| match parameter {
        GenericParam::Const(constant) => Some(InlineReason { span: constant.span(), has: "a constant parameter" }),
        GenericParam::Type(ty) => Some(InlineReason { span: ty.span(), has: "a type parameter" }),
        GenericParam::Lifetime(_) => None,
    });
    let barrier = || {
        let votes = Vote::ALL.map(Vote::called);
        let barriers = votes.iter().chain(&["sync_threads"]);
        let span = barriers.filter_map(|name| names::position(item.block.to_token_stream(), name)).next()?;
        Some(InlineReason { span, has: "a barrier" })
    };
    signature.inputs.iter().find_map(of_parameter).or(constant).or_else(barrier)
}

/// Prints the declaration of an inlined function for its callers.
pub(crate) fn declaration(item: &ItemFn) -> TokenStream {
    let attributes = item.attrs.iter().filter(|a| attribute_role(a).is_some() || a.path().is_ident("must_use"));
    let (signature, body) = (&item.sig, &item.block);
    quote!(#(#attributes)* #signature #body)
}

/// Returns `true` if a function returns nothing.
pub(crate) fn returns_nothing(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => matches!(header::bare(ty), syn::Type::Tuple(of) if of.elems.is_empty()),
    }
}
