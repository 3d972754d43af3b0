//! `#[ptx_fn]`: a function that kernels call.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ast::{Class, Kernel, Kind, Type};
use super::super::attributes::Attributes;
use super::super::options::Options;
use super::super::types::Types;
use super::{Printer, again, allow, allow_of_type};

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
    let (cx, x, again) = (&lanes.cx, &lanes.exec, again());

    let one_parameters = direct.arguments().map(|(id, v)| {
        let (name, held) = (direct.name(id), direct.held(id, &quote!(__E)));
        if v.kind == Kind::In { quote!(#name: impl #module::Input<'__a, #held>) } else { quote!(#name: #held) }
    });
    let lane_parameters = lanes.arguments().map(|(id, v)| {
        let (name, held) = (lanes.name(id), lanes.held(id, &quote!(__C::Elem)));
        match (&v.kind, types.get(v.ty)) {
            (Kind::In, _) => quote!(#name: impl #module::Input<'__a, #held>),
            (_, Type::Float) if v.kept => quote!(#name: __C::K),
            (_, Type::Float) => quote!(#name: __C::E),
            (_, Type::Bool) => quote!(#name: __C::M),
            (..) => quote!(#name: __C::Int<#held>),
        }
    });
    let one_result = direct.rust_type(kernel.result);
    let lane_result = match kernel.result {
        Type::Float => quote!(__C::E),
        Type::Bool => quote!(__C::M),
        other => {
            let of = lanes.rust_type(other);
            quote!(__C::Int<#of>)
        }
    };
    let (witnesses, one) = (direct.witnesses(), direct.direct_block(&kernel.body));
    let (one_inputs, lane_inputs) = (direct.inputs(), lanes.inputs());
    let block = lanes.lanes_block(&kernel.body, Some(Class::Varying));
    let returns = lanes.returns();
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

        #alias
        impl #own {
            /// For one thread.
            #must_use
            #lints
            #allow
            #[inline(always)]
            pub fn one<'__a, __E: #module::Element>(#(#one_parameters),*) -> #one_result {
                #witnesses
                #one_inputs
                #one
            }

            /// For the threads of `x`.
            #again
            #allow
            #[doc(hidden)]
            #[inline(always)]
            pub fn lanes<'__a, __C: #module::Ctx, __X: #module::Exec<__C>>(
                #cx: __C, #x: __X, #(#lane_parameters),*
            ) -> #lane_result {
                #lane_inputs
                #run
            }
        }
    }
}

impl Printer<'_> {
    /// The inputs as what they are, after the compiler has said what they are not.
    fn inputs(&self) -> TokenStream {
        let module = &self.path;
        let inputs = self.arguments().filter(|(_, v)| v.kind == Kind::In).map(|(id, _)| {
            let (name, held) = (self.name(id), self.held(id, &self.element));
            quote!(let #name: #module::In<'__a, #held> = #module::Input::input(#name);)
        });
        quote!(#(#inputs)*)
    }
}
