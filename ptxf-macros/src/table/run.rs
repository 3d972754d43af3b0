//! The arithmetics that run whole programs, and the operations of nodes in them.

use super::deep::Deep;
use super::fast::Fast;
use super::format::Format;
use super::number::Rational;
use super::program::{Comparison, Condition, Function, Id, Node};
use super::value::{self, Arithmetic, Known, Relation, Value};

/// An arithmetic that runs programs.
pub(super) trait Run: Arithmetic + std::fmt::Debug {
    fn operand(format: Format, bits: u16) -> Known<Self>;
    fn number(x: &Rational) -> Known<Self>;
    fn round(format: Format, v: &Known<Self>) -> Option<u16>;
    /// Encloses the sine or cosine of an exact number of any size.
    fn wave(&mut self, f: Function, x: &Rational) -> (Self::End, Self::End);
    /// Returns the cost of an operation, in units of `BUDGET`.
    fn work(&self) -> u64;
}

impl Run for Fast {
    fn operand(format: Format, bits: u16) -> Known<Self> {
        Self::operand(format, bits)
    }
    fn number(x: &Rational) -> Known<Self> {
        Self::number(x)
    }
    fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        Self::round(format, v)
    }
    fn wave(&mut self, f: Function, x: &Rational) -> (f64, f64) {
        Self::wave(self, f, x)
    }
    fn work(&self) -> u64 {
        3
    }
}

impl Run for Deep {
    fn operand(format: Format, bits: u16) -> Known<Self> {
        Self::operand(format, bits)
    }
    fn number(x: &Rational) -> Known<Self> {
        Value::Exact(x.clone())
    }
    fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        Self::round(format, v)
    }
    fn wave(&mut self, f: Function, x: &Rational) -> (Self::End, Self::End) {
        let (lo, hi) = self.angle(x);
        match value::apply(
            self,
            f,
            &if Self::end_cmp(&lo, &hi).is_eq() { Value::Exact(x.clone()) } else { Value::Open(lo, hi) },
        ) {
            Value::Open(lo, hi) => (lo, hi),
            _ => (Self::end_from(-2), Self::end_from(2)),
        }
    }
    fn work(&self) -> u64 {
        self.work()
    }
}

/// Returns the value of `node`, given its operands' values.
pub(super) fn operate<L: Run>(l: &mut L, node: &Node, [a, b]: [Known<L>; 2]) -> Known<L> {
    match *node {
        // The caller computes these.
        Node::Input | Node::If(..) => Value::Unknown,
        Node::Zero => Value::Zero { negative: false },
        Node::Literal(ref x) => L::number(x),
        Node::Pi => {
            let (lo, hi) = l.pi();
            Value::Open(lo, hi)
        }
        Node::Constant(_) => a,
        Node::Neg(_) => value::neg::<L>(&a),
        Node::Abs(_) => value::abs::<L>(&a),
        Node::Powi(_, n) => value::powi(l, &a, n),
        Node::Apply(f, _) => value::apply(l, f, &a),
        Node::Add(..) => value::add(l, &a, &b),
        Node::Sub(..) => value::add(l, &a, &value::neg::<L>(&b)),
        Node::Mul(..) => value::mul(l, &a, &b),
        Node::Div(..) => value::div(l, &a, &b),
        Node::Min(..) => value::extremum(l, false, &a, &b),
        Node::Max(..) => value::extremum(l, true, &a, &b),
    }
}

/// Returns the truth of `a op b`, given their relation; `None` if that is unknown.
pub(super) fn holds(op: Comparison, relation: Relation) -> Option<bool> {
    let Relation::Known(order) = relation else { return None };
    Some(match op {
        Comparison::Lt => order.is_some_and(|o| o.is_lt()),
        Comparison::Le => order.is_some_and(|o| o.is_le()),
        Comparison::Gt => order.is_some_and(|o| o.is_gt()),
        Comparison::Ge => order.is_some_and(|o| o.is_ge()),
        Comparison::Eq => order.is_some_and(|o| o.is_eq()),
        Comparison::Ne => order.is_none_or(|o| o.is_ne()),
    })
}

/// Returns the truth of a condition; `None` if it depends on an unknown comparison.
pub(super) fn decide(c: &Condition, compare: &mut impl FnMut(Comparison, Id, Id) -> Option<bool>) -> Option<bool> {
    match c {
        Condition::Compare(op, a, b) => compare(*op, *a, *b),
        Condition::Not(a) => decide(a, compare).map(|a| !a),
        Condition::And(a, b) => match (decide(a, compare), decide(b, compare)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Condition::Or(a, b) => match (decide(a, compare), decide(b, compare)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
    }
}
