//! Runs a program in one arithmetic, for one input after another.

use std::rc::Rc;

use super::deep::Deep;
use super::format::Format;
use super::normal::{Memory, NormalForms, Refiner};
use super::number::Rational;
use super::program::{Comparison, Function, Id, Node, Program};
use super::run::{self, Run};
use super::value::{self, Known, Relation, Value};

/// A program with its values for the present input, in one arithmetic.
pub(super) struct Machine<'a, L: Run> {
    program: &'a Program,
    pub(super) arithmetic: L,
    refines: bool,
    /// The nodes' values so far. Values of constants are kept from one input to the next.
    found: Vec<Option<Known<L>>>,
    /// The choice of each node: 1 or 2 for the first or second operand, ±1 for the sign of an
    /// absolute value or the infinity of an arc tangent, else 0.
    chosen: Vec<i8>,
    /// `Some(true)` if a node and all its operands are real numbers; `None` if this is not computed
    /// yet.
    real: Vec<Option<bool>>,
    /// The nodes that each node always needs, see [`Program::always_needed`].
    order: Vec<Option<Rc<[Id]>>>,
    input: Option<Rational>,
    memory: Memory<L>,
    /// `true` if a sum was exactly 0 for the present input.
    pub(super) cancelled: bool,
}

/// The data that all machines of a program share: its normal forms, and the work done.
struct Formed<'a> {
    forms: &'a mut NormalForms,
    work: &'a mut u64,
}

impl<'a, L: Run> Machine<'a, L> {
    pub(super) fn new(program: &'a Program, arithmetic: L, refines: bool) -> Self {
        let n = program.nodes.len();
        Self {
            program,
            arithmetic,
            refines,
            found: vec![None; n],
            chosen: vec![0; n],
            real: vec![None; n],
            order: vec![None; n],
            input: None,
            memory: Memory::new(),
            cancelled: false,
        }
    }

    /// Returns the result's bits for an input; `None` if the enclosure leaves them in doubt.
    pub(super) fn run(
        &mut self,
        forms: &mut NormalForms,
        work: &mut u64,
        [from, to]: [Format; 2],
        x: u16,
        result: Id,
    ) -> Option<u16> {
        self.cancelled = false;
        let forms = &mut Formed { forms, work };
        let mut i = 0;
        while i < self.found.len() {
            if !self.program.constant[i] {
                self.found[i] = None;
            }
            i += 1;
        }
        if self.refines {
            self.real.fill(None);
            self.memory.forget();
            self.input = match Deep::operand(from, x) {
                Value::Exact(x) => Some(x),
                _ => None,
            };
        }
        let v = self.evaluate(forms, &L::operand(from, x), result);
        if let Some(d) = L::round(to, &v) {
            return Some(d);
        }
        if !self.refines {
            return None;
        }
        L::round(to, &self.refined(forms, result, v))
    }

    /// Returns the value of a node, and computes the nodes that it needs first.
    fn evaluate(&mut self, forms: &mut Formed<'_>, x: &Known<L>, id: Id) -> Known<L> {
        let order = Rc::clone(self.order[id].get_or_insert_with(|| self.program.always_needed(id, true).into()));
        for &id in order.iter() {
            if self.found[id].is_none() {
                self.value(forms, x, id);
            }
        }
        self.found[id].clone().unwrap_or(Value::Unknown)
    }

    /// Returns the value of a node on demand: a branch that is not taken may be undecidable.
    fn value(&mut self, forms: &mut Formed<'_>, x: &Known<L>, id: Id) -> Known<L> {
        if let Some(v) = &self.found[id] {
            return v.clone();
        }
        let program = self.program;
        let mut v = match &program.nodes[id] {
            Node::Input => x.clone(),
            Node::If(c, a, b) => {
                let mut compare = |op: Comparison, a, b| run::holds(op, self.compare(forms, x, a, b));
                let condition = run::decide(c, &mut compare);
                self.chosen[id] = condition.map_or(0, |c| if c { 1 } else { 2 });
                match condition {
                    Some(true) => self.evaluate(forms, x, *a),
                    Some(false) => self.evaluate(forms, x, *b),
                    None => Value::Unknown,
                }
            }
            node => {
                let mut operands = [Value::Unknown, Value::Unknown];
                for (operand, id) in operands.iter_mut().zip(node.operands().into_iter().flatten()) {
                    *operand = self.value(forms, x, id);
                }
                *forms.work += self.arithmetic.work() * node.weight();
                if self.refines { self.choose(forms, x, id, &operands) } else { None }
                    .unwrap_or_else(|| run::operate(&mut self.arithmetic, node, operands))
            }
        };
        self.found[id] = Some(v.clone());
        // With an unknown sign all bits are in doubt, so the normal form is worth its cost.
        if self.refines && value::is_negative::<L>(&v).is_none() {
            v = self.refined(forms, id, v);
            self.found[id] = Some(v.clone());
        }
        if let (Node::Add(..) | Node::Sub(..), Value::Zero { .. }) = (&program.nodes[id], &v) {
            self.cancelled = true;
        }
        v
    }

    fn compare(&mut self, forms: &mut Formed<'_>, x: &Known<L>, a: Id, b: Id) -> Relation {
        let (v, w) = (self.value(forms, x, a), self.value(forms, x, b));
        match value::compare(&self.arithmetic, &v, &w) {
            Relation::Unknown if self.refines && self.is_real(a) && self.is_real(b) => {
                self.refiner(forms).compare(a, b)
            }
            relation => relation,
        }
    }

    /// Records which operand a choice takes, and returns the operand's value if a normal form
    /// decided that.
    fn choose(&mut self, forms: &mut Formed<'_>, x: &Known<L>, id: Id, operands: &[Known<L>; 2]) -> Option<Known<L>> {
        match self.program.nodes[id] {
            Node::Abs(_) => {
                let sign = value::is_negative::<L>(&operands[0]).map_or(0, |n| if n { -1 } else { 1 });
                self.chosen[id] = sign;
                None
            }
            Node::Apply(Function::Atan, _) => {
                self.chosen[id] = match operands[0] {
                    Value::Infinite { negative } => {
                        if negative {
                            -1
                        } else {
                            1
                        }
                    }
                    _ => 0,
                };
                None
            }
            Node::Min(a, b) | Node::Max(a, b) => {
                self.chosen[id] = 0;
                let Relation::Known(Some(order)) = self.compare(forms, x, a, b) else { return None };
                if order.is_eq() {
                    return None;
                }
                let first = order.is_lt() == matches!(self.program.nodes[id], Node::Min(..));
                self.chosen[id] = if first { 1 } else { 2 };
                Some(operands[if first { 0 } else { 1 }].clone())
            }
            _ => None,
        }
    }

    /// Narrows the value of a real number by its normal form.
    fn refined(&mut self, forms: &mut Formed<'_>, id: Id, v: Known<L>) -> Known<L> {
        if !matches!(v, Value::Open(..)) || !self.is_real(id) {
            return v;
        }
        let Some(by_form) = self.refiner(forms).node(id) else { return v };
        match by_form {
            Value::Exact(_) => by_form,
            // A sum that cancels is +0, and so is the logarithm of 1. No other operation returns
            // zero for nonzero numbers.
            Value::Zero { .. } => match self.program.nodes[id] {
                Node::Add(..) | Node::Sub(..) | Node::Apply(Function::Ln | Function::Log2 | Function::Cos, _) => {
                    Value::Zero { negative: false }
                }
                // The sine of a multiple of π is a zero with the sign of the angle, like IEEE 754's
                // `sinPi`.
                Node::Apply(Function::Sin, a) => {
                    let sign = self.found[a].as_ref().and_then(value::is_negative::<L>);
                    sign.map_or(v, |negative| Value::Zero { negative })
                }
                _ => v,
            },
            by_form => value::meet::<L>(v, by_form),
        }
    }

    /// Returns the first node that is in doubt for the last input: a condition, or a sum that
    /// cancels.
    pub(super) fn doubt(&self) -> Option<Id> {
        (0..self.found.len()).find(|&id| match (&self.program.nodes[id], &self.found[id]) {
            (Node::If(..), Some(Value::Unknown)) => self.chosen[id] == 0,
            (Node::Add(..) | Node::Sub(..), Some(v @ Value::Open(..))) => value::is_negative::<L>(v).is_none(),
            _ => false,
        })
    }

    fn refiner<'b>(&'b mut self, forms: &'b mut Formed<'_>) -> Refiner<'b, L> {
        Refiner {
            program: self.program,
            forms: forms.forms,
            arithmetic: &mut self.arithmetic,
            memory: &mut self.memory,
            found: &self.found,
            chosen: &self.chosen,
            input: self.input.as_ref(),
            work: forms.work,
            asked: None,
        }
    }

    fn is_real(&mut self, id: Id) -> bool {
        if let Some(real) = self.real[id] {
            return real;
        }
        let real = matches!(self.found[id], Some(Value::Exact(_) | Value::Open(..) | Value::Zero { .. }))
            && match (&self.program.nodes[id], self.chosen[id]) {
                (Node::Apply(Function::Atan, _), -1 | 1) => true,
                (Node::If(_, a, _) | Node::Min(a, _) | Node::Max(a, _), 1) => self.is_real(*a),
                (Node::If(_, _, b) | Node::Min(_, b) | Node::Max(_, b), 2) => self.is_real(*b),
                (node, _) => node.operands().into_iter().flatten().all(|a| self.is_real(a)),
            };
        self.real[id] = Some(real);
        real
    }
}
