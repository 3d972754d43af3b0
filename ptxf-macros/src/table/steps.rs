//! `stepwise` mode: the result of every operation is rounded.

use std::rc::Rc;

use super::deep::Deep;
use super::exact::{Cause, Exact, Undecided};
use super::fast::Fast;
use super::format::{Format, NAN};
use super::program::{Id, Node, Program};
use super::run::{Run, decide, holds, operate};
use super::value::{self, Value};

/// The precisions after binary64, in bits. A single operation does not cancel, so that few are
/// enough.
const PRECISIONS: [i64; 3] = [192, 384, 1536];

/// A program and the results of its operations so far.
pub(super) struct Steps<'a> {
    program: &'a Program,
    exact: Exact<'a>,
    fast: Fast,
    deep: Vec<Deep>,
    found: Vec<Option<u16>>,
    /// The nodes that each node always needs, see [`Program::always_needed`].
    order: Vec<Option<Rc<[Id]>>>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let deep = PRECISIONS.iter().map(|&p| Deep::new(p)).collect();
        Self {
            program,
            exact: Exact::new(program),
            fast: Fast::default(),
            deep,
            found: vec![None; program.nodes.len()],
            order: vec![None; program.nodes.len()],
        }
    }

    pub(super) fn result(&mut self, from: Format, to: Format, x: u16) -> Result<u16, Undecided> {
        for (found, constant) in self.found.iter_mut().zip(&self.program.constant) {
            if !constant {
                *found = None;
            }
        }
        // The input is the result of a conversion, and rounded as such.
        let operand = Fast::round(to, &Fast::operand(from, x)).unwrap_or(NAN);
        let d = self.evaluate(to, operand, self.program.result).ok_or(Undecided {
            input: x,
            cause: Cause::Precision,
            doubt: None,
        })?;
        Ok(if to.is_nan(d) { NAN } else { d })
    }

    /// Returns the value of a node, and computes the nodes that it needs first.
    fn evaluate(&mut self, format: Format, x: u16, id: Id) -> Option<u16> {
        let order = Rc::clone(self.order[id].get_or_insert_with(|| self.program.always_needed(id, false).into()));
        for &id in order.iter() {
            self.value(format, x, id)?;
        }
        self.found[id]
    }

    fn value(&mut self, format: Format, x: u16, id: Id) -> Option<u16> {
        if let Some(v) = self.found[id] {
            return Some(v);
        }
        let program = self.program;
        let v = match &program.nodes[id] {
            Node::Input => x,
            // A constant is rounded once, however it is written.
            Node::Constant(a) => self.exact.result([format, format], x, *a).ok()?,
            Node::If(c, a, b) => {
                let mut compare = |op, a, b| {
                    let (a, b) = (self.value(format, x, a)?, self.value(format, x, b)?);
                    let (a, b) = (Fast::operand(format, a), Fast::operand(format, b));
                    holds(op, value::compare(&self.fast, &a, &b))
                };
                let branch = if decide(c, &mut compare)? { *a } else { *b };
                self.evaluate(format, x, branch)?
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
