//! `#[ptx_fn]`: a function that kernels call.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ast::{Class, Kernel, Kind, Precision, Type};
use super::super::attributes::Attributes;
use super::super::options::Options;
use super::super::types::Types;
use super::{Printer, allow, allow_deprecated, allow_of_type, primitive};

/// The whole expansion: `f::one` for one thread, `f::lanes` under masks.
pub(crate) fn function(kernel: &Kernel, types: &Types, options: &Options) -> TokenStream {
    let path = &options.path;
    let direct = Printer::new(kernel, types, path, true);
    let lanes = Printer::new(kernel, types, path, false);
    let (visibility, name) = (&kernel.visibility, &kernel.name);
    let Attributes { others, lints, must_use, .. } = &kernel.attributes;
    let (alias, own) = kernel.attributes.own(name);
    let module = &direct.path;
    let (allow, allow_of_type) = (allow(), allow_of_type());
    let (cx, x, deprecated_uses) = (&lanes.cx, &lanes.exec, allow_deprecated());

    let one_parameters = direct.arguments().map(|(id, v)| {
        let (name, held) = (direct.name(id), direct.held_type(id, &quote!(__Element)));
        if v.kind == Kind::In { quote!(#name: impl #module::Input<'__inputs, #held>) } else { quote!(#name: #held) }
    });
    let lane_parameters = lanes.arguments().map(|(id, v)| {
        let (name, held) = (lanes.name(id), lanes.held_type(id, &quote!(__Context::Elem)));
        match (&v.kind, types.get(v.ty)) {
            (Kind::In, _) => quote!(#name: impl #module::Input<'__inputs, #held>),
            (_, ty) => {
                let of = lanes.per_thread_type(ty, super::precision(v.kept));
                quote!(#name: #of)
            }
        }
    });
    let written = primitive(kernel.result.name());
    let one_result = direct.rust_type(kernel.result);
    let lane_result = lanes.per_thread_type(kernel.result, super::precision(false));
    let (witnesses, one) = (direct.witnesses(), direct.direct_block(&kernel.body));
    let (one_inputs, lane_inputs) = (direct.inputs(), lanes.inputs());
    let block = lanes.masked_block(&kernel.body, Some(Class::Varying));
    let returns = lanes.declare_returned();
    let run = if returns.is_empty() {
        block
    } else {
        let result = super::precision(false);
        let (returned, value) = (lanes.internal("__returned"), lanes.internal("__result"));
        let select = lanes.select_of(kernel.result, result, &quote!(#returned), &quote!(#value), &quote!(__tail));
        quote!(#returns let __tail = { #block }; #select)
    };
    quote! {
        #others
        #allow_of_type
        #visibility enum #name {}

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
            /// For one thread.
            #must_use
            #lints
            #allow
            #[inline(always)]
            pub fn one<'__inputs, __Element: #module::Element>(#(#one_parameters),*) -> #one_result {
                #witnesses
                #one_inputs
                #one
            }

            /// For the threads of `x`.
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

impl Printer<'_> {
    /// The type of one value per thread.
    fn per_thread_type(&self, ty: Type, precision: Precision) -> TokenStream {
        if ty == Type::Bool {
            return quote!(__Context::Mask);
        }
        let held = self.held_as(ty, precision);
        quote!(__Context::V<#held>)
    }

    /// The inputs as what they are, after the compiler has said what they are not.
    fn inputs(&self) -> TokenStream {
        let module = &self.path;
        let inputs = self.arguments().filter(|(_, v)| v.kind == Kind::In).map(|(id, _)| {
            let (name, held) = (self.name(id), self.held_type(id, &self.element));
            quote!(let #name: #module::In<'__inputs, #held> = #module::Input::input(#name);)
        });
        quote!(#(#inputs)*)
    }
}
