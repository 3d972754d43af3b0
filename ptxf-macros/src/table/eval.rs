//! Evaluation of a program for all 65,536 inputs.

use super::deep::{Deep, Rational};
use super::fast::Fast;
use super::form::Forms;
use super::format::{Format, NAN, SIGN};
use super::machine::Machine;
use super::program::{Comparison, Condition, Function, Id, Node, Parity, Program};
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
const PRECISIONS: [i64; 5] = [192, 384, 768, 1536, 3072];

/// The work that a table is granted. A unit is a step in binary64, some 100 ns where the macro is not optimized.
const BUDGET: u64 = 20_000_000;

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
        1
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

struct Exact<'a> {
    forms: Forms,
    fast: Machine<'a, Fast>,
    refined: Machine<'a, Fast>,
    deep: Vec<Machine<'a, Deep>>,
    program: &'a Program,
}

impl<'a> Exact<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            forms: Forms::new(),
            fast: Machine::new(program, Fast::default(), false),
            refined: Machine::new(program, Fast::default(), true),
            deep: Vec::new(),
            program,
        }
    }

    fn work(&self) -> u64 {
        self.fast.work + self.refined.work + self.deep.iter().map(|m| m.work).sum::<u64>()
    }

    fn result(&mut self, formats: [Format; 2], x: u16, result: Id) -> Result<u16, Undecided> {
        let undecided = |cause| Err(Undecided { input: x, cause });
        if let Some(d) = self.fast.run(&mut self.forms, formats, x, result) {
            return Ok(d);
        }
        if let Some(d) = self.refined.run(&mut self.forms, formats, x, result) {
            return Ok(d);
        }
        for (i, &precision) in PRECISIONS.iter().enumerate() {
            if self.work() > BUDGET {
                return undecided(Cause::Budget);
            }
            if i == self.deep.len() {
                self.deep.push(Machine::new(self.program, Deep::new(precision), true));
            }
            if let Some(d) = self.deep[i].run(&mut self.forms, formats, x, result) {
                return Ok(d);
            }
        }
        undecided(Cause::Precision)
    }
}

struct Steps<'a> {
    program: &'a Program,
    exact: Exact<'a>,
    fast: Fast,
    deep: Vec<Deep>,
    found: Vec<Option<u16>>,
}

impl<'a> Steps<'a> {
    fn new(program: &'a Program) -> Self {
        let deep = PRECISIONS.iter().map(|&p| Deep::new(p)).collect();
        Self {
            program,
            exact: Exact::new(program),
            fast: Fast::default(),
            deep,
            found: vec![None; program.nodes.len()],
        }
    }

    fn result(&mut self, from: Format, to: Format, x: u16) -> Result<u16, Undecided> {
        for (found, constant) in self.found.iter_mut().zip(&self.program.constant) {
            if !constant {
                *found = None;
            }
        }
        // The input is a result too: a conversion's.
        let operand = Fast::round(to, &Fast::operand(from, x)).unwrap_or(NAN);
        let d = self.value(to, operand, self.program.result).ok_or(Undecided { input: x, cause: Cause::Precision })?;
        Ok(if to.is_nan(d) { NAN } else { d })
    }

    fn value(&mut self, format: Format, x: u16, id: Id) -> Option<u16> {
        if let Some(v) = self.found[id] {
            return Some(v);
        }
        let program = self.program;
        let v = match &program.nodes[id] {
            Node::Input => x,
            // A number is a number, however it was written.
            Node::Constant(a) => self.exact.result([format, format], x, *a).ok()?,
            Node::If(c, a, b) => {
                let mut compare = |op, a, b| {
                    let (a, b) = (self.value(format, x, a)?, self.value(format, x, b)?);
                    let (a, b) = (Fast::operand(format, a), Fast::operand(format, b));
                    holds(op, value::compare(&self.fast, &a, &b))
                };
                let branch = if decide(c, &mut compare)? { *a } else { *b };
                self.value(format, x, branch)?
            }
            node => {
                let mut operands = [None, None];
                for (operand, id) in operands.iter_mut().zip(node.operands().into_iter().flatten()) {
                    *operand = Some(self.value(format, x, id)?);
                }
                self.step(format, node, operands)?
            }
        };
        self.found[id] = Some(v);
        Some(v)
    }

    fn step(&mut self, format: Format, node: &Node, operands: [Option<u16>; 2]) -> Option<u16> {
        fn at<L: Run>(l: &mut L, format: Format, node: &Node, operands: [Option<u16>; 2]) -> Option<u16> {
            let v = operate(l, node, operands.map(|x| x.map_or(Value::Unknown, |x| L::operand(format, x))));
            L::round(format, &v)
        }
        at(&mut self.fast, format, node, operands)
            .or_else(|| self.deep.iter_mut().find_map(|deep| at(deep, format, node, operands)))
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
