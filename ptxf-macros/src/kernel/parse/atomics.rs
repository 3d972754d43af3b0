//! Atomic operations, `atomic_add(&mut hist[bin], 1);`.
//!
//! They are written like CUDA's functions, under the names of PTX's operations. The changed element
//! is borrowed, as any place that a function changes. An operation whose result does not depend on
//! the order of threads may stand anywhere. Anything that depends on the order stands in `unsafe`:
//! the old value, `atomic_exch` and `atomic_cas`. Floats have no atomic operations, because a sum
//! of floats depends on the order.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Atomic, AtomicOp, Expr, ExprKind, Id, Kind, Right, Statement, StatementKind};
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::Parser;
use super::assign::Place;
use super::expr::{bare, called, name_of};

impl Parser<'_> {
    /// Returns the operation that a call names.
    pub(super) fn atomic_op(&self, call: &syn::ExprCall) -> Option<AtomicOp> {
        let name = called(call)?;
        AtomicOp::of(&name.to_string()).filter(|_| self.binding(name).is_none())
    }

    /// Returns `true` for an operation at the end of a block outside of `unsafe`, where it has no
    /// value.
    pub(super) fn is_atomic_statement(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Call(call) => self.atomic_op(call).is_some() && self.frame.right != Right::Promised,
            _ => false,
        }
    }

    /// Parses an operation as a statement.
    pub(super) fn atomic_statement(&mut self, op: AtomicOp, call: &syn::ExprCall) -> Result<StatementKind> {
        let atomic = self.atomic(op, call)?;
        Ok(StatementKind::Atomic(Box::new(atomic)))
    }

    /// Parses an operation as a value: the old value of the element.
    pub(super) fn atomic_value(&mut self, op: AtomicOp, call: &syn::ExprCall) -> Result<Expr> {
        let mut atomic = self.atomic(op, call)?;
        if !atomic.promised {
            let message = format!(
                "the old value that `{}` returns depends on the order of threads: write the call as a statement of \
                 its own, with `;`. If the kernel's results do not depend on the order, write `unsafe {{ … }}` \
                 around it",
                op.called()
            );
            return Err(Error::new(call.span(), message));
        }
        let (ty, span) = (atomic.value.ty, call.span());
        let name = self.variables[atomic.slice].name.clone();
        let old = self.temporary(&name, ty);
        atomic.old = Some(old);
        let first = vec![Statement { kind: StatementKind::Atomic(Box::new(atomic)), span }];
        let value = self.make(span, ExprKind::Variable(old), ty);
        self.after(first, value)
    }

    fn atomic(&mut self, op: AtomicOp, call: &syn::ExprCall) -> Result<Atomic> {
        let name = op.called();
        if let syn::Expr::Path(path) = &*call.func
            && name_of(path).is_none()
        {
            return Err(Error::new(path.span(), format!("`{name}` has no type arguments: leave them out")));
        }
        let arguments: Vec<_> = call.args.iter().collect();
        let (element, expected, value) = match (op, &arguments[..]) {
            (AtomicOp::CompareExchange, [element, expected, value]) => (*element, Some(*expected), *value),
            (AtomicOp::CompareExchange, _) => {
                let message = format!("`{name}` takes 3 arguments, `{name}(&mut x[i], expected, new)`");
                return Err(Error::new(call.span(), message));
            }
            (_, [element, value]) => (*element, None, *value),
            _ => {
                return Err(Error::new(call.span(), format!("`{name}` takes 2 arguments, `{name}(&mut x[i], value)`")));
            }
        };
        let promised = self.frame.right == Right::Promised;
        if op.in_any_order().is_none() && !promised {
            let message = format!(
                "the result of `{name}` depends on the order of threads: if the kernel's results do not, write \
                 `unsafe {{ … }}` around it"
            );
            return Err(Error::new(call.span(), message));
        }
        let (slice, (index, text)) = self.lent(name, element)?;
        let ty = self.variables[slice].ty;
        self.has_atomics(slice, element.span(), name)?;
        let expected = expected.map(|e| self.of_type(e, ty)).transpose()?;
        let value = self.of_type(value, ty)?;
        Ok(Atomic { op, slice, index, text, expected, value, old: None, promised })
    }

    /// Parses the borrowed element.
    fn lent(&mut self, name: &str, e: &syn::Expr) -> Result<(Id, (Expr, String))> {
        let place = match bare(e) {
            syn::Expr::Reference(reference) if reference.mutability.is_some() => &*reference.expr,
            other => {
                let message = format!("`{name}` takes the element by reference: write `&mut x[i]`");
                return Err(Error::new(other.span(), message));
            }
        };
        let mut first = Vec::new();
        let found = self.place(place, &mut first)?;
        let Parts::One(Place { id, span, index }) = found else {
            return Err(Error::new(
                place.span(),
                format!(
                    "`{name}` takes one number, and this has parts: name a part, \
                 as `.x`"
                ),
            ));
        };
        let shared = self.variables[id].kind.is_written();
        match index.filter(|_| shared) {
            // The statements before it declare variables of the macro, and belong to the index.
            Some((index, text)) if first.is_empty() => Ok((id, (index, text))),
            Some((index, text)) => {
                let index = self.after(first, index)?;
                Ok((id, (index, text)))
            }
            None => {
                let message = format!(
                    "`{}` belongs to one thread, and `{name}` takes elements of outputs and of shared memory: write \
                     an assignment",
                    self.variables[id].name
                );
                Err(Error::new(span, message))
            }
        }
    }

    /// Refuses elements that no single instruction of a device changes, or whose result depends on
    /// the order.
    fn has_atomics(&self, slice: Id, span: Span, name: &str) -> Result<()> {
        let v = &self.variables[slice];
        debug_assert!(matches!(v.kind, Kind::Out | Kind::Shared(_)));
        let ty = self.types.get(v.ty);
        let message = match ty {
            Type::Int(int) if int.has_atomics() => return Ok(()),
            Type::Float => format!(
                "`{name}` takes integers, since the rounding of a float sum depends on the order of threads: sum a \
                 block in shared memory with barriers and write one sum for each block, or use integers, \
                 `{name}(&mut sum[0], (x * 65536.0) as i32)`"
            ),
            ty => format!("`{name}` takes `u32`, `i32`, `u64` and `i64`, and these elements are `{}`", ty.name()),
        };
        Err(Error::new(span, message))
    }

    fn of_type(&mut self, e: &syn::Expr, ty: usize) -> Result<Expr> {
        let value = self.expr(e)?;
        self.types.unify(value.span, value.ty, ty)?;
        Ok(value)
    }
}
