//! Loops on a device whose accesses were asked about in front of them.
//!
//! Whether there is such an element is asked at each access, of an index that a loop's counter makes in each of its rounds. Where the index is
//! linear in the counter it goes from its first value to its last, so that the question about all of them is one about the last: `Course`. A
//! loop without other loops stands twice then, and a branch in front of it chooses. The second one is the loop as it is everywhere
//! else, and runs where the answer is no; there a thread traps at the access that is out of range, if it gets there.
//!
//! ```text
//! for k in 0..depth {                        if all of a[row * depth + k] and b[k * width + col] are in range {
//!     s += a[row * depth + k]                    for k in 0..depth { … }     with views that do not ask
//!        * b[k * width + col];               } else {
//! }                                              for k in 0..depth { … }     as before
//!                                            }
//! ```
//!
//! A loop stands twice if all of its accesses can be asked about. One that may still trap gains little: it is not unrolled, and nothing moves out of
//! it. Those in an `if`, which may be there for an index that is out of range, cannot.
//!
//! The threads of a block have to arrive at the same barrier. So in front of a loop with barriers they vote, and all of them run the copy that
//! does not ask, or all the other one. Such a loop stands twice even if only some of its accesses can be asked about, since a barrier keeps it from
//! being unrolled either way. It may contain loops from a number to a number, which the compiler unrolls; what their counters move is
//! asked about where it is accessed.
// Invariant: a view whose accesses do not ask is used where `Course` said that they are in range, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::super::ast::{Binary, Block, Class, Count, Expr, ExprKind, Id, Loop, Row, Statement, StatementKind, Type};
use super::super::visit::{Part, Visit, all_in_expr, each_in_statement, walk_expr, walk_statement};
use super::{Printer, jumps};

impl Printer<'_> {
    /// A `for` over a counter that is the same for all threads: what `print` makes of its bounds, which may stand twice.
    pub(super) fn hoisted(
        &self,
        counter: Id,
        [start, end]: [&Expr; 2],
        count: Count,
        body: &Loop,
        print: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (kernel, [first, last]) = (&self.path, [start, end].map(|bound| self.scalar(bound)));
        let anywhere = print(&first, &last);
        // The compiler unrolls a loop whose rounds it knows, and then knows the indices.
        if count.inclusive || self.types.get(start.ty) != Type::USIZE || is_unrolled([start, end]) {
            return anywhere;
        }
        let Some(found) = Accesses::of(self, counter, &body.body) else {
            return anywhere;
        };
        let lets = &found.lets;
        let (mut asks, mut views) = (TokenStream::new(), TokenStream::new());
        for (&slice, indices) in &found.indices {
            let (name, view) = (self.name(slice), self.view(slice));
            views.extend(quote!(let #view = #name; let #view = unsafe { #kernel::InRange::new(#view) };));
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
                asks.extend(match &index.kind {
                    ExprKind::Row(place) => {
                        let (rows, row, column) = (self.rows(place), course(&place.row), course(&place.column));
                        quote!(& #column.is_in_rows(#rows, #row, #name.len(), #lanes))
                    }
                    _ => {
                        let course = course(index);
                        quote!(& #course.is_within(#name.len(), #lanes))
                    }
                });
            }
        }
        // A thread of a pair seldom runs without the other one, so the loop of that body stands once.
        let worth = (self.direct && !self.kernel.is_function()).then(|| quote!(!__at.alone &&));
        let mut within = quote!((true #asks));
        if found.synchronizes {
            // The user's own tokens stay outside of `unsafe`.
            within = quote!({ let __within = #within; unsafe { #kernel::device::sync_threads_and(__within) } });
        }
        let (start, end) = (quote!(__start), quote!(__end));
        let asked = print(&start, &end);
        self.known.borrow_mut().extend(found.indices.values().flatten().map(|index| std::ptr::from_ref::<Expr>(index)));
        let known = print(&start, &end);
        self.known.borrow_mut().clear();
        quote! {
            #[cfg(target_arch = "nvptx64")]
            {
                let (__start, __end) = (#first, #last);
                if #worth __start < __end && #within {
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

    /// Whether the access at this index was asked about.
    pub(super) fn is_known(&self, index: &Expr) -> bool {
        self.known.borrow().contains(&std::ptr::from_ref(index))
    }

    /// A slice where it is accessed.
    pub(super) fn accessed(&self, slice: Id, index: &Expr, span: Span) -> TokenStream {
        if !self.is_known(index) {
            return self.name_at(slice, span);
        }
        let view = self.view(slice);
        quote!(#view)
    }

    /// The slice whose accesses were asked about.
    fn view(&self, slice: Id) -> Ident {
        self.internal(&format!("__known_{slice}"))
    }

    /// An index, of a group's first thread.
    fn index_of_one(&self, index: &Expr) -> TokenStream {
        if self.direct || index.class == Class::Uniform {
            return self.scalar(index);
        }
        let index = self.in_class(index, Class::Lin);
        quote!((#index).0)
    }
}

/// Whether the compiler unrolls a loop with these bounds.
fn is_unrolled(bounds: [&Expr; 2]) -> bool {
    bounds.iter().all(|bound| matches!(bound.kind, ExprKind::Int(_)))
}

/// The accesses of each round of a loop whose indices are linear in its counter.
struct Accesses<'p, 'k, 'a> {
    printer: &'p Printer<'k>,
    counter: Id,
    /// What the loop assigns to or declares.
    changed: BTreeSet<Id>,
    /// The variables of a round that are linear, as they are printed.
    lets: Vec<TokenStream>,
    /// How often the counter is a factor of those variables: not, or once.
    degrees: BTreeMap<Id, usize>,
    indices: BTreeMap<Id, Vec<&'a Expr>>,
    /// Whether there are barriers.
    synchronizes: bool,
    /// Whether one changes with the counter.
    moves: bool,
    /// Whether all threads that began the round are still in it.
    all: bool,
}

impl<'p, 'k, 'a> Accesses<'p, 'k, 'a> {
    /// Those of a body, if one of them moves and they are all, or all that a body with barriers has of the kind.
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

    /// How often the counter is a factor of an index, if that is not more than once: then it is a sum of products of what no round changes.
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
                    // What goes down is not asked about.
                    Binary::Sub => Some(a).filter(|_| b == 0),
                    Binary::Mul => Some(a + b).filter(|degree| *degree <= 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The same of a place, whose rows and columns are asked about one by one.
    fn degree_of_place(&self, e: &Expr) -> Option<usize> {
        match &e.kind {
            ExprKind::Row(place) => {
                let Row { row, rows, width, column } = &**place;
                // They are asked about in front of the loop, where its variables are not.
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
        // Of a format that is converted a slice counts bytes, or numbers. It asks at each access.
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
                // What several threads write to one place is written thread by thread.
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
        // Who is gone accesses nothing.
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
