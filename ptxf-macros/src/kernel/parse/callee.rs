//! What an expression calls, if that becomes a part of this function: a function of the module by its name, a method of a structure, or an
//! operator that the module implements for one.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;
use syn::{BinOp, Error};

use super::super::ast::Binary;
use super::super::inlined::{Inlined, returns_nothing};
use super::super::names;
use super::super::parts::{Form, Parts};
use super::Parser;
use super::expr::{bare, called};

/// A call as it is written.
pub(super) struct Callee<'a, 'e> {
    pub(super) function: &'a Inlined,
    /// As messages call it.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) arguments: Vec<&'e syn::Expr>,
    /// The constants that are written behind its name.
    pub(super) constants: Option<&'e syn::AngleBracketedGenericArguments>,
    /// The name of a function, which the expansion has something of.
    pub(super) witness: Option<&'e Ident>,
    /// Whether the first argument is a reference without being written as one.
    pub(super) is_method: bool,
}

impl<'a> Parser<'a> {
    /// What the expression calls, if that becomes a part of this function.
    pub(super) fn callee<'e>(&self, e: &'e syn::Expr) -> Option<Callee<'a, 'e>> {
        self.callee_within(e, &mut Vec::new(), &mut 1000)
    }

    /// The same inside of blocks that are not entered yet, as `shape` goes through them.
    pub(super) fn callee_within<'e>(
        &self,
        e: &'e syn::Expr,
        inside: &mut Vec<&'e syn::Block>,
        effort: &mut usize,
    ) -> Option<Callee<'a, 'e>> {
        let known = self.known;
        let e = bare(e);
        let span = e.span();
        match e {
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else { return None };
                let last = path.path.segments.last()?;
                let (function, witness) = match called(call) {
                    Some(name) if self.binding(name).is_none() => (known.inlined(name)?, Some(name)),
                    Some(_) => return None,
                    None if path.path.segments.len() == 2 => {
                        (known.method(&names::text(&path.path.segments[0].ident), &last.ident)?, None)
                    }
                    None => return None,
                };
                let constants = match &last.arguments {
                    syn::PathArguments::AngleBracketed(written) => Some(written),
                    _ => None,
                };
                let (name, arguments) = (last.ident.to_string(), call.args.iter().collect());
                Some(Callee { constants, witness, ..Callee::new(function, name, span, arguments) })
            }
            syn::Expr::MethodCall(call) if known.has_methods() => {
                let of = self.structure_of(&call.receiver, inside, effort)?;
                let function = known.method(&of, &call.method)?;
                let arguments = [&*call.receiver].into_iter().chain(&call.args).collect();
                let (name, constants) = (call.method.to_string(), call.turbofish.as_ref());
                Some(Callee { constants, is_method: true, ..Callee::new(function, name, span, arguments) })
            }
            syn::Expr::Binary(binary) if known.has_methods() => {
                let name = operator(&binary.op)?;
                let left = self.structure_of(&binary.left, inside, effort);
                let right = self.structure_of(&binary.right, inside, effort);
                let function = known.operator(name, left.as_deref(), right.as_deref())?;
                let arguments = vec![&*binary.left, &*binary.right];
                Some(Callee::new(function, name, span, arguments))
            }
            syn::Expr::Unary(syn::ExprUnary { op, expr, .. }) if known.has_methods() => {
                let name = match op {
                    syn::UnOp::Neg(_) => "Neg",
                    syn::UnOp::Not(_) => "Not",
                    _ => return None,
                };
                let of = self.structure_of(expr, inside, effort)?;
                let function = known.operator(name, Some(&of), None)?;
                let arguments = vec![&**expr];
                Some(Callee::new(function, name, span, arguments))
            }
            _ => None,
        }
    }

    /// `place op= value` of a structure, if the module implements that.
    pub(super) fn callee_of_update<'e>(
        &self,
        place: &'e syn::Expr,
        op: Binary,
        value: &'e syn::Expr,
    ) -> Option<Callee<'a, 'e>> {
        if !self.known.has_methods() {
            return None;
        }
        let name = format!("{}Assign", op.name());
        let [left, right] = [place, value].map(|e| self.structure_of(e, &mut Vec::new(), &mut 1000));
        let function = self.known.operator(&name, Some(&left?), right.as_deref())?;
        let arguments = vec![place, value];
        Some(Callee { is_method: true, ..Callee::new(function, name, place.span(), arguments) })
    }

    /// The complaint about a method or an operator of a structure that the module does not have.
    pub(super) fn no_callee(&self, e: &syn::Expr) -> Option<Error> {
        if self.known.structures.is_empty() {
            return None;
        }
        let structure = |e| self.structure_of(e, &mut Vec::new(), &mut 1000);
        let no_method = |of: &str, name: &Ident| {
            format!("`{of}` has no method `{name}` in this module: write it, `impl {of} {{ fn {name}(self) … }}`")
        };
        let no_operator =
            |what: String| format!("there is no `impl {what}` in this module: write it, or name parts, as `.x`");
        let e = bare(e);
        let (span, message) = match e {
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else { return None };
                let [of, name] =
                    [path.path.segments.first()?, path.path.segments.last()?].map(|segment| &segment.ident);
                self.known.structure(of).filter(|_| path.path.segments.len() == 2)?;
                (name.span(), no_method(&names::text(of), name))
            }
            syn::Expr::MethodCall(call) => (call.method.span(), no_method(&structure(&call.receiver)?, &call.method)),
            syn::Expr::Binary(binary) => {
                let name = operator(&binary.op)?;
                let what = match (structure(&binary.left), structure(&binary.right)) {
                    (Some(of), Some(right)) if of == right => format!("{name} for {of}"),
                    (Some(of), Some(right)) => format!("{name}<{right}> for {of}"),
                    (Some(of), None) => format!("{name}<f32> for {of}"),
                    (None, Some(of)) => format!("{name}<{of}> for f32"),
                    (None, None) => return None,
                };
                (e.span(), no_operator(what))
            }
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
                (e.span(), no_operator(format!("Neg for {}", structure(expr)?)))
            }
            _ => return None,
        };
        Some(Error::new(span, message))
    }

    /// The name of the structure that a value is.
    fn structure_of<'e>(
        &self,
        e: &'e syn::Expr,
        inside: &mut Vec<&'e syn::Block>,
        effort: &mut usize,
    ) -> Option<String> {
        match self.shape(e, inside, effort) {
            Parts::Several(Form::Structure(of), _) => Some(names::text(&of.name)),
            _ => None,
        }
    }
}

impl<'a, 'e> Callee<'a, 'e> {
    fn new(function: &'a Inlined, name: impl Into<String>, span: Span, arguments: Vec<&'e syn::Expr>) -> Self {
        Self { function, name: name.into(), span, arguments, constants: None, witness: None, is_method: false }
    }

    pub(super) fn returns_nothing(&self) -> bool {
        returns_nothing(&self.function.signature.output)
    }
}

/// The trait of an operator.
fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "Add",
        BinOp::Sub(_) => "Sub",
        BinOp::Mul(_) => "Mul",
        BinOp::Div(_) => "Div",
        BinOp::Rem(_) => "Rem",
        _ => return None,
    })
}
