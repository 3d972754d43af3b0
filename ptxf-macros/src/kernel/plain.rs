//! A kernel without `pair`: ordinary Rust, run for every thread of a grid.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Result};

use super::ast::{Index, IndexOf};
use super::attributes::Attributes;
use super::entry::once;
use super::header;
use super::options::Options;
use super::parse::{Role, index_type};

/// A parameter, as the launch and the body have it.
enum Parameter {
    Index(Index),
    In(TokenStream),
    Out(TokenStream),
    Value(TokenStream),
}

/// The whole expansion.
pub(super) fn expand(item: &syn::ItemFn, options: &Options) -> Result<TokenStream> {
    let (attributes, mut errors) = Attributes::of(item, Role::Kernel);
    errors.extend(header::qualifiers(item, Role::Kernel));
    let signature = &item.sig;
    if let syn::ReturnType::Type(arrow, _) = &signature.output {
        errors.push(Error::new(arrow.span(), "a kernel returns nothing: write to an output, `out: &mut [f32]`"));
    }
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match parameter(input, &options.path) {
            Ok(p) => parameters.push(p),
            Err(e) => errors.push(e),
        }
    }
    errors.extend(header::distinct(parameters.iter().map(|(name, _)| name)));
    let symbol = options.symbol(&signature.ident).map_err(|e| errors.push(e)).unwrap_or_default();
    super::all(errors)?;
    Ok(print(item, &attributes, &parameters, &symbol, &options.path))
}

fn parameter(input: &FnArg, path: &TokenStream) -> Result<(Ident, Parameter)> {
    let (name, ty) = header::parameter(input, Role::Kernel)?;
    if let Some(token) = find_impl(ty.to_token_stream()) {
        let message = "a kernel cannot be generic: on a device it is one entry; name the type";
        return Err(Error::new(token, message));
    }
    let kind = match (ty, index_type(ty, path)?) {
        (_, Some(index)) => Parameter::Index(index),
        (syn::Type::Reference(reference), _) => match header::bare(&reference.elem) {
            syn::Type::Slice(slice) if reference.mutability.is_some() => Parameter::Out(slice.elem.to_token_stream()),
            syn::Type::Slice(slice) => Parameter::In(slice.elem.to_token_stream()),
            other => {
                let message = "a device has no such reference: pass the value, or a slice of one element";
                return Err(Error::new(other.span(), message));
            }
        },
        (ty, _) => Parameter::Value(ty.to_token_stream()),
    };
    Ok((name.clone(), kind))
}

/// Where the type says `impl`.
fn find_impl(ty: TokenStream) -> Option<Span> {
    ty.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if word == "impl" => Some(word.span()),
        TokenTree::Group(group) => find_impl(group.stream()),
        _ => None,
    })
}

/// The body is printed as it is, so all names of the expansion are looked up apart from it, `here`.
fn print(
    item: &syn::ItemFn,
    attributes: &Attributes,
    parameters: &[(Ident, Parameter)],
    symbol: &str,
    path: &TokenStream,
) -> TokenStream {
    let (visibility, name, block) = (&item.vis, &item.sig.ident, &item.block);
    let Attributes { lints, others, .. } = attributes;
    let (here, kernel) = (Span::mixed_site(), quote!(#path::kernel));
    let axes = parameters
        .iter()
        .filter_map(|(_, p)| if let Parameter::Index(i) = p { Some(i.axis + 1) } else { None })
        .max()
        .unwrap_or(1);
    // With several axes an index along x is no thread's own.
    let output = if axes == 1 { quote!(PerThread) } else { quote!(AnyThread) };
    let (mut host, mut views, mut lets) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let (mut device, mut from_device) = (TokenStream::new(), TokenStream::new());
    for (i, (name, parameter)) in parameters.iter().enumerate() {
        // Not after the parameter: `x_len` may be another one.
        let length = Ident::new(&format!("__len_{i}"), here);
        match parameter {
            Parameter::Index(index) => {
                let (ty, value) = index_value(*index);
                lets.extend(quote_spanned!(here=> let #name = #kernel::#ty::new(#value);));
            }
            Parameter::In(of) => {
                host.extend(quote!(#name: &[#of],));
                views.extend(quote!(let #name: #kernel::In<'_, #of> = ::core::convert::From::from(#name);));
                device.extend(quote!(#name: *const #of, #length: ::core::primitive::usize,));
                from_device.extend(quote!(let #name = unsafe { #kernel::In::from_raw_parts(#name, #length) };));
            }
            Parameter::Out(of) => {
                host.extend(quote!(#name: &mut [#of],));
                views.extend(quote!(let #name: #kernel::Out<'_, #of> = #kernel::Out::of_launch(#name);));
                lets.extend(quote! {
                    #[allow(unused_mut)]
                    let mut #name = <#kernel::#output<'_, #of> as ::core::convert::From<_>>::from(#name);
                });
                device.extend(quote!(#name: *mut #of, #length: ::core::primitive::usize,));
                from_device.extend(quote!(let #name = unsafe { #kernel::Out::from_raw_parts(#name, #length) };));
            }
            Parameter::Value(ty) => {
                host.extend(quote!(#name: #ty,));
                device.extend(quote!(#name: #ty,));
            }
        }
    }
    let (own_name, entry) = (name.unraw().to_string(), format_ident!("__{}", name));
    let once = once(symbol, name);
    let (allow, (alias, own)) = (allow_of_launch(), attributes.own(name));
    quote_spanned! {here=>
        #others
        #[allow(non_camel_case_types, missing_debug_implementations, clippy::exhaustive_enums)]
        #visibility enum #name {}

        #alias
        impl #own {
            /// Runs the kernel for every thread of a grid on the CPU.
            #[cfg(not(target_arch = "nvptx64"))]
            #lints
            #allow
            pub fn launch(__grid: impl ::core::convert::Into<#kernel::Grid>, #host) {
                #views
                let __grid = ::core::convert::Into::<#kernel::Grid>::into(__grid);
                #kernel::Grid::require_axes(__grid, #own_name, #axes);
                #kernel::launch_each(__grid, move |__at| {
                    #lets
                    #block
                });
            }
        }

        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #once

            #lints
            #[unsafe(export_name = #symbol)]
            #[allow(non_snake_case)]
            #allow
            unsafe extern "ptx-kernel" fn #entry(#device) {
                let __at = #kernel::device::at();
                #from_device
                #lets
                #block
            }
        };
    }
}

/// What a function written by hand would not have: a type for a name, and no documentation of what its body may do.
fn allow_of_launch() -> TokenStream {
    quote! {
        #[allow(
            clippy::too_many_arguments, clippy::missing_panics_doc, clippy::missing_inline_in_public_items,
            clippy::needless_pass_by_value, clippy::impl_trait_in_params, clippy::shadow_reuse, clippy::shadow_same,
            clippy::shadow_unrelated
        )]
    }
}

fn index_value(index: Index) -> (Ident, TokenStream) {
    let axis = index.axis;
    let letter = ["X", "Y", "Z"][axis];
    let at = Ident::new("__at", Span::mixed_site());
    let thread = [quote!(#at.x.0), quote!(#at.y), quote!(#at.z)][axis].clone();
    match index.of {
        IndexOf::Thread => (format_ident!("Thread{letter}"), thread),
        IndexOf::Local => (format_ident!("Local{letter}"), quote!(#thread - #at.block[#axis] * #at.block_dim[#axis])),
        IndexOf::Block => (format_ident!("Block{letter}"), quote!(#at.block[#axis])),
    }
}
