//! Accesses on a device whose bounds are checked once, before the body of an entry.
//!
//! Guards and loop bounds limit indices. So the largest value of an index is often a polynomial of
//! parameters, and one comparison with the slice's length covers the access for all threads:
//!
//! ```text
//! if i < nx && j < ny {                             i ≤ nx - 1, j ≤ ny - 1
//!     for k in 0..nz {                              k ≤ nz - 1
//!         let c = i + j * nx + k * nx * ny;
//!         x[c]                                      c ≤ nx * ny * nz - 1
//!         if i == nx - 1 { … } else { x[c + 1] }    i ≤ nx - 2, so c + 1 ≤ nx * ny * nz - 1
//!
//! fn in_range(…) -> bool { nx * ny * nz <= x.len() }
//! ```
//!
//! An index without a guard is bounded by the thread's own value. The same holds behind the guard
//! for slices that no loop accesses: `i < x.len()` combines with `i < n` to one comparison with the
//! smallest bound. If all of these comparisons hold, the entry runs its body without the checks
//! that they cover. Otherwise it runs its body with all checks, which traps at the first access out
//! of range.
//!
//! Proof that an access is in range if `in_range` returned `true`:
//!
//! 1. A comparison of the kernel is a fact about integers if both sides are computed without
//!    wrapping. `exact` makes sure of that, by a proof or by a condition of `in_range`.
//! 2. Facts bound indices and counters. Substituting bounds, from the last declared variable on,
//!    bounds a polynomial (`Facts::bound`).
//! 3. `in_range` computes bounds without wrapping (`Sizes`), and compares them with lengths.
//! 4. An index in range as an integer is equal to the index modulo 2^64, which the kernel computes.
//!
//! Mutable variables, loaded values and divisions have no bounds. Their accesses keep their checks.
//! In a kernel with barriers all threads of a block must run the same body. There the thread's own
//! values are not used.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::ast::{Binary, Block, Class, Expr, ExprKind, Id, IndexOf, Kind, Row, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::super::visit::{Part, Visit, all_in_expr, each_in_expr, walk_block, walk_expr, walk_statement};
use super::polynomial::{Atom, Facts, Polynomial, Product};
use super::{Printer, guard, primitive};

/// The accesses that are checked before a body, and the check.
#[derive(Default)]
pub(super) struct Range {
    /// The indices of the accesses.
    pub(super) covered: BTreeSet<*const Expr>,
    /// The slices of the accesses.
    pub(super) slices: BTreeSet<Id>,
    /// The expression of `in_range`.
    pub(super) check: TokenStream,
}

/// The largest number of substitutions for one bound.
const STEPS: usize = 200;

impl Range {
    /// Finds the accesses of a kernel. `printer` prints code for one thread.
    ///
    /// If the kernel is `unchecked`, all accesses are covered, and the check returns `true`.
    pub(super) fn of(printer: &Printer<'_>, unchecked: bool) -> Self {
        if printer.kernel.is_function() {
            return Self::default();
        }
        let walk = Walk::of(printer);
        if !unchecked {
            return walk.finish();
        }
        let (covered, slices) = walk.accesses.iter().map(|a| (std::ptr::from_ref(a.index), a.slice)).unzip();
        Self { covered, slices, check: quote!(true) }
    }
}

/// The facts and the conditions at a place.
#[derive(Clone, Default)]
struct Scope {
    facts: Facts,
    /// Polynomials that must be at least 0, so that the facts are true.
    needed: Vec<Polynomial>,
    /// Polynomials that must be computed without wrapping, so that the facts are true.
    exact: Vec<Polynomial>,
    /// The conditions on parameters under which the place is reached.
    when: Vec<Condition>,
}

/// A printed condition, with its text.
#[derive(Clone)]
struct Condition {
    text: String,
    printed: TokenStream,
}

/// An access, and its bounds if it has some.
struct Access<'a> {
    slice: Id,
    /// `true` in a loop.
    repeated: bool,
    /// The same text and variables are the same element in both arms of a branch, whose accesses
    /// other passes may merge.
    text: (String, Vec<Id>),
    index: &'a Expr,
    bounds: Option<Bounds>,
    /// The number of instructions that a check at the access takes, all of them in a loop together.
    cost: usize,
}

/// The comparisons for an access.
struct Bounds {
    /// The number of elements that the slice must have.
    count: Polynomial,
    /// The same for the thread's own access, if nothing but the guard bounds its indices.
    own: Option<Polynomial>,
    /// Polynomials that must be at least 0.
    needed: Vec<Polynomial>,
    scope: Rc<Scope>,
}

struct Walk<'p, 'k> {
    printer: &'p Printer<'k>,
    scope: Scope,
    /// The bounds of indices by the thread's own values.
    own: BTreeMap<Atom, Polynomial>,
    /// The bounds of indices behind the kernel's guard.
    guarded: BTreeMap<Atom, Polynomial>,
    /// The number of loops around the place.
    loops: usize,
    /// The values of immutable variables.
    values: BTreeMap<Id, Polynomial>,
    /// Expressions of parameters that are no polynomials, with their texts.
    fixed: Vec<(String, TokenStream)>,
    accesses: Vec<Access<'k>>,
}

impl<'p, 'k> Walk<'p, 'k> {
    /// Visits the whole kernel.
    fn of(printer: &'p Printer<'k>) -> Self {
        let mut walk = Walk {
            printer,
            scope: Scope::default(),
            own: BTreeMap::new(),
            guarded: BTreeMap::new(),
            loops: 0,
            values: BTreeMap::new(),
            fixed: Vec::new(),
            accesses: Vec::new(),
        };
        for id in printer.kernel.all_parameters() {
            let v = &printer.kernel.variables[id];
            if let Kind::Index(index) = v.kind {
                let own = Polynomial::atom(Atom::Own(id));
                let lanes = index.axis == 0 && index.of != IndexOf::Block;
                let last = if lanes { own.plus(&Polynomial::atom(Atom::Lanes)) } else { Some(own) };
                walk.scope.facts.changing.push(Atom::Variable(id));
                if let Some(last) = last.filter(|_| !printer.kernel.synchronizes) {
                    walk.own.insert(Atom::Variable(id), last);
                }
            }
        }
        walk.scope.facts.upper = walk.own.clone();
        walk.block(&printer.kernel.body);
        walk.choose();
        walk
    }

    fn type_of(&self, e: &Expr) -> Type {
        self.printer.types.get(e.ty)
    }

    /// Returns an index as a polynomial.
    fn polynomial(&mut self, e: &Expr) -> Option<Polynomial> {
        if self.type_of(e) != Type::USIZE {
            return None;
        }
        let variables = &self.printer.kernel.variables;
        match &e.kind {
            ExprKind::Int(digits) => Some(Polynomial::constant(digits.parse::<u32>().ok()?.into())),
            ExprKind::Variable(id) if variables[*id].mutable => None,
            ExprKind::Variable(id) => match variables[*id].kind {
                Kind::Scalar | Kind::Index(_) | Kind::Dim(_) => Some(Polynomial::atom(Atom::Variable(*id))),
                Kind::Counter if self.scope.facts.changing.contains(&Atom::Variable(*id)) => {
                    Some(Polynomial::atom(Atom::Variable(*id)))
                }
                Kind::Local => self.values.get(id).cloned(),
                _ => None,
            },
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
                let (a, b) = (self.polynomial(a)?, self.polynomial(b)?);
                match op {
                    Binary::Add => a.plus(&b),
                    Binary::Sub => a.minus(&b),
                    _ => a.times(&b),
                }
            }
            ExprKind::Cast(a) if self.type_of(a) == Type::USIZE && !a.is_outside() => self.polynomial(a),
            ExprKind::Row(place) => {
                let [row, width, column] = [&place.row, &place.width, &place.column].map(|e| self.polynomial(e));
                row?.times(&width?)?.plus(&column?)
            }
            _ => {
                let condition = self.fixed(e)?;
                let known = self.fixed.iter().position(|(text, _)| *text == condition.text);
                let position = known.unwrap_or_else(|| {
                    self.fixed.push((condition.text, condition.printed));
                    self.fixed.len() - 1
                });
                Some(Polynomial::atom(Atom::Fixed(position)))
            }
        }
    }

    /// Returns the printed expression if only immutable parameters and constants decide its value,
    /// and computing it never panics.
    fn fixed(&self, e: &Expr) -> Option<Condition> {
        let variables = &self.printer.kernel.variables;
        let is_fixed = |part: Part<'_>| {
            let Part::Expr(e) = part else { return false };
            match &e.kind {
                ExprKind::Variable(id) => {
                    let v = &variables[*id];
                    matches!(v.kind, Kind::Scalar | Kind::Dim(_)) && !v.mutable && self.type_of(e) != Type::Float
                }
                ExprKind::Binary(op, _, b) if op.divides() => match &b.kind {
                    ExprKind::Int(digits) => digits.parse::<u32>().is_ok_and(|n| n > 0),
                    _ => false,
                },
                ExprKind::Cast(a) => self.type_of(a) != Type::Float,
                ExprKind::Binary(..) => self.type_of(e) != Type::Float,
                ExprKind::Compare(_, a, _) => self.type_of(a) != Type::Float,
                ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Constant(_) => true,
                ExprKind::Length(_) | ExprKind::Logic { .. } | ExprKind::Not(_) => true,
                _ => false,
            }
        };
        if e.class != Class::Uniform || !all_in_expr(e, is_fixed) {
            return None;
        }
        let printed = self.printer.scalar(e);
        Some(Condition { text: printed.to_string(), printed })
    }

    fn bound(&self, of: &Polynomial, largest: bool) -> Option<Polynomial> {
        self.scope.facts.bound(of, largest, &mut { STEPS })
    }

    fn is_positive(&self, of: &Polynomial) -> bool {
        self.scope.facts.is_positive(of, &mut { STEPS })
    }

    /// Returns `true` if the kernel computes the polynomial without wrapping. Conditions for this
    /// are added to the scope.
    fn exact(&mut self, of: &Polynomial) -> bool {
        if is_one(of) && of.is_sum() {
            return true;
        }
        let (Some(least), Some(most)) = (self.bound(of, false), self.bound(of, true)) else {
            return false;
        };
        let is_positive = self.is_positive(of);
        if !is_positive && !is_short(&least) || !is_short(&most) {
            return false;
        }
        if !is_positive {
            self.scope.needed.push(least);
        }
        if !is_one(&most.signs()[0]) {
            self.scope.exact.push(most);
        }
        true
    }

    /// Adds the facts that follow from a condition with this result.
    fn assume(&mut self, condition: &Expr, result: bool) {
        match &condition.kind {
            ExprKind::Not(a) if self.type_of(a) == Type::Bool => return self.assume(a, !result),
            ExprKind::Logic { and, a, b } if *and == result => {
                self.assume(a, result);
                return self.assume(b, result);
            }
            ExprKind::Compare(op, a, b) if self.type_of(a) == Type::USIZE => {
                let (Some(a), Some(b)) = (self.polynomial(a), self.polynomial(b)) else { return };
                if !self.exact(&a) || !self.exact(&b) {
                    return;
                }
                // A fact that is too long is left out.
                let _ = match (*op, result) {
                    ("Lt", true) | ("Ge", false) => self.assume_at_most(&a, &b, 1),
                    ("Le", true) | ("Gt", false) => self.assume_at_most(&a, &b, 0),
                    ("Gt", true) | ("Le", false) => self.assume_at_most(&b, &a, 1),
                    ("Ge", true) | ("Lt", false) => self.assume_at_most(&b, &a, 0),
                    ("Eq", true) | ("Ne", false) => {
                        self.assume_at_most(&a, &b, 0).and_then(|()| self.assume_at_most(&b, &a, 0))
                    }
                    ("Ne", true) | ("Eq", false) => {
                        self.assume_unequal(&a, &b).and_then(|()| self.assume_unequal(&b, &a))
                    }
                    _ => None,
                };
            }
            _ => {}
        }
        if let Some(Condition { text, printed }) = self.fixed(condition) {
            let (not, printed) = if result { ("", printed) } else { ("!", quote!((!#printed))) };
            self.scope.when.push(Condition { text: format!("{not}{text}"), printed });
        }
    }

    /// Adds the fact `a + more <= b`.
    fn assume_at_most(&mut self, a: &Polynomial, b: &Polynomial, more: i128) -> Option<()> {
        let difference = b.minus(a)?.minus(&Polynomial::constant(more))?;
        let most = self.bound(&difference, true);
        for atom in self.scope.facts.changing.clone() {
            if let Some(rest) = a.without(atom) {
                let upper = b.minus(&rest)?.minus(&Polynomial::constant(more))?;
                let known = self.scope.facts.upper.get(&atom).cloned();
                let is_less =
                    known.is_none_or(|known| !upper.minus(&known).is_some_and(|more| self.is_positive(&more)));
                if is_less && !upper.atoms().contains(&atom) {
                    self.scope.facts.upper.insert(atom, upper);
                }
            }
            if let Some(rest) = b.without(atom) {
                let lower = a.minus(&rest)?.plus(&Polynomial::constant(more))?;
                let known = self.scope.facts.lower.get(&atom).cloned().unwrap_or_default();
                if !lower.atoms().contains(&atom) && self.is_positive(&lower.minus(&known)?) {
                    self.scope.facts.lower.insert(atom, lower);
                }
            }
        }
        // A fact about parameters: the difference is at least 0 for some thread, so its largest
        // value is.
        let fact = most?;
        for atom in fact.atoms() {
            if let Some(rest) = fact.without(atom)
                && rest == Polynomial::constant(rest.constant_term())
                && rest.constant_term() < 0
            {
                let least = self.scope.facts.least.entry(atom).or_default();
                *least = (*least).max(-rest.constant_term());
            }
        }
        if !fact.is_sum() && !self.scope.facts.positive.contains(&fact) {
            self.scope.facts.positive.push(fact);
        }
        Some(())
    }

    /// Adds the fact that `a` differs from `b`, if `a` is an index or a counter and `b` its bound.
    fn assume_unequal(&mut self, a: &Polynomial, b: &Polynomial) -> Option<()> {
        let one = Polynomial::constant(1);
        for atom in self.scope.facts.changing.clone() {
            if *a != Polynomial::atom(atom) {
                continue;
            }
            if self.scope.facts.upper.get(&atom) == Some(b) {
                self.scope.facts.upper.insert(atom, b.minus(&one)?);
            }
            if self.scope.facts.lower.get(&atom).cloned().unwrap_or_default() == *b {
                self.scope.facts.lower.insert(atom, b.plus(&one)?);
            }
        }
        Some(())
    }

    /// Visits a part of the kernel under more facts.
    fn under(&mut self, facts: impl FnOnce(&mut Self), visit: impl FnOnce(&mut Self)) {
        let before = self.scope.clone();
        facts(self);
        visit(self);
        self.scope = before;
    }

    /// Adds the facts about a loop's counter.
    fn count(&mut self, counter: Id, [start, end]: [&Expr; 2], inclusive: bool) {
        if self.type_of(start) != Type::USIZE {
            return;
        }
        let [start, end] = [start, end].map(|bound| self.polynomial(bound).filter(|bound| self.exact(bound)));
        let (atom, more) = (Atom::Variable(counter), i128::from(!inclusive));
        if let (Some(start), Some(end)) = (&start, &end) {
            let _ = self.assume_at_most(start, end, more);
        }
        self.scope.facts.lower.extend(start.map(|start| (atom, start)));
        let last = end.and_then(|end| end.minus(&Polynomial::constant(more)));
        self.scope.facts.upper.extend(last.map(|last| (atom, last)));
        self.scope.facts.changing.push(atom);
    }

    /// Notes an access.
    fn access(&mut self, slice: Id, index: &'k Expr, text: &str) {
        let mut used = Vec::new();
        each_in_expr(index, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Variable(id) | ExprKind::Element(id, _), .. }) = part {
                used.push(*id);
            }
        });
        let bounds = self.bounds(slice, index);
        let once = if matches!(index.kind, ExprKind::Row(_)) { 8 } else { 2 };
        let cost = if self.loops > 0 { usize::MAX >> 16 } else { once };
        let repeated = self.loops > 0;
        self.accesses.push(Access { slice, repeated, text: (text.to_owned(), used), index, bounds, cost });
    }

    fn bounds(&mut self, slice: Id, index: &Expr) -> Option<Bounds> {
        if !matches!(self.printer.kernel.variables[slice].kind, Kind::In | Kind::Out) {
            return None;
        }
        let before = self.scope.clone();
        let mut needed = Vec::new();
        let mut positive = |walk: &Self, of: &Polynomial| {
            if !walk.is_positive(of) {
                needed.push(walk.bound(of, false).filter(is_short)?);
            }
            Some(())
        };
        let one = Polynomial::constant(1);
        let of = self.polynomial(index)?;
        if let ExprKind::Row(place) = &index.kind {
            let Row { row, rows, width, column } = &**place;
            let [row, width, column] = [row, width, column].map(|e| self.polynomial(e));
            let (row, column) = (row?, column?);
            positive(self, &row)?;
            positive(self, &column)?;
            positive(self, &width?.minus(&column)?.minus(&one)?)?;
            if let Some(rows) = rows {
                let rows = self.polynomial(rows)?;
                positive(self, &rows.minus(&row)?.minus(&one)?)?;
            }
        } else {
            positive(self, &of)?;
        }
        let count = self.bound(&of, true)?.plus(&one)?;
        let own = self.own_facts(&of).and_then(|facts| facts.bound(&of, true, &mut { STEPS })?.plus(&one));
        let own = own.filter(is_short);
        is_short(&count).then(|| Bounds { count, own, needed, scope: Rc::new(before) })
    }

    /// Returns the facts with the thread's own values as the bounds of the indices in a polynomial.
    /// Returns `None` if another condition than the guard bounds one of them: a thread that does
    /// not fulfil the condition would fail the check.
    fn own_facts(&self, of: &Polynomial) -> Option<Facts> {
        let (mut facts, atoms) = (self.scope.facts.clone(), of.atoms());
        for (atom, own) in self.own.iter().filter(|(atom, _)| atoms.contains(atom)) {
            let upper = facts.upper.insert(*atom, own.clone());
            if upper.is_none() || upper.as_ref() != self.guarded.get(atom) {
                return None;
            }
        }
        Some(facts)
    }

    /// Chooses between the bounds for the whole launch and for the thread alone. The latter combine
    /// with the guard, because they compare the same indices. In loops they would take more terms.
    fn choose(&mut self) {
        let mut launch = BTreeSet::new();
        for Access { slice, repeated, bounds, .. } in &self.accesses {
            if *repeated || bounds.as_ref().is_some_and(|bounds| bounds.own.is_none()) {
                launch.insert(*slice);
            }
        }
        for access in self.accesses.iter_mut().filter(|access| !launch.contains(&access.slice)) {
            if let Some(bounds) = &mut access.bounds {
                bounds.count = bounds.own.take().expect("the slice is not in the set");
            }
        }
    }

    /// Returns the indices of the accesses with bounds, and their slices and bounds.
    fn covered(&self) -> (BTreeSet<*const Expr>, Vec<(Id, &Bounds)>) {
        // Accesses of one element may be merged, so all of them are covered or none.
        let uncovered: BTreeSet<_> =
            self.accesses.iter().filter(|a| a.bounds.is_none()).map(|a| (a.slice, &a.text)).collect();
        let covered = self.accesses.iter().filter(|a| !uncovered.contains(&(a.slice, &a.text)));
        covered.filter_map(|a| Some((std::ptr::from_ref(a.index), (a.slice, a.bounds.as_ref()?)))).unzip()
    }

    /// Prints the check, and returns the accesses that it covers. None are covered if the check
    /// takes more instructions than the checks at the accesses.
    fn finish(&self) -> Range {
        let (covered, all) = self.covered();
        // The compiler checks an element once.
        let mut costs = BTreeMap::new();
        for access in self.accesses.iter().filter(|a| covered.contains(&std::ptr::from_ref(a.index))) {
            let cost = costs.entry((access.slice, &access.text)).or_insert(0);
            *cost = access.cost.max(*cost);
        }
        let slices = all.iter().map(|&(slice, _)| slice).collect();
        let checks =
            Checks { walk: self, multiplies: Cell::default(), noted: RefCell::default(), cost: Cell::default() };
        let check = checks.print(&all);
        let worth = costs.values().sum::<usize>() > checks.cost.get();
        if worth { Range { covered, slices, check } } else { Range::default() }
    }
}

impl<'k> Visit<'k> for Walk<'_, 'k> {
    fn block(&mut self, block: &'k Block) {
        // Facts from an `if` that leaves the block hold up to its end.
        self.under(|_| (), |walk| walk_block(walk, block));
    }

    fn statement(&mut self, statement: &'k Statement) {
        match &statement.kind {
            StatementKind::Let(id, value) => {
                self.expr(value);
                if !self.printer.kernel.variables[*id].mutable
                    && let Some(value) = self.polynomial(value)
                {
                    self.values.insert(*id, value);
                }
            }
            StatementKind::Store { slice, index, text, value, .. } => {
                self.expr(index);
                self.expr(value);
                self.access(*slice, index, text);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let guards = guard(&self.printer.kernel.body).is_some_and(|g| std::ptr::eq(g.condition, condition));
                let facts = |walk: &mut Self| {
                    walk.assume(condition, true);
                    if guards {
                        walk.guarded = walk.scope.facts.upper.clone();
                    }
                };
                self.under(facts, |walk| walk.block(then));
                if let Some(otherwise) = otherwise {
                    self.under(|walk| walk.assume(condition, false), |walk| walk.block(otherwise));
                }
                if leaves(then) {
                    self.assume(condition, false);
                    if guards {
                        self.guarded = self.scope.facts.upper.clone();
                    }
                } else if otherwise.as_ref().is_some_and(leaves) {
                    self.assume(condition, true);
                }
            }
            StatementKind::For { counter, start, end, step, count, body } => {
                [Some(start), Some(end), step.as_ref()].into_iter().flatten().for_each(|e| self.expr(e));
                let facts = |walk: &mut Self| walk.count(*counter, [start, end], count.inclusive);
                self.loops += 1;
                self.under(facts, |walk| walk.block(&body.body));
                self.loops -= 1;
            }
            StatementKind::While(condition, body) => {
                self.loops += 1;
                condition.iter().for_each(|condition| self.expr(condition));
                self.block(&body.body);
                self.loops -= 1;
            }
            _ => walk_statement(self, statement),
        }
    }

    fn expr(&mut self, e: &'k Expr) {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.under(|walk| walk.assume(condition, true), |walk| walk.block(then));
                self.under(|walk| walk.assume(condition, false), |walk| walk.block(otherwise));
            }
            ExprKind::Logic { and, a, b } => {
                self.expr(a);
                self.under(|walk| walk.assume(a, *and), |walk| walk.expr(b));
            }
            ExprKind::Load { slice, index, text, .. } => {
                self.expr(index);
                self.access(*slice, index, text);
            }
            _ => walk_expr(self, e),
        }
    }
}

/// Returns `true` if nothing after the block in the same block runs after it.
fn leaves(block: &Block) -> bool {
    block.statements.last().is_some_and(|last| match &last.kind {
        StatementKind::Return(..) | StatementKind::Break(_) | StatementKind::Continue(_) => true,
        StatementKind::If(_, then, Some(otherwise)) => leaves(then) && leaves(otherwise),
        StatementKind::Block(block) => leaves(block),
        _ => false,
    })
}

/// The printer of `in_range`.
struct Checks<'w, 'p, 'k> {
    walk: &'w Walk<'p, 'k>,
    /// `true` if numbers are multiplied.
    multiplies: Cell<bool>,
    /// The products that are noted.
    noted: RefCell<BTreeSet<Product>>,
    /// The number of instructions so far, without those for noted numbers.
    cost: Cell<usize>,
}

/// The comparisons under the same conditions on parameters.
#[derive(Default)]
struct Group {
    when: TokenStream,
    counts: BTreeMap<Polynomial, BTreeSet<Id>>,
    needed: BTreeSet<Polynomial>,
    exact: BTreeSet<Polynomial>,
}

impl Checks<'_, '_, '_> {
    fn print(&self, all: &[(Id, &Bounds)]) -> TokenStream {
        let mut groups: BTreeMap<Vec<&str>, Group> = BTreeMap::new();
        let implied = implied(all);
        for (&(slice, bounds), implied) in all.iter().zip(implied) {
            let when = &bounds.scope.when;
            let group = groups.entry(when.iter().map(|c| &c.text[..]).collect()).or_default();
            let printed = when.iter().map(|c| &c.printed);
            group.when = quote!(#(#printed)&&*);
            group.needed.extend(bounds.needed.iter().chain(&bounds.scope.needed).cloned());
            group.exact.extend(bounds.scope.exact.iter().cloned());
            if !implied {
                group.counts.entry(bounds.count.clone()).or_default().insert(slice);
            }
        }
        let printed: Vec<_> = groups.values().map(|group| self.group(group)).collect();
        let noted = self.noted.borrow().len();
        let sizes = (noted > 0).then(|| {
            let bits: u32 = if self.multiplies.get() { 30 } else { 48 };
            quote!(& __sizes.are_below(#bits))
        });
        self.costs(if noted > 0 { noted + 2 } else { 0 });
        let kernel = &self.walk.printer.path;
        quote! {
            let mut __sizes = #kernel::Sizes::new();
            let __in_range = true #(& #printed)*;
            __in_range #sizes
        }
    }

    fn group(&self, group: &Group) -> TokenStream {
        let min = |slices: &BTreeSet<Id>| {
            // A comparison, its combination with the others, and a `min` for each further length.
            self.costs(slices.len() + 1);
            let lengths = slices.iter().map(|&id| self.walk.printer.numbers(id));
            lengths.reduce(|a, b| quote!(::core::cmp::Ord::min(#a, #b)))
        };
        let counts = group.counts.iter().map(|(count, slices)| {
            // The last index, if the count is its successor: the guard compares indices, too.
            let last = count.minus(&Polynomial::constant(1)).filter(|_| count.constant_term() > 0);
            let is = if last.is_some() { quote!(<) } else { quote!(<=) };
            let [more, less] = last.as_ref().unwrap_or(count).signs().map(|sum| self.sum(&sum));
            let (more, length) = (more.unwrap_or_else(|| quote!(0)), min(slices));
            match less {
                None => quote!((#more #is #length)),
                Some(less) => quote!((#more #is #length.wrapping_add(#less))),
            }
        });
        let counts: Vec<_> = counts.collect();
        let needed = group.needed.iter().map(|of| {
            let [more, less] = of.signs().map(|sum| self.sum(&sum).unwrap_or_else(|| quote!(0)));
            self.costs(2);
            quote!((#more >= #less))
        });
        let needed: Vec<_> = needed.collect();
        let exact: Vec<_> = group.exact.iter().filter_map(|of| self.sum(&of.signs()[0])).collect();
        let when = &group.when;
        let all = quote!((true #(& #needed)* #(& #counts)* & { #(let _ = #exact;)* true }));
        if when.is_empty() { all } else { quote!((!(#when) | #all)) }
    }

    /// Prints a sum of products with positive coefficients. Returns `None` for 0.
    fn sum(&self, of: &Polynomial) -> Option<TokenStream> {
        let (alone, usize) = (is_one(of), primitive("usize"));
        let mut sum: Option<TokenStream> = None;
        for (product, n) in of.products() {
            let factors: Vec<_> = product.iter().map(|atom| self.atom(*atom)).collect();
            let note = product.iter().any(|atom| matches!(atom, Atom::Variable(_) | Atom::Fixed(_)));
            let mut term = match &factors[..] {
                [] => {
                    let n = number(n);
                    quote!(#n)
                }
                [one] if alone || !note => one.clone(),
                [one] => quote!(__sizes.term(#one)),
                [one, own] if is_scaled(product) => quote!(#usize::wrapping_mul(__sizes.term(#one), #own)),
                all => quote!(__sizes.product([#(#all),*])),
            };
            if !alone && note || factors.len() > 1 {
                // The product is computed once, and each factor is noted once.
                let mut noted = self.noted.borrow_mut();
                let of_launch = |factor: &&Atom| !is_scaled(product) || !matches!(factor, Atom::Own(_));
                let one_by_one = product.iter().filter(of_launch).map(|factor| vec![*factor]);
                noted.extend(one_by_one.chain((2..=factors.len()).map(|n| product[..n].to_vec())));
                self.multiplies.set(self.multiplies.get() || factors.len() > 1);
            }
            if !factors.is_empty() && n != 1 {
                let n = number(n);
                term = quote!(#usize::wrapping_mul(#term, #n));
            }
            sum = Some(match sum {
                None => term,
                Some(sum) => {
                    // The guard computes the index of the last thread, too.
                    self.costs(usize::from(product[..] != [Atom::Lanes]));
                    quote!(#usize::wrapping_add(#sum, #term))
                }
            });
        }
        sum
    }

    fn costs(&self, instructions: usize) {
        self.cost.set(self.cost.get() + instructions);
    }

    fn atom(&self, atom: Atom) -> TokenStream {
        match atom {
            Atom::Variable(id) | Atom::Own(id) => self.walk.printer.name(id),
            Atom::Lanes => quote!((__lanes - 1)),
            Atom::Fixed(position) => self.walk.fixed[position].1.clone(),
        }
    }
}

/// Returns `true` if the sum is computed without wrapping where all noted numbers are small enough.
///
/// Noted numbers are below 2^30 if any are multiplied, and below 2^48 otherwise. The thread's own
/// indices are below 2^32.
fn is_short(of: &Polynomial) -> bool {
    let width = |sum: Polynomial| {
        let terms = sum.products().map(|(product, n)| {
            let bits = match &product[..] {
                [] => 0,
                [Atom::Own(_) | Atom::Lanes] => 32,
                [_] => 48,
                product if is_scaled(product) => 62,
                _ => 60,
            };
            n << bits
        });
        // The length of a slice is below 2^61.
        terms.sum::<i128>()
    };
    of.signs().into_iter().all(|sum| width(sum) <= 1 << 63)
}

/// Returns for each access `true` if another one of the same slice reaches as far whenever this one
/// is reached. The other access is then checked itself.
fn implied(all: &[(Id, &Bounds)]) -> Vec<bool> {
    let (mut implied, mut checked) = (vec![false; all.len()], vec![false; all.len()]);
    for (i, &(slice, bounds)) in all.iter().enumerate() {
        if checked[i] {
            continue;
        }
        let starts = |other: &Bounds| {
            let (when, of_other) = (&bounds.scope.when, &other.scope.when);
            when.len() >= of_other.len() && when.iter().zip(of_other).all(|(a, b)| a.text == b.text)
        };
        let reaches = |j: &usize| {
            let (of, other) = all[*j];
            i != *j && !implied[*j] && of == slice && starts(other) && {
                let more = other.count.minus(&bounds.count);
                more.is_some_and(|more| bounds.scope.facts.is_positive(&more, &mut { STEPS }))
            }
        };
        let mut others: Vec<usize> = (0..all.len()).rev().collect();
        others.sort_by_key(|j| !checked[*j]);
        if let Some(j) = others.into_iter().find(reaches) {
            (implied[i], checked[j]) = (true, true);
        }
    }
    implied
}

/// Prints a number of elements.
fn number(n: i128) -> Literal {
    Literal::usize_suffixed(usize::try_from(n).expect("a coefficient is small"))
}

/// Returns `true` for a parameter times an index of the thread. The index is below 2^32 and is not
/// noted.
fn is_scaled(product: &[Atom]) -> bool {
    matches!(product, [Atom::Variable(_), Atom::Own(_)])
}

/// Returns `true` for 0, and for one atom or a constant.
fn is_one(sum: &Polynomial) -> bool {
    let mut products = sum.products();
    match (products.next(), products.next()) {
        (None, _) => true,
        (Some((product, n)), None) => product.is_empty() || product.len() == 1 && n == 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
