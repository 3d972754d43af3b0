//! A kernel without `pair`: ordinary Rust, run for every thread of a grid.
// Invariant: a launch on a device passes slices that live until it ends; nothing writes meanwhile to a slice that it reads.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, Lifetime, Pat, Result, Token};

use super::ast::Kind;
use super::attributes::Attributes;
use super::entry::claim_symbol;
use super::expand::expansion_path;
use super::header::{self, Role};
use super::options::Options;
use super::parse::{is_warp, supplied};

/// A parameter.
enum Parameter {
    /// An index or a number of threads, which the launch supplies.
    Supplied(Kind),
    /// The warp, which the launch supplies.
    Warp,
    In(TokenStream),
    Out(TokenStream),
    Value(TokenStream),
}

/// Prints the whole expansion.
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
    errors.extend(beside_warp(&parameters));
    let symbol = options.symbol(&signature.ident).map_err(|e| errors.push(e)).unwrap_or_default();
    super::all(errors)?;
    Ok(print(item, &attributes, &parameters, &symbol, &options.path))
}

fn parameter(input: &FnArg, path: &TokenStream) -> Result<(Ident, Parameter)> {
    let (name, ty) = header::parameter(input, Role::Kernel)?;
    if let Some(token) = find_impl(ty.to_token_stream()) {
        let message = "a kernel cannot be generic, since it is one entry on a device: write the type";
        return Err(Error::new(token, message));
    }
    if is_warp(ty, path)? {
        return Ok((name.clone(), Parameter::Warp));
    }
    let kind = match (ty, supplied(ty, path)?) {
        (_, Some(kind)) => Parameter::Supplied(kind),
        (syn::Type::Reference(reference), _) => match header::bare(&reference.elem) {
            syn::Type::Slice(slice) if reference.mutability.is_some() => Parameter::Out(slice.elem.to_token_stream()),
            syn::Type::Slice(slice) => Parameter::In(slice.elem.to_token_stream()),
            other => {
                let message = "a kernel has references to slices only: pass the value, or a slice of one element";
                return Err(Error::new(other.span(), message));
            }
        },
        (ty, _) => Parameter::Value(ty.to_token_stream()),
    };
    Ok((name.clone(), kind))
}

/// Returns the errors of a warp kernel's other indices.
fn beside_warp(parameters: &[(Ident, Parameter)]) -> Vec<Error> {
    let is_warp = |(_, parameter): &&(Ident, Parameter)| matches!(parameter, Parameter::Warp);
    let Some((warp, _)) = parameters.iter().find(is_warp) else {
        return Vec::new();
    };
    let second = parameters.iter().filter(is_warp).skip(1).map(|(name, _)| {
        Error::new(name.span(), format!("the kernel has its warp already, `{warp}`: remove `{name}`"))
    });
    let indices = parameters.iter().filter(|(_, p)| matches!(p, Parameter::Supplied(_))).map(|(name, _)| {
        let message = format!(
            "a kernel with a `Warp` runs once for 32 threads, which have no index of their own: use `{warp}.x()`, \
             `{warp}.y()`, `{warp}.z()` or `{warp}.grid()`, and remove `{name}`"
        );
        Error::new(name.span(), message)
    });
    second.chain(indices).collect()
}

/// Returns the place of `impl` in a type.
fn find_impl(ty: TokenStream) -> Option<Span> {
    ty.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if word == "impl" => Some(word.span()),
        TokenTree::Group(group) => find_impl(group.stream()),
        _ => None,
    })
}

/// Returns `true` if the type has a lifetime, written or not.
fn has_lifetime(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
        TokenTree::Group(group) => has_lifetime(group.stream()),
        _ => false,
    })
}

/// Prints the expansion. The body is printed unchanged, so all names of the expansion have the span
/// `here`, apart from the body's.
fn print(
    item: &syn::ItemFn,
    attributes: &Attributes,
    parameters: &[(Ident, Parameter)],
    symbol: &str,
    path: &TokenStream,
) -> TokenStream {
    let (visibility, name, block) = (&item.vis, &item.sig.ident, &item.block);
    let (safety, function) = (&item.sig.safety, &item.sig.fn_token);
    let Attributes { lints, others, .. } = attributes;
    let (here, kernel) = (Span::mixed_site(), expansion_path(path));
    let axes = parameters
        .iter()
        .filter_map(|(_, p)| if let Parameter::Supplied(kind) = p { kind.axis() } else { None })
        .max()
        .unwrap_or(0)
        + 1;
    let is_warp = parameters.iter().any(|(_, p)| matches!(p, Parameter::Warp));
    // With several axes an index along x is not a thread's own.
    let output = match axes {
        _ if is_warp => quote!(AnyWarp),
        1 => quote!(PerThread),
        _ => quote!(AnyThread),
    };
    // Names that the kernel's own code cannot use.
    let (thread, life) = (Ident::new("thread", Span::mixed_site()), Lifetime::new("'t", Span::mixed_site()));
    let (mut host, mut views) = (TokenStream::new(), TokenStream::new());
    let (mut body, mut outputs, mut arguments) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let (mut passed, mut checks) = (TokenStream::new(), TokenStream::new());
    let (mut device, mut from_device) = (TokenStream::new(), TokenStream::new());
    let (mut there, mut words, mut of_host) = (Vec::new(), TokenStream::new(), false);
    for (i, ((name, parameter), input)) in parameters.iter().zip(&item.sig.inputs).enumerate() {
        let mutability = mutability(input);
        // The name does not contain the parameter's: `x_len` may be another parameter.
        let length = Ident::new(&format!("__len_{i}"), here);
        match parameter {
            Parameter::Supplied(kind) => {
                let (ty, method) = names_of(kind);
                body.extend(quote!(#mutability #name: #kernel::#ty<#life>,));
                arguments.extend(quote!(#thread.#method(),));
                continue;
            }
            Parameter::Warp => {
                body.extend(quote!(#mutability #name: #kernel::Warp<#life>,));
                arguments.extend(quote!(#thread.warp(),));
                continue;
            }
            Parameter::In(of) => {
                let ty = quote_spanned!(of.span()=> &[#of]);
                checks.extend(quote!(#kernel::passed::<#ty>();));
                host.extend(quote!(#name: &[#of],));
                views.extend(quote!(let #name: #kernel::In<'_, #of> = ::core::convert::From::from(#name);));
                body.extend(quote!(#mutability #name: #kernel::In<'_, #of>,));
                device.extend(quote!(#name: ::core::option::Option<&[#of; 0]>, #length: ::core::primitive::usize,));
                of_host |= has_lifetime(of.clone());
                there.push(quote!(#name: &impl #kernel::Reads<__Device, #of>));
                words.extend(quote_spanned!(here=> __launch.read(#name);));
                from_device.extend(quote!(let #name = unsafe { #kernel::In::of_entry(#name, #length) };));
            }
            Parameter::Out(of) => {
                checks.extend(quote!(#kernel::passed::<#of>();));
                host.extend(quote!(#name: &mut [#of],));
                views.extend(quote!(let #name: #kernel::Out<'_, #of> = unsafe { #kernel::Out::of_launch(#name) };));
                body.extend(quote!(#[allow(unused_mut)] mut #name: #kernel::#output<#life, #of>,));
                outputs.extend(quote!(let #name = unsafe { #kernel::#output::of_launch(#name, #thread) };));
                device.extend(quote!(#name: *mut #of, #length: ::core::primitive::usize,));
                of_host |= has_lifetime(of.clone());
                there.push(quote!(#name: &mut impl #kernel::Writes<__Device, #of>));
                words.extend(quote_spanned!(here=> __launch.write(#name);));
                from_device.extend(quote!(let #name = unsafe { #kernel::Out::from_raw_parts(#name, #length) };));
            }
            Parameter::Value(ty) => {
                checks.extend(quote!(#kernel::passed::<#ty>();));
                host.extend(quote!(#name: #ty,));
                body.extend(quote!(#mutability #name: #ty,));
                device.extend(quote!(#name: #ty,));
                of_host |= has_lifetime(ty.clone());
                there.push(quote!(#name: impl #kernel::Passed<#ty>));
                words.extend(quote_spanned!(here=> __launch.passed(#name);));
            }
        }
        arguments.extend(quote!(#name,));
        passed.extend(quote!(#name,));
    }
    let (own_name, entry) = (name.unraw().to_string(), format_ident!("__{}", name));
    let claim = claim_symbol(symbol, name);
    let (allow, (alias, own)) = (allow_of_launch(), attributes.own(name));
    let call = quote!(#own::__run(#arguments));
    let (call, asks) = match safety {
        syn::Safety::Unsafe(_) => (
            quote!(unsafe { #call }),
            quote! {
                #[doc = ""]
                #[doc = "# Safety"]
                #[doc = ""]
                #[doc = "The caller guarantees what the kernel requires."]
            },
        ),
        _ => (call, TokenStream::new()),
    };
    let blocks = if is_warp { "" } else { ", in whole blocks," };
    let doc = format!(
        " Launches the entry `{symbol}` on a device{blocks} and does not wait: what [`launch`](Self::launch) does."
    );
    let begin = if is_warp {
        quote_spanned!(here=> #kernel::OnDevice::of_warps(__device, #symbol, __grid)?)
    } else {
        quote_spanned!(here=> #kernel::OnDevice::of_blocks(__device, #symbol, #axes, __grid)?)
    };
    // A value with a lifetime refers to the host's memory, which a device cannot access.
    let on_device = (!of_host).then(|| {
        quote_spanned! {here=>
            #[doc = #doc]
            #asks
            #[cfg(not(target_arch = "nvptx64"))]
            #[allow(clippy::missing_errors_doc)]
            #allow
            pub #safety fn launch_on<__Device: #kernel::Device>(
                __device: &__Device,
                __grid: impl ::core::convert::Into<#kernel::Grid>,
                #(#there,)*
            ) -> ::core::result::Result<(), __Device::Error> {
                let mut __launch = #begin;
                #words
                __launch.launch()
            }
        }
    });
    let given = parameters.iter().filter(|(_, p)| !matches!(p, Parameter::Supplied(_) | Parameter::Warp)).count();
    let refusal = quote!(#kernel::CallsPlainKernel<#own>);
    let callable = Attributes::callable(&visibility.to_token_stream(), name, &refusal, 1 + given);
    let each = quote!((#passed), |#thread, (#passed)| { #outputs #call });
    let run = if is_warp {
        quote_spanned!(here=> #kernel::launch_warps(__grid, #own_name, #each))
    } else {
        quote_spanned!(here=> #kernel::launch_each(__grid, #own_name, #axes, #each))
    };
    let (warps, run_there) = if is_warp {
        (
            quote_spanned!(here=> __warps: ::core::primitive::u32,),
            quote_spanned!(here=> #kernel::device::warp(__warps, #each)),
        )
    } else {
        (TokenStream::new(), quote_spanned!(here=> #kernel::device::each(#each)))
    };
    let what = if is_warp { "warp" } else { "thread" };
    let doc_of_launch = format!(" Runs the kernel for every {what} of a grid on the CPU.");
    quote_spanned! {here=>
        #others
        #[allow(non_camel_case_types, missing_debug_implementations, clippy::exhaustive_enums)]
        #visibility enum #name {}
        #callable

        #alias
        impl #own {
            #[doc = #doc_of_launch]
            #asks
            #[cfg(not(target_arch = "nvptx64"))]
            #allow
            pub #safety fn launch(__grid: impl ::core::convert::Into<#kernel::Grid>, #host) {
                #checks
                #views
                #run;
            }

            #on_device

            #lints
            #allow
            #[inline(always)]
            #safety #function __run<#life>(#body) #block
        }

        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #claim

            #[unsafe(export_name = #symbol)]
            #[allow(non_snake_case)]
            #allow
            unsafe extern "ptx-kernel" fn #entry(#warps #device) {
                #from_device
                #run_there;
            }
        };
    }
}

/// Prints the lints that the expansion breaks and a function written by hand would not.
fn allow_of_launch() -> TokenStream {
    quote! {
        #[allow(
            clippy::too_many_arguments, clippy::missing_panics_doc, clippy::missing_inline_in_public_items,
            clippy::needless_pass_by_value, clippy::impl_trait_in_params, clippy::shadow_reuse, clippy::shadow_same,
            clippy::shadow_unrelated, clippy::inline_always, clippy::missing_docs_in_private_items, clippy::single_call_fn
        )]
    }
}

/// Returns the `mut` before a parameter, of which every thread has a copy.
fn mutability(input: &FnArg) -> Option<&Token![mut]> {
    match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pattern) => pattern.mutability.as_ref(),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// Returns the type of a parameter that the launch supplies, and the method that returns it:
/// `BlockDimX`, `block_dim_x`.
fn names_of(kind: &Kind) -> (Ident, Ident) {
    let ty = kind.supplied_type().expect("a launch supplies nothing else");
    let mut method = String::new();
    for c in ty.chars() {
        if c.is_uppercase() && !method.is_empty() {
            method.push('_');
        }
        method.extend(c.to_lowercase());
    }
    (format_ident!("{ty}"), format_ident!("{method}"))
}
