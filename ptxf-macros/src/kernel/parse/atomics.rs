//! Atomic operations, `atomic_add(&mut hist[bin], 1);`.
//!
//! They are written as CUDA's functions, under the names of PTX's operations, and what is changed is lent as any other place that a
//! function changes. What several threads do to an element in any order with one result may stand anywhere. Whatever tells in which order
//! they came stands in `unsafe`: what the element was before, `atomic_exch` and `atomic_cas`. Floats have none: of a sum of floats the
//! order tells, too.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Atomic, AtomicOp, Expr, ExprKind, Id, Kind, Right, Statement, StatementKind, Type};
use super::super::parts::Parts;
use super::Parser;
use super::assign::Place;
use super::expr::{bare, called, name_of};

impl Parser<'_> {
    /// The operation that is called, if the call is of one.
    pub(super) fn atomic_op(&self, call: &syn::ExprCall) -> Option<AtomicOp> {
        let name = called(call)?;
        AtomicOp::of(&name.to_string()).filter(|_| self.binding(name).is_none())
    }

    /// Whether it is a statement where it ends a block: outside of `unsafe` there is nothing that it could be the value of.
    pub(super) fn is_atomic_statement(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Call(call) => self.atomic_op(call).is_some() && self.frame.right != Right::Promised,
            _ => false,
        }
    }

    /// In a statement of its own.
    pub(super) fn atomic_statement(&mut self, op: AtomicOp, call: &syn::ExprCall) -> Result<StatementKind> {
        let atomic = self.atomic(op, call)?;
        Ok(StatementKind::Atomic(Box::new(atomic)))
    }

    /// In a value: what the element was.
    pub(super) fn atomic_value(&mut self, op: AtomicOp, call: &syn::ExprCall) -> Result<Expr> {
        let mut atomic = self.atomic(op, call)?;
        if !atomic.promised {
            let message = format!(
                "what the element was before `{}` depends on which threads came first: say with `unsafe {{ … }}` that what the kernel \
                 leaves does not depend on it, or let the call be a statement of its own, with `;`, which uses nothing of it",
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
                "what `{name}` leaves depends on which thread comes last: say with `unsafe {{ … }}` that what the kernel leaves does not"
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

    /// The element that is lent.
    fn lent(&mut self, name: &str, e: &syn::Expr) -> Result<(Id, (Expr, String))> {
        let place = match bare(e) {
            syn::Expr::Reference(reference) if reference.mutability.is_some() => &*reference.expr,
            other => {
                let message = format!("what `{name}` changes is lent to it: write `&mut x[i]`");
                return Err(Error::new(other.span(), message));
            }
        };
        let mut first = Vec::new();
        let found = self.place(place, &mut first)?;
        let Parts::One(Place { id, span, index }) = found else {
            return Err(Error::new(place.span(), format!("`{name}` is for one number: name a part, as `.x`")));
        };
        let shared = self.variables[id].kind.is_written();
        match index.filter(|_| shared) {
            // Whatever comes first for it has made a variable of the macro's, and is part of the index.
            Some((index, text)) if first.is_empty() => Ok((id, (index, text))),
            Some((index, text)) => {
                let index = self.after(first, index)?;
                Ok((id, (index, text)))
            }
            None => {
                let message = format!(
                    "`{}` is this thread's own, and no other changes it: `{name}` is for elements of outputs and of shared memory",
                    self.variables[id].name
                );
                Err(Error::new(span, message))
            }
        }
    }

    /// Refuses elements that devices change in no one instruction, or not with one result.
    fn has_atomics(&self, slice: Id, span: Span, name: &str) -> Result<()> {
        let v = &self.variables[slice];
        debug_assert!(matches!(v.kind, Kind::Out | Kind::Shared(_)));
        let ty = self.types.get(v.ty);
        let message = match ty {
            Type::Int(int) if int.has_atomics() => return Ok(()),
            Type::Float => format!(
                "`{name}` of floats: every order of threads would round to another result. Sum a block in shared memory with barriers, \
                 and write one sum for each block; or let the elements be integers, `{name}(&mut sum[0], (x * 65536.0) as i32)`"
            ),
            ty => format!("`{name}` of `{}`: a device has it for `u32`, `i32`, `u64` and `i64`", ty.name()),
        };
        Err(Error::new(span, message))
    }

    fn of_type(&mut self, e: &syn::Expr, ty: usize) -> Result<Expr> {
        let value = self.expr(e)?;
        self.types.unify(value.span, value.ty, ty)?;
        Ok(value)
    }
}
