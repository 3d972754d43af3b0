//! The approximate forms as methods of `Model`, by value and over slices.
//!
//! A method's body calls the device's function that is named after the form
//! (`device.rcp_approx_f32`). A new approximate form does not compile until this function exists,
//! even if it only reports that the results are not measured.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{docs, ident, is_lanewise, operand_names};
use ptxf_spec::{Form, Table};

/// Defines the methods of `Model`, and their dispatch by name.
pub(crate) fn models(table: &Table) -> TokenStream {
    let forms: Vec<&Form> = table.canonical().filter(|form| form.approximate() && is_lanewise(form)).collect();
    let methods = forms.iter().map(|form| method(form));
    let arms = forms.iter().map(|form| arm(form));
    quote! {
        /// The approximate forms, one function per form and one over slices.
        impl Model {
            #(#methods)*

            /// Calls the function of this name on register bits; `None` if there is none with this
            /// number of operands.
            fn by_name(self, function: &str, operands: &[u64]) -> Option<Result<u64, Unmeasured>> {
                Some(match (function, operands) {
                    #(#arms)*
                    _ => return None,
                })
            }
        }
    }
}

/// Defines the function of a value and the one over slices.
///
/// The device's function computes one lane, and has `.ftz` as an argument instead of in its name.
fn method(form: &Form) -> TokenStream {
    let name = ident(&form.function());
    let slice = format_ident!("{name}_slice");
    let ty = ident(form.operand().rust);
    let operands = operand_names(form);
    let spelling = form.spelling();
    let doc = docs::model(form);
    let slice_doc = format!(
        "Stores [`{name}`](Self::{name}) of every element in `out`.\n\n# Errors\n\nThe function returns `SliceError::Length` if {}, and \
         `SliceError::Unmeasured` if the device's results for this form are not known. Nothing is written to `out` then.",
        docs::lengths(&operands, "out")
    );
    let (ftz, map) = (form.has("ftz"), format_ident!("map{}", form.operands()));
    let lane = format_ident!("{}_{}", form.method().replace("_ftz", ""), form.operand().lane);
    quote! {
        #[doc = #doc]
        #[doc(alias = #spelling)]
        #[inline]
        pub fn #name(self, #(#operands: #ty),*) -> Result<#ty, Unmeasured> {
            match self.device() {
                None => Ok(ptx::#name(#(#operands),*)),
                Some(device) => Register::#map(#(#operands,)* |#(#operands),*| device.#lane(#ftz, #(#operands),*))
                    .map_err(|reason| Unmeasured { form: #spelling, model: self, reason }),
            }
        }

        #[doc = #slice_doc]
        #[doc(alias = #spelling)]
        #[inline]
        pub fn #slice(self, #(#operands: &[#ty],)* out: &mut [#ty]) -> Result<(), SliceError> {
            slice::lengths(&[#(#operands.len()),*], out.len())?;
            match self.device() {
                None => ptxf_core::slice::#name(#(#operands,)* out),
                Some(_) => slice::#map(#(#operands,)* out, |#(#operands),*| self.#name(#(#operands),*))?,
            }
            Ok(())
        }
    }
}

fn arm(form: &Form) -> TokenStream {
    let function = form.function();
    let (name, ty, operands) = (ident(&function), ident(form.operand().rust), operand_names(form));
    quote! {
        (#function, &[#(#operands),*]) => {
            self.#name(#(#ty::from_bits(#operands as _)),*).map(|d| d.to_bits().into())
        }
    }
}
