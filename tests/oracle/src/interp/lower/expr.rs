//! Expressions and the statements that are expressions.

use std::collections::HashMap;

use syn::{BinOp, Lit, Pat, UnOp};

use super::super::Fault;
use super::super::number;
use super::super::tree::{Argument, Arm, Atomic, AtomicOp, Binary, Comparison, Expr, Is, Kind, Type, TypeVar, Vote};
use super::items::scalar;
use super::several::Lowered;
use super::text;
use super::{Constant, Lower};

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Result<Expr, Fault> {
        if let Some(call) = self.call_of_structure(e)? {
            return Ok(call);
        }
        match e {
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Lit(lit) => self.literal(&lit.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => {
                let a = self.expr(&unary.expr)?;
                if let UnOp::Deref(_) = unary.op {
                    return Ok(a);
                }
                let ty = a.ty;
                let kind = match unary.op {
                    UnOp::Neg(_) => Is::Negate(Box::new(a)),
                    UnOp::Not(_) => Is::Not(Box::new(a)),
                    _ => return Err(Fault::source("there are no references")),
                };
                Ok(self.make(kind, ty))
            }
            syn::Expr::Binary(e) => self.binary(e),
            syn::Expr::Cast(cast) => {
                let a = self.expr(&cast.expr)?;
                let to = scalar(&cast.ty)?;
                if matches!(a.kind, Is::Float(_)) && to == Type::Float {
                    return Ok(a);
                }
                let ty = self.types.known(to);
                Ok(self.make(Is::Cast(Box::new(a)), ty))
            }
            syn::Expr::Index(e) => self.element(e),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::If(e) => self.if_(e),
            syn::Expr::Block(e) => {
                let block = self.block(&e.block)?;
                let ty = self.block_type(&block);
                Ok(self.make(Is::Block(block), ty))
            }
            syn::Expr::Unsafe(e) => {
                let block = self.in_unsafe(|lower| lower.block(&e.block))?;
                let ty = self.block_type(&block);
                Ok(self.make(Is::Block(block), ty))
            }
            syn::Expr::Const(block) => {
                let value = self.items.constant(&syn::Expr::Const(block.clone()))?;
                Ok(self.constant(value))
            }
            syn::Expr::Assign(e) => match self.assign_several(&e.left, &e.right)? {
                Some(assigned) => Ok(assigned),
                None => self.assign(&e.left, None, &e.right),
            },
            syn::Expr::Field(_) => match self.value(e)? {
                Lowered::One(e) => Ok(e),
                Lowered::Several(..) => Err(Fault::source("several values where one has to be")),
            },
            syn::Expr::ForLoop(e) => self.for_loop(e),
            syn::Expr::While(e) => {
                let condition = self.condition(&e.cond)?;
                let body = self.block(&e.body)?;
                Ok(self.unit(Is::While(label(e.label.as_ref()), Some(Box::new(condition)), body)))
            }
            syn::Expr::Loop(e) => {
                let body = self.block(&e.body)?;
                Ok(self.unit(Is::While(label(e.label.as_ref()), None, body)))
            }
            syn::Expr::Break(e) if e.expr.is_none() => Ok(self.never(Is::Break(e.label.as_ref().map(to_string)))),
            syn::Expr::Continue(e) => Ok(self.never(Is::Continue(e.label.as_ref().map(to_string)))),
            syn::Expr::Match(e) => self.match_(e),
            syn::Expr::Return(e) => {
                let value = match &e.expr {
                    None => None,
                    Some(value) if self.several_result.is_some() => return self.return_several(value),
                    Some(value) => {
                        let value = self.expr(value)?;
                        self.types.unify(value.ty, self.result)?;
                        Some(Box::new(value))
                    }
                };
                Ok(self.never(Is::Return(value)))
            }
            other => Err(Fault::source(format!("not in a kernel: `{}`", quote::quote!(#other)))),
        }
    }

    /// A jump, which has any type since nothing follows it.
    pub(super) fn never(&mut self, kind: Is) -> Expr {
        let ty = self.types.any();
        self.make(kind, ty)
    }

    fn literal(&mut self, lit: &Lit) -> Result<Expr, Fault> {
        let value = match lit {
            Lit::Bool(lit) => Constant::Bool(lit.value),
            Lit::Float(lit) => return self.float(lit.base10_digits()),
            Lit::Int(lit) if lit.suffix() == "f32" => return self.float(lit.base10_digits()),
            Lit::Int(lit) => {
                let ty = match lit.suffix() {
                    "" => None,
                    suffix => Some(scalar(&syn::parse_str(suffix)?)?),
                };
                Constant::Int(ty, lit.base10_parse()?)
            }
            _ => return Err(Fault::source("a kernel has numbers and truth values")),
        };
        Ok(self.constant(value))
    }

    fn float(&mut self, digits: &str) -> Result<Expr, Fault> {
        let bits = number::literal(digits).ok_or_else(|| Fault::source(format!("`{digits}` is no number")))?;
        let ty = self.types.known(Type::Float);
        Ok(self.make(Is::Float(bits), ty))
    }

    pub(super) fn constant(&mut self, value: Constant) -> Expr {
        match value {
            Constant::Float(bits) => {
                let ty = self.types.known(Type::Float);
                self.make(Is::Float(number::constant(bits)), ty)
            }
            Constant::Int(ty, x) => {
                let ty = match ty {
                    Some(ty) => self.types.known(ty),
                    None => self.types.integer(),
                };
                // Each type takes the low bits of two's complement.
                self.make(Is::Int(x as u128), ty)
            }
            Constant::Bool(x) => {
                let ty = self.types.known(Type::Bool);
                self.make(Is::Bool(x), ty)
            }
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Result<Expr, Fault> {
        if let Some(id) = path.path.get_ident().and_then(|name| self.find(&text(name))) {
            let ty = self.variables[id].ty;
            return Ok(self.make(Is::Variable(id), ty));
        }
        let segments: Vec<_> = path.path.segments.iter().map(|s| text(&s.ident)).collect();
        if let [of, name] = &segments[..]
            && of == "f32"
            && let Some(bits) = number::limit(name)
        {
            let ty = self.types.known(Type::Float);
            return Ok(self.make(Is::Float(bits), ty));
        }
        let unknown = || Fault::source(format!("nothing is named `{}`", segments.join("::")));
        let value = self.items.path(&path.path).ok_or_else(unknown)?;
        Ok(self.constant(value))
    }

    pub(super) fn index(&mut self, e: &syn::Expr) -> Result<Expr, Fault> {
        let index = self.expr(e)?;
        self.types.expect(index.ty, Type::USIZE)?;
        Ok(index)
    }

    pub(super) fn condition(&mut self, e: &syn::Expr) -> Result<Expr, Fault> {
        let condition = self.expr(e)?;
        self.types.expect(condition.ty, Type::Bool)?;
        Ok(condition)
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Result<Expr, Fault> {
        if let Some(op) = compound(&e.op) {
            return self.assign(&e.left, Some(op), &e.right);
        }
        let (a, b) = (self.expr(&e.left)?, self.expr(&e.right)?);
        let (a, b) = (Box::new(a), Box::new(b));
        if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) {
            self.types.expect(a.ty, Type::Bool)?;
            self.types.expect(b.ty, Type::Bool)?;
            let ty = a.ty;
            return Ok(self.make(Is::Logic { and: matches!(e.op, BinOp::And(_)), a, b }, ty));
        }
        let op = arithmetic(&e.op);
        // A shift distance has a type of its own.
        if !op.is_some_and(Binary::by_a_number) {
            self.types.unify(a.ty, b.ty)?;
        }
        let ty = a.ty;
        if let Some(op) = op {
            if self.fuse && matches!(op, Binary::Add | Binary::Sub) {
                // The first of two products is fused, and the other is rounded.
                let written = [(&e.left, &a), (&e.right, &b)];
                let product = written.iter().position(|(e, lowered)| is_product(e) && lowered.factors().is_some());
                if let Some(product) = product {
                    let difference = op == Binary::Sub;
                    return Ok(self.make(Is::Fused { difference, operands: Box::new([*a, *b]), product }, ty));
                }
            }
            return Ok(self.make(Is::Binary(op, a, b), ty));
        }
        let op = match e.op {
            BinOp::Lt(_) => Comparison::Lt,
            BinOp::Le(_) => Comparison::Le,
            BinOp::Gt(_) => Comparison::Gt,
            BinOp::Ge(_) => Comparison::Ge,
            BinOp::Eq(_) => Comparison::Eq,
            BinOp::Ne(_) => Comparison::Ne,
            _ => return Err(Fault::source("no such operator")),
        };
        let ty = self.types.known(Type::Bool);
        Ok(self.make(Is::Compare(op, a, b), ty))
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Result<Expr, Fault> {
        let name = match &*call.func {
            syn::Expr::Path(path) => self.items.called(path),
            _ => return Err(Fault::source("one calls a function by its name")),
        };
        if name == "sync_threads" {
            let number = self.items.barriers.get() + 1;
            self.items.barriers.set(number);
            return Ok(self.unit(Is::Barrier(number)));
        }
        let vote = match &*name {
            "sync_threads_or" => Some((Vote::Any, Type::Bool)),
            "sync_threads_and" => Some((Vote::All, Type::Bool)),
            "sync_threads_count" => Some((Vote::Count, Type::U32)),
            _ => None,
        };
        if let Some((vote, of)) = vote {
            let value = self.condition(&call.args[0])?;
            let number = self.items.barriers.get() + 1;
            self.items.barriers.set(number);
            let ty = self.types.known(of);
            return Ok(self.make(Is::Vote(number, vote, Box::new(value)), ty));
        }
        if let Some(op) = name.strip_prefix("atomic_") {
            return self.atomic(op, call);
        }
        if name == "cvt_rn" {
            let a = self.expr(&call.args[0])?;
            self.types.expect(a.ty, Type::Float)?;
            let ty = a.ty;
            return Ok(self.make(Is::Narrow(Box::new(a)), ty));
        }
        let items = self.items;
        let Some(signature) = items.functions.get(&name) else {
            return Err(Fault::source(format!("there is no function `{name}`")));
        };
        if signature.parameters.len() != call.args.len() {
            return Err(Fault::source(format!("`{name}` takes {} arguments", signature.parameters.len())));
        }
        if signature.is_open {
            let constants = match &*call.func {
                syn::Expr::Path(path) => match path.path.segments.last().map(|segment| &segment.arguments) {
                    Some(syn::PathArguments::AngleBracketed(written)) => Some(written),
                    _ => None,
                },
                _ => None,
            };
            return self.open_call(signature, &call.args.iter().collect::<Vec<_>>(), constants);
        }
        let mut arguments = Vec::new();
        for (parameter, e) in signature.parameters.iter().zip(&call.args) {
            arguments.push(match parameter.kind {
                _ if parameter.several.is_some() => {
                    let ty = parameter.several.clone().expect("asked for here");
                    self.several_argument(e, &ty)?
                }
                Kind::Slice { .. } => Argument::Slice(self.indexed(e)?),
                _ => {
                    let value = self.expr(e)?;
                    self.types.expect(value.ty, parameter.ty)?;
                    Argument::Value { value, kept: false }
                }
            });
        }
        let ty = self.types.known(signature.result);
        Ok(self.make(Is::Call(name, arguments), ty))
    }

    pub(super) fn in_unsafe<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.promised, true);
        let lowered = lower(self);
        self.promised = outer;
        lowered
    }

    /// Lowers an atomic call; with `unsafe` the result is the element's old value.
    fn atomic(&mut self, op: &str, call: &syn::ExprCall) -> Result<Expr, Fault> {
        let op = match op {
            "add" => AtomicOp::Of(Binary::Add),
            "sub" => AtomicOp::Of(Binary::Sub),
            "min" => AtomicOp::Of(Binary::Min),
            "max" => AtomicOp::Of(Binary::Max),
            "and" => AtomicOp::Of(Binary::And),
            "or" => AtomicOp::Of(Binary::Or),
            "xor" => AtomicOp::Of(Binary::Xor),
            "exch" => AtomicOp::Exchange,
            "cas" => AtomicOp::CompareExchange,
            other => return Err(Fault::source(format!("there is no `atomic_{other}`"))),
        };
        let arguments: Vec<_> = call.args.iter().collect();
        let (place, expected, value) = match (op, &arguments[..]) {
            (AtomicOp::CompareExchange, [place, expected, value]) => (*place, Some(*expected), *value),
            (AtomicOp::Of(_) | AtomicOp::Exchange, [place, value]) => (*place, None, *value),
            _ => return Err(Fault::source("an atomic operation takes a place and a value")),
        };
        let place = match place {
            syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr, .. }) => &**expr,
            _ => return Err(Fault::source("an atomic operation changes what it is lent")),
        };
        let Is::Element(to, index) = self.expr(place)?.kind else {
            return Err(Fault::source("an atomic operation is on an element"));
        };
        let ty = self.variables[to].ty;
        let expected = match expected {
            Some(expected) => Some(self.expr(expected)?),
            None => None,
        };
        let value = self.expr(value)?;
        for value in expected.iter().chain([&value]) {
            self.types.unify(value.ty, ty)?;
        }
        let promised = self.promised;
        let ty = if promised { ty } else { self.types.known(Type::Unit) };
        Ok(self.make(Is::Atomic(Box::new(Atomic { op, to, index: *index, expected, value, promised })), ty))
    }

    fn if_(&mut self, e: &syn::ExprIf) -> Result<Expr, Fault> {
        let condition = Box::new(self.condition(&e.cond)?);
        let then = self.block(&e.then_branch)?;
        self.if_else(condition, then, e.else_branch.as_ref())
    }

    /// Makes an `if` from everything but its `else`.
    pub(super) fn if_else(
        &mut self,
        condition: Box<Expr>,
        then: super::Block,
        otherwise: Option<&(syn::Token![else], Box<syn::Expr>)>,
    ) -> Result<Expr, Fault> {
        let mut ty = self.block_type(&then);
        let otherwise = match otherwise {
            None => None,
            Some((_, otherwise)) => {
                let block = match &**otherwise {
                    syn::Expr::Block(block) => self.block(&block.block)?,
                    other => {
                        let value = self.expr(other)?;
                        super::Block { statements: Vec::new(), tail: Some(Box::new(value)) }
                    }
                };
                let other = self.block_type(&block);
                self.types.unify(other, ty)?;
                ty = other;
                Some(block)
            }
        };
        if otherwise.is_none() {
            ty = self.types.known(Type::Unit);
        }
        Ok(self.make(Is::If(condition, then, otherwise), ty))
    }

    fn for_loop(&mut self, e: &syn::ExprForLoop) -> Result<Expr, Fault> {
        if !matches!(&*e.pat, Pat::Wild(_))
            && let Some((of, enumerated)) = self.gone_through(&e.expr)
        {
            return self.for_elements(e, of, enumerated);
        }
        let (range, step) = match &*e.expr {
            syn::Expr::MethodCall(call) if call.method == "step_by" => (&*call.receiver, Some(&call.args[0])),
            other => (other, None),
        };
        let (range, reversed) = match range {
            syn::Expr::MethodCall(call) if call.method == "rev" => (&*call.receiver, true),
            other => (other, false),
        };
        let range = match range {
            syn::Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let name = match &*e.pat {
            Pat::Ident(name) => text(&name.ident),
            // No other variable has this name.
            Pat::Wild(_) => "_".to_owned(),
            _ => return Err(Fault::source("a `for` counts with one name")),
        };
        let syn::Expr::Range(syn::ExprRange { start: Some(start), end: Some(end), limits, .. }) = range else {
            return Err(Fault::source("a `for` counts through a range"));
        };
        let (start, end) = (Box::new(self.expr(start)?), Box::new(self.expr(end)?));
        self.types.unify(end.ty, start.ty)?;
        let step = match step {
            Some(step) => Some(Box::new(self.index(step)?)),
            None => None,
        };
        self.scopes.push(HashMap::new());
        let counter = self.declare(&name, Kind::Local, start.ty);
        let body = self.block(&e.body)?;
        self.scopes.pop();
        let inclusive = matches!(limits, syn::RangeLimits::Closed(_));
        let label = label(e.label.as_ref());
        Ok(self.unit(Is::For { counter, start, end, inclusive, reversed, step, label, body }))
    }

    fn match_(&mut self, e: &syn::ExprMatch) -> Result<Expr, Fault> {
        if let Some(asked) = self.asked(e)? {
            return self.expr(&asked);
        }
        let of = self.expr(&e.expr)?;
        // A variable without a name; each arm is the `else` of the one before.
        let id = self.declare("", Kind::Local, of.ty);
        let mut arms = Vec::new();
        for arm in &e.arms {
            let mut ranges = Vec::new();
            self.ranges(&arm.pat, of.ty, &mut ranges)?;
            arms.push((ranges, self.expr(&arm.body)?));
        }
        self.arms(id, of, arms)
    }

    /// Lowers a `match` on the variable's value.
    pub(super) fn arms(&mut self, id: usize, of: Expr, arms: Vec<(Vec<[i128; 2]>, Expr)>) -> Result<Expr, Fault> {
        let ty = self.types.any();
        for (_, value) in &arms {
            self.types.unify(value.ty, ty)?;
        }
        let mut rest = None;
        for (ranges, value) in arms.into_iter().rev() {
            let arm = Arm { ranges, value, otherwise: rest };
            rest = Some(self.make(Is::Arm(id, Box::new(arm)), ty));
        }
        let matched = self.unit(Is::Let(id, Box::new(of)));
        let block = super::Block { statements: vec![matched], tail: rest.map(Box::new) };
        Ok(self.make(Is::Block(block), ty))
    }

    /// The least and the greatest integer of each alternative.
    pub(super) fn ranges(&mut self, pattern: &Pat, ty: TypeVar, ranges: &mut Vec<[i128; 2]>) -> Result<(), Fault> {
        let bound = |lower: &mut Self, e: &syn::Expr| match lower.items.constant(e)? {
            Constant::Int(of, x) => of.map_or(Ok(()), |of| lower.types.expect(ty, of)).map(|()| x),
            _ => Err(Fault::source("an integer is matched with integers")),
        };
        match pattern {
            Pat::Wild(_) => ranges.push([i128::MIN, i128::MAX]),
            Pat::Paren(inner) => self.ranges(&inner.pat, ty, ranges)?,
            Pat::Or(or) => or.cases.iter().try_for_each(|case| self.ranges(case, ty, ranges))?,
            Pat::Range(range) => {
                let least = range.start.as_ref().map_or(Ok(i128::MIN), |e| bound(self, e))?;
                let most = range.end.as_ref().map_or(Ok(i128::MAX), |e| bound(self, e))?;
                let open = range.end.is_some() && matches!(range.limits, syn::RangeLimits::HalfOpen(_));
                ranges.push([least, most - i128::from(open)]);
            }
            Pat::Lit(lit) => {
                let x = bound(self, &syn::Expr::Lit(lit.clone()))?;
                ranges.push([x, x]);
            }
            Pat::Ident(name) => {
                let x = bound(self, &syn::parse_quote!(#name))?;
                ranges.push([x, x]);
            }
            Pat::Path(path) => {
                let x = bound(self, &syn::Expr::Path(path.clone()))?;
                ranges.push([x, x]);
            }
            _ => return Err(Fault::source("an integer is matched with integers")),
        }
        Ok(())
    }

    fn assign(&mut self, place: &syn::Expr, op: Option<Binary>, value: &syn::Expr) -> Result<Expr, Fault> {
        let (to, index) = match place {
            syn::Expr::Paren(inner) => return self.assign(&inner.expr, op, value),
            syn::Expr::Index(e) => {
                let (id, place) = self.indexed_place(e)?;
                (id, Some(Box::new(place)))
            }
            place => match self.expr(place)?.kind {
                Is::Variable(id) if matches!(self.variables[id].kind, Kind::Local | Kind::Scalar) => (id, None),
                Is::Element(id, index) => (id, Some(index)),
                _ => return Err(Fault::source("this cannot be assigned to")),
            },
        };
        if matches!(self.variables[to].kind, Kind::Slice { mutable: false, .. }) {
            return Err(Fault::source(format!("`{}` is an input", self.variables[to].name)));
        }
        let written = is_product(value);
        let value = Box::new(self.expr(value)?);
        if !op.is_some_and(Binary::by_a_number) {
            self.types.unify(value.ty, self.variables[to].ty)?;
        }
        let sum = matches!(op, Some(Binary::Add | Binary::Sub));
        let fused = self.fuse && sum && written && value.factors().is_some();
        Ok(self.unit(Is::Assign { to, index, op, fused, value }))
    }
}

/// Returns `true` for a product as it is written, in parentheses and with signs before it.
fn is_product(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Paren(inner) => is_product(&inner.expr),
        syn::Expr::Group(inner) => is_product(&inner.expr),
        syn::Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_product(expr),
        syn::Expr::Binary(e) => matches!(e.op, BinOp::Mul(_)),
        _ => false,
    }
}

pub(super) fn label(label: Option<&syn::Label>) -> Option<String> {
    label.map(|label| to_string(&label.name))
}

fn to_string(label: &syn::Lifetime) -> String {
    label.ident.to_string()
}

/// An operator of two numbers or truth values.
pub(super) fn arithmetic(op: &BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::Add(_) => Binary::Add,
        BinOp::Sub(_) => Binary::Sub,
        BinOp::Mul(_) => Binary::Mul,
        BinOp::Div(_) => Binary::Div,
        BinOp::Rem(_) => Binary::Rem,
        BinOp::BitAnd(_) => Binary::And,
        BinOp::BitOr(_) => Binary::Or,
        BinOp::BitXor(_) => Binary::Xor,
        BinOp::Shl(_) => Binary::Shl,
        BinOp::Shr(_) => Binary::Shr,
        _ => return None,
    })
}

/// Returns the operator of a compound assignment.
fn compound(op: &BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::AddAssign(_) => Binary::Add,
        BinOp::SubAssign(_) => Binary::Sub,
        BinOp::MulAssign(_) => Binary::Mul,
        BinOp::DivAssign(_) => Binary::Div,
        BinOp::RemAssign(_) => Binary::Rem,
        BinOp::BitAndAssign(_) => Binary::And,
        BinOp::BitOrAssign(_) => Binary::Or,
        BinOp::BitXorAssign(_) => Binary::Xor,
        BinOp::ShlAssign(_) => Binary::Shl,
        BinOp::ShrAssign(_) => Binary::Shr,
        _ => return None,
    })
}
