//! The alignment of accesses: finds if two elements next to each other are one aligned pair.
//!
//! An index of class `Lin` is the thread index plus a sum, and a group's first thread has an even
//! index. So the access is aligned if the sum is even. The sum is a polynomial of the kernel's
//! variables modulo 2, and is even if the number of its odd products is.
//!
//! ```text
//! x[t + 2 * k + 1]     t + 1          odd, whatever k is
//! x[t + k * n]         t + k·n        even if n is: n is collected, and the launch checks it once
//! x[t + j]             t + j          unknown, if j is no parameter: checked at run time
//! ```
//!
//! If a collected parameter is odd, or a slice begins at an odd element, the launch checks each
//! address.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::ast::{Binary, Class, Expr, ExprKind, Id, Kernel, Kind, Statement, StatementKind};
use super::visit::{Visit, walk_statement};

/// A sum of products of variables, modulo 2.
type Polynomial = BTreeSet<BTreeSet<Id>>;

/// The parity of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    Even,
    Odd,
    Unknown,
}

#[derive(Debug)]
pub(crate) struct Parities<'a> {
    kernel: &'a Kernel,
    /// The values of immutable variables.
    values: BTreeMap<Id, &'a Expr>,
    /// The start and the step of each counter.
    counters: BTreeMap<Id, [&'a Expr; 2]>,
    /// The number of unknowns so far.
    unknowns: Cell<usize>,
    /// The parameters that have to be even.
    pub(crate) even: BTreeSet<Id>,
}

/// Collects the values of immutable variables.
impl<'a> Visit<'a> for Parities<'a> {
    fn statement(&mut self, statement: &'a Statement) {
        if let StatementKind::Let(id, value) = &statement.kind
            && !self.kernel.variables[*id].mutable
        {
            self.values.insert(*id, value);
        }
        if let StatementKind::For { counter, start, step: Some(step), .. } = &statement.kind {
            self.counters.insert(*counter, [start, step]);
        }
        walk_statement(self, statement);
    }
}

impl<'a> Parities<'a> {
    pub(crate) fn new(kernel: &'a Kernel) -> Self {
        let mut parities = Self {
            kernel,
            values: BTreeMap::new(),
            counters: BTreeMap::new(),
            unknowns: Cell::new(0),
            even: BTreeSet::new(),
        };
        parities.block(&kernel.body);
        parities
    }

    /// Returns the parity of the sum that is added to the thread index.
    pub(crate) fn of(&mut self, index: &Expr) -> Parity {
        let Some(polynomial) = self.polynomial(index) else {
            return Parity::Unknown;
        };
        let mut odd = false;
        for product in polynomial {
            if product.is_empty() {
                odd = !odd;
                continue;
            }
            let is_parameter = |id: &Id| self.kernel.variables.get(*id).is_some_and(|v| v.kind == Kind::Scalar);
            let parameters: Vec<_> = product.into_iter().filter(is_parameter).collect();
            match parameters.first() {
                None => return Parity::Unknown,
                Some(&first) => {
                    if !parameters.iter().any(|id| self.even.contains(id)) {
                        self.even.insert(first);
                    }
                }
            }
        }
        if odd { Parity::Odd } else { Parity::Even }
    }

    /// Returns a new unknown, for a variable that changes. It equals nothing else, nor itself at
    /// another time.
    fn unknown(&self) -> Polynomial {
        let name = self.kernel.variables.len() + self.unknowns.get();
        self.unknowns.set(self.unknowns.get() + 1);
        [[name].into()].into()
    }

    fn polynomial(&self, e: &Expr) -> Option<Polynomial> {
        match &e.kind {
            ExprKind::Int(text) => {
                let odd = text.parse::<u64>().ok()? & 1 == 1;
                Some(odd.then(BTreeSet::new).into_iter().collect())
            }
            ExprKind::Variable(id) => {
                let v = &self.kernel.variables[*id];
                match v.kind {
                    // The thread's own index.
                    Kind::Index(_) if v.class == Class::Lin => Some(Polynomial::new()),
                    Kind::Local => match self.values.get(id) {
                        Some(value) => self.polynomial(value),
                        None if v.class == Class::Uniform => Some(self.unknown()),
                        None => None,
                    },
                    // The start plus a number of steps.
                    Kind::Counter if v.class == Class::Lin => {
                        let [start, step] = self.counters.get(id)?;
                        Some(sum(&self.polynomial(start)?, &product(&self.polynomial(step)?, &self.unknown())))
                    }
                    _ => Some([[*id].into()].into()),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                match op {
                    Binary::Add | Binary::Sub => Some(sum(&a, &b)),
                    Binary::Mul => Some(product(&a, &b)),
                    _ => None,
                }
            }
            ExprKind::Row(place) => {
                let column = self.polynomial(&place.column)?;
                Some(sum(&product(&self.polynomial(&place.row)?, &self.polynomial(&place.width)?), &column))
            }
            _ => None,
        }
    }
}

fn sum(a: &Polynomial, b: &Polynomial) -> Polynomial {
    a.symmetric_difference(b).cloned().collect()
}

fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for x in a {
        for y in b {
            let term: BTreeSet<Id> = x.union(y).copied().collect();
            if !product.remove(&term) {
                product.insert(term);
            }
        }
    }
    product
}
