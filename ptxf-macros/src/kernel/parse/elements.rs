//! `for &v in x`: a loop over the elements of a slice or an array, with the same element for all
//! threads.
//!
//! It is the loop `for i in 0..x.len() { let v = x[i]; … }`. `for (i, &v) in x.iter().enumerate()`
//! is the same with a name for `i`. An array that is written in the loop, `for v in [4, 2, 1]`,
//! becomes a `let` before the loop.

use std::collections::HashMap;

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

use super::super::ast::{Block, Count, Expr, ExprKind, Id, Kind, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::Parser;
use super::arrays::{ArrayValue, let_array};
use super::expr::{bare, name_of};
use super::loops::method;
use super::statement::plain_name;

/// An expression after `in` that may have elements.
struct Iterated<'e> {
    of: &'e syn::Expr,
    /// `true` for `&x` and `x.iter()`, whose items are references.
    by_reference: bool,
    enumerated: bool,
}

impl<'e> Iterated<'e> {
    fn by(e: &'e syn::Expr) -> Option<Self> {
        let (iterated, enumerated) = match method(e, "enumerate", 0) {
            Some(call) => (&*call.receiver, true),
            None => (e, false),
        };
        let (of, iter) = match method(iterated, "iter", 0) {
            Some(call) => (&*call.receiver, true),
            None => (iterated, false),
        };
        if enumerated && !iter {
            return None;
        }
        let (of, borrowed) = match bare(of) {
            syn::Expr::Reference(reference) if reference.mutability.is_none() => (bare(&reference.expr), true),
            other => (other, false),
        };
        Some(Self { of, by_reference: iter || borrowed, enumerated })
    }
}

/// The elements of a loop.
struct Elements<'e> {
    of: Of<'e>,
    /// `true` if Rust's items are references here.
    by_reference: bool,
    enumerated: bool,
}

enum Of<'e> {
    Variable(Id, Span),
    Constant(&'e syn::ExprPath),
}

impl Parser<'_> {
    /// Parses the loop if it is over the elements of a slice or an array.
    pub(super) fn for_elements(&mut self, e: &syn::ExprForLoop) -> Option<Result<StatementKind>> {
        let iterated = Iterated::by(&e.expr)?;
        Some(match iterated.of {
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => self.through_value(e, &iterated),
            _ => self.elements(&iterated).map(|elements| self.through(e, &elements))?,
        })
    }

    fn elements<'e>(&self, iterated: &Iterated<'e>) -> Option<Elements<'e>> {
        let &Iterated { of, by_reference, enumerated } = iterated;
        let syn::Expr::Path(path) = of else {
            return None;
        };
        let variable = name_of(path).and_then(|name| Some((self.find(name)?, name)));
        let (of, slice) = match variable {
            Some((id, name)) => match self.variables[id].kind {
                Kind::In | Kind::Out => (Of::Variable(id, name.span()), true),
                Kind::Array(_) | Kind::Shared(_) => (Of::Variable(id, name.span()), false),
                _ => return None,
            },
            None => (Of::Constant(self.constant_array(of)?), false),
        };
        let reference = variable.is_some_and(|(_, name)| self.reference(name).is_some());
        Some(Elements { of, by_reference: by_reference || slice || reference, enumerated })
    }

    /// Parses a loop over an array that is written in the loop.
    fn through_value(&mut self, e: &syn::ExprForLoop, iterated: &Iterated<'_>) -> Result<StatementKind> {
        let span = iterated.of.span();
        let ArrayValue { shape, values, repeats } = self.array_value(iterated.of)?.expect("this is what makes it one");
        if shape.0.len() > 1 {
            let message =
                "the elements of this array are rows: name the array in a `let`, and count its rows, `for i in 0..2`";
            return Err(Error::new(span, message));
        }
        let ty = self.types.unknown();
        for value in &values {
            self.types.unify(value.span, value.ty, ty)?;
        }
        let id = self.temporary(&Ident::new("elements", span), ty);
        self.variables[id].kind = Kind::Array(shape);
        let elements = Elements {
            of: Of::Variable(id, span),
            by_reference: iterated.by_reference,
            enumerated: iterated.enumerated,
        };
        let kinds = [let_array(id, values, repeats), self.through(e, &elements)?];
        let statements = kinds.map(|kind| Statement { kind, span }).into();
        Ok(StatementKind::Block(Block { statements, tail: None }))
    }

    fn through(&mut self, e: &syn::ExprForLoop, elements: &Elements<'_>) -> Result<StatementKind> {
        let span = e.expr.span();
        let (counter_pattern, pattern) = match &*e.pat {
            Pat::Tuple(names) if elements.enumerated && names.elems.len() == 2 => {
                (Some(&names.elems[0]), &names.elems[1])
            }
            other if elements.enumerated => {
                let message = "`enumerate` gives two values: write two names, `for (i, &v) in x.iter().enumerate()`";
                return Err(Error::new(other.span(), message));
            }
            other => (None, other),
        };
        let name = match pattern {
            Pat::Reference(inner) if elements.by_reference && inner.mutability.is_none() => &*inner.pat,
            other if elements.by_reference => {
                let message = "the items of a slice are references: write `for &v in x`, which copies the elements";
                return Err(Error::new(other.span(), message));
            }
            Pat::Reference(reference) => {
                let message = "the items of an array are values: write `for v in x`, or `for &v in &x`";
                return Err(Error::new(reference.span(), message));
            }
            other => other,
        };
        let Pat::Ident(name) = name else {
            return Err(Error::new(
                name.span(),
                "this pattern is not possible for an element: write a plain name, \
                 `for &v in x`",
            ));
        };
        plain_name(name)?;

        let ty = self.types.known(Type::USIZE);
        let end = match &elements.of {
            Of::Variable(id, _) => self.rows_of(*id, span)?,
            Of::Constant(path) => {
                self.outside(path)?;
                self.make(span, ExprKind::Constant(quote!(#path.len())), ty)
            }
        };
        let start = self.make(span, ExprKind::Int("0".to_owned()), ty);
        self.frame.scopes.push(HashMap::new());
        let declared = self.element_names(counter_pattern, name, elements, ty);
        let parsed = declared.map(|(counter, first)| (counter, first, self.loop_body(e.label.as_ref(), &e.body)));
        self.frame.scopes.pop();
        let (counter, first, mut body) = parsed?;
        body.body.statements.insert(0, first);
        let count = Count { inclusive: false, reversed: false };
        Ok(StatementKind::For { counter, start, end, step: None, count, body })
    }

    /// Declares the counter, and returns the `let` of the element.
    fn element_names(
        &mut self,
        counter: Option<&Pat>,
        name: &syn::PatIdent,
        elements: &Elements<'_>,
        ty: usize,
    ) -> Result<(Id, Statement)> {
        let counter = match counter {
            Some(pattern) => self.counter(pattern, ty)?,
            None => {
                let id = self.temporary(&Ident::new("round", name.ident.span()), ty);
                self.variables[id].kind = Kind::Counter;
                id
            }
        };
        let index = self.make(name.ident.span(), ExprKind::Variable(counter), ty);
        let value: Expr = match &elements.of {
            &Of::Variable(id, span) => self.element(id, span, index, "..".to_owned()),
            Of::Constant(path) => {
                let ty = self.types.unknown();
                self.make(path.span(), ExprKind::ConstantElement(quote!(#path), vec![index]), ty)
            }
        };
        let id = self.declare(&name.ident, Kind::Local, value.ty, name.mutability.is_some());
        if let &Of::Variable(array, _) = &elements.of
            && self.variables[array].temporary
        {
            // If `keep` names the variable of the elements, they are not rounded before.
            self.variables[array].kept = self.variables[id].kept;
        }
        Ok((counter, Statement { span: value.span, kind: StatementKind::Let(id, value) }))
    }

    /// Returns the number of elements of a slice or an array with one axis.
    fn rows_of(&mut self, id: Id, span: Span) -> Result<Expr> {
        let shape = match &self.variables[id].kind {
            Kind::Array(shape) | Kind::Shared(shape) => Some(shape.0.clone()),
            _ => None,
        };
        match shape.as_deref() {
            None => {
                let ty = self.types.known(Type::USIZE);
                Ok(self.make(span, ExprKind::Length(id), ty))
            }
            Some([length]) => Ok(self.length(length)),
            Some(axes) => {
                let name = &self.variables[id].name;
                let message =
                    format!("`{name}` has {} axes: count one of them, `for i in 0..{name}.len()`", axes.len());
                Err(Error::new(span, message))
            }
        }
    }
}
