//! Which floats are elements and which are f32.
//!
//! An operation is f32 if an operand is; the other one is widened, which is exact. A product of elements that is an
//! operand of an f32 operation, or is assigned to a kept variable, is not rounded to the element type: its factors are
//! widened, and the product of those is exact in f32.

use syn::Error;

use super::ast::{Binary, Block, Do, Expr, Is, Kernel, Precision, Type, Variable};
use super::types::Types;

/// Decides, and says where an f32 value would have to become an element unasked.
pub(crate) fn decide(kernel: &mut Kernel, types: &Types) -> syn::Result<()> {
    let mut pass = Pass { variables: &kernel.variables, types, errors: Vec::new() };
    pass.block(&mut kernel.body);
    if let Some(tail) = &mut kernel.body.tail {
        pass.coerce(tail, Precision::Element, None);
    }
    super::all(pass.errors)
}

struct Pass<'a> {
    variables: &'a [Variable],
    types: &'a Types,
    errors: Vec<Error>,
}

fn of(kept: bool) -> Precision {
    if kept { Precision::Single } else { Precision::Element }
}

impl Pass<'_> {
    fn is_float(&self, e: &Expr) -> bool {
        self.types.get(e.ty) == Type::Float
    }

    fn block(&mut self, block: &mut Block) {
        for statement in &mut block.statements {
            self.statement(&mut statement.kind);
        }
        if let Some(tail) = &mut block.tail {
            self.expr(tail);
        }
    }

    fn statement(&mut self, kind: &mut Do) {
        match kind {
            Do::Let(id, value) | Do::Assign { to: id, value, .. } | Do::LetRepeat(id, value) => self.into(value, *id),
            Do::LetArray(id, values) => {
                for value in values {
                    self.into(value, *id);
                }
            }
            Do::AssignElement { array: id, index, value, .. } | Do::Store { slice: id, index, value, .. } => {
                self.expr(index);
                self.into(value, *id);
            }
            Do::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
            }
            Do::For { start, end, body, .. } => {
                self.expr(start);
                self.expr(end);
                self.block(&mut body.body);
            }
            Do::While(condition, body) => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.block(&mut body.body);
            }
            Do::Return(Some(value), _) => {
                self.expr(value);
                self.coerce(value, Precision::Element, None);
            }
            Do::Block(block) => self.block(block),
            Do::Break(_) | Do::Continue(_) | Do::Return(None, _) | Do::Sync => {}
        }
    }

    /// A value on its way into a variable.
    fn into(&mut self, value: &mut Expr, id: usize) {
        self.expr(value);
        let variable = &self.variables[id];
        self.coerce(value, of(variable.kept), Some(variable));
    }

    /// Decides bottom up.
    fn expr(&mut self, e: &mut Expr) {
        let float = self.is_float(e);
        e.precision = match &mut e.kind {
            Is::Float(_) | Is::Limit(_) => Precision::Either,
            Is::Constant(_) => Precision::Either,
            Is::Int(_) | Is::Bool(_) | Is::Length(_) | Is::Slice(_) => Precision::Element,
            Is::Variable(id) => of(self.variables[*id].kept),
            Is::Load { slice: id, index, .. } | Is::Element(id, index) => {
                self.expr(index);
                of(self.variables[*id].kept)
            }
            Is::Negate(a) | Is::Not(a) => {
                self.expr(a);
                a.precision
            }
            Is::Float1(_, a) => {
                self.expr(a);
                a.precision
            }
            Is::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
                if float { self.meet(&mut [a, b]) } else { Precision::Element }
            }
            Is::MulAdd(x) => {
                for x in x.iter_mut() {
                    self.expr(x);
                }
                let [a, b, c] = &mut **x;
                self.meet(&mut [a, b, c])
            }
            Is::Compare(_, a, b) => {
                self.expr(a);
                self.expr(b);
                if self.is_float(a) && self.meet(&mut [a, b]) == Precision::Either {
                    self.coerce(a, Precision::Element, None);
                    self.coerce(b, Precision::Element, None);
                }
                Precision::Element
            }
            Is::Nan(a) => {
                self.expr(a);
                if a.precision == Precision::Either {
                    self.coerce(a, Precision::Element, None);
                }
                Precision::Element
            }
            Is::Logic { a, b, .. } => {
                self.expr(a);
                self.expr(b);
                Precision::Element
            }
            Is::Cast(a) => {
                self.expr(a);
                if self.is_float(a) && a.precision == Precision::Either {
                    self.coerce(a, Precision::Element, None);
                }
                // An integer is rounded once, to what it meets.
                if float { Precision::Either } else { Precision::Element }
            }
            Is::Narrow(a) => {
                self.expr(a);
                if a.precision == Precision::Either {
                    self.coerce(a, Precision::Element, None);
                }
                Precision::Element
            }
            Is::Widen(_) => Precision::Single,
            Is::Table(_, a) => {
                self.expr(a);
                self.coerce(a, Precision::Element, None);
                Precision::Element
            }
            Is::Call(_, arguments) => {
                for a in arguments {
                    self.expr(a);
                    self.coerce(a, Precision::Element, None);
                }
                Precision::Element
            }
            Is::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
                match (&mut then.tail, &mut otherwise.tail) {
                    (Some(a), Some(b)) if float => self.meet(&mut [a, b]),
                    _ => Precision::Element,
                }
            }
            Is::Block(block) => {
                self.block(block);
                block.tail.as_ref().map_or(Precision::Element, |tail| tail.precision)
            }
        };
    }

    /// Makes them the same.
    fn meet(&mut self, operands: &mut [&mut Expr]) -> Precision {
        let to = if operands.iter().any(|e| e.precision == Precision::Single) {
            Precision::Single
        } else if operands.iter().all(|e| e.precision == Precision::Either) {
            return Precision::Either;
        } else {
            Precision::Element
        };
        for e in operands {
            self.coerce(e, to, None);
        }
        to
    }

    /// Makes it an element or f32; `variable` is where it goes.
    fn coerce(&mut self, e: &mut Expr, to: Precision, variable: Option<&Variable>) {
        if !self.is_float(e) || e.precision == to {
            return;
        }
        match (e.precision, to) {
            (Precision::Either, _) => self.settle(e, to),
            (Precision::Element, Precision::Single) => self.widen(e),
            _ => self.errors.push(self.demoted(e, variable)),
        }
    }

    /// What could be either becomes `to`.
    fn settle(&mut self, e: &mut Expr, to: Precision) {
        e.precision = to;
        match &mut e.kind {
            Is::Float1(_, a) => self.settle(a, to),
            Is::Binary(_, a, b) => {
                self.settle(a, to);
                self.settle(b, to);
            }
            Is::MulAdd(x) => {
                for x in x.iter_mut() {
                    self.settle(x, to);
                }
            }
            Is::If(_, a, b) => {
                for tail in [&mut a.tail, &mut b.tail].into_iter().flatten() {
                    self.settle(tail, to);
                }
            }
            Is::Block(block) => {
                if let Some(tail) = &mut block.tail {
                    self.settle(tail, to);
                }
            }
            _ => {}
        }
    }

    fn widen(&mut self, e: &mut Expr) {
        match &mut e.kind {
            Is::Binary(Binary::Mul, a, b) => {
                self.widen_exactly(a);
                self.widen_exactly(b);
                e.precision = Precision::Single;
            }
            _ => self.widen_exactly(e),
        }
    }

    /// Whatever it is, rounded as it would be, in f32.
    fn widen_exactly(&mut self, e: &mut Expr) {
        let (span, ty, class) = (e.span, e.ty, e.class);
        let placeholder = Expr { kind: Is::Bool(false), span, ty, class, precision: Precision::Single };
        let inner = core::mem::replace(e, placeholder);
        e.kind = Is::Widen(Box::new(inner));
    }

    fn demoted(&self, e: &Expr, variable: Option<&Variable>) -> Error {
        let because = self.kept_in(e).map(|name| format!(" because `{name}` is kept")).unwrap_or_default();
        let message = match variable {
            Some(v) if !v.kind.is_written() => {
                format!("this is f32{because}, `{0}` is not: round it with `cvt_rn(…)`, or keep `{0}` too", v.name)
            }
            Some(v) => format!(
                "this is f32{because}, the elements of `{0}` are not: round it with `cvt_rn(…)`, or keep `{0}` in f32",
                v.name
            ),
            None => format!("this is f32{because}, and an element is needed: round it with `cvt_rn(…)`"),
        };
        Error::new(e.span, message)
    }

    /// A kept variable in the expression.
    fn kept_in(&self, e: &Expr) -> Option<String> {
        let kept = |id: usize| self.variables[id].kept.then(|| self.variables[id].name.to_string());
        match &e.kind {
            Is::Variable(id) | Is::Load { slice: id, .. } | Is::Element(id, _) => kept(*id),
            Is::Float1(_, a) => self.kept_in(a),
            Is::Binary(_, a, b) => self.kept_in(a).or_else(|| self.kept_in(b)),
            Is::MulAdd(x) => x.iter().find_map(|x| self.kept_in(x)),
            Is::If(_, a, b) => [a, b].iter().find_map(|b| b.tail.as_ref().and_then(|tail| self.kept_in(tail))),
            Is::Block(block) => block.tail.as_ref().and_then(|tail| self.kept_in(tail)),
            _ => None,
        }
    }
}
