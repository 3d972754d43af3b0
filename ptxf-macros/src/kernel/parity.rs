//! The alignment of accesses: finds if two elements next to each other are one aligned pair, and if
//! as many as a device's thread runs are one aligned access.
//!
//! An index of class `Lin` is the thread index plus a sum, and a group's first thread has an even
//! index. So the access is aligned if the sum is even. The sum is a polynomial of the kernel's
//! variables modulo `per_thread`. With `per_thread = 8` a group's first thread has an index that is
//! a multiple of 8, and the access of 8 elements is aligned if the sum is a multiple, too.
//!
//! ```text
//! x[t + 2 * k + 1]     t + 1          odd, whatever k is
//! x[t + k * n]         t + k·n        even if n is: n is collected, and the launch checks it once
//! x[t + j]             t + j          unknown, if j is no parameter: checked at run time
//! ```
//!
//! If a collected parameter is odd, or a slice begins at an odd element, the launch checks each
//! address. There is one exception. With an odd `w`, the index `x + y * w` of threads `x` and `y`
//! is even if `x` and `y` are both even or both odd. So in kernels with many such accesses the
//! pairs of odd rows begin one thread before the row.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::ast::{Binary, Class, Expr, ExprKind, Id, IndexOf, Kernel, Kind, Statement, StatementKind};
use super::visit::{Visit, walk_statement};

/// A sum of products of variables, with the factor of each product. The factors are taken modulo
/// the number of threads that a device's thread runs, and are not 0.
type Polynomial = BTreeMap<Vec<Id>, usize>;

/// The parity of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    /// A multiple of the threads that a device's thread runs, which are more than two.
    Multiple,
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
    /// The parameters that have to be multiples of the threads that a device's thread runs.
    pub(crate) multiples: BTreeSet<Id>,
    /// The accesses that are aligned in rows of odd length.
    pub(crate) rows: Rows,
}

/// The accesses at `x + y * width`, which are aligned in rows of odd length if the pairs of odd
/// rows begin one thread before the row.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The parameter that has to be odd.
    pub(crate) width: Option<Id>,
    /// The parameters that have to be even.
    pub(crate) even: BTreeSet<Id>,
    /// The number of these accesses, and of others to pairs.
    accesses: [usize; 2],
}

impl Rows {
    /// Returns the parameter that has to be odd if most accesses are at `x + y * width`.
    pub(crate) fn odd(&self) -> Option<Id> {
        let [along, others] = self.accesses;
        self.width.filter(|_| along > others)
    }
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
            multiples: BTreeSet::new(),
            rows: Rows::default(),
        };
        parities.block(&kernel.body);
        parities
    }

    /// Returns the parity of the sum that is added to the thread index.
    pub(crate) fn of(&mut self, index: &Expr) -> Parity {
        let Some(polynomial) = self.polynomial(index) else {
            return Parity::Unknown;
        };
        let odd = polynomial.iter().filter(|(_, factor)| *factor % 2 == 1).map(|(product, _)| product);
        let (constant, odd): (Vec<_>, Vec<_>) = odd.partition(|product| product.is_empty());
        if !self.collect(odd, |parities| &mut parities.even) {
            Parity::Unknown
        } else if !constant.is_empty() {
            Parity::Odd
        } else if self.is_multiple(index) {
            Parity::Multiple
        } else {
            Parity::Even
        }
    }

    /// Returns `true` if the access is aligned in rows of odd length, and notes it.
    pub(crate) fn in_rows(&mut self, index: &Expr) -> bool {
        let found = self.kernel.per_thread == 2 && self.is_along_row(index);
        self.rows.accesses[usize::from(!found)] += 1;
        found
    }

    fn is_along_row(&mut self, index: &Expr) -> bool {
        let Some(polynomial) = self.polynomial(index) else {
            return false;
        };
        let is_second = |id: &Id| {
            let kind = self.kernel.variables.get(*id).map(|v| &v.kind);
            matches!(kind, Some(Kind::Index(index)) if index.of == IndexOf::Thread && index.axis == 1)
        };
        let is_parameter = |id: &Id| self.kernel.variables.get(*id).is_some_and(|v| v.kind == Kind::Scalar);
        let mut products: BTreeSet<&Vec<Id>> = polynomial.keys().collect();
        let width = self.rows.width.or_else(|| {
            products.iter().find_map(|product| match product[..] {
                [a, b] if is_second(&a) && is_parameter(&b) => Some(b),
                [a, b] if is_second(&b) && is_parameter(&a) => Some(a),
                _ => None,
            })
        });
        let Some(width) = width else { return false };
        let before = products.len();
        products.retain(
            |product| !matches!(product[..], [a, b] if is_second(&a) && b == width || is_second(&b) && a == width),
        );
        let others: Vec<Id> = products
            .iter()
            .map_while(|product| product.iter().copied().find(|id| is_parameter(id) && *id != width))
            .collect();
        if products.len() == before || others.len() < products.len() {
            return false;
        }
        self.rows.even.extend(others);
        self.rows.width = Some(width);
        true
    }

    /// Returns `true` if the sum that is added to the thread index is a multiple of the threads
    /// that a device's thread runs, which are more than two.
    pub(crate) fn is_multiple(&mut self, index: &Expr) -> bool {
        self.kernel.per_thread > 2
            && self.polynomial(index).is_some_and(|sum| self.collect(sum.keys(), |parities| &mut parities.multiples))
    }

    /// Collects a parameter of each product, which makes the product a multiple if the parameter
    /// is. Returns `false` if a product has none.
    fn collect<'p>(
        &mut self,
        products: impl IntoIterator<Item = &'p Vec<Id>>,
        collected: impl Fn(&mut Self) -> &mut BTreeSet<Id>,
    ) -> bool {
        let is_parameter = |id: &Id| self.kernel.variables.get(*id).is_some_and(|v| v.kind == Kind::Scalar);
        let products: Vec<Vec<Id>> =
            products.into_iter().map(|product| product.iter().copied().filter(is_parameter).collect()).collect();
        for parameters in &products {
            let Some(&first) = parameters.first() else {
                return false;
            };
            let collected = collected(self);
            if !parameters.iter().any(|id| collected.contains(id)) {
                collected.insert(first);
            }
        }
        true
    }

    /// Returns a new unknown, for a variable that changes. It equals nothing else, nor itself at
    /// another time.
    fn unknown(&self) -> Polynomial {
        let name = self.kernel.variables.len() + self.unknowns.get();
        self.unknowns.set(self.unknowns.get() + 1);
        [(vec![name], 1)].into()
    }

    fn polynomial(&self, e: &Expr) -> Option<Polynomial> {
        match &e.kind {
            ExprKind::Int(text) => {
                let number = text.parse::<u64>().ok()? % self.kernel.per_thread as u64;
                Some(self.reduced([(Vec::new(), number as usize)]))
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
                        Some(self.sum(
                            self.polynomial(start)?,
                            1,
                            self.product(&self.polynomial(step)?, &self.unknown()),
                        ))
                    }
                    _ => Some([(vec![*id], 1)].into()),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                match op {
                    Binary::Add => Some(self.sum(a, 1, b)),
                    Binary::Sub => Some(self.sum(a, self.kernel.per_thread - 1, b)),
                    Binary::Mul => Some(self.product(&a, &b)),
                    _ => None,
                }
            }
            ExprKind::Row(place) => {
                let begin = self.product(&self.polynomial(&place.row)?, &self.polynomial(&place.width)?);
                Some(self.sum(begin, 1, self.polynomial(&place.column)?))
            }
            _ => None,
        }
    }

    /// Returns `a` plus `factor` times `b`.
    fn sum(&self, a: Polynomial, factor: usize, b: Polynomial) -> Polynomial {
        self.reduced(a.into_iter().chain(b.into_iter().map(|(product, of)| (product, factor * of))))
    }

    fn product(&self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        self.reduced(a.iter().flat_map(|(x, i)| b.iter().map(move |(y, j)| ([&x[..], y].concat(), i * j))))
    }

    /// Returns the sum of the products.
    fn reduced(&self, terms: impl IntoIterator<Item = (Vec<Id>, usize)>) -> Polynomial {
        let mut sum = Polynomial::new();
        for (mut product, factor) in terms {
            product.sort_unstable();
            if self.kernel.per_thread == 2 {
                // Modulo 2 a square is its root.
                product.dedup();
            }
            *sum.entry(product).or_default() += factor;
        }
        sum.values_mut().for_each(|factor| *factor %= self.kernel.per_thread);
        sum.retain(|_, factor| *factor != 0);
        sum
    }
}

#[cfg(test)]
mod tests;
