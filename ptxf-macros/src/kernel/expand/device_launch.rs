//! `f32_on`, `scalar_on` and `pair_on`, by which a host launches the entries of `device.rs`.
// Invariant: with `unchecked` a launch is an `unsafe fn`, whose caller guarantees that all accesses are in bounds.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Result;
use syn::ext::IdentExt as _;

use super::super::ast::Kind;
use super::super::options::Options;
use super::super::scalar_type::Type;
use super::blocks::{in_blocks, names_blocks};
use super::{Printer, allow, primitive};

/// Prints `f32_on`, `scalar_on` and `pair_on`.
pub(super) fn launches(printer: &Printer<'_>, element: &TokenStream, options: &Options) -> Result<TokenStream> {
    let symbol = options.symbol(&printer.kernel.name)?;
    let f32 = primitive("f32");
    let versions = [("f32", &f32, 1_usize), ("scalar", element, 1), ("pair", element, printer.kernel.per_thread)];
    Ok(versions
        .into_iter()
        .map(|(version, element, lanes)| launch(printer, version, element, lanes, &symbol, options.unchecked))
        .collect())
}

fn launch(
    printer: &Printer<'_>,
    version: &str,
    element: &TokenStream,
    lanes: usize,
    symbol: &str,
    unchecked: bool,
) -> TokenStream {
    let (kernel, axes) = (&printer.path, printer.kernel.axes());
    let (name, symbol) = (format_ident!("{version}_on"), format!("{symbol}_{version}"));
    let blocks = format_ident!(
        "{}",
        match (in_blocks(printer.kernel), names_blocks(printer.kernel)) {
            (true, _) => "Shared",
            (false, true) => "Named",
            (false, false) => "Any",
        }
    );
    let (mut parameters, mut passed) = (TokenStream::new(), TokenStream::new());
    for parts in &printer.kernel.parameters {
        let memory = |written, held| match written {
            false => quote!(&impl #kernel::Reads<__Device, #held>),
            true => quote!(&mut impl #kernel::Writes<__Device, #held>),
        };
        let Some(declared) = printer.declaration(parts, element, memory) else { continue };
        parameters.extend(quote!(#declared,));
        let given = printer.given(parts);
        for (&id, accessor) in parts.leaves().into_iter().zip(parts.accessors()) {
            let v = &printer.kernel.variables[id];
            passed.extend(match v.kind {
                Kind::In => quote!(__launch.read(#given);),
                Kind::Out => quote!(__launch.write(#given);),
                _ if printer.types.get(v.ty) == Type::Float && !v.kept && version != "f32" => {
                    // The entry rounds the number. This call only warns.
                    let (of, text) = (printer.kernel.name.unraw().to_string(), v.shown());
                    quote! {
                        let _: #element = #kernel::parameter(#of, #text, #given #accessor);
                        __launch.number(#given #accessor);
                    }
                }
                _ => quote!(__launch.number(#given #accessor);),
            });
        }
    }
    let doc = format!(
        " Launches the entry `{symbol}` on a device, without waiting for it. The entry computes what [`{version}`](Self::{version}) does."
    );
    let allow = allow();
    let (safety, unsafe_) = match unchecked {
        true => (
            quote! {
                #[doc = ""]
                #[doc = " # Safety"]
                #[doc = ""]
                #[doc = " Every element that the kernel accesses is in its slice, also at indices that it loads."]
                #[doc = " The entry checks no bounds."]
            },
            quote!(unsafe),
        ),
        false => (TokenStream::new(), TokenStream::new()),
    };
    quote! {
        #[doc = #doc]
        #safety
        #[cfg(not(target_arch = "nvptx64"))]
        #allow
        pub #unsafe_ fn #name<__Device: #kernel::Device>(
            __device: &__Device,
            __grid: impl ::core::convert::Into<#kernel::Grid>,
            #parameters
        ) -> ::core::result::Result<(), __Device::Error> {
            let mut __launch =
                #kernel::OnDevice::new(__device, #symbol, #axes, #lanes, #kernel::Blocks::#blocks, __grid)?;
            #passed
            __launch.launch()
        }
    }
}
