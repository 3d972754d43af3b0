//! Kernels with barriers or shared memory on the CPU, block by block.
//!
//! The frame (see `frame`) runs once for a block. Each phase between two of its statements runs for
//! all groups of the block before the frame goes on. A phase for the first threads only runs for
//! the first groups only. A variable that phases share is saved between them, one value per group.
//! A condition or a loop bound that depends on such variables is computed by every group like a
//! phase. The block follows its last group, and so all groups, since barriers stand only where the
//! whole block takes the same path (`classes`).
//!
//! ```text
//! let mut sum = 0.0;                for g in groups { let mut sum = 0.0; saved[g] = sum; }
//! for k in 0..n {                   for k in 0..n {
//!     tile[l] = x[t + k * w];           for g in groups { tile[l] = …; }
//!     sync_threads();
//!     for i in 0..8 { sum += … }        for g in groups { let mut sum = saved[g];
//! }                                                       for i in 0..8 { … } saved[g] = sum; }
//!                                   }
//! ```
//!
//! Groups that run at the same time would need threads of the operating system. A mask for a whole
//! block would need more registers than any CPU has.
// Invariant: a block's memory outlives its threads. Between barriers they write their own elements or are in `unsafe`, and they read no unset element.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::ast::{
    Block, Class, DimOf, Expr, ExprKind, Id, Index, IndexOf, Kernel, Kind, Statement, StatementKind, Vote,
};
use super::super::visit::{self, Part, Visit};
use super::Printer;
use super::frame::Frame;
use super::scalar::{label, range};

/// Returns `true` if the kernel runs block by block.
pub(super) fn in_blocks(kernel: &Kernel) -> bool {
    kernel.synchronizes || kernel.variables.iter().any(|v| matches!(v.kind, Kind::Shared(_)))
}

/// Returns `true` if a parameter is the index of a block, an index in a block, or the size of a
/// block.
pub(super) fn names_blocks(kernel: &Kernel) -> bool {
    kernel.all_parameters().any(|id| match kernel.variables[id].kind {
        Kind::Index(index) => index.of != IndexOf::Thread,
        Kind::Dim(dim) => dim.of == DimOf::Block,
        _ => false,
    })
}

impl<'k> Printer<'k> {
    /// Prints the body for a block, `__block`.
    pub(super) fn block_body(&self) -> TokenStream {
        let kernel = &self.path;
        let mut lets = TokenStream::new();
        for id in self.kernel.all_parameters() {
            let (v, name) = (&self.kernel.variables[id], self.name(id));
            match v.kind {
                Kind::Index(index) if index.of != IndexOf::Block => {}
                Kind::Index(index) => {
                    let value = self.index(index);
                    lets.extend(quote!(let #name = #value;));
                }
                Kind::Dim(dim) => {
                    let value = super::dim_value(dim);
                    lets.extend(quote!(let #name = #value;));
                }
                _ => {
                    let value = self.argument(id);
                    lets.extend(quote!(let #name = #value;));
                }
            }
        }
        let frame = Frame::new(self.kernel);
        let lanes = if self.direct { quote!(1) } else { quote!(<__Context as #kernel::Ctx>::LANES) };
        for id in self.shared_arrays() {
            let (name, memory, filled) = (self.name(id), self.shared(id), self.is_filled(id, &frame, &lanes));
            let (held, length) = (self.held_type(id, &self.element), self.length(id));
            lets.extend(quote! {
                let mut #memory = #kernel::InLines::<#held, { #length }>::unset();
                let #name = unsafe { #kernel::InLines::of_block(&mut #memory, #filled) };
            });
        }
        let body = if self.kernel.synchronizes { self.phases(&frame) } else { self.one_phase() };
        quote! {
            let __at = #kernel::Block::at(&__block);
            let __group_count = #kernel::Block::groups(&__block, #lanes);
            #lets
            #body
        }
    }

    /// Prints the body of a kernel without barriers, for one group after another. A `return` ends
    /// the iteration of a thread.
    fn one_phase(&self) -> TokenStream {
        let indices = self.indices(|_| true);
        self.in_round.set(true);
        let (run, returns) = if self.direct {
            (self.direct_block(&self.kernel.body), TokenStream::new())
        } else {
            (self.masked_block(&self.kernel.body, None), self.declare_returned())
        };
        self.in_round.set(false);
        let round = self.round_label();
        self.for_groups(&indices, None, &quote!(#round: { #returns #run }))
    }

    fn phases(&self, frame: &Frame<'k>) -> TokenStream {
        let kernel = &self.path;
        let mut shown = Shown { frame, variables: Vec::new() };
        shown.block(&self.kernel.body);
        let saved = shown.variables;
        let declarations = saved.iter().map(|&id| {
            let saved = self.saved(id);
            quote!(let mut #saved = #kernel::Saved::new(__group_count);)
        });
        let body = Phases { printer: self, frame }.frame(&self.kernel.body.statements, &mut Vec::new());
        quote!(#(#declarations)* #body)
    }

    /// Prints the loop over groups. The code `run` finds the group's first thread in `__at` and its
    /// number in `__group`, and runs for all of its threads or for those that exist. `idle` is a
    /// condition under which a group and all groups after it along x have nothing to do.
    fn for_groups(&self, indices: &TokenStream, idle: Option<&TokenStream>, run: &TokenStream) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        if self.direct {
            return quote! {
                for __group in 0..__group_count {
                    let __at = #kernel::Block::thread(&__block, __group);
                    #indices
                    #run
                }
            };
        }
        let lanes = quote!(<__Context as #kernel::Ctx>::LANES);
        let leave = idle.map(|idle| quote!(if #idle { __run.rest = false; break; }));
        quote! {
            let mut __runs = #kernel::Block::runs(&__block, #lanes);
            while let ::core::option::Option::Some(mut __run) = #kernel::Runs::following(&mut __runs) {
                while __run.whole != 0 {
                    let (__at, __group) = (__run.at, __run.group);
                    let #x = #kernel::All;
                    #indices
                    #leave
                    #run
                    #kernel::Run::step(&mut __run, #lanes);
                }
                if __run.rest {
                    let (__at, __group) = (__run.at, __run.group);
                    let #x = #kernel::Masked(#kernel::Block::existing(&__block, #cx, __at));
                    #indices
                    #run
                }
            }
        }
    }

    /// Prints the `let`s of the group's indices for which `asked` returns `true`.
    fn indices(&self, asked: impl Fn(Id) -> bool) -> TokenStream {
        let mut lets = TokenStream::new();
        for id in self.kernel.all_parameters().filter(|&id| asked(id)) {
            if let Kind::Index(index) = self.kernel.variables[id].kind
                && index.of != IndexOf::Block
            {
                let (name, value) = (self.name(id), self.index(index));
                lets.extend(quote!(let #name = #value;));
            }
        }
        lets
    }

    /// Returns the variable that saves a variable of each group between phases.
    fn saved(&self, id: Id) -> Ident {
        self.internal(&format!("__saved_{id}"))
    }

    /// Returns the variable with the memory of a shared array.
    fn shared(&self, id: Id) -> Ident {
        self.internal(&format!("__shared_{id}"))
    }
}

/// Finds the variables that phases declare in the scope of the frame. Those in inner scopes of a
/// phase are not among them.
struct Shown<'f, 'k> {
    frame: &'f Frame<'k>,
    variables: Vec<Id>,
}

impl<'a> Visit<'a> for Shown<'_, '_> {
    fn statement(&mut self, statement: &'a Statement) {
        if self.frame.owns(statement) {
            visit::walk_statement(self, statement);
        } else {
            self.variables.extend(declared(statement));
        }
    }

    /// The variables in a value are in an inner scope.
    fn expr(&mut self, _: &'a Expr) {}
}

/// The work of a phase.
enum Run<'a> {
    Statements(&'a [Statement]),
    /// Values for the frame, with the names of the results.
    Values(&'a [(Ident, &'a Expr)]),
    /// A vote: the name of the result, the operation, and a thread's vote.
    Vote(TokenStream, Vote, &'a Expr),
}

/// The printer of the frame and its phases.
struct Phases<'a, 'k> {
    printer: &'a Printer<'k>,
    frame: &'a Frame<'k>,
}

impl Phases<'_, '_> {
    /// Prints statements of the frame, and the phases between them. `known` are the saved variables
    /// that have a value.
    fn frame(&self, statements: &[Statement], known: &mut Vec<Id>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut rest = statements;
        while let Some((first, after)) = rest.split_first() {
            if self.frame.owns(first) {
                tokens.extend(self.frame_statement(first, known));
                rest = after;
                continue;
            }
            let count = rest.iter().take_while(|s| !self.frame.owns(s)).count();
            let (phase, after) = rest.split_at(count);
            tokens.extend(self.phase(&Run::Statements(phase), known));
            known.extend(phase.iter().flat_map(declared));
            rest = after;
        }
        tokens
    }

    fn frame_block(&self, block: &Block, known: &[Id]) -> TokenStream {
        // Variables that are declared inside have no value outside.
        self.frame(&block.statements, &mut known.to_vec())
    }

    fn frame_statement(&self, statement: &Statement, known: &[Id]) -> TokenStream {
        let printer = self.printer;
        match &statement.kind {
            // The phase before has run for every group.
            StatementKind::Sync => TokenStream::new(),
            StatementKind::Vote(result, vote, value) => {
                let ty = printer.rust_type(vote.returns());
                let (name, first) = (printer.name(*result), if *vote == Vote::And { quote!(!) } else { quote!() });
                let run = self.phase(&Run::Vote(name.clone(), *vote, value), known);
                quote!(let mut #name = #first <#ty as ::core::default::Default>::default(); #run)
            }
            StatementKind::If(condition, then, otherwise) => {
                let (before, [condition]) = self.values([condition], known);
                let then = self.frame_block(then, known);
                let otherwise = otherwise.as_ref().map(|b| {
                    let b = self.frame_block(b, known);
                    quote!(else { #b })
                });
                quote!(#before if #condition { #then } #otherwise)
            }
            StatementKind::For { counter, start, end, step, count, body } => {
                let (before, range) = match step {
                    None => {
                        let (before, [start, end]) = self.values([start, end], known);
                        (before, range(*count, &start, &end, None))
                    }
                    Some(step) => {
                        let (before, [start, end, step]) = self.values([start, end, step], known);
                        (before, range(*count, &start, &end, Some(&step)))
                    }
                };
                let (name, label) = (printer.name(*counter), label(body));
                let body = self.frame_block(&body.body, known);
                quote!(#before #label for #name in #range { #body })
            }
            StatementKind::While(condition, body) => {
                let leave = condition.as_ref().map(|condition| {
                    let (before, [condition]) = self.values([condition], known);
                    quote!(#before if !#condition { break; })
                });
                let (label, body) = (label(body), self.frame_block(&body.body, known));
                quote!(#label loop { #leave #body })
            }
            StatementKind::Block(block) => {
                let block = self.frame_block(block, known);
                quote!({ #block })
            }
            _ => self.statements(core::slice::from_ref(statement)),
        }
    }

    /// Returns the code that computes values for the frame, empty if the frame computes them
    /// itself, and the names of the values.
    fn values<const N: usize>(&self, values: [&Expr; N], known: &[Id]) -> (TokenStream, [TokenStream; N]) {
        if values.iter().all(|value| self.frame.computes(value)) {
            return (TokenStream::new(), values.map(|value| self.printer.scalar(value)));
        }
        let mut number = 0;
        let named = values.map(|value| {
            number += 1;
            (self.printer.internal(&format!("__asked_{number}")), value)
        });
        let lets = named.iter().map(|(name, value)| {
            let ty = self.printer.rust_type(self.printer.types.get(value.ty));
            quote!(let mut #name = <#ty as ::core::default::Default>::default();)
        });
        let lets = quote!(#(#lets)*);
        let run = self.phase(&Run::Values(&named), known);
        (quote!(#lets #run), named.map(|(name, _)| quote!(#name)))
    }

    fn statements(&self, statements: &[Statement]) -> TokenStream {
        let block = Block { statements: statements.to_vec(), tail: None };
        if self.printer.direct { self.printer.direct_block(&block) } else { self.printer.masked_block(&block, None) }
    }

    /// Prints a phase for every group: the indices, the saved variables, the work, and the changed
    /// variables.
    fn phase(&self, run: &Run<'_>, known: &[Id]) -> TokenStream {
        let (printer, kernel) = (self.printer, &self.printer.path);
        let Touched { used, changed } = Touched::by(run);
        let idle = self.idle(run);
        let indices = printer.indices(|id| used.contains(&id));
        let restored: Vec<_> = known.iter().copied().filter(|id| used.contains(id)).collect();
        let restore = restored.iter().map(|&id| {
            let (binding, saved) = (printer.binding(id), printer.saved(id));
            quote!(let #binding = #kernel::Saved::get(&#saved, __group);)
        });
        let restore = quote!(#(#restore)*);
        let (run, new) = match run {
            Run::Statements(statements) => {
                (self.statements(statements), statements.iter().flat_map(declared).collect())
            }
            Run::Values(values) => {
                let values = values.iter().map(|(name, value)| {
                    let value = printer.scalar(value);
                    quote!(#name = #value;)
                });
                (quote!(#(#values)*), Vec::new())
            }
            Run::Vote(name, vote, value) => (printer.voted(name, *vote, value), Vec::new()),
        };
        let keep = restored.iter().filter(|id| changed.contains(id)).chain(&new).map(|&id| {
            let (name, saved) = (printer.name(id), printer.saved(id));
            quote!(#kernel::Saved::set(&mut #saved, __group, #name);)
        });
        let keep = quote!(#(#keep)*);
        printer.for_groups(&indices, idle.as_ref(), &quote!(#restore #run #keep))
    }

    /// Prints a condition under which a group and all groups after it have nothing to do, for a
    /// phase `if l < step { … }` whose bound the frame computes. `None` for any other phase.
    ///
    /// In a sum over a block most iterations are for fewer threads than a group has.
    fn idle(&self, run: &Run<'_>) -> Option<TokenStream> {
        let Run::Statements([Statement { kind: StatementKind::If(condition, _, None), .. }]) = run else { return None };
        let ExprKind::Compare(op, index, bound) = &condition.kind else { return None };
        let ExprKind::Variable(id) = index.kind else { return None };
        let Kind::Index(Index { axis: 0, .. }) = self.printer.kernel.variables[id].kind else { return None };
        let beyond = match *op {
            "Lt" => quote!(Ge),
            "Le" | "Eq" => quote!(Gt),
            _ => return None,
        };
        if index.class != Class::Lin || !self.frame.computes(bound) {
            return None;
        }
        let (kernel, first, bound) = (&self.printer.path, self.printer.name(id), self.printer.scalar(bound));
        Some(quote!(<usize as #kernel::Scalar>::cmp(#kernel::Cmp::#beyond, #first.0, #bound)))
    }
}

/// Returns the variables that a statement declares.
fn declared(statement: &Statement) -> Vec<Id> {
    match &statement.kind {
        StatementKind::Let(id, _) | StatementKind::LetArray(id, _) | StatementKind::LetRepeat(id, _) => vec![*id],
        StatementKind::LetCall { to, .. } => to.leaves().into_iter().copied().collect(),
        StatementKind::Atomic(atomic) => atomic.old.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The variables in a phase, and those that it changes.
#[derive(Default)]
struct Touched {
    used: BTreeSet<Id>,
    changed: BTreeSet<Id>,
}

impl Touched {
    fn by(run: &Run<'_>) -> Self {
        let mut touched = Self::default();
        let mut see = |part: Part<'_>| touched.see(part);
        match run {
            Run::Statements(statements) => statements.iter().for_each(|s| visit::each_in_statement(s, &mut see)),
            Run::Values(values) => values.iter().for_each(|(_, value)| visit::each_in_expr(value, &mut see)),
            Run::Vote(_, _, value) => visit::each_in_expr(value, &mut see),
        }
        touched
    }

    fn see(&mut self, part: Part<'_>) {
        match part {
            Part::Statement(Statement {
                kind: StatementKind::Assign { to: id, .. } | StatementKind::AssignElement { array: id, .. },
                ..
            }) => {
                self.used.insert(*id);
                self.changed.insert(*id);
            }
            Part::Expr(Expr { kind: ExprKind::Variable(id) | ExprKind::Element(id, _), .. }) => {
                self.used.insert(*id);
            }
            _ => {}
        }
    }
}
