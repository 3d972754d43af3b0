//! A kernel's type, its versions, and its body.
// Invariant: a checked kernel's threads write their own elements, or elements in `unsafe`.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Result;
use syn::ext::IdentExt;

use super::super::ast::{Block, Class, Id, Kernel, Kind, Statement, StatementKind};
use super::super::attributes::Attributes;
use super::super::options::{Options, Pair};
use super::super::scalar_type::Type;
use super::super::types::Types;
use super::super::visit::{self, Part};
use super::blocks::{in_blocks, names_blocks};
use super::call_checks;
use super::range::Range;
use super::{
    Printer, allow, allow_deprecated, allow_of_type, device, device_launch, expansion_path, field, guard, imports,
    primitive, shared_field, type_of,
};

/// Prints the whole expansion.
pub(crate) fn kernel(kernel: &Kernel, types: &Types, options: &Options, pair: Pair, plan: &str) -> Result<TokenStream> {
    let path = &options.path;
    let kernel_path = expansion_path(path);
    let direct = Printer::new(kernel, types, path, true);
    let lanes = Printer::new(kernel, types, path, false);
    let (visibility, name) = (&kernel.visibility, &kernel.name);
    let Attributes { others, .. } = &kernel.attributes;
    let arguments = format_ident!("__{}Arguments", name);
    let (alias, own) = kernel.attributes.own(name);
    let (allow, allow_of_type, declared) = (allow(), allow_of_type(), type_of(visibility, name));
    let element: TokenStream = match pair {
        Pair::F32x2 => primitive("f32"),
        other => {
            let element = format_ident!("{}", other.element());
            quote!(#path::#element)
        }
    };

    let imported = imports::used(kernel, path, Some(pair));
    let body = body(&direct, &lanes, &arguments, &allow, options.unchecked);
    let fields = fields(&direct);
    let [one, two, many] = match in_blocks(kernel) {
        false => ["launch_one", "launch_pair", "launch_wide"],
        true => ["launch_blocks_one", "launch_blocks_pair", "launch_blocks_wide"],
    };
    let versions = [
        ("f32", primitive("f32"), many),
        ("scalar", element.clone(), one),
        ("pair", element.clone(), two),
        ("wide", element.clone(), many),
    ]
    .map(|(version, element, launch)| version_function(&direct, version, &element, launch, &arguments));
    let passed = 1 + kernel.parameters.iter().filter(|parts| direct.given(parts).is_some()).count();
    let callable = Attributes::callable(visibility, name, &quote!(#kernel_path::CallsKernel<#own>), passed);
    let called = call_checks::checks(kernel, &kernel_path);
    let on = device_launch::launches(&direct, &element, options)?;
    let device = device::entries(&direct, &element, &arguments, options)?;
    Ok(quote! {
        #others
        #declared
        #callable
        #called

        #alias
        impl #own {
            /// The plan: each variable's class and precision, and each access's class and
            /// alignment.
            pub const PLAN: &'static ::core::primitive::str = #plan;
            #(#versions)*
            #on
        }

        #[doc(hidden)]
        #allow_of_type
        struct #arguments<'a, __Element: #kernel_path::Element> {
            __lifetime: ::core::marker::PhantomData<&'a __Element>,
            #fields
        }

        #allow
        impl<__Element: #kernel_path::Element> ::core::clone::Clone for #arguments<'_, __Element> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<__Element: #kernel_path::Element> ::core::marker::Copy for #arguments<'_, __Element> {}

        #body
        #device
        #imported
    })
}

/// Prints the fields of the arguments.
fn fields(printer: &Printer<'_>) -> TokenStream {
    let kernel = &printer.path;
    let fields = printer.arguments().map(|(id, v)| {
        let (name, held) = (field(v), printer.element_type(id, &quote!(__Element)));
        match v.kind {
            Kind::In => quote!(#name: #kernel::In<'a, #held>),
            Kind::Out => quote!(#name: #kernel::Out<'a, #held>),
            _ => quote!(#name: #held),
        }
    });
    // On a device an entry makes the arrays, since each of its bodies would make one.
    let shared = printer.shared_arrays().map(|id| {
        let (name, held) = (shared_field(id), printer.held_type(id, &quote!(__Element)));
        quote!(#[cfg(target_arch = "nvptx64")] #name: #kernel::Out<'a, #held>)
    });
    quote!(#(#fields,)* #(#shared,)*)
}

fn version_function(
    printer: &Printer<'_>,
    version: &str,
    element: &TokenStream,
    launch: &str,
    arguments: &syn::Ident,
) -> TokenStream {
    let kernel = &printer.path;
    let (name, launch) = (format_ident!("{version}"), format_ident!("{launch}"));
    let mut parameters = TokenStream::new();
    let mut values = TokenStream::new();
    for parts in &printer.kernel.parameters {
        let slice = |written, held| if written { quote!(&mut [#held]) } else { quote!(&[#held]) };
        if let Some(declared) = printer.declaration(parts, element, slice) {
            parameters.extend(quote!(#declared,));
        }
        for (&id, accessor) in parts.leaves().into_iter().zip(parts.accessors()) {
            let (v, held) = (&printer.kernel.variables[id], printer.element_type(id, element));
            let (name, given) = (field(v), &v.name);
            let value = match v.kind {
                Kind::Index(_) | Kind::Dim(_) => continue,
                Kind::In => quote!(::core::convert::From::<&[#held]>::from(#given)),
                Kind::Out => quote!(unsafe { #kernel::Out::of_launch(#given) }),
                _ if printer.types.get(v.ty) == Type::Float && !v.kept => {
                    let (of, text) = (printer.kernel.name.unraw().to_string(), v.shown());
                    quote!(#kernel::parameter::<#element>(#of, #text, #given #accessor))
                }
                _ => quote!(#given #accessor),
            };
            values.extend(quote!(#name: #value,));
        }
    }
    let allow = allow();
    let doc = match version {
        "f32" => " Runs the kernel in f32, with as many threads at a time as a vector of this CPU has lanes.",
        "scalar" => {
            " Runs the kernel in the element type, one thread after another. Its results define those of the other versions."
        }
        "pair" => " Runs the kernel with two threads at a time, as a device does.",
        _ => " Runs the kernel with as many threads at a time as a vector of this CPU has lanes.",
    };
    quote! {
        #[doc = #doc]
        #[cfg(not(target_arch = "nvptx64"))]
        #allow
        pub fn #name(__grid: impl ::core::convert::Into<#kernel::Grid>, #parameters) {
            let __grid = ::core::convert::Into::<#kernel::Grid>::into(__grid);
            #kernel::#launch(
                __grid,
                #arguments::<'_, #element> { __lifetime: ::core::marker::PhantomData, #values },
            );
        }
    }
}

fn body<'a>(
    direct: &Printer<'a>,
    lanes: &Printer<'a>,
    arguments: &syn::Ident,
    allow: &TokenStream,
    unchecked: bool,
) -> TokenStream {
    let kernel = &direct.path;
    let (cx, x, deprecated_uses) = (&lanes.cx, &lanes.exec, allow_deprecated());
    let range = Range::of(direct, unchecked);
    for printer in [direct, lanes] {
        printer.covered.replace(range.covered.clone());
    }
    let one = {
        let (parameters, views) = (direct.parameters(), direct.covered_views(&range.slices));
        let (witnesses, block) = (direct.witnesses(), direct.direct_block(&direct.kernel.body));
        quote!(#witnesses #parameters #views #block)
    };
    let (lane_parameters, views) = (lanes.parameters(), lanes.covered_views(&range.slices));
    let returns = lanes.declare_returned();
    let all = &lanes.kernel.body;
    let up_to = guard(all).is_some_and(|guard| guard.is_up_to(lanes.kernel));
    let (guard, run) = match guard(all) {
        Some(guard) => {
            let lets = Block { statements: guard.lets.to_vec(), tail: None };
            let lets = lanes.masked_block(&lets, None);
            let condition = lanes.per_thread(guard.condition);
            let and = if guard.lets_in { quote!(and) } else { quote!(and_not) };
            // The accesses are the body's own, not copies: `covered` has their addresses.
            let rest = lanes.statements_and_value(guard.rest, None, None);
            let mask = quote_spanned!(guard.condition.span=>
                let __condition = #condition; #cx.#and(#kernel::Exec::mask(#x, #cx), __condition));
            (quote!(#lets #mask), quote!(#lets #rest))
        }
        None => (quote!(#kernel::Exec::mask(#x, #cx)), lanes.masked_block(all, None)),
    };
    let lints = &lanes.kernel.attributes.lints;
    let (own_name, axes) = (direct.kernel.name.unraw().to_string(), direct.kernel.axes());
    let associated = quote! {
        type Elem = __Element;
        const NAME: &'static ::core::primitive::str = #own_name;
        const AXES: ::core::primitive::usize = #axes;
    };
    let names_blocks = names_blocks(direct.kernel);
    let lead = first_written_along(direct.kernel).map(|id| {
        let name = field(&direct.kernel.variables[id]);
        quote! {
            #[cfg(not(target_arch = "nvptx64"))]
            fn lead(&self, __bytes: ::core::primitive::usize) -> ::core::primitive::usize {
                #kernel::Out::behind(self.#name, __bytes)
            }
        }
    });
    // On the CPU such kernels have another body, without the views.
    let in_blocks = in_blocks(direct.kernel);
    for printer in [direct, lanes] {
        printer.covered.take();
    }
    let unchecked = unchecked.then(|| {
        let bool = primitive("bool");
        quote!(#[cfg(target_arch = "nvptx64")] const UNCHECKED: #bool = true;)
    });
    let in_range = (!range.covered.is_empty()).then(|| {
        let (parameters, check, usize) = (direct.parameters(), &range.check, primitive("usize"));
        quote! {
            #[cfg(target_arch = "nvptx64")]
            const CHECKS_BEFORE: ::core::primitive::bool = true;
            #[cfg(target_arch = "nvptx64")]
            #deprecated_uses
            #allow
            #[inline(always)]
            fn in_range(&self, __at: #kernel::At, __lanes: #usize) -> ::core::primitive::bool {
                #parameters
                #check
            }
        }
    });
    let only_device = in_blocks.then(|| quote!(#[cfg(target_arch = "nvptx64")]));
    let blocks = in_blocks.then(|| {
        let (one, lanes) = (direct.block_body(), lanes.block_body());
        let witnesses = direct.witnesses();
        quote! {
            #[cfg(not(target_arch = "nvptx64"))]
            unsafe impl<__Element: #kernel::Element> #kernel::BlockBody for #arguments<'_, __Element> {
                #associated
                #lints
                #allow
                fn block_one(&self, __block: #kernel::Block) {
                    #witnesses
                    #one
                }
                #deprecated_uses
                #allow
                #[inline(always)]
                fn block<__Context: #kernel::Ctx<Elem = __Element>>(&self, #cx: __Context, __block: #kernel::Block) {
                    #lanes
                }
            }
        }
    });
    // Printing has found the parameters that must be even.
    let parities = lanes.parities.borrow();
    let even = parities.even.iter().map(|&id| {
        let v = &lanes.kernel.variables[id];
        let name = field(v);
        quote!(& (self.#name % 2 == 0))
    });
    let slices = lanes.arguments().filter(|(_, v)| matches!(v.kind, Kind::In | Kind::Out));
    let bases = slices.filter_map(|(id, v)| {
        let (name, held) = (&v.name, lanes.held_type(id, &quote!(__Element)));
        let pair = match v.stored {
            Some(_) => quote!(<#held as #kernel::Stored>::Pair),
            None if v.kept || lanes.types.get(v.ty) != Type::Float => return None,
            None => quote!(<__Element as #kernel::Element>::Pair),
        };
        Some(quote!(& self.#name.begins_aligned_to::<#pair>()))
    });
    let bases: Vec<_> = bases.collect();
    let rows = parities.rows.odd().filter(|_| !in_blocks && !names_blocks);
    let rows = rows.map(|width| {
        let name = |id: Id| field(&lanes.kernel.variables[id]);
        let (width, even) = (name(width), parities.rows.even.iter().map(|&id| name(id)));
        quote! {
            #[cfg(target_arch = "nvptx64")]
            const HEADS: ::core::primitive::bool = true;
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn has_odd_rows(&self) -> ::core::primitive::bool {
                (self.#width % 2 == 1) #(& (self.#even % 2 == 0))* #(#bases)*
            }
        }
    });
    let by_groups = (lanes.kernel.per_thread > 2).then(|| aligned_by(lanes, &parities.multiples));
    quote! {
        #blocks
        #only_device
        unsafe impl<__Element: #kernel::Element> #kernel::Body for #arguments<'_, __Element> {
            #associated
            const UP_TO: ::core::primitive::bool = #up_to;
            const NAMES_BLOCKS: ::core::primitive::bool = #names_blocks;
            #lead
            #lints
            #allow
            #[inline(always)]
            fn one(&self, __at: #kernel::At) {
                #one
            }
            #deprecated_uses
            #allow
            #[inline(always)]
            fn guard<__Context: #kernel::Ctx<Elem = __Element>, __Running: #kernel::Exec<__Context>>(
                &self, #cx: __Context, __at: #kernel::At, #x: __Running,
            ) -> __Context::Mask {
                #lane_parameters
                #guard
            }
            #deprecated_uses
            #allow
            #[inline(always)]
            fn run<__Context: #kernel::Ctx<Elem = __Element>, __Running: #kernel::Exec<__Context>>(
                &self, #cx: __Context, __at: #kernel::At, #x: __Running,
            ) {
                #lane_parameters
                #views
                #returns
                #run
            }
            #allow
            #[inline(always)]
            fn aligned(&self) -> ::core::primitive::bool {
                true #(#bases)* #(#even)*
            }
            #rows
            #by_groups
            #unchecked
            #in_range
        }
    }
}

/// Prints `Body::aligned_by`, with the parameters that must be multiples of the threads that a
/// device's thread runs.
fn aligned_by(lanes: &Printer<'_>, multiples: &BTreeSet<Id>) -> TokenStream {
    let per_thread = lanes.kernel.per_thread;
    let multiples = multiples.iter().map(|&id| {
        let (name, per_thread) = (field(&lanes.kernel.variables[id]), Literal::usize_unsuffixed(per_thread));
        quote!(& (self.#name % #per_thread == 0))
    });
    let bases = lanes.arguments().filter(|(_, v)| matches!(v.kind, Kind::In | Kind::Out)).map(|(id, v)| {
        let (name, held) = (field(v), lanes.held_type(id, &quote!(__Element)));
        quote!(& self.#name.begins_aligned_by::<#held>(#per_thread, __head))
    });
    quote! {
        #[cfg(target_arch = "nvptx64")]
        #[inline(always)]
        fn aligned_by(&self, __head: ::core::primitive::usize) -> ::core::primitive::bool {
            true #(#bases)* #(#multiples)*
        }
    }
}

/// Returns the first output of elements in which neighbouring threads write neighbouring elements.
fn first_written_along(kernel: &Kernel) -> Option<Id> {
    let mut found = None;
    let mut see = |part: Part<'_>| {
        if let Part::Statement(Statement { kind: StatementKind::Store { slice, index, .. }, .. }) = part
            && index.class == Class::Lin
            && kernel.variables[*slice].kind == Kind::Out
            && kernel.variables[*slice].stored.is_none()
        {
            found.get_or_insert(*slice);
        }
    };
    let Block { statements, .. } = &kernel.body;
    statements.iter().for_each(|statement| visit::each_in_statement(statement, &mut see));
    found
}

/// Returns the text of a class in the plan.
pub(crate) const fn class_name(class: Class) -> &'static str {
    match class {
        Class::Uniform => "uniform",
        Class::Lin => "thread + uniform",
        Class::Strided => "thread × uniform",
        Class::Varying => "per thread",
    }
}
