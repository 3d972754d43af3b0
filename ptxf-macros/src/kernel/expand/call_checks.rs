//! The check that each function that a kernel calls has `#[ptx_fn]`.
//!
//! The expansion names a called function as a type, `<f>::one(x)`, and an ordinary function is not
//! a type. The compiler reports that as "expected type, found function". The check also calls `f`
//! as a function, and so adds an error that says what to write.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::super::ast::{Expr, ExprKind, Kernel, Statement, StatementKind};
use super::super::visit::{self, Part};
use super::allow;

/// Prints a check for each called function. A function of the same `#[ptx_module]` needs none.
pub(super) fn checks(kernel: &Kernel, path: &TokenStream) -> Option<TokenStream> {
    let mut called = BTreeMap::new();
    let mut see = |part: Part<'_>| {
        let (function, arguments) = match part {
            Part::Expr(Expr { kind: ExprKind::Call(function, arguments), .. })
            | Part::Statement(Statement { kind: StatementKind::LetCall { function, arguments, .. }, .. }) => {
                (function, arguments)
            }
            _ => return,
        };
        called.entry(function.to_string()).or_insert_with(|| (function.clone(), arguments.len()));
    };
    kernel.body.statements.iter().for_each(|statement| visit::each_in_statement(statement, &mut see));
    if let Some(tail) = &kernel.body.tail {
        visit::each_in_expr(tail, &mut see);
    }
    called.retain(|function, _| !kernel.declared.contains(function));
    if called.is_empty() {
        return None;
    }
    let checks = called.into_values().map(|(function, arguments)| {
        let span = function.to_token_stream().span();
        let arguments = (0..arguments).map(|_| quote!(#path::argument()));
        quote_spanned!(span=> #path::is_ptx_fn(#function(#(#arguments),*));)
    });
    let allow = allow();
    Some(quote! {
        #[cfg(not(target_arch = "nvptx64"))]
        const _: () = {
            #allow
            #[allow(dead_code)]
            fn __called() {
                #(#checks)*
            }
        };
    })
}
