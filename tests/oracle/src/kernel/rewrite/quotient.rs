//! Quotients and remainders, for which Rust panics where integers of kernels wrap.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{BinOp, Expr, Lit, Type};

use super::text;

/// The trait of a quotient or a remainder, and its functions: those of Rust panic where integers
/// have to wrap.
pub(super) fn quotient(op: &BinOp) -> Option<(Ident, Ident, Ident)> {
    let names = match op {
        BinOp::Div(_) => ["Div", "div", "div_assign"],
        BinOp::Rem(_) => ["Rem", "rem", "rem_assign"],
        BinOp::DivAssign(_) => ["DivAssign", "div", "div_assign"],
        BinOp::RemAssign(_) => ["RemAssign", "rem", "rem_assign"],
        _ => return None,
    };
    let [of, name, assign] = names.map(|name| format_ident!("{name}"));
    Some((of, name, assign))
}

/// Returns `true` for an integer as it is written, by which a division does not overflow.
pub(super) fn is_literal(e: &Expr) -> bool {
    matches!(e, Expr::Lit(syn::ExprLit { lit: Lit::Int(_), .. }))
}

/// A structure's quotient or remainder, as kernels call it.
pub(super) fn quotient_of(of: &syn::Path, ty: &Type) -> Option<TokenStream> {
    let name = of.segments.last()?;
    let by = match &name.arguments {
        syn::PathArguments::AngleBracketed(by) => by.args.to_token_stream(),
        _ => ty.to_token_stream(),
    };
    let of = &name.ident;
    Some(match &*text(of) {
        "Div" | "Rem" => {
            let call = format_ident!("{}", text(of).to_lowercase());
            quote!(impl rt::#of<#by> for #ty {
                type Output = <#ty as ::core::ops::#of<#by>>::Output;
                fn #call(self, by: #by) -> Self::Output {
                    ::core::ops::#of::#call(self, by)
                }
            })
        }
        "DivAssign" | "RemAssign" => {
            let call = format_ident!("{}_assign", text(of).trim_end_matches("Assign").to_lowercase());
            quote!(impl rt::#of<#by> for #ty {
                fn #call(&mut self, by: #by) {
                    ::core::ops::#of::#call(self, by)
                }
            })
        }
        _ => return None,
    })
}
