//! `#[ptx_fn]`: a function that kernels call.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::super::ast::{Class, Kernel, Kind, Precision};
use super::super::attributes::Attributes;
use super::super::options::Options;
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::super::types::Types;
use super::{Printer, allow, allow_deprecated, call_checks, expansion_path, imports, primitive, type_of};

/// Prints the whole expansion: `f::one` for one thread, and `f::lanes` under masks.
pub(crate) fn function(kernel: &Kernel, types: &Types, options: &Options) -> TokenStream {
    let path = &options.path;
    let direct = Printer::new(kernel, types, path, true);
    let lanes = Printer::new(kernel, types, path, false);
    let (visibility, name) = (&kernel.visibility, &kernel.name);
    let Attributes { others, lints, must_use, .. } = &kernel.attributes;
    let (alias, own) = kernel.attributes.own(name);
    let module = &direct.path;
    let (allow, declared) = (allow(), type_of(visibility, name));
    let imported = imports::used(kernel, path, None);
    let (cx, x, deprecated_uses) = (&lanes.cx, &lanes.exec, allow_deprecated());

    let one_parameters = kernel.parameters.iter().map(|parts| {
        let types = parts.map(&mut |&id| {
            let held = direct.element_type(id, &quote!(__Element));
            if kernel.variables[id].kind == Kind::In { quote!(impl #module::Input<'__inputs, #held>) } else { held }
        });
        let (names, types) = (parts.map(&mut |&id| direct.name(id)).print(), types.print());
        quote!(#names: #types)
    });
    let lane_parameters = kernel.parameters.iter().map(|parts| {
        let types = parts.map(&mut |&id| {
            let (v, held) = (&kernel.variables[id], lanes.element_type(id, &quote!(__Context::Elem)));
            match v.kind {
                Kind::In => quote!(impl #module::Input<'__inputs, #held>),
                _ => lanes.per_thread_type(types.get(v.ty), super::precision(v.kept)),
            }
        });
        let (names, types) = (parts.map(&mut |&id| lanes.name(id)).print(), types.print());
        quote!(#names: #types)
    });
    let result = match &kernel.results {
        None => Parts::One(kernel.result),
        Some(results) => results.map(&mut |&id| types.get(kernel.variables[id].ty)),
    };
    let written = result.map(&mut |ty| primitive(ty.name())).print();
    let one_result = result.map(&mut |&ty| direct.rust_type(ty)).print();
    let lane_result = result.map(&mut |&ty| lanes.per_thread_type(ty, super::precision(false))).print();
    let (witnesses, one, results) = (direct.witnesses(), direct.direct_block(&kernel.body), direct.results());
    let (one_inputs, lane_inputs) = (direct.inputs(), lanes.inputs());
    let block = lanes.masked_block(&kernel.body, Some(Class::Varying));
    let returns = lanes.declare_returned();
    let run = if kernel.results.is_some() {
        quote!(#returns #block #results)
    } else if returns.is_empty() {
        block
    } else {
        let result = super::precision(false);
        let (returned, value) = (lanes.internal("__returned"), lanes.internal("__result"));
        let select = lanes.select_of(kernel.result, result, &quote!(#returned), &quote!(#value), &quote!(__tail));
        quote!(#returns let __tail = { #block }; #select)
    };
    let called = call_checks::checks(kernel, module);
    let callable = callable(kernel, module);
    quote! {
        #others
        #declared
        #callable
        #called
        #imported

        impl #module::Function for #own {
            type Result = #written;
        }

        #allow
        impl #module::Returns<#written> for #own {
            #[inline(always)]
            fn one<__Element: #module::Element>(__result: #one_result) -> #one_result {
                __result
            }
            #[inline(always)]
            fn lanes<__Context: #module::Ctx>(__result: #lane_result) -> #lane_result {
                __result
            }
        }

        #alias
        impl #own {
            /// Computes the function for one thread. `f32`, `F16` or `Bf16` is the element type.
            #must_use
            #lints
            #allow
            #[inline(always)]
            pub fn one<'__inputs, __Element: #module::Element>(#(#one_parameters),*) -> #one_result {
                #witnesses
                #one_inputs
                #one
                #results
            }

            /// Computes the function for the running threads.
            #deprecated_uses
            #allow
            #[doc(hidden)]
            #[inline(always)]
            pub fn lanes<'__inputs, __Context: #module::Ctx, __Running: #module::Exec<__Context>>(
                #cx: __Context, #x: __Running, #(#lane_parameters),*
            ) -> #lane_result {
                #lane_inputs
                #run
            }
        }
    }
}

/// Prints a function with the name of the `#[ptx_fn]`, whose parameters have types without values.
///
/// So a call outside of kernels is an error that names the type `OnlyInKernels`. The check of a
/// kernel's calls names the function, too.
fn callable(kernel: &Kernel, module: &TokenStream) -> TokenStream {
    let (visibility, mut name) = (&kernel.visibility, kernel.name.clone());
    name.set_span(Span::call_site());
    let parameters = kernel.parameters.iter().map(|_| quote!(_: #module::OnlyInKernels));
    quote! {
        #[doc(hidden)]
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(dead_code, non_snake_case, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        #visibility fn #name(#(#parameters),*) -> #module::OnlyInKernels {
            ::core::unreachable!()
        }
    }
}

/// Prints the expansion of an inlined function: items with its name, which its callers name.
pub(crate) fn inlined(kernel: &Kernel, path: &TokenStream, generics: &syn::Generics) -> TokenStream {
    let (others, declared) = (&kernel.attributes.others, type_of(&kernel.visibility, &kernel.name));
    let imported = imports::used(kernel, path, None);
    // The compiler checks the bounds of type parameters.
    let mut types = generics.type_params().peekable();
    let bounds = types.peek().is_some().then(|| {
        let (allow, bounds) = (allow(), &generics.where_clause);
        quote! {
            const _: () = {
                #allow
                #[allow(dead_code)]
                fn bounds<#(#types),*>() #bounds {}
            };
        }
    });
    let callable = callable(kernel, &expansion_path(path));
    quote!(#others #declared #callable #imported #bounds)
}

impl Printer<'_> {
    /// Prints the type of one value per thread.
    fn per_thread_type(&self, ty: Type, precision: Precision) -> TokenStream {
        if ty == Type::Bool {
            return quote!(__Context::Mask);
        }
        let held = self.held_as(ty, precision);
        quote!(__Context::V<#held>)
    }

    /// Prints the `let`s of inputs, which convert any argument, so that the compiler reports one
    /// that is no input.
    fn inputs(&self) -> TokenStream {
        let module = &self.path;
        let inputs = self.arguments().filter(|(_, v)| v.kind == Kind::In).map(|(id, _)| {
            let (name, held, flatten) = (self.name(id), self.element_type(id, &self.element), self.flatten(id));
            quote! {
                let #name: #module::In<'__inputs, #held> = #module::Input::input(#name);
                let #name = #name #flatten;
            }
        });
        quote!(#(#inputs)*)
    }
}
