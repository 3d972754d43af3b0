//! Evaluation of a program for all 65,536 inputs.

use super::deep::Deep;
use super::fast::Fast;
use super::format::{Format, NAN, SIGN};
use super::program::{Comparison, Condition, Id, Node, Program};
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

/// The input whose result is not decided by [`PRECISIONS`].
#[derive(Debug)]
pub(crate) struct Undecided(pub(crate) u16);

/// A level that programs can be run on.
trait Run: Level {
    fn operand(format: Format, bits: u16) -> Known<Self>;
    fn literal(node: &Node) -> Known<Self>;
    fn round(format: Format, v: &Known<Self>) -> Option<u16>;
}

impl Run for Fast {
    fn operand(format: Format, bits: u16) -> Known<Self> {
        Self::operand(format, bits)
    }
    fn literal(node: &Node) -> Known<Self> {
        match node {
            Node::Literal(x) => x.to_f64().map_or(Value::Unknown, |(lo, hi)| Self::literal(lo, hi)),
            _ => Value::Zero { negative: false },
        }
    }
    fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        Self::round(format, v)
    }
}

impl Run for Deep {
    fn operand(format: Format, bits: u16) -> Known<Self> {
        Self::operand(format, bits)
    }
    fn literal(node: &Node) -> Known<Self> {
        match node {
            Node::Literal(x) => Value::Exact(x.clone()),
            _ => Value::Zero { negative: false },
        }
    }
    fn round(format: Format, v: &Known<Self>) -> Option<u16> {
        Self::round(format, v)
    }
}

/// The result of `node`, given its operands'.
fn operate<L: Run>(l: &mut L, node: &Node, [a, b]: [Known<L>; 2]) -> Known<L> {
    match *node {
        // The caller knows these.
        Node::Input | Node::If(..) => Value::Unknown,
        Node::Zero | Node::Literal(_) => L::literal(node),
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
fn holds(op: Comparison, relation: Relation) -> Option<bool> {
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
fn decide(c: &Condition, compare: &mut impl FnMut(Comparison, Id, Id) -> Option<bool>) -> Option<bool> {
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

/// A program at one level, with the values found so far.
struct Machine<'a, L: Level> {
    program: &'a Program,
    level: L,
    /// Of constants for good, of the rest for the present input.
    found: Vec<Option<Known<L>>>,
}

impl<'a, L: Run> Machine<'a, L> {
    fn new(program: &'a Program, level: L) -> Self {
        Self { program, level, found: vec![None; program.nodes.len()] }
    }

    fn run(&mut self, format: Format, x: u16, result: Id) -> Known<L> {
        let mut i = 0;
        while i < self.found.len() {
            if !self.program.constant[i] {
                self.found[i] = None;
            }
            i += 1;
        }
        self.value(&L::operand(format, x), result)
    }

    /// Only what is asked for is computed: a branch not taken may be undecidable.
    fn value(&mut self, x: &Known<L>, id: Id) -> Known<L> {
        if let Some(v) = &self.found[id] {
            return v.clone();
        }
        let program = self.program;
        let v = match &program.nodes[id] {
            Node::Input => x.clone(),
            Node::If(c, a, b) => {
                let mut compare = |op, a, b| {
                    let (a, b) = (self.value(x, a), self.value(x, b));
                    holds(op, value::compare(&self.level, &a, &b))
                };
                match decide(c, &mut compare) {
                    Some(true) => self.value(x, *a),
                    Some(false) => self.value(x, *b),
                    None => Value::Unknown,
                }
            }
            node => {
                let operands = node.operands().map(|id| id.map_or(Value::Unknown, |id| self.value(x, id)));
                operate(&mut self.level, node, operands)
            }
        };
        self.found[id] = Some(v.clone());
        v
    }
}

/// The results for all inputs.
pub(crate) fn table(program: &Program, from: Format, to: Format, mode: Mode) -> Result<Vec<u16>, Undecided> {
    match mode {
        Mode::Exact => {
            let program = &program.identities();
            let mut exact = Exact::new(program);
            (0..=u16::MAX).map(|x| exact.result(from, to, x, program.result)).collect()
        }
        Mode::Stepwise => {
            let mut steps = Steps::new(program);
            (0..=u16::MAX).map(|x| steps.result(from, to, x)).collect()
        }
    }
}

struct Exact<'a> {
    program: &'a Program,
    fast: Machine<'a, Fast>,
    deep: Vec<Machine<'a, Deep>>,
}

impl<'a> Exact<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, fast: Machine::new(program, Fast::default()), deep: Vec::new() }
    }

    fn result(&mut self, from: Format, to: Format, x: u16, result: Id) -> Result<u16, Undecided> {
        if let Some(d) = Fast::round(to, &self.fast.run(from, x, result)) {
            return Ok(d);
        }
        for (i, &precision) in PRECISIONS.iter().enumerate() {
            if i == self.deep.len() {
                self.deep.push(Machine::new(self.program, Deep::new(precision)));
            }
            if let Some(d) = Deep::round(to, &self.deep[i].run(from, x, result)) {
                return Ok(d);
            }
        }
        Err(Undecided(x))
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
        let d = self.value(to, operand, self.program.result).ok_or(Undecided(x))?;
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
            Node::Constant(a) => self.exact.result(format, format, x, *a).ok()?,
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
