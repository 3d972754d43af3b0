//! Common loads: elements that a condition and its arms read, or both arms, are read once before,
//! for all threads.
//!
//! The threads of an arm are some of those that read the condition's elements, and each thread
//! takes one of the arms. Under the arms' masks the same elements would be other reads, which no
//! compiler merges.
//!
//! ```text
//! if x[t] > 0.0 { x[t] * y[t] } else { y[t] }
//!
//! let a = x[t]; let b = y[t]; if a > 0.0 { a * b } else { b }
//! ```

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::super::ast::{Block, Class, Expr, ExprKind, Id, Kind, Precision, Statement, StatementKind};
use super::super::visit::{self, Part};
use super::Printer;
use super::vector::is_pure;

/// An element that was read.
#[derive(Clone, PartialEq)]
pub(super) struct Element {
    slice: Id,
    text: String,
    precision: Precision,
    /// The variables of the index, in its order.
    used: Vec<Id>,
}

impl Element {
    /// Returns the element if it is an input's, which no thread writes, at consecutive indices.
    pub(super) fn of(e: &Expr, printer: &Printer<'_>) -> Option<Self> {
        let ExprKind::Load { slice, index, text, .. } = &e.kind else {
            return None;
        };
        if printer.kernel.variables[*slice].kind != Kind::In || index.class != Class::Lin || !is_pure(index) {
            return None;
        }
        let mut used = Vec::new();
        visit::each_in_expr(index, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Variable(id) | ExprKind::Element(id, _), .. }) = part {
                used.push(*id);
            }
        });
        Some(Self { slice: *slice, text: text.clone(), precision: e.precision, used })
    }

    /// Returns `true` if the index has one of the variables.
    pub(super) fn uses(&self, variables: &BTreeSet<Id>) -> bool {
        self.used.iter().any(|id| variables.contains(id))
    }
}

impl Printer<'_> {
    /// Returns the variable of the element if it was read before.
    pub(super) fn loaded(&self, e: &Expr) -> Option<Ident> {
        let element = Element::of(e, self)?;
        let loaded = self.loaded.borrow();
        loaded.iter().position(|other| *other == element).map(|i| self.name_of_loaded(i))
    }

    fn name_of_loaded(&self, i: usize) -> Ident {
        self.internal(&format!("__loaded_{i}"))
    }

    /// Prints code of a condition and its arms, and before it the reads that they share. `each` is
    /// `true` if every thread takes one of the arms.
    pub(super) fn with_loaded(
        &self,
        condition: &Expr,
        arms: &[&Block],
        each: bool,
        print: impl FnOnce() -> TokenStream,
    ) -> TokenStream {
        let known = self.loaded.borrow().len();
        let mut lets = TokenStream::new();
        for e in shared(condition, arms, each, self) {
            let read = self.per_thread(e);
            let Some(element) = Element::of(e, self) else { continue };
            let name = self.name_of_loaded(self.loaded.borrow().len());
            lets.extend(quote_spanned!(e.span=> let #name = #read;));
            self.loaded.borrow_mut().push(element);
        }
        let printed = print();
        self.loaded.borrow_mut().truncate(known);
        if lets.is_empty() { printed } else { quote!({ #lets #printed }) }
    }
}

/// Returns the reads that all threads do and that stand at least twice.
fn shared<'e>(condition: &'e Expr, arms: &[&'e Block], each: bool, printer: &Printer<'_>) -> Vec<&'e Expr> {
    // A statement in the condition may change the index.
    if condition.has_statements() {
        return Vec::new();
    }
    let (mut first, mut in_arms, mut all) = (Vec::new(), Vec::new(), Vec::new());
    certain(condition, &mut first);
    for arm in arms {
        let mut reads = Vec::new();
        // With other statements than values some threads may leave before they read.
        let values: Option<Vec<_>> = arm.statements.iter().map(value).chain([arm.tail.as_deref()]).collect();
        values.iter().flatten().for_each(|e| certain(e, &mut reads));
        in_arms.push(reads);
        let mut see = |part: Part<'_>| {
            if let Part::Expr(e) = part {
                all.extend(Element::of(e, printer));
            }
        };
        arm.statements.iter().for_each(|s| visit::each_in_statement(s, &mut see));
        arm.tail.iter().for_each(|tail| visit::each_in_expr(tail, &mut see));
    }
    // The index is the same in the arms: a variable that an arm assigned would differ between
    // threads.
    let mut found: Vec<Element> = printer.loaded.borrow().clone();
    let mut reads = Vec::new();
    let mut add = |e: &'e Expr, others: &[Element]| {
        if let Some(element) = Element::of(e, printer)
            && others.contains(&element)
            && !found.contains(&element)
        {
            found.push(element);
            reads.push(e);
        }
    };
    first.into_iter().for_each(|e| add(e, &all));
    if let (true, [then, otherwise]) = (each, &in_arms[..]) {
        let others: Vec<_> = otherwise.iter().filter_map(|e| Element::of(e, printer)).collect();
        then.iter().for_each(|e| add(e, &others));
    }
    reads
}

/// Returns the value of a statement that only computes it.
fn value(statement: &Statement) -> Option<&Expr> {
    match &statement.kind {
        StatementKind::Let(_, value) | StatementKind::Assign { value, .. } => Some(value),
        _ => None,
    }
}

/// Collects the reads that every thread does when it computes the expression.
pub(super) fn certain<'e>(e: &'e Expr, reads: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Load { .. } => reads.push(e),
        ExprKind::Negate(a)
        | ExprKind::Not(a)
        | ExprKind::Float1(_, a)
        | ExprKind::Int1(_, a)
        | ExprKind::Cast(a)
        | ExprKind::Power(a, _)
        | ExprKind::Test(_, a)
        | ExprKind::Narrow(a)
        | ExprKind::Widen(a)
        | ExprKind::Logic { a, .. } => certain(a, reads),
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => {
            certain(a, reads);
            certain(b, reads);
        }
        ExprKind::MulAdd(operands) | ExprKind::Clamp(operands) => operands.iter().for_each(|a| certain(a, reads)),
        _ => {}
    }
}
