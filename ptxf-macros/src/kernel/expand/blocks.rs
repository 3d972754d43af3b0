//! Kernels with barriers or shared memory, for the CPU: block by block.
//!
//! Barriers stand where all threads of a block go the same way. So does the code around them, the *frame*: uniform loops and
//! `if`s that contain a barrier, and what is uniform anyway. The rest is in *phases*, statements between two barriers, each
//! of which runs for all groups of the block before the frame goes on. A variable that a phase declares and another one uses
//! is saved in between, one value per group.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::ast::{Block, Class, Do, Expr, Id, Is, Kernel, Kind, Statement};
use super::{Printer, jumps};

/// Whether the kernel runs block by block.
pub(super) fn in_blocks(kernel: &Kernel) -> bool {
    kernel.synchronizes || kernel.variables.iter().any(|v| matches!(v.kind, Kind::Shared(_)))
}

impl Printer<'_> {
    /// The body for a block, `__block`.
    pub(super) fn block_body(&self) -> TokenStream {
        let kernel = &self.path;
        let mut lets = TokenStream::new();
        for &id in &self.kernel.parameters {
            let (v, name) = (&self.kernel.variables[id], self.name(id));
            match v.kind {
                Kind::Index(index) if index.of != super::IndexOf::Block => {}
                Kind::Index(index) => {
                    let value = self.index(index);
                    lets.extend(quote!(let #name = #value;));
                }
                _ => {
                    let field = &v.name;
                    lets.extend(quote!(let #name = self.#field;));
                }
            }
        }
        for (id, v) in self.kernel.variables.iter().enumerate() {
            let name = self.name(id);
            if let Kind::Shared(_) = v.kind {
                let (held, length, memory) = (self.held(id, &self.element), self.length(id), self.saved("shared", id));
                lets.extend(quote! {
                    let mut #memory = [<#held as ::core::default::Default>::default(); #length];
                    let #name = #kernel::Out::of_launch(&mut #memory[..]);
                });
            }
        }
        let saved = self.framed(&self.kernel.body);
        let declarations = saved.iter().map(|&id| {
            let saved = self.saved("saved", id);
            quote!(let mut #saved = #kernel::Saved::new();)
        });
        let mut known = Vec::new();
        let frame = self.frame(&self.kernel.body.statements, &mut known);
        let lanes = if self.direct { quote!(1) } else { quote!(<__C as #kernel::Ctx>::LANES) };
        quote! {
            let __at = __block.at();
            let __groups = __block.groups(#lanes);
            #lets
            #(#declarations)*
            #frame
        }
    }

    fn saved(&self, what: &str, id: Id) -> Ident {
        self.internal(&format!("__{what}_{id}"))
    }

    /// The variables that phases declare at the level of the frame.
    fn framed(&self, block: &Block) -> Vec<Id> {
        let mut found = Vec::new();
        for statement in &block.statements {
            match &statement.kind {
                _ if self.is_frame(statement) => match &statement.kind {
                    Do::If(_, then, otherwise) => {
                        found.extend(self.framed(then));
                        found.extend(otherwise.iter().flat_map(|b| self.framed(b)));
                    }
                    Do::For { body, .. } | Do::While(_, body) => found.extend(self.framed(&body.body)),
                    Do::Block(block) => found.extend(self.framed(block)),
                    _ => {}
                },
                Do::Let(id, _) | Do::LetArray(id, _) | Do::LetRepeat(id, _) => found.push(*id),
                _ => {}
            }
        }
        found
    }

    /// Whether the statement belongs to the frame.
    fn is_frame(&self, statement: &Statement) -> bool {
        let uniform = |id: Id| self.kernel.variables[id].class == Class::Uniform;
        match &statement.kind {
            Do::Sync | Do::Break(_) | Do::Continue(_) | Do::Return(..) => true,
            Do::Let(id, _) | Do::LetArray(id, _) | Do::LetRepeat(id, _) => uniform(*id),
            Do::Assign { to, .. } => uniform(*to),
            Do::AssignElement { array, .. } => uniform(*array),
            Do::Store { .. } => false,
            Do::If(_, then, otherwise) => {
                let (a, b) = (frames(then), otherwise.as_ref().is_some_and(frames));
                a || b
            }
            Do::For { body, .. } | Do::While(_, body) => synchronizes(&body.body),
            Do::Block(block) => frames(block),
        }
    }

    /// Statements of the frame, and phases between them. `known` are the saved variables that have a value.
    fn frame(&self, statements: &[Statement], known: &mut Vec<Id>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut rest = statements;
        while let Some((first, after)) = rest.split_first() {
            if self.is_frame(first) {
                tokens.extend(self.frame_statement(first, known));
                rest = after;
                continue;
            }
            let count = rest.iter().take_while(|s| !self.is_frame(s)).count();
            let (phase, after) = rest.split_at(count);
            tokens.extend(self.phase(phase, known));
            rest = after;
        }
        tokens
    }

    fn frame_block(&self, block: &Block, known: &[Id]) -> TokenStream {
        // What is declared inside is not known outside.
        self.frame(&block.statements, &mut known.to_vec())
    }

    fn frame_statement(&self, statement: &Statement, known: &[Id]) -> TokenStream {
        match &statement.kind {
            // The phase before it has run for every group.
            Do::Sync => TokenStream::new(),
            Do::If(condition, then, otherwise) => {
                let (condition, then) = (self.scalar(condition), self.frame_block(then, known));
                let otherwise = otherwise.as_ref().map(|b| {
                    let b = self.frame_block(b, known);
                    quote!(else { #b })
                });
                quote!(if #condition { #then } #otherwise)
            }
            Do::For { counter, start, end, inclusive, body } => {
                let (name, start, end) = (self.name(*counter), self.scalar(start), self.scalar(end));
                let range = if *inclusive { quote!(#start..=#end) } else { quote!(#start..#end) };
                let body = self.frame_block(&body.body, known);
                quote!(for #name in #range { #body })
            }
            Do::While(condition, body) => {
                let condition = condition.as_ref().map_or(quote!(true), |c| self.scalar(c));
                let body = self.frame_block(&body.body, known);
                quote!(while #condition { #body })
            }
            Do::Block(block) => {
                let block = self.frame_block(block, known);
                quote!({ #block })
            }
            _ => self.statement(statement),
        }
    }

    /// A statement for all threads of the group.
    fn statement(&self, statement: &Statement) -> TokenStream {
        let block = Block { statements: vec![statement.clone()], tail: None };
        self.statements(&block)
    }

    fn statements(&self, block: &Block) -> TokenStream {
        if self.direct { self.direct_block(block) } else { self.lanes_block(block, None) }
    }

    fn phase(&self, statements: &[Statement], known: &mut Vec<Id>) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let mut used = BTreeSet::new();
        for statement in statements {
            uses::statement(statement, &mut used);
        }
        let mut indices = TokenStream::new();
        for &id in &self.kernel.parameters {
            if let Kind::Index(index) = self.kernel.variables[id].kind
                && index.of != super::IndexOf::Block
            {
                let (name, value) = (self.name(id), self.index(index));
                indices.extend(quote!(let #name = #value;));
            }
        }
        let restored: Vec<_> = known.iter().copied().filter(|id| used.contains(id)).collect();
        let restore = restored.iter().map(|&id| {
            let (binding, saved) = (self.binding(id), self.saved("saved", id));
            quote!(let #binding = #saved.get(__g);)
        });
        let declared: Vec<_> = statements
            .iter()
            .filter_map(|s| match &s.kind {
                Do::Let(id, _) | Do::LetArray(id, _) | Do::LetRepeat(id, _) => Some(*id),
                _ => None,
            })
            .collect();
        // A later variable of the same name hides an earlier one, which then keeps what it was.
        let hidden = |id: &Id| declared.iter().any(|d| d > id && self.same_name(*d, *id));
        let keep = restored.iter().chain(&declared).filter(|id| !hidden(id)).map(|&id| {
            let (name, saved) = (self.name(id), self.saved("saved", id));
            quote!(#saved.set(__g, #name);)
        });
        let block = Block { statements: statements.to_vec(), tail: None };
        debug_assert!(!jumps::in_block(&block).returns, "refused before");
        let run = self.statements(&block);
        let tokens = if self.direct {
            quote! {
                for __g in 0..__groups {
                    let __at = __block.thread(__g);
                    #indices
                    #(#restore)*
                    #run
                    #(#keep)*
                }
            }
        } else {
            quote! {
                for __g in 0..__groups {
                    let (__at, __m) = __block.group(#cx, __g);
                    let #x = #kernel::Masked(__m);
                    #indices
                    #(#restore)*
                    #run
                    #(#keep)*
                }
            }
        };
        known.extend(declared);
        tokens
    }

    fn same_name(&self, a: Id, b: Id) -> bool {
        self.kernel.variables[a].name == self.kernel.variables[b].name
    }
}

/// Whether the block contains a barrier, or a jump out of it.
fn frames(block: &Block) -> bool {
    synchronizes(block) || block.statements.iter().any(|s| jumps(s, 0))
}

fn synchronizes(block: &Block) -> bool {
    block.statements.iter().any(|s| match &s.kind {
        Do::Sync => true,
        Do::If(_, then, otherwise) => synchronizes(then) || otherwise.as_ref().is_some_and(synchronizes),
        Do::For { body, .. } | Do::While(_, body) => synchronizes(&body.body),
        Do::Block(block) => synchronizes(block),
        _ => false,
    })
}

/// Whether all threads jump out of a loop that is not inside, or return.
fn jumps(statement: &Statement, depth: usize) -> bool {
    let in_block = |block: &Block, depth| block.statements.iter().any(|s| jumps(s, depth));
    match &statement.kind {
        Do::Break(masked) | Do::Continue(masked) => depth == 0 && !masked,
        Do::Return(_, masked) => !masked,
        Do::If(_, then, otherwise) => in_block(then, depth) || otherwise.as_ref().is_some_and(|b| in_block(b, depth)),
        Do::For { body, .. } | Do::While(_, body) => in_block(&body.body, depth + 1),
        Do::Block(block) => in_block(block, depth),
        _ => false,
    }
}

/// The variables that occur in a statement.
mod uses {
    use super::{BTreeSet, Block, Do, Expr, Id, Is, Statement};

    pub(super) fn statement(s: &Statement, found: &mut BTreeSet<Id>) {
        match &s.kind {
            Do::Let(_, value) | Do::LetRepeat(_, value) => expr(value, found),
            Do::LetArray(_, values) => values.iter().for_each(|v| expr(v, found)),
            Do::Assign { to, value, .. } => {
                found.insert(*to);
                expr(value, found);
            }
            Do::AssignElement { array: id, index, value, .. } | Do::Store { slice: id, index, value, .. } => {
                found.insert(*id);
                expr(index, found);
                expr(value, found);
            }
            Do::If(condition, then, otherwise) => {
                expr(condition, found);
                block(then, found);
                if let Some(otherwise) = otherwise {
                    block(otherwise, found);
                }
            }
            Do::For { start, end, body, .. } => {
                expr(start, found);
                expr(end, found);
                block(&body.body, found);
            }
            Do::While(condition, body) => {
                if let Some(condition) = condition {
                    expr(condition, found);
                }
                block(&body.body, found);
            }
            Do::Return(Some(value), _) => expr(value, found),
            Do::Block(b) => block(b, found),
            Do::Return(None, _) | Do::Break(_) | Do::Continue(_) | Do::Sync => {}
        }
    }

    fn block(b: &Block, found: &mut BTreeSet<Id>) {
        b.statements.iter().for_each(|s| statement(s, found));
        if let Some(tail) = &b.tail {
            expr(tail, found);
        }
    }

    fn expr(e: &Expr, found: &mut BTreeSet<Id>) {
        match &e.kind {
            Is::Variable(id) | Is::Slice(id) => {
                found.insert(*id);
            }
            Is::Load { slice: id, index, .. } | Is::Element(id, index) => {
                found.insert(*id);
                expr(index, found);
            }
            Is::Negate(a) | Is::Not(a) | Is::Float1(_, a) | Is::Nan(a) => expr(a, found),
            Is::Table(_, a) | Is::Cast(a) | Is::Narrow(a) | Is::Widen(a) => expr(a, found),
            Is::Binary(_, a, b) | Is::Compare(_, a, b) | Is::Logic { a, b, .. } => {
                expr(a, found);
                expr(b, found);
            }
            Is::MulAdd(x) => x.iter().for_each(|x| expr(x, found)),
            Is::Call(_, arguments) => arguments.iter().for_each(|x| expr(x, found)),
            Is::If(condition, then, otherwise) => {
                expr(condition, found);
                block(then, found);
                block(otherwise, found);
            }
            Is::Block(b) => block(b, found),
            Is::Float(_) | Is::Int(_) | Is::Bool(_) | Is::Constant(_) | Is::Limit(_) | Is::Length(_) => {}
        }
    }
}
