//! Loops on a device whose bounds checks are hoisted.
//!
//! Each access checks its index. In a loop the index is computed from the counter in each
//! iteration. If it is linear in the counter, it runs from its first value to its last, and one
//! check of the last value covers all: `Course`. A loop without inner loops is then printed twice,
//! and a branch before it chooses. The second copy is the loop with checks, which runs if the check
//! fails. In that copy a thread traps at the access that is out of range, if it gets there.
//!
//! ```text
//! for k in 0..depth { s += a[row * depth + k] * b[k * width + col]; }
//!
//! if all of a[row * depth + k] and b[k * width + col] are in range {
//!     for k in 0..depth { … }     with unchecked views
//! } else {
//!     for k in 0..depth { … }     as before
//! }
//! ```
//!
//! A loop is printed twice only if all of its accesses can be checked before it. With a single
//! checked access left the compiler neither unrolls the loop nor moves anything out of it. An
//! access in an `if` cannot be checked before, since the `if` may guard an index that is out of
//! range.
//!
//! An access that the entry checks before the body (`range`) needs no check before the loop. In the
//! body with all checks it is checked before the loop like the others.
//!
//! The threads of a block must reach the same barrier. So before a loop with barriers they vote,
//! and all of them run the unchecked copy or all the checked one. Such a loop is printed twice even
//! if only some of its accesses can be checked before, since a barrier keeps the compiler from
//! unrolling it anyway. It may contain loops between two literals, which the compiler unrolls.
//! Indices that their counters change are checked at the access.
// Invariant: an unchecked view is used only where `Course` found its accesses to be in range.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::super::ast::{Binary, Block, Class, Count, Expr, ExprKind, Id, Loop, Row, Statement, StatementKind};
use super::super::names;
use super::super::scalar_type::Type;
use super::super::visit::{Part, Visit, all_in_expr, each_in_statement, walk_expr, walk_statement};
use super::{Printer, jumps};

impl Printer<'_> {
    /// Prints a `for` whose counter is the same for all threads, twice if its checks are hoisted.
    /// `print` prints the loop for its bounds.
    pub(super) fn hoisted(
        &self,
        counter: Id,
        [start, end]: [&Expr; 2],
        count: Count,
        body: &Loop,
        print: impl Fn(&TokenStream, &TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (kernel, [first, last]) = (&self.path, [start, end].map(|bound| self.scalar(bound)));
        let anywhere = print(&first, &last, &quote!());
        // The compiler unrolls a loop with known bounds, and then knows the indices.
        if count.inclusive || self.types.get(start.ty) != Type::USIZE || is_unrolled([start, end]) {
            return anywhere;
        }
        let Some(found) = Accesses::of(self, counter, &body.body) else {
            return anywhere;
        };
        let lets = &found.lets;
        let (mut asks, mut views, mut asks_all) = (TokenStream::new(), TokenStream::new(), true);
        for (&slice, indices) in &found.indices {
            let (name, view) = (self.name(slice), self.view(slice));
            views.extend(quote!(let #view = #name; let #view = unsafe { #view.unchecked_in_halves() };));
            for index in indices {
                let lanes = if !self.direct && index.class == Class::Lin {
                    quote!(<__Context as #kernel::Ctx>::LANES)
                } else {
                    quote!(1)
                };
                let course = |of: &Expr| {
                    let (counter, at) = (self.name(counter), self.index_of_one(of));
                    quote!(#kernel::Course::new(__start, __end, |#counter| { #(#lets)* #at }))
                };
                let ask = match &index.kind {
                    ExprKind::Row(place) => {
                        let (rows, row, column) = (self.checked_rows(place), course(&place.row), course(&place.column));
                        quote!(#column.is_in_rows(#rows, #row, #name.len(), #lanes))
                    }
                    _ => {
                        let course = course(index);
                        quote!(#course.is_within(#name.len(), #lanes))
                    }
                };
                if self.covered.borrow().contains(&std::ptr::from_ref::<Expr>(index)) {
                    asks.extend(quote!(& (__known | #ask)));
                } else {
                    (asks_all, asks) = (false, quote!(#asks & #ask));
                }
            }
        }
        // A thread of a pair seldom runs without the other, so the loop of that body is printed
        // once.
        let worth = (self.direct && !self.kernel.is_function()).then(|| quote!(!__at.alone &&));
        let mut within = quote!((true #asks));
        if found.synchronizes {
            // The user's tokens stay outside of `unsafe`.
            within = quote!({ let __within = #within; unsafe { #kernel::device::sync_threads_and(__within) } });
        }
        let before = asks_all.then(|| quote!(__known ||));
        let (start, end) = (quote!(__start), quote!(__end));
        let asked = print(&start, &end, &quote!());
        self.unchecked
            .borrow_mut()
            .extend(found.indices.values().flatten().map(|index| std::ptr::from_ref::<Expr>(index)));
        let known = self.unrolled(counter, body, &print);
        self.unchecked.borrow_mut().clear();
        quote! {
            #[cfg(target_arch = "nvptx64")]
            {
                let (__start, __end) = (#first, #last);
                if #before #worth __start < __end && #within {
                    let __known = true;
                    #views
                    #known
                } else {
                    #asked
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                #anywhere
            }
        }
    }

    /// Prints the views of the accesses that are checked before the body. On a device the views
    /// check nothing if `__known` is `true`.
    pub(super) fn covered_views(&self, slices: &BTreeSet<Id>) -> TokenStream {
        let views = slices.iter().map(|&slice| {
            let (name, view) = (self.name(slice), self.view(slice));
            quote! {
                let #view = #name;
                #[cfg(target_arch = "nvptx64")]
                let #view = unsafe { #view.unchecked_if(__known) };
            }
        });
        let known = (!slices.is_empty()).then(|| quote!(#[cfg(target_arch = "nvptx64")] let __known = __at.in_range;));
        quote!(#known #(#views)*)
    }

    /// Returns `true` if the access at this index was checked before the loop or before the body.
    pub(super) fn is_unchecked(&self, index: &Expr) -> bool {
        let index = std::ptr::from_ref(index);
        self.unchecked.borrow().contains(&index) || self.covered.borrow().contains(&index)
    }

    /// Prints a slice at an access.
    pub(super) fn accessed(&self, slice: Id, index: &Expr, span: Span) -> TokenStream {
        if !self.is_unchecked(index) {
            return self.name_at(slice, span);
        }
        let mut view = self.view(slice);
        view.set_span(span);
        quote!(#view)
    }

    /// Returns the variable of an unchecked view. It is the user's, like the slice, so that the
    /// compiler's messages point to an access.
    fn view(&self, slice: Id) -> Ident {
        let name = &self.kernel.variables[slice].unique;
        Ident::new(&format!("{}_known", names::text(name)), name.span())
    }

    /// Prints the index of a group's first thread.
    fn index_of_one(&self, index: &Expr) -> TokenStream {
        if self.direct || index.class == Class::Uniform {
            return self.scalar(index);
        }
        let index = self.in_class(index, Class::Lin);
        quote!((#index).0)
    }
}

/// Returns `true` if the compiler unrolls a loop with these bounds.
fn is_unrolled(bounds: [&Expr; 2]) -> bool {
    bounds.iter().all(|bound| matches!(bound.kind, ExprKind::Int(_)))
}

/// The accesses in each iteration of a loop whose indices are linear in its counter.
struct Accesses<'p, 'k, 'a> {
    printer: &'p Printer<'k>,
    counter: Id,
    /// The variables that the loop assigns or declares.
    changed: BTreeSet<Id>,
    /// The `let`s of variables that are linear in the counter.
    lets: Vec<TokenStream>,
    /// The degree of those variables in the counter, 0 or 1.
    degrees: BTreeMap<Id, usize>,
    indices: BTreeMap<Id, Vec<&'a Expr>>,
    /// `true` if there are barriers.
    synchronizes: bool,
    /// `true` if an index changes with the counter.
    moves: bool,
    /// `true` if all threads that began the iteration are still in it.
    all: bool,
}

impl<'p, 'k, 'a> Accesses<'p, 'k, 'a> {
    /// Collects the accesses of a body. `None` if no index changes with the counter, or if some
    /// access of a body without barriers cannot be checked before.
    fn of(printer: &'p Printer<'k>, counter: Id, body: &'a Block) -> Option<Self> {
        let (mut changed, mut once, mut accesses) = (BTreeSet::new(), false, 0);
        let (mut synchronizes, mut nests) = (false, false);
        let mut see = |part: Part<'_>| {
            let statement = match part {
                Part::Statement(statement) => statement,
                Part::Expr(e) => {
                    accesses += usize::from(matches!(e.kind, ExprKind::Load { .. }));
                    return;
                }
            };
            match &statement.kind {
                StatementKind::Let(id, _)
                | StatementKind::LetArray(id, _)
                | StatementKind::LetRepeat(id, _)
                | StatementKind::Assign { to: id, .. }
                | StatementKind::AssignElement { array: id, .. } => _ = changed.insert(*id),
                StatementKind::LetCall { to, .. } => changed.extend(to.leaves().into_iter().copied()),
                StatementKind::Store { .. } => accesses += 1,
                StatementKind::For { counter, start, end, step: None, .. } if is_unrolled([start, end]) => {
                    nests = true;
                    changed.insert(*counter);
                }
                StatementKind::Sync => synchronizes = true,
                StatementKind::Vote(result, ..) => {
                    synchronizes = true;
                    changed.insert(*result);
                }
                StatementKind::For { .. } | StatementKind::While(..) | StatementKind::Atomic(_) => once = true,
                StatementKind::If(..)
                | StatementKind::Break(_)
                | StatementKind::Continue(_)
                | StatementKind::Return(..)
                | StatementKind::Block(_) => {}
            }
        };
        body.statements.iter().for_each(|statement| each_in_statement(statement, &mut see));
        if once || nests && !synchronizes || changed.contains(&counter) {
            return None;
        }
        let mut found = Self {
            printer,
            counter,
            changed,
            lets: Vec::new(),
            degrees: BTreeMap::new(),
            indices: BTreeMap::new(),
            synchronizes,
            moves: false,
            all: true,
        };
        found.block(body);
        let all = found.indices.values().map(Vec::len).sum::<usize>() == accesses;
        (found.moves && (all || synchronizes)).then_some(found)
    }

    /// Returns the degree of an index in the counter, 0 or 1. `None` if the index is not a sum of
    /// products of loop-invariant factors and at most one counter.
    fn degree(&self, e: &Expr) -> Option<usize> {
        let printer = self.printer;
        if printer.types.get(e.ty) != Type::USIZE || !printer.direct && e.class > Class::Lin {
            return None;
        }
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Length(_) => Some(0),
            ExprKind::Variable(id) if *id == self.counter => Some(1),
            ExprKind::Variable(id) if self.changed.contains(id) => self.degrees.get(id).copied(),
            ExprKind::Variable(_) => Some(0),
            ExprKind::Cast(a) => self.degree(a),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.degree(a)?, self.degree(b)?);
                match op {
                    Binary::Add => Some(a.max(b)),
                    // An index that goes down is not checked before.
                    Binary::Sub => Some(a).filter(|_| b == 0),
                    Binary::Mul => Some(a + b).filter(|degree| *degree <= 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the degree of a place, whose rows and columns are checked one by one.
    fn degree_of_place(&self, e: &Expr) -> Option<usize> {
        match &e.kind {
            ExprKind::Row(place) => {
                let Row { row, rows, width, column } = &**place;
                // The check stands before the loop, where the loop's variables do not exist.
                let is_changed = |id: &Id| self.changed.contains(id);
                let is_outside = |part: Part<'_>| !matches!(part, Part::Expr(Expr { kind: ExprKind::Variable(id), .. }) if is_changed(id));
                let unchanged = |e: &Expr| self.degree(e) == Some(0) && all_in_expr(e, is_outside);
                if !unchanged(width) || !rows.as_ref().is_none_or(unchanged) {
                    return None;
                }
                Some(self.degree(row)?.max(self.degree(column)?))
            }
            _ => self.degree(e),
        }
    }

    fn access(&mut self, slice: Id, index: &'a Expr) {
        let printer = self.printer;
        let one_by_one = !printer.direct && index.class > Class::Lin;
        // A slice of a narrow format counts bytes, or numbers. It checks each access.
        if !self.all || one_by_one || printer.kernel.variables[slice].stored.is_some() {
            return;
        }
        if let Some(degree) = self.degree_of_place(index) {
            self.moves |= degree == 1;
            self.indices.entry(slice).or_default().push(index);
        }
    }
}

impl<'a> Visit<'a> for Accesses<'_, '_, 'a> {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::If(condition, ..) => self.expr(condition),
            StatementKind::Store { slice, index, .. } => {
                walk_statement(self, statement);
                // If several threads write to one place, they write one by one.
                if self.printer.direct || index.class == Class::Lin {
                    self.access(*slice, index);
                }
            }
            StatementKind::Let(id, value) => {
                self.expr(value);
                if !self.printer.kernel.variables[*id].mutable
                    && let Some(degree) = self.degree(value)
                {
                    let (name, value) = (self.printer.name(*id), self.printer.value_for(*id, value));
                    self.lets.push(quote!(let #name = #value;));
                    self.degrees.insert(*id, degree);
                }
            }
            _ => walk_statement(self, statement),
        }
        // Threads that have left access nothing.
        self.all &= !jumps::any_in(statement);
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::If(condition, ..) => self.expr(condition),
            ExprKind::Logic { a, .. } => self.expr(a),
            ExprKind::Load { slice, index, .. } => {
                walk_expr(self, e);
                self.access(*slice, index);
            }
            _ => walk_expr(self, e),
        }
    }
}
