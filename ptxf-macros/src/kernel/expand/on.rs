//! `f32_on`, `scalar_on` and `pair_on`: what a host calls to launch the entries that `device.rs` writes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Result;

use super::super::ast::Kind;
use super::super::options::Options;
use super::blocks::{in_blocks, names_blocks};
use super::{Printer, allow, primitive};

/// `f32_on`, `scalar_on` and `pair_on`.
pub(super) fn launches(printer: &Printer<'_>, element: &TokenStream, options: &Options) -> Result<TokenStream> {
    let symbol = options.symbol(&printer.kernel.name)?;
    let f32 = primitive("f32");
    let siblings = [("f32", &f32, 1_usize), ("scalar", element, 1), ("pair", element, 2)];
    Ok(siblings
        .into_iter()
        .map(|(sibling, element, lanes)| launch(printer, sibling, element, lanes, &symbol))
        .collect())
}

fn launch(printer: &Printer<'_>, sibling: &str, element: &TokenStream, lanes: usize, symbol: &str) -> TokenStream {
    let (kernel, axes) = (&printer.path, printer.kernel.axes());
    let (name, symbol) = (format_ident!("{sibling}_on"), format!("{symbol}_{sibling}"));
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
        for (&id, way) in parts.leaves().into_iter().zip(parts.ways()) {
            passed.extend(match printer.kernel.variables[id].kind {
                Kind::In => quote!(__launch.read(#given);),
                Kind::Out => quote!(__launch.write(#given);),
                _ => quote!(__launch.number(#given #way);),
            });
        }
    }
    let doc = format!(
        " Launches the entry `{symbol}` on a device, and does not wait: what [`{sibling}`](Self::{sibling}) computes."
    );
    let allow = allow();
    quote! {
        #[doc = #doc]
        #[cfg(not(target_arch = "nvptx64"))]
        #allow
        pub fn #name<__Device: #kernel::Device>(
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
