//! A kernel without `pair`: ordinary Rust, run for every thread of a grid.
// Invariant: a launch on a device passes slices that live as long as it, and overlap where nothing is written.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, Pat, Result};

use super::ast::{Attributes, Index, IndexOf};
use super::options::Options;
use super::parse::index_type;

/// A parameter, as the launch and the body have it.
enum Parameter {
    Index(Index),
    In(TokenStream),
    Out(TokenStream),
    Value(TokenStream),
}

/// The whole expansion.
pub(super) fn expand(item: &syn::ItemFn, options: &Options) -> Result<TokenStream> {
    let path = &options.path;
    let mut errors = Vec::new();
    let signature = &item.sig;
    if let syn::ReturnType::Type(arrow, _) = &signature.output {
        errors.push(Error::new(arrow.span(), "a kernel returns nothing: write to an output, `out: &mut [f32]`"));
    }
    if let Some(parameter) = signature.generics.params.first() {
        errors.push(Error::new(parameter.span(), "a kernel is not generic: on a device it is one entry"));
    }
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match parameter(input) {
            Ok(p) => parameters.push(p),
            Err(e) => errors.push(e),
        }
    }
    super::all(errors)?;
    let symbol = options.symbol(&signature.ident.to_string());
    Ok(print(item, &parameters, &symbol, &quote!(#path::kernel)))
}

fn parameter(input: &FnArg) -> Result<(Ident, Parameter)> {
    let FnArg::Typed(input) = input else {
        return Err(Error::new(input.span(), "a kernel has no `self`"));
    };
    let Pat::Ident(pattern) = &*input.pat else {
        return Err(Error::new(input.pat.span(), "give the parameter a plain name"));
    };
    let kind = match (&*input.ty, index_type(&input.ty)) {
        (_, Some(index)) => Parameter::Index(index),
        (syn::Type::Reference(reference), _) => match &*reference.elem {
            syn::Type::Slice(slice) if reference.mutability.is_some() => Parameter::Out(slice.elem.to_token_stream()),
            syn::Type::Slice(slice) => Parameter::In(slice.elem.to_token_stream()),
            other => {
                let message = "a device has no such reference: pass the value, or a slice of one element";
                return Err(Error::new(other.span(), message));
            }
        },
        (ty, _) => Parameter::Value(ty.to_token_stream()),
    };
    Ok((pattern.ident.clone(), kind))
}

fn print(item: &syn::ItemFn, parameters: &[(Ident, Parameter)], symbol: &str, kernel: &TokenStream) -> TokenStream {
    let (visibility, name, block) = (&item.vis, &item.sig.ident, &item.block);
    let Attributes { lints, others } = Attributes::of(item);
    let axes = parameters
        .iter()
        .filter_map(|(_, p)| if let Parameter::Index(i) = p { Some(i.axis + 1) } else { None })
        .max()
        .unwrap_or(1);
    // With several axes an index along x is no thread's own.
    let output = if axes == 1 { quote!(PerThread) } else { quote!(AnyThread) };
    let (mut host, mut views, mut lets) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let (mut device, mut from_device) = (TokenStream::new(), TokenStream::new());
    for (name, parameter) in parameters {
        let length = format_ident!("{name}_len");
        match parameter {
            Parameter::Index(index) => {
                let (ty, value) = index_value(*index);
                lets.extend(quote!(let #name = #kernel::#ty::new(#value);));
            }
            Parameter::In(of) => {
                host.extend(quote!(#name: &[#of],));
                views.extend(quote!(let #name: #kernel::In<'_, #of> = ::core::convert::From::from(#name);));
                device.extend(quote!(#name: *const #of, #length: usize,));
                from_device.extend(quote!(let #name = unsafe { #kernel::In::from_raw_parts(#name, #length) };));
            }
            Parameter::Out(of) => {
                host.extend(quote!(#name: &mut [#of],));
                views.extend(quote!(let #name: #kernel::Out<'_, #of> = #kernel::Out::of_launch(#name);));
                lets.extend(quote!(#[allow(unused_mut)] let mut #name = #kernel::#output::from(#name);));
                device.extend(quote!(#name: *mut #of, #length: usize,));
                from_device.extend(quote!(let #name = unsafe { #kernel::Out::from_raw_parts(#name, #length) };));
            }
            Parameter::Value(ty) => {
                host.extend(quote!(#name: #ty,));
                device.extend(quote!(#name: #ty,));
            }
        }
    }
    let (own_name, entry) = (name.to_string(), format_ident!("__{name}"));
    quote! {
        #others
        #[allow(non_camel_case_types)]
        #visibility enum #name {}

        impl #name {
            /// Runs the kernel for every thread of a grid on the CPU.
            #[cfg(not(target_arch = "nvptx64"))]
            #lints
            #[allow(clippy::too_many_arguments)]
            pub fn launch(__grid: impl ::core::convert::Into<#kernel::Grid>, #host) {
                #views
                let __grid: #kernel::Grid = __grid.into();
                __grid.require_axes(#own_name, #axes);
                #kernel::launch_each(__grid, move |__at| {
                    #lets
                    #block
                });
            }
        }

        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #lints
            #[unsafe(export_name = #symbol)]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            unsafe extern "ptx-kernel" fn #entry(#device) {
                let __at = #kernel::device::at();
                #from_device
                #lets
                #block
            }
        };
    }
}

fn index_value(index: Index) -> (Ident, TokenStream) {
    let axis = index.axis;
    let letter = ["X", "Y", "Z"][axis];
    let thread = [quote!(__at.x.0), quote!(__at.y), quote!(__at.z)][axis].clone();
    match index.of {
        IndexOf::Thread => (format_ident!("Thread{letter}"), thread),
        IndexOf::Local => (format_ident!("Local{letter}"), quote!(#thread - __at.block[#axis] * __at.block_dim[#axis])),
        IndexOf::Block => (format_ident!("Block{letter}"), quote!(__at.block[#axis])),
    }
}
