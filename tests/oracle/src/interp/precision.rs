//! Precision of floats, element type or f32, as *Rounding* in the documentation of `ptxf::kernel`
//! defines it.
//!
//! An operation is f32 if an operand is; the other operand is widened. A product is exact, with
//! widened factors, if it is an operand of an f32 operation or is assigned to a kept variable. Only
//! `cvt_rn` makes an element from an f32 value. Literals, and elements of narrow formats, take the
//! precision of the operands around them, and are elements without any. The alternatives of a
//! choice have one common precision.

use super::Fault;
use super::tree::{Argument, Binary, Block, Expr, Function, Id, Is, Precision, Type, Variable};
use Precision::{Either, Element, Single};

/// Decides the precision of every expression, and widens by the rules above.
pub(super) fn decide(function: &mut Function) -> Result<(), Fault> {
    let rule = Rule { variables: &function.variables, types: &function.types };
    rule.block(&mut function.body)?;
    match &mut function.body.tail {
        Some(tail) => rule.make(tail, Element),
        None => Ok(()),
    }
}

pub(super) struct Rule<'a> {
    pub(super) variables: &'a [Variable],
    pub(super) types: &'a [Type],
}

impl Rule<'_> {
    fn is_float(&self, e: &Expr) -> bool {
        self.types[e.ty] == Type::Float
    }

    pub(super) fn of(&self, id: Id) -> Precision {
        let v = &self.variables[id];
        match (v.kept, v.stored()) {
            (true, _) => Single,
            (false, None) => Element,
            // A number that both formats have.
            (false, Some(_)) => Either,
        }
    }

    fn block(&self, block: &mut Block) -> Result<Precision, Fault> {
        for statement in &mut block.statements {
            self.expr(statement)?;
        }
        block.tail.as_mut().map_or(Ok(Element), |tail| self.expr(tail))
    }

    /// Decides for a value that is assigned to a variable.
    fn into(&self, value: &mut Expr, id: Id) -> Result<(), Fault> {
        let precision = self.expr(value)?;
        match self.of(id) {
            // Rounded to the narrow format from its own precision.
            Either if precision == Either => self.make(value, Single),
            Either => self.make(value, precision),
            to => self.make(value, to),
        }
    }

    /// Functions take elements.
    pub(super) fn arguments(&self, arguments: &mut [Argument]) -> Result<(), Fault> {
        arguments.iter_mut().try_for_each(|argument| match argument {
            Argument::Value { value, kept: false } => self.element(value),
            Argument::Value { value, kept: true } => {
                self.expr(value)?;
                self.make(value, Single)
            }
            Argument::Several(value) => self.elements(value),
            Argument::Places(places) => places
                .iter_mut()
                .filter_map(|place| place.index.as_mut())
                .try_for_each(|index| self.expr(index).map(drop)),
            Argument::Slice(_) | Argument::Array(..) => Ok(()),
        })
    }

    /// Decides for a value that is an element in every context.
    fn element(&self, value: &mut Expr) -> Result<(), Fault> {
        self.expr(value)?;
        self.make(value, Element)
    }

    pub(super) fn expr(&self, e: &mut Expr) -> Result<Precision, Fault> {
        let float = self.is_float(e);
        let precision = match &mut e.kind {
            Is::Float(_) => Either,
            Is::ConstantElement(elements, index) => {
                elements.iter_mut().try_for_each(|e| self.expr(e).map(drop))?;
                self.expr(index)?;
                if float { Either } else { Element }
            }
            Is::Place(indices) => {
                indices.iter_mut().try_for_each(|(index, _)| self.expr(index).map(drop))?;
                Element
            }
            Is::Variable(id) => self.of(*id),
            Is::Element(id, index) => {
                self.expr(index)?;
                self.of(*id)
            }
            Is::Negate(a) | Is::Not(a) | Is::Function(_, a) | Is::Count(_, a) | Is::Power(a, _) => self.alone(a)?,
            Is::Binary(_, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                if float { self.meet(&mut [a, b])? } else { Element }
            }
            Is::Fused { operands, product, .. } if float => {
                let [first, second] = &mut **operands;
                let (product, other) = if *product == 0 { (first, second) } else { (second, first) };
                let [a, b] = product.factors_mut().expect("the product of a sum");
                // One operation of three operands.
                for operand in [&mut *a, &mut *b, &mut *other] {
                    self.expr(operand)?;
                }
                self.meet(&mut [a, b, other])?
            }
            Is::Fused { operands, .. } => {
                operands.iter_mut().try_for_each(|e| self.expr(e).map(drop))?;
                Element
            }
            Is::MulAdd(operands) | Is::Clamp(operands) => {
                for operand in operands.iter_mut() {
                    self.expr(operand)?;
                }
                let [a, b, c] = &mut **operands;
                if float { self.meet(&mut [a, b, c])? } else { Element }
            }
            Is::Compare(_, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                if self.is_float(a) && self.meet(&mut [a, b])? == Either {
                    self.make(a, Element)?;
                    self.make(b, Element)?;
                }
                Element
            }
            Is::Test(_, a) | Is::Cast(a) | Is::Narrow(a) => {
                if self.alone(a)? == Either {
                    self.make(a, Element)?;
                }
                // An integer is rounded once, to the precision of its context.
                if float && !self.is_float(a) { Either } else { Element }
            }
            Is::Logic { a, b, .. } => {
                self.expr(a)?;
                self.expr(b)?;
                Element
            }
            Is::Table(_, a) => {
                self.element(a)?;
                Element
            }
            Is::Call(_, arguments) => {
                self.arguments(arguments)?;
                Element
            }
            Is::If(condition, then, otherwise) => {
                self.expr(condition)?;
                self.block(then)?;
                if let Some(otherwise) = otherwise {
                    self.block(otherwise)?;
                }
                let tails = [Some(then), otherwise.as_mut()].into_iter().flatten();
                let tails: Vec<_> = tails.filter_map(|block| block.tail.as_deref()).map(|e| e.precision).collect();
                if float { met(&tails) } else { Element }
            }
            Is::Arm(_, arm) => {
                let mut precisions = vec![self.expr(&mut arm.value)?];
                if let Some(otherwise) = &mut arm.otherwise {
                    precisions.push(self.expr(otherwise)?);
                }
                if float { met(&precisions) } else { Element }
            }
            Is::Block(block) => self.block(block)?,
            Is::LetSeveral(to, value) => {
                self.several_into(value, to)?;
                Element
            }
            Is::AssignSeveral(targets, value) => {
                for index in targets.iter_mut().filter_map(|target| target.index.as_mut()) {
                    self.expr(index)?;
                }
                let to: Vec<_> = targets.iter().map(|target| Some(target.to)).collect();
                self.several_into(value, &to)?;
                Element
            }
            Is::ReturnSeveral(value) => {
                self.elements(value)?;
                Element
            }
            Is::Pick(of) => {
                self.several(of)?;
                of.leaves[0].precision
            }
            Is::Let(id, value) | Is::LetRepeat(id, value) => {
                self.into(value, *id)?;
                Element
            }
            Is::LetArray(id, values) => {
                for value in values {
                    self.into(value, *id)?;
                }
                Element
            }
            Is::Assign { to, index, fused, value, .. } => {
                if let Some(index) = index {
                    self.expr(index)?;
                }
                if *fused && self.is_float(value) {
                    self.fused_into(value, *to)?;
                    e.precision = Element;
                    return Ok(Element);
                }
                // A value combined with a kept variable is an operand of an f32 operation.
                self.into(value, *to)?;
                Element
            }
            Is::For { start, end, step, body, .. } => {
                self.expr(start)?;
                self.expr(end)?;
                if let Some(step) = step {
                    self.expr(step)?;
                }
                self.block(body)?
            }
            Is::While(_, condition, body) => {
                if let Some(condition) = condition {
                    self.expr(condition)?;
                }
                self.block(body)?
            }
            Is::Vote(_, _, value) => {
                self.expr(value)?;
                Element
            }
            Is::Atomic(atomic) => {
                self.expr(&mut atomic.index)?;
                if let Some(expected) = &mut atomic.expected {
                    self.expr(expected)?;
                }
                self.expr(&mut atomic.value)?;
                Element
            }
            Is::Return(Some(value)) => {
                self.element(value)?;
                Element
            }
            Is::Int(_) | Is::Bool(_) | Is::Length(_) | Is::Widen(_) => Element,
            Is::Break(_) | Is::Continue(_) | Is::Return(None) | Is::Barrier(_) => Element,
        };
        e.precision = precision;
        Ok(precision)
    }

    /// Decides for the product in `v += a * b`, where `v` is the third operand.
    fn fused_into(&self, value: &mut Expr, to: Id) -> Result<(), Fault> {
        let [a, b] = value.factors_mut().expect("the product of an assignment");
        let old = self.of(to);
        let mut of_all = met(&[self.expr(a)?, self.expr(b)?, old]);
        if of_all == Either {
            // Numbers of a narrow format, which are rounded once to another of them.
            of_all = Single;
        }
        if (of_all, old) == (Single, Element) {
            return Err(Fault::source("an f32 value becomes an element by `cvt_rn` only"));
        }
        self.make(a, of_all)?;
        self.make(b, of_all)?;
        value.precision = of_all;
        Ok(())
    }

    /// The precision of an operation, to which its operands are brought.
    fn meet(&self, operands: &mut [&mut Expr]) -> Result<Precision, Fault> {
        let precisions: Vec<_> = operands.iter().map(|e| e.precision).collect();
        let to = met(&precisions);
        for operand in operands {
            self.make(operand, to)?;
        }
        Ok(to)
    }

    /// Decides for an operand without another one.
    fn alone(&self, e: &mut Expr) -> Result<Precision, Fault> {
        let precision = self.expr(e)?;
        self.make(e, precision)?;
        Ok(precision)
    }

    pub(super) fn make(&self, e: &mut Expr, to: Precision) -> Result<(), Fault> {
        if !self.is_float(e) || to == Either {
            return Ok(());
        }
        let from = std::mem::replace(&mut e.precision, to);
        if (from, to) == (Single, Element) {
            return Err(Fault::source("an f32 value becomes an element by `cvt_rn` only"));
        }
        match &mut e.kind {
            Is::If(_, then, otherwise) => {
                let blocks = [Some(then), otherwise.as_mut()].into_iter().flatten();
                blocks.filter_map(|block| block.tail.as_mut()).try_for_each(|e| self.make(e, to))
            }
            Is::Arm(_, arm) => {
                self.make(&mut arm.value, to)?;
                arm.otherwise.iter_mut().try_for_each(|e| self.make(e, to))
            }
            Is::Block(block) => block.tail.iter_mut().try_for_each(|e| self.make(e, to)),
            Is::Pick(of) => self.leaf(of, 0, to),
            _ => {
                match from {
                    Either => self.settle(e, to)?,
                    Element if to == Single => self.widen(e),
                    _ => {}
                }
                Ok(())
            }
        }
    }

    /// Gives this precision to an expression that may have either.
    fn settle(&self, e: &mut Expr, to: Precision) -> Result<(), Fault> {
        e.precision = to;
        match &mut e.kind {
            Is::Negate(a) | Is::Function(_, a) | Is::Power(a, _) => self.settle(a, to),
            Is::ConstantElement(elements, _) => elements.iter_mut().try_for_each(|e| self.settle(e, to)),
            Is::Binary(_, a, b) => {
                self.settle(a, to)?;
                self.settle(b, to)
            }
            Is::Fused { operands, .. } => operands.iter_mut().try_for_each(|e| self.settle(e, to)),
            Is::MulAdd(operands) | Is::Clamp(operands) => operands.iter_mut().try_for_each(|e| self.settle(e, to)),
            Is::If(_, then, otherwise) => {
                let blocks = [Some(then), otherwise.as_mut()].into_iter().flatten();
                blocks.filter_map(|block| block.tail.as_mut()).try_for_each(|e| self.settle(e, to))
            }
            Is::Arm(_, arm) => {
                self.settle(&mut arm.value, to)?;
                arm.otherwise.iter_mut().try_for_each(|e| self.settle(e, to))
            }
            Is::Block(block) => block.tail.iter_mut().try_for_each(|e| self.settle(e, to)),
            Is::Pick(of) => self.leaf(of, 0, to),
            _ => Ok(()),
        }
    }

    fn widen(&self, e: &mut Expr) {
        e.precision = Element;
        let exactly = |e: &mut Expr| {
            let placeholder = Expr { kind: Is::Bool(false), ty: e.ty, precision: Single };
            let inner = std::mem::replace(e, placeholder);
            e.kind = Is::Widen(Box::new(inner));
        };
        match &mut e.kind {
            Is::Binary(Binary::Mul, a, b) => {
                exactly(a);
                exactly(b);
                e.precision = Single;
            }
            _ => exactly(e),
        }
    }
}

/// Returns the most precise of them. An undecided one takes the precision of the others.
pub(super) fn met(precisions: &[Precision]) -> Precision {
    if precisions.contains(&Single) {
        Single
    } else if precisions.contains(&Element) {
        Element
    } else {
        Either
    }
}
