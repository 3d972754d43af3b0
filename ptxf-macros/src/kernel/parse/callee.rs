//! The inlined functions that expressions call: by name, as a method of a structure, or as an
//! operator of one.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;
use syn::{Error, UnOp};

use super::super::ast::Binary;
use super::super::inline_functions::{InlineFunction, returns_nothing};
use super::super::names;
use super::super::parts::{Form, Parts};
use super::Parser;
use super::expr::{bare, called, operation};

/// A call of an inlined function.
pub(super) struct Callee<'a, 'e> {
    pub(super) function: &'a InlineFunction,
    /// The name in messages.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) arguments: Vec<&'e syn::Expr>,
    /// The generic arguments after the name.
    pub(super) constants: Option<&'e syn::AngleBracketedGenericArguments>,
    /// The name at the call, if the function is not a method. The expansion names it too, so that
    /// the compiler sees the use.
    pub(super) witness: Option<&'e Ident>,
    /// `true` if the first argument is a reference without `&`.
    pub(super) is_method: bool,
}

impl<'a> Parser<'a> {
    /// Returns the inlined function that the expression calls.
    pub(super) fn callee<'e>(&self, e: &'e syn::Expr) -> Option<Callee<'a, 'e>> {
        self.callee_within(e, &mut Vec::new(), &mut 1000)
    }

    /// Returns the same for an expression inside of blocks whose variables are not declared yet.
    pub(super) fn callee_within<'e>(
        &self,
        e: &'e syn::Expr,
        inside: &mut Vec<&'e syn::Block>,
        effort: &mut usize,
    ) -> Option<Callee<'a, 'e>> {
        let known = self.items;
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
                let name = operator(operation(&binary.op)?)?;
                let left = self.structure_of(&binary.left, inside, effort);
                let right = self.structure_of(&binary.right, inside, effort);
                let function = known.operator(name, left.as_deref(), right.as_deref())?;
                let arguments = vec![&*binary.left, &*binary.right];
                Some(Callee::new(function, name, span, arguments))
            }
            syn::Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) if known.has_methods() => {
                let of = self.structure_of(expr, inside, effort)?;
                let function = known.operator("Neg", Some(&of), None)?;
                let arguments = vec![&**expr];
                Some(Callee::new(function, "Neg", span, arguments))
            }
            _ => None,
        }
    }

    /// Returns the function of `place op= value` for a structure, if the module implements the
    /// operator.
    pub(super) fn callee_of_update<'e>(
        &self,
        place: &'e syn::Expr,
        op: Binary,
        value: &'e syn::Expr,
    ) -> Option<Callee<'a, 'e>> {
        if !self.items.has_methods() {
            return None;
        }
        let name = format!("{}Assign", operator(op)?);
        let [left, right] = [place, value].map(|e| self.structure_of(e, &mut Vec::new(), &mut 1000));
        let function = self.items.operator(&name, Some(&left?), right.as_deref())?;
        let arguments = vec![place, value];
        Some(Callee { is_method: true, ..Callee::new(function, name, place.span(), arguments) })
    }

    /// Returns the error about a method or an operator that the structure does not have.
    pub(super) fn no_callee(&self, e: &syn::Expr) -> Option<Error> {
        let no_method = |of: &str, name: &Ident| {
            format!("`{of}` has no method `{name}` in this module: write it, `impl {of} {{ fn {name}(self) … }}`")
        };
        let e = bare(e);
        let (span, message) = match e {
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else { return None };
                let [of, name] =
                    [path.path.segments.first()?, path.path.segments.last()?].map(|segment| &segment.ident);
                self.items.structure(of).filter(|_| path.path.segments.len() == 2)?;
                (name.span(), no_method(&names::text(of), name))
            }
            syn::Expr::MethodCall(call) => {
                let Operand::Structure(of) = self.operand_type(&call.receiver) else { return None };
                (call.method.span(), no_method(&of, &call.method))
            }
            syn::Expr::Binary(binary) => {
                let name = operator(operation(&binary.op)?)?;
                return self.no_operator(e.span(), name, &binary.left, &binary.right);
            }
            syn::Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
                return self.no_operator(e.span(), "Neg", expr, expr);
            }
            _ => return None,
        };
        Some(Error::new(span, message))
    }

    /// Returns the error about `place op= value` if the module does not implement the operator.
    pub(super) fn no_update(&self, place: &syn::Expr, op: Binary, value: &syn::Expr) -> Option<Error> {
        self.no_operator(place.span(), &format!("{}Assign", operator(op)?), place, value)
    }

    fn no_operator(&self, span: Span, name: &str, left: &syn::Expr, right: &syn::Expr) -> Option<Error> {
        use Operand::{Number, Structure};
        let what = match (self.operand_type(left), self.operand_type(right)) {
            (Structure(of), Structure(right)) if of == right => format!("{name} for {of}"),
            (Structure(of), Structure(right)) => format!("{name}<{right}> for {of}"),
            (Structure(of), Number) => format!("{name}<f32> for {of}"),
            (Number, Structure(of)) => format!("{name}<{of}> for f32"),
            _ => return None,
        };
        let message = format!("there is no `impl {what}` in this module: write it, or name parts, as `.x`");
        Some(Error::new(span, message))
    }

    fn operand_type(&self, e: &syn::Expr) -> Operand {
        match self.shape(e, &mut Vec::new(), &mut 1000) {
            Parts::Several(Form::Structure(of), _) if !self.items.structures.is_empty() => {
                Operand::Structure(names::text(&of.name))
            }
            Parts::Several(..) => Operand::Other,
            Parts::One(()) => Operand::Number,
        }
    }

    /// Returns the name of the structure that a value has.
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
    fn new(function: &'a InlineFunction, name: impl Into<String>, span: Span, arguments: Vec<&'e syn::Expr>) -> Self {
        Self { function, name: name.into(), span, arguments, constants: None, witness: None, is_method: false }
    }

    pub(super) fn returns_nothing(&self) -> bool {
        returns_nothing(&self.function.signature.output)
    }
}

/// The type of an operator's operand.
enum Operand {
    Number,
    Structure(String),
    /// A tuple or an array.
    Other,
}

/// Returns the trait of an operator that structures can have.
fn operator(op: Binary) -> Option<&'static str> {
    use Binary::{Add, Div, Mul, Rem, Sub};
    matches!(op, Add | Sub | Mul | Div | Rem).then(|| op.name())
}
