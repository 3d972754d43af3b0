//! Evaluates a program for all 65,536 inputs, each in the first arithmetic that decides it.

use proc_macro2::Span;

use super::deep::{Deep, Rational};
use super::fast::Fast;
use super::format::{Format, NAN, SIGN};
use super::machine::Machine;
use super::normal::NormalForms;
use super::program::{Comparison, Condition, Function, Id, Node, Parity, Program};
use super::steps::Steps;
use super::value::{self, Arithmetic, Known, Relation, Value};

/// What is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The real number that the expression denotes, once.
    Exact,
    /// Every operation's result.
    Stepwise,
}

/// What is tried one after another if binary64 leaves a doubt, after binary64 with normal forms: the bits, and whether normal forms help.
const ATTEMPTS: [(i64, bool); 7] =
    [(192, false), (192, true), (384, false), (384, true), (768, true), (1536, true), (3072, true)];

/// The work that a table is granted. A unit is some 40 ns where the macro is not optimized.
const BUDGET: u64 = 48_000_000;

/// The input whose result is not decided, and why.
#[derive(Debug)]
pub(crate) struct Undecided {
    pub(crate) input: u16,
    pub(crate) cause: Cause,
    /// What is in doubt, and where it was written.
    pub(crate) doubt: Option<(Doubt, Span)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// [`ATTEMPTS`] end.
    Precision,
    /// [`BUDGET`] does.
    Budget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Whether this sum is 0.
    Sum,
    /// Whether this holds.
    Condition,
}

/// An arithmetic that programs can be run in.
pub(super) trait Run: Arithmetic + std::fmt::Debug {
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
            let parity = program.parity()[program.result];
            let mut results = vec![0; 1 << 16];
            for x in 0..=i16::MAX as u16 {
                let d = exact.result([from, to], x, program.result)?;
                let mirrored = match parity {
                    Some(parity) if !exact.cancelled => {
                        if parity == Parity::Odd && d != NAN {
                            d ^ SIGN
                        } else {
                            d
                        }
                    }
                    _ => exact.result([from, to], x | SIGN, program.result)?,
                };
                (results[usize::from(x)], results[usize::from(x | SIGN)]) = (d, mirrored);
            }
            Ok(results)
        }
        Mode::Stepwise => {
            let mut steps = Steps::new(program);
            (0..=u16::MAX).map(|x| steps.result(from, to, x)).collect()
        }
    }
}

/// The machines of a table, from the fastest to the most precise.
pub(super) struct Exact<'a> {
    program: &'a Program,
    forms: NormalForms,
    fast: Machine<'a, Fast>,
    refined: Machine<'a, Fast>,
    deep: [Option<Machine<'a, Deep>>; ATTEMPTS.len()],
    /// The attempt that settled the last doubt: the next input's is of its kind.
    start: usize,
    /// Doubts that were settled there at once.
    settled: u32,
    /// Whether a sum was exactly 0 for the last input.
    cancelled: bool,
    /// What was in doubt last, and where it was written.
    doubt: Option<(Doubt, Span)>,
    /// What the machines have done.
    work: u64,
}

impl<'a> Exact<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self {
            program,
            forms: NormalForms::new(),
            fast: Machine::new(program, Fast::default(), false),
            refined: Machine::new(program, Fast::default(), true),
            deep: [const { None }; ATTEMPTS.len()],
            start: 0,
            settled: 0,
            cancelled: false,
            doubt: None,
            work: 0,
        }
    }

    pub(super) fn result(&mut self, formats: [Format; 2], x: u16, result: Id) -> Result<u16, Undecided> {
        let Self { forms, work, .. } = self;
        let d = self.fast.run(forms, work, formats, x, result);
        self.cancelled = self.fast.cancelled;
        if *work > BUDGET {
            return Err(Undecided { input: x, cause: Cause::Budget, doubt: self.doubt });
        }
        if let Some(d) = d {
            return Ok(d);
        }
        // Now and then less may do again.
        if self.settled >= 32 {
            (self.start, self.settled) = (self.start.saturating_sub(1), 0);
        }
        let mut doubt = None;
        for i in self.start..=ATTEMPTS.len() {
            let (d, cancelled, in_doubt) = match i.checked_sub(1) {
                None => (self.refined.run(forms, work, formats, x, result), self.refined.cancelled, None),
                Some(i) => {
                    let (precision, refines) = ATTEMPTS[i];
                    let new = || Machine::new(self.program, Deep::new(precision), refines);
                    let machine = self.deep[i].get_or_insert_with(new);
                    let d = machine.run(forms, work, formats, x, result);
                    (d, machine.cancelled, if d.is_none() { machine.doubt() } else { None })
                }
            };
            if let Some(d) = d {
                self.settled = if i == self.start { self.settled + 1 } else { 0 };
                (self.start, self.cancelled) = (i, cancelled);
                return Ok(d);
            }
            doubt = in_doubt.and_then(|id| {
                let what = if let Node::If(..) = self.program.nodes[id] { Doubt::Condition } else { Doubt::Sum };
                self.program.spans[id].map(|span| (what, span))
            });
            self.doubt = doubt.or(self.doubt);
            if *work > BUDGET {
                return Err(Undecided { input: x, cause: Cause::Budget, doubt: self.doubt });
            }
        }
        Err(Undecided { input: x, cause: Cause::Precision, doubt })
    }
}

/// The bits of those values that no precision makes clearer: zeros, infinities and NaNs.
pub(super) fn round_special<X, E>(format: Format, v: &Value<X, E>) -> Option<u16> {
    let signed = |negative: bool, d: u16| if negative { d | SIGN } else { d };
    match v {
        Value::Nan => Some(NAN),
        Value::Infinite { negative } => Some(signed(*negative, format.infinity())),
        Value::Zero { negative } => Some(signed(*negative, 0)),
        _ => None,
    }
}
