//! The entries that a device's driver finds.
// Invariant: a launch on a device passes slices that live until it ends; nothing writes meanwhile to a slice that it reads.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Result;

use super::super::ast::Kind;
use super::super::entry::claim_symbol;
use super::super::options::Options;
use super::super::scalar_type::Type;
use super::blocks::{in_blocks, names_blocks};
use super::{Printer, field, primitive, shared_field};

/// Prints the entries `NAME_f32`, `NAME_scalar` and `NAME_pair`.
///
/// Their parameters are the number of threads along x, then for `pair` the number of threads by
/// which the first group begins before the first thread (less than the group's; kernels that share
/// memory have no such parameter), and then the kernel's parameters. A slice is an address and a
/// length. The address of an input has the type of a reference to no elements, for the reason at
/// `In::of_entry`.
pub(super) fn entries(
    printer: &Printer<'_>,
    element: &TokenStream,
    arguments: &syn::Ident,
    options: &Options,
) -> Result<TokenStream> {
    let symbol = options.symbol(&printer.kernel.name)?;
    let unchecked = options.unchecked.then(|| quote!(.unchecked_if(true)));
    let print = |version, element| entry(printer, version, element, arguments, &symbol, unchecked.as_ref());
    let f32 = primitive("f32");
    let one = [("f32", &f32), ("scalar", element)].map(|(version, element)| print(version, element));
    let pair = print("pair", element);
    Ok(quote! {
        #[cfg(target_arch = "nvptx64")]
        const _: () = {
            #(#one)*
            #pair
        };
    })
}

fn entry(
    printer: &Printer<'_>,
    sibling: &str,
    element: &TokenStream,
    arguments: &syn::Ident,
    symbol: &str,
    unchecked: Option<&TokenStream>,
) -> TokenStream {
    let kernel = &printer.path;
    let symbol = format!("{symbol}_{sibling}");
    let (usize, u32) = (primitive("usize"), primitive("u32"));
    let mut parameters = TokenStream::new();
    let mut values = TokenStream::new();
    for (id, v) in printer.arguments() {
        let (name, held) = (field(v), printer.element_type(id, element));
        // The name does not contain the parameter's: `x_len` may be another parameter.
        let length = format_ident!("__len_{id}");
        match v.kind {
            Kind::In => {
                parameters.extend(quote!(#name: ::core::option::Option<&[#held; 0]>, #length: #usize,));
                values.extend(quote!(#name: unsafe { #kernel::In::of_entry(#name, #length)#unchecked },));
            }
            Kind::Out => {
                parameters.extend(quote!(#name: *mut #held, #length: #usize,));
                values.extend(quote!(#name: unsafe { #kernel::Out::from_raw_parts(#name, #length)#unchecked },));
            }
            _ if printer.types.get(v.ty) == Type::Float && !v.kept => {
                let f32 = primitive("f32");
                parameters.extend(quote!(#name: #f32,));
                values.extend(quote!(#name: <#element as #kernel::Element>::cvt_rn(#name),));
            }
            _ => {
                parameters.extend(quote!(#name: #held,));
                values.extend(quote!(#name,));
            }
        }
    }
    let mut arrays = TokenStream::new();
    for id in printer.shared_arrays() {
        let (name, held, length) = (shared_field(id), printer.held_type(id, element), printer.length(id));
        // The length is the user's expression, and stays outside of `unsafe`.
        arrays.extend(quote!(let #name = #kernel::device::shared::<#held, { #length }>;));
        values.extend(quote!(#name: unsafe { #name()#unchecked },));
    }
    let pairs = format_ident!("Pairs{}", printer.kernel.per_thread / 2);
    let (head, run) = match (sibling, in_blocks(printer.kernel)) {
        ("pair", false) if printer.kernel.per_thread > 2 => {
            let (name, head) = match names_blocks(printer.kernel) {
                true => (quote!(_), quote!(0)),
                false => (quote!(__head), quote!(__head)),
            };
            let run = quote!(#kernel::device::many::<#kernel::device::#pairs, _>(__body, __threads, #head));
            (quote!(#name: #u32,), run)
        }
        ("pair", true) if printer.kernel.per_thread > 2 => {
            (quote!(), quote!(#kernel::device::block_many::<#kernel::device::#pairs, _>(__body, __threads)))
        }
        // The threads of a block fill whole pairs, so that no pair begins in another block.
        ("pair", false) if names_blocks(printer.kernel) => {
            (quote!(_: #u32,), quote!(#kernel::device::pair(__body, __threads, 0)))
        }
        ("pair", false) => (quote!(__head: #u32,), quote!(#kernel::device::pair(__body, __threads, __head))),
        (_, false) => (quote!(), quote!(#kernel::device::one(__body, __threads))),
        ("pair", true) => (quote!(), quote!(#kernel::device::block_pair(__body, __threads))),
        (_, true) => (quote!(), quote!(#kernel::device::block_one(__body, __threads))),
    };
    let function = format_ident!("__{symbol}");
    let claim = claim_symbol(&symbol, &printer.kernel.name);
    quote! {
        #claim
        #[unsafe(export_name = #symbol)]
        #[allow(non_snake_case, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        unsafe extern "ptx-kernel" fn #function(__threads: #u32, #head #parameters) {
            #arrays
            let __body = #arguments::<'_, #element> { __lifetime: ::core::marker::PhantomData, #values };
            #run
        }
    }
}
