//! Constants, whose floats Rust computes in binary32.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Type, parse_quote};

use super::text;

pub(super) fn constant(name: &Ident, ty: &Type, value: &Expr, vis: &TokenStream) -> TokenStream {
    let value = constant_value(ty, value);
    quote!(#vis const #name: #ty = #value;)
}

/// A constant's value: floats are computed by Rust in binary32.
pub(super) fn constant_value(ty: &Type, value: &Expr) -> Expr {
    struct Constants;
    impl VisitMut for Constants {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            if is_float(e) {
                primitive(e);
            } else {
                visit_mut::visit_expr_mut(self, e);
            }
        }
    }
    let mut value = value.clone();
    if matches!(ty, Type::Path(path) if path.path.is_ident("f32")) {
        primitive(&mut value);
    } else {
        Constants.visit_expr_mut(&mut value);
    }
    value
}

/// Returns `true` for arithmetic with a literal that is a float.
pub(super) fn is_float(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => float(&lit.lit).is_some(),
        Expr::Unary(e) => is_float(&e.expr),
        Expr::Paren(e) => is_float(&e.expr),
        Expr::Binary(e) => is_float(&e.left) || is_float(&e.right),
        Expr::Cast(e) => matches!(&*e.ty, Type::Path(path) if path.path.is_ident("f32")),
        _ => false,
    }
}

/// Makes it a float of Rust, in a constant.
pub(super) fn primitive(e: &mut Expr) {
    struct Primitive;
    impl VisitMut for Primitive {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            match e {
                Expr::Path(path) if path.path.segments.len() > 1 => match float_of_core(&path.path) {
                    Some(core) => *e = core,
                    None => *e = parse_quote!((#e).value()),
                },
                Expr::Path(_) => *e = parse_quote!((#e).value()),
                Expr::Cast(cast) => {
                    cast.ty = parse_quote!(::core::primitive::f32);
                    if let Expr::Lit(_) = &*cast.expr {}
                }
                Expr::Lit(lit) => {
                    if let Some(digits) = float(&lit.lit) {
                        let digits = syn::LitFloat::new(&format!("{digits}_f32"), Span::call_site());
                        *e = parse_quote!(#digits);
                    }
                }
                _ => visit_mut::visit_expr_mut(self, e),
            }
        }
    }
    Primitive.visit_expr_mut(e);
    *e = parse_quote!(Soft::Constant(#e));
}

/// A constant of `core`, by its whole path.
pub(super) fn float_of_core(path: &syn::Path) -> Option<Expr> {
    let names: Vec<_> = path.segments.iter().map(|s| text(&s.ident)).collect();
    let name = format_ident!("{}", names.last()?);
    match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [.., "consts", _] => Some(parse_quote!(::core::f32::consts::#name)),
        ["f32", _] => Some(parse_quote!(::core::primitive::f32::#name)),
        _ => None,
    }
}

/// The digits of a float's literal.
pub(super) fn float(lit: &Lit) -> Option<&str> {
    match lit {
        Lit::Float(lit) => Some(lit.base10_digits()),
        Lit::Int(lit) if lit.suffix() == "f32" => Some(lit.base10_digits()),
        _ => None,
    }
}
