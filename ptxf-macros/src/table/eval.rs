//! Evaluation of a program for all 65,536 inputs.

use super::deep::{Deep, Rational};
use super::fast::Fast;
use super::form::Forms;
use super::format::{Format, NAN, SIGN};
use super::machine::Machine;
use super::program::{Comparison, Condition, Function, Id, Node, Parity, Program};
use super::steps::Steps;
use super::value::{self, Known, Level, Relation, Value};

/// What is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The real number that the expression denotes, once.
    Exact,
    /// Every operation's result.
    Stepwise,
}

/// The precisions tried one after another, in bits, if binary64 leaves a doubt.
pub(super) const PRECISIONS: [i64; 5] = [192, 384, 768, 1536, 3072];

/// The work that a table is granted. A unit is some 40 ns where the macro is not optimized.
const BUDGET: u64 = 50_000_000;

/// The input whose result is not decided, and why.
#[derive(Debug)]
pub(crate) struct Undecided {
    pub(crate) input: u16,
    pub(crate) cause: Cause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// [`PRECISIONS`] end.
    Precision,
    /// [`BUDGET`] does.
    Budget,
}

/// A level that programs can be run on.
pub(super) trait Run: Level + std::fmt::Debug {
    fn operand(format: Format, bits: u16) -> Known<Self>;
    fn number(x: &Rational) -> Known<Self>;
    fn round(format: Format, v: &Known<Self>) -> Option<u16>;
    /// Sine or cosine of a number known exactly, however large.
    fn wave(&mut self, f: Function, x: &Rational) -> (Self::End, Self::End);
    /// What an operation costs.
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
        10
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

/// The result of `node`, given its operands'.
pub(super) fn operate<L: Run>(l: &mut L, node: &Node, [a, b]: [Known<L>; 2]) -> Known<L> {
    match *node {
        // The caller knows these.
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

/// Whether `a op b`, given how they compare.
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

/// `None` if it depends on what is unknown.
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

/// The results for all inputs.
pub(crate) fn table(program: &Program, from: Format, to: Format, mode: Mode) -> Result<Vec<u16>, Undecided> {
    match mode {
        Mode::Exact => {
            let program = &program.identities();
            let mut exact = Exact::new(program);
            let parity = program.parity();
            let mut results = Vec::with_capacity(1 << 16);
            for x in 0..=u16::MAX {
                // A zero's sign is not left to symmetry.
                let mirrored = match parity[program.result] {
                    Some(parity) if x & SIGN != 0 => Some(results[usize::from(x & !SIGN)])
                        .filter(|d| d & !SIGN != 0)
                        .map(|d| if parity == Parity::Odd && d != NAN { d ^ SIGN } else { d }),
                    _ => None,
                };
                results.push(match mirrored {
                    Some(d) => d,
                    None => exact.result([from, to], x, program.result)?,
                });
            }
            Ok(results)
        }
        Mode::Stepwise => {
            let mut steps = Steps::new(program);
            (0..=u16::MAX).map(|x| steps.result(from, to, x)).collect()
        }
    }
}

pub(super) struct Exact<'a> {
    forms: Forms,
    fast: Machine<'a, Fast>,
    refined: Machine<'a, Fast>,
    deep: Vec<Machine<'a, Deep>>,
    program: &'a Program,
    /// The precision that settled the last doubt: the next input's is of its kind.
    start: usize,
    /// Doubts that were settled there at once.
    settled: u32,
}

impl<'a> Exact<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self {
            forms: Forms::new(),
            fast: Machine::new(program, Fast::default(), false),
            refined: Machine::new(program, Fast::default(), true),
            deep: Vec::new(),
            program,
            start: 0,
            settled: 0,
        }
    }

    fn work(&self) -> u64 {
        self.fast.work + self.refined.work + self.deep.iter().map(|m| m.work).sum::<u64>()
    }

    pub(super) fn result(&mut self, formats: [Format; 2], x: u16, result: Id) -> Result<u16, Undecided> {
        let undecided = |cause| Err(Undecided { input: x, cause });
        if let Some(d) = self.fast.run(&mut self.forms, formats, x, result) {
            return Ok(d);
        }
        if let Some(d) = self.refined.run(&mut self.forms, formats, x, result) {
            return Ok(d);
        }
        // Now and then less may do again.
        if self.settled >= 32 {
            (self.start, self.settled) = (self.start.saturating_sub(1), 0);
        }
        for (i, &precision) in PRECISIONS.iter().enumerate() {
            if self.work() > BUDGET {
                return undecided(Cause::Budget);
            }
            if i == self.deep.len() {
                self.deep.push(Machine::new(self.program, Deep::new(precision), true));
            }
            if i < self.start {
                continue;
            }
            if let Some(d) = self.deep[i].run(&mut self.forms, formats, x, result) {
                self.settled = if i == self.start { self.settled + 1 } else { 0 };
                self.start = i;
                return Ok(d);
            }
        }
        undecided(Cause::Precision)
    }
}

/// How the values round that are no matter of precision.
pub(super) fn round_special<X, E>(format: Format, v: &Value<X, E>) -> Option<u16> {
    let signed = |negative: bool, d: u16| if negative { d | SIGN } else { d };
    match v {
        Value::Nan => Some(NAN),
        Value::Infinite { negative } => Some(signed(*negative, format.infinity())),
        Value::Zero { negative } => Some(signed(*negative, 0)),
        _ => None,
    }
}
