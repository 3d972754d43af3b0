//! A kernel's type, its siblings, and its body.
// Invariant: a checked kernel's threads write their own elements, or what the kernel says `unsafe` about.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Result;
use syn::ext::IdentExt;

use super::super::ast::{Class, Kernel, Kind, Type};
use super::super::attributes::Attributes;
use super::super::options::{Options, Pair};
use super::super::types::Types;
use super::blocks::in_blocks;
use super::{Printer, again, allow, allow_of_type, device, guard, primitive};

/// The whole expansion.
pub(crate) fn kernel(kernel: &Kernel, types: &Types, options: &Options, pair: Pair, plan: &str) -> Result<TokenStream> {
    let path = &options.path;
    let kernel_path = quote!(#path::kernel);
    let direct = Printer::new(kernel, types, path, true);
    let lanes = Printer::new(kernel, types, path, false);
    let (visibility, name) = (&kernel.visibility, &kernel.name);
    let Attributes { others, .. } = &kernel.attributes;
    let arguments = format_ident!("__{}Arguments", name);
    let (alias, own) = kernel.attributes.own(name);
    let (allow, allow_of_type) = (allow(), allow_of_type());
    let element: TokenStream = match pair {
        Pair::F32x2 => primitive("f32"),
        other => {
            let element = format_ident!("{}", other.element());
            quote!(#path::#element)
        }
    };

    let body = body(&direct, &lanes, &arguments, &allow);
    let fields = fields(&direct);
    let siblings: Vec<_> = [
        ("f32", primitive("f32"), "one"),
        ("scalar", element.clone(), "one"),
        ("pair", element.clone(), "pair"),
        ("wide", element.clone(), "wide"),
    ]
    .into_iter()
    .map(|(sibling, element, launch)| sibling_function(&direct, sibling, &element, launch, &arguments))
    .collect();
    let device = device::entries(&direct, &element, &arguments, options)?;
    Ok(quote! {
        #others
        #allow_of_type
        #visibility enum #name {}

        #alias
        impl #own {
            /// Each variable's class and precision, each access's class and alignment.
            pub const PLAN: &'static ::core::primitive::str = #plan;
            #(#siblings)*
        }

        #[doc(hidden)]
        #allow_of_type
        struct #arguments<'a, __E: #kernel_path::Element> {
            __life: ::core::marker::PhantomData<&'a __E>,
            #fields
        }

        #allow
        impl<__E: #kernel_path::Element> ::core::clone::Clone for #arguments<'_, __E> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<__E: #kernel_path::Element> ::core::marker::Copy for #arguments<'_, __E> {}

        #body
        #device
    })
}

/// The type of a field or of a sibling's parameter.
fn fields(printer: &Printer<'_>) -> TokenStream {
    let kernel = &printer.path;
    let fields = printer.arguments().map(|(id, v)| {
        let (name, held) = (&v.name, printer.held(id, &quote!(__E)));
        match v.kind {
            Kind::In => quote!(#name: #kernel::In<'a, #held>),
            Kind::Out => quote!(#name: #kernel::Out<'a, #held>),
            _ => quote!(#name: #held),
        }
    });
    quote!(#(#fields,)*)
}

fn sibling_function(
    printer: &Printer<'_>,
    sibling: &str,
    element: &TokenStream,
    launch: &str,
    arguments: &syn::Ident,
) -> TokenStream {
    let kernel = &printer.path;
    let prefix = if in_blocks(printer.kernel) { "launch_blocks" } else { "launch" };
    let (name, launch) = (format_ident!("{sibling}"), format_ident!("{prefix}_{launch}"));
    let mut parameters = TokenStream::new();
    let mut values = TokenStream::new();
    for (id, v) in printer.arguments() {
        let (parameter, held) = (&v.name, printer.held(id, element));
        let ty = printer.types.get(v.ty);
        let (declared, value) = match v.kind {
            Kind::In => (quote!(&[#held]), quote!(::core::convert::From::<&[#held]>::from(#parameter))),
            Kind::Out => (quote!(&mut [#held]), quote!(unsafe { #kernel::Out::of_launch(#parameter) })),
            _ if ty == Type::Float && !v.kept => {
                (primitive("f32"), quote!(<#element as #kernel::Element>::cvt_rn(#parameter)))
            }
            _ => (held, quote!(#parameter)),
        };
        parameters.extend(quote!(#parameter: #declared,));
        values.extend(quote!(#parameter: #value,));
    }
    let allow = allow();
    let doc = match sibling {
        "f32" => " In f32, one thread after another.",
        "scalar" => " In the element type, one thread after another: what the other siblings are measured by.",
        "pair" => " Two threads at a time, as a device runs them.",
        _ => " As many threads at a time as a vector of this CPU has lanes.",
    };
    quote! {
        #[doc = #doc]
        #[cfg(not(target_arch = "nvptx64"))]
        #allow
        pub fn #name(__grid: impl ::core::convert::Into<#kernel::Grid>, #parameters) {
            let __grid = ::core::convert::Into::<#kernel::Grid>::into(__grid);
            #kernel::#launch(
                __grid,
                #arguments::<'_, #element> { __life: ::core::marker::PhantomData, #values },
            );
        }
    }
}

/// How many axes' indices the kernel takes.
fn axes(kernel: &Kernel) -> usize {
    let axis = |&id: &usize| match kernel.variables[id].kind {
        Kind::Index(index) => Some(index.axis + 1),
        _ => None,
    };
    kernel.parameters.iter().filter_map(axis).max().unwrap_or(1)
}

fn body(direct: &Printer<'_>, lanes: &Printer<'_>, arguments: &syn::Ident, allow: &TokenStream) -> TokenStream {
    let kernel = &direct.path;
    let (cx, x, again) = (&lanes.cx, &lanes.exec, again());
    let one = {
        let (parameters, block) = (direct.parameters(), direct.direct_block(&direct.kernel.body));
        {
            let witnesses = direct.witnesses();
            quote!(#witnesses #parameters #block)
        }
    };
    let lane_parameters = lanes.parameters();
    let returns = lanes.returns();
    let all = &lanes.kernel.body;
    let (guard, run) = match guard(all) {
        Some(guard) => {
            let lets = super::super::ast::Block { statements: guard.lets.to_vec(), tail: None };
            let lets = lanes.lanes_block(&lets, None);
            let condition = lanes.vector(guard.condition);
            let and = if guard.lets_in { quote!(and) } else { quote!(and_not) };
            let rest = super::super::ast::Block { statements: guard.rest.to_vec(), tail: None };
            let rest = lanes.lanes_block(&rest, None);
            let mask = quote_spanned!(guard.condition.span=>
                let __c = #condition; #cx.#and(#kernel::Exec::mask(#x, #cx), __c));
            (quote!(#lets #mask), quote!(#lets #rest))
        }
        None => (quote!(#kernel::Exec::mask(#x, #cx)), lanes.lanes_block(all, None)),
    };
    let lints = &lanes.kernel.attributes.lints;
    let (own_name, axes) = (direct.kernel.name.unraw().to_string(), axes(direct.kernel));
    let associated = quote! {
        type Elem = __E;
        const NAME: &'static ::core::primitive::str = #own_name;
        const AXES: ::core::primitive::usize = #axes;
    };
    let in_blocks = in_blocks(direct.kernel);
    let only_device = in_blocks.then(|| quote!(#[cfg(target_arch = "nvptx64")]));
    let blocks = in_blocks.then(|| {
        let (one, lanes) = (direct.block_body(), lanes.block_body());
        let witnesses = direct.witnesses();
        quote! {
            #[cfg(not(target_arch = "nvptx64"))]
            unsafe impl<__E: #kernel::Element> #kernel::BlockBody for #arguments<'_, __E> {
                #associated
                #lints
                #allow
                fn block_one(&self, __block: #kernel::Block) {
                    #witnesses
                    #one
                }
                #again
                #allow
                #[inline(always)]
                fn block<__C: #kernel::Ctx<Elem = __E>>(&self, #cx: __C, __block: #kernel::Block) {
                    #lanes
                }
            }
        }
    });
    // Printing has found the parameters that have to be even.
    let parities = lanes.parities.borrow();
    let even = parities.even.iter().map(|&id| {
        let v = &lanes.kernel.variables[id];
        let name = &v.name;
        quote!(&& self.#name % 2 == 0)
    });
    let elements = lanes
        .arguments()
        .filter(|(_, v)| matches!(v.kind, Kind::In | Kind::Out) && lanes.types.get(v.ty) == Type::Float && !v.kept);
    let bases = elements.map(|(_, v)| {
        let name = &v.name;
        quote!(&& self.#name.begins_aligned_to::<<__E as #kernel::Element>::Pair>())
    });
    quote! {
        #blocks
        #only_device
        unsafe impl<__E: #kernel::Element> #kernel::Body for #arguments<'_, __E> {
            #associated
            #lints
            #allow
            #[inline(always)]
            fn one(&self, __at: #kernel::At) {
                #one
            }
            #again
            #allow
            #[inline(always)]
            fn guard<__C: #kernel::Ctx<Elem = __E>, __X: #kernel::Exec<__C>>(
                &self, #cx: __C, __at: #kernel::At, #x: __X,
            ) -> __C::M {
                #lane_parameters
                #guard
            }
            #again
            #allow
            #[inline(always)]
            fn run<__C: #kernel::Ctx<Elem = __E>, __X: #kernel::Exec<__C>>(
                &self, #cx: __C, __at: #kernel::At, #x: __X,
            ) {
                #lane_parameters
                #returns
                #run
            }
            #allow
            #[inline(always)]
            fn aligned(&self) -> ::core::primitive::bool {
                true #(#bases)* #(#even)*
            }
        }
    }
}

/// Whether a kernel's threads all have a class; what `explain` says in one word.
pub(crate) const fn class_name(class: Class) -> &'static str {
    match class {
        Class::Uniform => "uniform",
        Class::Lin => "thread + uniform",
        Class::Strided => "thread × uniform",
        Class::Varying => "per thread",
    }
}
