//! The elements of outputs and of shared memory that are the thread's own, so that no other thread
//! accesses them.
//!
//! An element is the thread's own if its place determines the thread: the place is a number whose
//! digits, to bases that are fixed for the whole launch, include an index of the thread along every
//! axis.
//!
//! ```text
//! out[t]                  t                             the index itself
//! out[n - 1 - t]          n - 1 - t                     plus a constant, or a constant less it
//! out[y * w + x]          the digits y, x to base w     if x is below w
//! out[t * 4 + k]          the digits t, k to base 4     if k is below 4, whatever k is
//! out[k * n + t]          the digits k, t to base n     if t is below n, whatever k is
//! out[b * 256 + l]        the digits b, l to base 256   if l is below 256: block and thread
//! tile[y][x]              the digits y, x               as the array says
//! if l == 0 { out[b] }    b, and that l is 0            one thread for each b
//! out[i], for i in        i, whose digits to base s     if t is below s
//!   (t..n).step_by(s)     are the iteration and t
//! ```
//!
//! The conditions are not proven here. The index, or the start of the loop, becomes a [`Row`],
//! which compares the digit at run time. All accesses to one slice without `unsafe` must have their
//! digits in the same order, to the same bases. `out[y * w + x]` may be one thread's own, and so
//! may `out[x * h + y]`, but together they are two threads'.
//!
//! ```text
//! index ─ a sum of products, with the names of immutable variables replaced by their values
//!   ─ terms that have a fixed factor in common:  (terms / factor) * factor + the other terms
//!   ─ both of them likewise, until an index and fixed terms are left
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::{
    Binary, Block, Class, Expr, ExprKind, Id, IndexOf, Kernel, Kind, Precision, Right, Row, Statement, StatementKind,
    TypeVar, Variable,
};
use super::scalar_type::Type;
use super::types::Types;
use super::visit::{Part, Visit, VisitMut, each_in_expr, walk_expr_mut, walk_statement, walk_statement_mut};

/// The largest number of terms. An index has few, but names that stand for sums of names could make
/// any number.
const TERMS: usize = 24;

/// An index of the launch: [`THREAD`], [`LOCAL`] or [`BLOCK`], and its axis.
type Digit = (u8, usize);

const THREAD: u8 = 0;
const LOCAL: u8 = 1;
const BLOCK: u8 = 2;

/// Finds the own elements, and makes a [`Row`] of each index whose digits are compared at run time.
pub(crate) fn find(kernel: &mut Kernel, types: &mut Types) -> Result<()> {
    let mut values = Values { variables: &kernel.variables, values: BTreeMap::new(), fixed: BTreeSet::new() };
    values.block(&kernel.body);
    let axes = kernel.axes();
    let usize = types.known(Type::USIZE);
    let mut pass = Pass {
        variables: &kernel.variables,
        types,
        usize,
        values: &values,
        axes,
        counters: BTreeMap::new(),
        counted: RefCell::default(),
        begins: BTreeSet::new(),
        fixed_indices: Vec::new(),
        common: RefCell::default(),
        orders: BTreeMap::new(),
        errors: Vec::new(),
    };
    let mut body = core::mem::replace(&mut kernel.body, Block { statements: Vec::new(), tail: None });
    pass.block(&mut body);
    let errors = pass.errors;
    kernel.body = body;
    super::all(errors)
}

/// The values of immutable variables.
struct Values<'a> {
    variables: &'a [Variable],
    values: BTreeMap<Id, Expr>,
    /// The variables that are one number for all threads and the whole launch.
    fixed: BTreeSet<Id>,
}

impl<'a> Visit<'a> for Values<'_> {
    fn statement(&mut self, statement: &'a Statement) {
        if let StatementKind::Let(id, value) = &statement.kind
            && !self.variables[*id].mutable
        {
            if self.is_fixed(value) {
                self.fixed.insert(*id);
            }
            self.values.insert(*id, value.clone());
        }
        walk_statement(self, statement);
    }
}

impl Values<'_> {
    /// Returns `true` if the expression is one number for all threads and the whole launch.
    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Constant(_) | ExprKind::Length(_) => true,
            ExprKind::Variable(id) => {
                matches!(self.variables[*id].kind, Kind::Scalar | Kind::Dim(_)) || self.fixed.contains(id)
            }
            ExprKind::Binary(_, a, b) => self.is_fixed(a) && self.is_fixed(b),
            ExprKind::Cast(a) => self.is_fixed(a),
            _ => false,
        }
    }
}

/// A product that is added or subtracted.
#[derive(Clone)]
struct Term {
    minus: bool,
    factors: Vec<Expr>,
}

/// A place as digits.
struct Digits {
    place: Expr,
    /// The digits and their bases as text: two places of one order are the same place only if all
    /// digits are equal.
    order: String,
    /// The indices of the launch among the digits.
    indices: BTreeSet<Digit>,
}

struct Pass<'a> {
    variables: &'a [Variable],
    types: &'a Types,
    usize: TypeVar,
    values: &'a Values<'a>,
    /// The number of the kernel's axes.
    axes: usize,
    /// The counters of loops around this place that begin at an index, with that index and the
    /// step.
    counters: BTreeMap<Id, (Digit, Expr)>,
    /// The counters in the current index, and those in any index.
    counted: RefCell<BTreeSet<Id>>,
    begins: BTreeSet<Id>,
    /// Indices that are one number in the current arm, with that number.
    fixed_indices: Vec<(Id, String)>,
    /// The factors of sums in the current index.
    common: RefCell<BTreeSet<String>>,
    /// For each slice the order of its digits, and the first index with that order.
    orders: BTreeMap<Id, (String, String)>,
    errors: Vec<Error>,
}

impl VisitMut for Pass<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.arm(condition, then);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
            }
            StatementKind::For { counter, start, step: Some(step), count, .. }
                if !count.reversed && self.is_fixed(step) && self.index(start).is_some() =>
            {
                let (counter, index) = (*counter, self.index(start).expect("asked for above"));
                self.counters.insert(counter, (self.digit_of(index), step.clone()));
                walk_statement_mut(self, statement);
                self.begin_below_step(counter, statement);
            }
            StatementKind::Store { slice, index, text, right, .. } => {
                self.access(*slice, index, text, right, (true, span));
                walk_statement_mut(self, statement);
            }
            _ => walk_statement_mut(self, statement),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let span = e.span;
        match &mut e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.arm(condition, then);
                self.block(otherwise);
            }
            ExprKind::Load { slice, index, text, right } if self.variables[*slice].kind.is_written() => {
                self.access(*slice, index, text, right, (false, span));
                walk_expr_mut(self, e);
            }
            _ => walk_expr_mut(self, e),
        }
    }
}

impl Pass<'_> {
    /// Visits the arm of an `if` whose condition holds.
    fn arm(&mut self, condition: &Expr, then: &mut Block) {
        let before = self.fixed_indices.len();
        self.learn(condition);
        self.block(then);
        self.fixed_indices.truncate(before);
    }

    /// Compares the start of a loop with its step at run time, if that keeps the threads of the
    /// loop apart.
    fn begin_below_step(&mut self, counter: Id, statement: &mut Statement) {
        let StatementKind::For { start, step: Some(step), .. } = &mut statement.kind else {
            return;
        };
        if self.begins.contains(&counter) {
            let (span, row) = (start.span, self.number(0, start.span));
            let row = Row { row, rows: None, width: step.clone(), column: start.clone() };
            *start = self.make(span, ExprKind::Row(Box::new(row)));
        }
    }

    /// Notes the indices that a condition compares with one number.
    fn learn(&mut self, condition: &Expr) {
        match &condition.kind {
            ExprKind::Logic { and: true, a, b } | ExprKind::Binary(Binary::And, a, b) => {
                self.learn(a);
                self.learn(b);
            }
            ExprKind::Compare("Eq", a, b) => {
                for (index, number) in [(a, b), (b, a)] {
                    if let Some(id) = self.index(index)
                        && self.is_fixed(number)
                    {
                        self.fixed_indices.push((id, self.text(number)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Visits an access to an output or to shared memory.
    fn access(&mut self, slice: Id, index: &mut Expr, text: &str, right: &mut Right, (writes, span): (bool, Span)) {
        if *right == Right::Promised {
            return;
        }
        self.common.borrow_mut().clear();
        self.counted.borrow_mut().clear();
        let Some(Digits { place, mut order, mut indices }) = self.digits(index) else {
            return;
        };
        for axis in 0..self.axes {
            if self.determines_thread(slice, axis, &indices) {
                continue;
            }
            for (id, number) in &self.fixed_indices {
                let digit = self.digit_of(*id);
                if digit.1 == axis && indices.insert(digit) {
                    order += &format!(" {digit:?}={number}");
                }
            }
            if !self.determines_thread(slice, axis, &indices) {
                return;
            }
        }
        let (first, at) = self.orders.entry(slice).or_insert_with(|| (order.clone(), text.to_owned()));
        let is_same = *first == order;
        if !is_same && !writes && matches!(self.variables[slice].kind, Kind::Shared(_)) {
            // Another thread's element, which barriers may make safe: see `races`.
            return;
        }
        *right = Right::Own;
        *index = place;
        self.begins.extend(self.counted.take());
        if !is_same {
            let name = &self.variables[slice].name;
            let message = format!(
                "`{name}{at}` above is the thread's own element, and `{name}{text}` may be the same element for \
                 another thread: index both alike. If no two threads access one element, write `unsafe {{ … }}` \
                 around one of them"
            );
            self.errors.push(Error::new(span, message));
        }
    }

    /// Returns `true` if the indices determine the thread along this axis, in its block for shared
    /// memory and in the grid for outputs.
    fn determines_thread(&self, slice: Id, axis: usize, indices: &BTreeSet<Digit>) -> bool {
        let shared = matches!(self.variables[slice].kind, Kind::Shared(_));
        let has = |of| indices.contains(&(of, axis));
        has(THREAD) || has(LOCAL) && (shared || has(BLOCK))
    }

    fn digit_of(&self, id: Id) -> Digit {
        match self.variables[id].kind {
            Kind::Index(index) => {
                let of = match index.of {
                    IndexOf::Thread => THREAD,
                    IndexOf::Local => LOCAL,
                    IndexOf::Block => BLOCK,
                };
                (of, index.axis)
            }
            _ => unreachable!("only indices are asked for"),
        }
    }

    /// Returns the index of the launch that the expression is, under any name.
    fn index(&self, e: &Expr) -> Option<Id> {
        match &e.kind {
            ExprKind::Variable(id) => match self.variables[*id].kind {
                Kind::Index(_) => Some(*id),
                _ => self.index(self.values.values.get(id)?),
            },
            // Only casts to `usize`: a shorter type may cut off bits, and the rest may be another
            // thread's.
            ExprKind::Cast(a) if self.is_usize(a) && self.is_usize(e) => self.index(a),
            _ => None,
        }
    }

    /// Returns the counter that the expression is, if its loop begins at an index.
    fn counter(&self, e: &Expr) -> Option<Id> {
        match &e.kind {
            ExprKind::Variable(id) if self.counters.contains_key(id) => Some(*id),
            ExprKind::Variable(id) => self.counter(self.values.values.get(id)?),
            _ => None,
        }
    }

    /// Returns the index that the expression determines: the index itself, or the counter of a loop
    /// that begins at it.
    fn index_of(&self, e: &Expr) -> Option<Digit> {
        let index = self.index(e).map(|id| self.digit_of(id));
        index.or_else(|| Some(self.counters[&self.counter(e)?].0))
    }

    fn is_usize(&self, e: &Expr) -> bool {
        self.types.get(e.ty) == Type::USIZE
    }

    fn digits(&self, index: &Expr) -> Option<Digits> {
        match &index.kind {
            ExprKind::Row(place) => self.digits_of_row(place, index.span),
            ExprKind::Variable(id) if self.index_of(index).is_none() => match self.values.values.get(id) {
                Some(value) if matches!(value.kind, ExprKind::Row(_)) => {
                    let digits = self.digits(value)?;
                    // If the digits were compared when the variable was computed, the place is the
                    // variable. Otherwise the value is computed again, if it can be.
                    match rows(&digits.place) == rows(value) {
                        true => Some(Digits { place: index.clone(), ..digits }),
                        false => self.is_arithmetic(value, self.variables[*id].temporary).then_some(digits),
                    }
                }
                _ => self.digits_of_sum(self.sum(index)?, index.span),
            },
            _ => self.digits_of_sum(self.sum(index)?, index.span),
        }
    }

    /// Returns the digits of an array's element.
    fn digits_of_row(&self, place: &Row, span: Span) -> Option<Digits> {
        let (row, column) = (self.digits(&place.row)?, self.digits(&place.column)?);
        let order = format!("[{}:{}:{}]", row.order, self.text(&place.width), column.order);
        let indices = &row.indices | &column.indices;
        let place = Row { row: row.place, column: column.place, ..place.clone() };
        Some(Digits { place: self.make(span, ExprKind::Row(Box::new(place))), order, indices })
    }

    fn digits_of_sum(&self, terms: Vec<Term>, span: Span) -> Option<Digits> {
        let indices: BTreeSet<_> =
            terms.iter().flat_map(|term| &term.factors).filter_map(|f| self.index_of(f)).collect();
        if indices.is_empty() {
            return Some(Digits { place: self.add(terms, span), order: "_".to_owned(), indices });
        }
        if self.is_index(&terms) {
            let mut texts: Vec<_> = terms.iter().map(|term| self.text_of(term)).collect();
            texts.sort();
            let counters = terms.iter().flat_map(|term| &term.factors).filter_map(|f| self.counter(f));
            self.counted.borrow_mut().extend(counters);
            return Some(Digits { place: self.add(terms, span), order: texts.concat(), indices });
        }
        let Some(width) = self.width(&terms) else {
            // A digit like any other, which determines no index.
            return Some(Digits { place: self.add(terms, span), order: "_".to_owned(), indices: BTreeSet::new() });
        };
        let base = self.text(&width);
        let (mut rows, mut columns, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for mut term in terms {
            match term.factors.iter().rposition(|f| self.text(f) == base) {
                Some(at) => {
                    term.factors.remove(at);
                    rows.push(term);
                }
                None if self.is_offset(&term, &width) => offsets.push(term),
                None => columns.push(term),
            }
        }
        let mut texts: Vec<_> = offsets.iter().map(|term| self.text_of(term)).collect();
        texts.sort();
        let (row, column) = (self.digits_of_sum(rows, span)?, self.digits_of_sum(columns, span)?);
        if !row.indices.is_disjoint(&column.indices) {
            return None;
        }
        let order = format!("[{}:{base}:{}]{}", row.order, column.order, texts.concat());
        let indices = &row.indices | &column.indices;
        let row = Row { row: row.place, rows: None, width, column: column.place };
        let mut place = self.make(span, ExprKind::Row(Box::new(row)));
        for Term { minus, factors } in offsets {
            let op = if minus { Binary::Sub } else { Binary::Add };
            place = self.binary(op, place, self.multiply(factors, span));
        }
        Some(Digits { place, order, indices })
    }

    /// Returns `true` for an index plus any fixed terms.
    fn is_index(&self, terms: &[Term]) -> bool {
        let mut found = terms.iter().filter(|term| !self.is_constant(term));
        match (found.next(), found.next()) {
            (Some(term), None) => matches!(&term.factors[..], [one] if self.index_of(one).is_some()),
            _ => false,
        }
    }

    /// Returns a fixed factor as the base of the digits.
    ///
    /// The best factor stands before a sum, as in `(row) * w`. After that it is the factor of the
    /// most terms, then a parameter, which is larger than a tile, then one that keeps the indices
    /// along an axis together, and last the one written last. A wrong choice is safe: a digit is
    /// then too large at run time.
    fn width(&self, terms: &[Term]) -> Option<Expr> {
        let factors = || terms.iter().flat_map(|term| &term.factors);
        let mut best = None;
        for (position, factor) in factors().enumerate().filter(|(_, f)| self.is_fixed(f)) {
            let text = self.text(factor);
            if text == "0" {
                continue;
            }
            let has = |term: &&Term| term.factors.iter().any(|f| self.text(f) == text);
            let (rows, columns): (Vec<_>, Vec<_>) = terms.iter().partition(has);
            if rows.iter().all(|term| self.is_constant(term)) {
                continue;
            }
            let apart = self.axes_of(&rows).is_disjoint(&self.axes_of(&columns));
            let literal = matches!(factor.kind, ExprKind::Int(_) | ExprKind::Constant(_));
            let rank = (self.common.borrow().contains(&text), rows.len(), !literal, apart, position);
            if best.as_ref().is_none_or(|(best, _)| *best < rank) {
                best = Some((rank, factor.clone()));
            }
        }
        best.map(|(_, factor)| factor)
    }

    fn axes_of(&self, terms: &[&Term]) -> BTreeSet<usize> {
        let factors = terms.iter().flat_map(|term| &term.factors);
        factors.filter_map(|f| Some(self.index_of(f)?.1)).collect()
    }

    fn is_constant(&self, term: &Term) -> bool {
        term.factors.iter().all(|f| self.is_fixed(f))
    }

    /// Returns `true` if the term moves all places alike and is no digit to the base `width`: a
    /// parameter, a subtracted term, or a number that is too large.
    fn is_offset(&self, term: &Term, width: &Expr) -> bool {
        let literal = |f: &Expr| match &f.kind {
            ExprKind::Int(digits) => digits.parse::<u64>().ok(),
            _ => None,
        };
        let is_digit = match (&term.factors[..], literal(width)) {
            _ if term.minus => false,
            ([one], Some(width)) => literal(one).map_or(matches!(one.kind, ExprKind::Constant(_)), |one| one < width),
            ([one], None) => matches!(one.kind, ExprKind::Int(_) | ExprKind::Constant(_)),
            _ => false,
        };
        self.is_constant(term) && !is_digit
    }

    /// Returns the expression as a sum of products.
    fn sum(&self, e: &Expr) -> Option<Vec<Term>> {
        let alone = || Some(vec![Term { minus: false, factors: vec![e.clone()] }]);
        let terms = match &e.kind {
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let (mut terms, others) = (self.sum(a)?, self.sum(b)?);
                let minus = *op == Binary::Sub;
                terms.extend(others.into_iter().map(|term| Term { minus: term.minus != minus, ..term }));
                terms
            }
            ExprKind::Binary(Binary::Mul, a, b) => {
                let (x, y) = (self.factors(a)?, self.factors(b)?);
                // A factor that is written once is computed once.
                let once = |a: &Expr, other: &[Term]| other.len() == 1 || a.is_repeatable();
                if !(x.len() == 1 || y.len() == 1) || !once(a, &y) || !once(b, &x) {
                    return alone();
                }
                for (sum, factor) in [(&x, &y), (&y, &x)] {
                    if sum.len() > 1 {
                        let texts = factor.iter().flat_map(|term| &term.factors).map(|f| self.text(f));
                        self.common.borrow_mut().extend(texts);
                    }
                }
                let product = |x: &Term, y: &Term| Term {
                    minus: x.minus != y.minus,
                    factors: x.factors.iter().chain(&y.factors).cloned().collect(),
                };
                x.iter().flat_map(|x| y.iter().map(move |y| product(x, y))).collect()
            }
            ExprKind::Variable(id) => match self.values.values.get(id) {
                Some(value) if self.index_of(e).is_none() && self.is_arithmetic(value, false) => self.sum(value)?,
                _ => return alone(),
            },
            ExprKind::Cast(a) if self.is_usize(a) && self.is_usize(e) => self.sum(a)?,
            _ => return alone(),
        };
        (terms.len() <= TERMS && terms.iter().all(|term| term.factors.len() <= TERMS)).then_some(terms)
    }

    /// Returns the expression as a sum of products for a multiplication. A fixed sum is one factor.
    fn factors(&self, e: &Expr) -> Option<Vec<Term>> {
        let sum = self.sum(e)?;
        let one = sum.len() > 1 && self.is_fixed(e);
        Some(if one { vec![Term { minus: false, factors: vec![e.clone()] }] } else { sum })
    }

    /// Returns `true` if the expression is arithmetic of constants and immutable variables, or of
    /// any variables if it is used `at_once`.
    fn is_arithmetic(&self, e: &Expr, at_once: bool) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Constant(_) | ExprKind::Length(_) => true,
            ExprKind::Variable(id) => at_once || !self.variables[*id].mutable,
            ExprKind::Binary(_, a, b) => self.is_arithmetic(a, at_once) && self.is_arithmetic(b, at_once),
            ExprKind::Cast(a) => self.is_arithmetic(a, at_once),
            ExprKind::Row(place) => {
                [&place.row, &place.width, &place.column].into_iter().all(|e| self.is_arithmetic(e, at_once))
            }
            _ => false,
        }
    }

    fn is_fixed(&self, e: &Expr) -> bool {
        self.values.is_fixed(e)
    }

    /// Returns a text for a fixed expression or an index: the same text is the same number.
    fn text(&self, e: &Expr) -> String {
        if let Some(id) = self.index(e) {
            return format!("{:?}", self.digit_of(id));
        }
        if let Some((digit, step)) = self.counter(e).map(|id| &self.counters[&id]) {
            return format!("{digit:?}%{}", self.text(step));
        }
        match &e.kind {
            ExprKind::Int(digits) => digits.clone(),
            ExprKind::Constant(path) => format!("<{path}>"),
            ExprKind::Length(id) => format!("#{id}"),
            // A variable by its number, or by the value that it renames.
            ExprKind::Variable(id) => match self.values.values.get(id) {
                Some(value) if is_name(value) && self.is_fixed(value) => self.text(value),
                _ => format!("${id}"),
            },
            ExprKind::Binary(op, a, b) => format!("({}{}{})", self.text(a), op.symbol(), self.text(b)),
            ExprKind::Cast(a) => format!("({}as{})", self.text(a), self.types.get(e.ty).name()),
            _ => "?".to_owned(),
        }
    }

    fn text_of(&self, term: &Term) -> String {
        let mut factors: Vec<_> = term.factors.iter().map(|f| self.text(f)).collect();
        factors.sort();
        format!("{}{}", if term.minus { '-' } else { '+' }, factors.join("*"))
    }

    fn make(&self, span: Span, kind: ExprKind) -> Expr {
        Expr { kind, span, ty: self.usize, class: Class::Uniform, precision: Precision::Element, fused: None }
    }

    fn binary(&self, op: Binary, a: Expr, b: Expr) -> Expr {
        self.make(a.span, ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn number(&self, n: usize, span: Span) -> Expr {
        self.make(span, ExprKind::Int(n.to_string()))
    }

    fn multiply(&self, factors: Vec<Expr>, span: Span) -> Expr {
        let product = factors.into_iter().reduce(|a, b| self.binary(Binary::Mul, a, b));
        product.unwrap_or_else(|| self.number(1, span))
    }

    fn add(&self, terms: Vec<Term>, span: Span) -> Expr {
        // A sum begins with an added term, if there is one.
        let (minus, plus): (Vec<_>, Vec<_>) = terms.into_iter().partition(|term| term.minus);
        let sum =
            plus.into_iter().map(|t| self.multiply(t.factors, span)).reduce(|a, b| self.binary(Binary::Add, a, b));
        let sum = sum.unwrap_or_else(|| self.number(0, span));
        minus.into_iter().fold(sum, |sum, t| self.binary(Binary::Sub, sum, self.multiply(t.factors, span)))
    }
}

/// Returns `true` for the name of a number, or a number.
fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Variable(_) | ExprKind::Int(_) | ExprKind::Constant(_) | ExprKind::Length(_))
}

/// Returns the number of digits that are compared at run time.
fn rows(e: &Expr) -> usize {
    let mut count = 0;
    each_in_expr(e, &mut |part| {
        count += usize::from(matches!(part, Part::Expr(e) if matches!(e.kind, ExprKind::Row(_))))
    });
    count
}
