//! `for &v in x` and `for (i, &v) in x.iter().enumerate()`: each element in turn, by its index. An
//! array literal there gets a name.

use std::collections::HashMap;

use syn::{Pat, parse_quote};

use super::super::Fault;
use super::super::tree::{Expr, Is, Kind, Type};
use super::Lower;
use super::expr::label;
use super::text;

impl Lower<'_> {
    /// Returns the slice or array that a loop iterates over, and `true` if the loop counts its
    /// elements.
    pub(super) fn gone_through<'e>(&self, e: &'e syn::Expr) -> Option<(&'e syn::Expr, bool)> {
        match e {
            syn::Expr::MethodCall(call) if call.method == "enumerate" => {
                Some((self.gone_through(&call.receiver)?.0, true))
            }
            syn::Expr::MethodCall(call) if call.method == "iter" => self.gone_through(&call.receiver),
            syn::Expr::Reference(of) => self.gone_through(&of.expr),
            syn::Expr::Paren(inner) => self.gone_through(&inner.expr),
            syn::Expr::Group(inner) => self.gone_through(&inner.expr),
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => Some((e, false)),
            syn::Expr::Path(_) if self.indexed(e).is_ok() || self.constant_array(e).is_some() => Some((e, false)),
            _ => None,
        }
    }

    pub(super) fn for_elements(
        &mut self,
        e: &syn::ExprForLoop,
        of: &syn::Expr,
        enumerated: bool,
    ) -> Result<Expr, Fault> {
        if matches!(of, syn::Expr::Array(_) | syn::Expr::Repeat(_)) {
            let (label, pat, body) = (&e.label, &e.pat, &e.body);
            // The array is named like its elements, so that `keep` applies to both.
            let name = name_of_element(pat);
            let named: syn::Expr = match enumerated {
                true => parse_quote!({ let #name = #of; #label for #pat in #name.iter().enumerate() #body }),
                false => parse_quote!({ let #name = #of; #label for #pat in #name #body }),
            };
            return self.expr(&named);
        }
        let wrong = || Fault::source("an element has one name");
        let (counted, element) = match &*e.pat {
            Pat::Tuple(names) if enumerated && names.elems.len() == 2 => (Some(&names.elems[0]), &names.elems[1]),
            pattern if !enumerated => (None, pattern),
            _ => return Err(wrong()),
        };
        let name = |pattern: &Pat| match pattern {
            Pat::Ident(name) => Ok(text(&name.ident)),
            Pat::Wild(_) => Ok(String::new()),
            _ => Err(wrong()),
        };
        let element = match element {
            Pat::Reference(inner) => name(&inner.pat)?,
            other => name(other)?,
        };
        let usize = self.types.known(Type::USIZE);
        let mut length = None;
        if let Ok(id) = self.indexed(of) {
            length = match self.variables[id].axes[..] {
                [] => Some(Is::Length(id)),
                [n] => Some(Is::Int(n as u128)),
                _ => None,
            };
        } else if let Some((axes, _)) = self.constant_array(of)
            && let [n] = axes[..]
        {
            length = Some(Is::Int(n as u128));
        }
        let end = Box::new(self.make(length.ok_or_else(wrong)?, usize));
        let start = Box::new(self.make(Is::Int(0), usize));
        self.scopes.push(HashMap::new());
        let counted = counted.map_or_else(|| Ok(String::new()), name)?;
        let counter = self.declare(&counted, Kind::Local, usize);
        // The index variable has no name in the source.
        let index = self.make(Is::Variable(counter), usize);
        let value = match self.constant_array(of) {
            Some((_, elements)) => {
                let elements: Vec<_> = elements.into_iter().map(|value| self.constant(value)).collect();
                let ty = elements.first().ok_or_else(wrong)?.ty;
                self.make(Is::ConstantElement(elements, Box::new(index)), ty)
            }
            None => {
                let id = self.indexed(of)?;
                self.make(Is::Element(id, Box::new(index)), self.variables[id].ty)
            }
        };
        let id = self.declare(&element, Kind::Local, value.ty);
        let named = self.unit(Is::Let(id, Box::new(value)));
        let mut body = self.block(&e.body)?;
        self.scopes.pop();
        body.statements.insert(0, named);
        let label = label(e.label.as_ref());
        Ok(self.unit(Is::For { counter, start, end, inclusive: false, reversed: false, step: None, label, body }))
    }
}

/// The name in the pattern of an element, or of a number and an element.
fn name_of_element(pattern: &Pat) -> syn::Ident {
    match pattern {
        Pat::Ident(name) => name.ident.clone(),
        Pat::Reference(inner) => name_of_element(&inner.pat),
        Pat::Tuple(both) if both.elems.len() == 2 => name_of_element(&both.elems[1]),
        _ => parse_quote!(r#in),
    }
}
