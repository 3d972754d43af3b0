//! Statements for several threads at once, under masks.
//!
//! The variable `__running` always holds the running threads. If threads take different branches,
//! both branches run one after the other, each with the mask of its threads. A mask notes each
//! thread that leaves a loop or the function, and the rest runs for the others.
//!
//! ```text
//! if c { v = a; } else { return; }            { x1 = x & c;  v = select(x1, a, v); }
//! rest                                        { x2 = x & !c; returned |= x2; }
//!                                             x3 = x & !returned; if any(x3) { rest }
//!
//! while c { body }                            broken = none
//!                                             loop { x1 = x & !broken & !returned;
//!                                                    if none(x1) { break }
//!                                                    broken |= x1 & !c; x2 = x1 & c;
//!                                                    if none(x2) { break }
//!                                                    body }
//! ```
//!
//! Two arms that end with a write of the same element write it once (`common_stores`). An element
//! that a condition and its arms read, or both arms, is read once (`common_loads`).
//!
//! Code for no thread is skipped if it contains more than arithmetic. So running code runs for some
//! thread, and may read the elements that are the same for all threads.
// Invariant: all threads of a block reach a barrier, or the kernel was refused.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::ast::{Block, Class, Count, Expr, Jump, Loop, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::scalar::{label, range};
use super::vector::{in_pairs, is_pure_block};
use super::{Printer, common_stores, jumps};

impl Printer<'_> {
    /// Prints the statements, and the value in the representation of `class` if one is wanted.
    pub(super) fn masked_block(&self, block: &Block, class: Option<Class>) -> TokenStream {
        self.statements_and_value(&block.statements, block.tail.as_deref(), class)
    }

    pub(super) fn statements_and_value(
        &self,
        statements: &[Statement],
        tail: Option<&Expr>,
        class: Option<Class>,
    ) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let mut tokens = TokenStream::new();
        for (i, statement) in statements.iter().enumerate() {
            let before = self.note_sure(&statements[i..], tail);
            tokens.extend(self.masked_statement(statement));
            self.sure.replace(before);
            let gone = self.masks_of_gone(statement);
            let rest = &statements[i + 1..];
            if gone.is_empty() || rest.is_empty() && tail.is_none() {
                continue;
            }
            // Some threads have left, and the rest is for the others.
            let inner = self.statements_and_value(rest, tail, class);
            let otherwise = match (tail, class) {
                (Some(tail), Some(class)) => {
                    let nothing = self.placeholder(self.types.get(tail.ty), tail.precision, class);
                    quote!(else { #nothing })
                }
                _ => TokenStream::new(),
            };
            tokens.extend(quote! {
                let #x = #kernel::Masked(#kernel::Exec::mask(#x, #cx));
                #(let #x = #kernel::Masked(#cx.and_not(#x.0, #gone));)*
                if #cx.any(#x.0) { #inner } #otherwise
            });
            return tokens;
        }
        if let (Some(tail), Some(class)) = (tail, class) {
            let before = self.note_sure(&[], Some(tail));
            tokens.extend(self.in_class(tail, class));
            self.sure.replace(before);
        }
        tokens
    }

    /// Returns the masks of the threads that may have left by the statement.
    fn masks_of_gone(&self, statement: &Statement) -> Vec<TokenStream> {
        self.masks_of(&jumps::of(statement))
    }

    /// Returns the masks that note the jumps.
    pub(super) fn masks_of(&self, found: &jumps::Jumps) -> Vec<TokenStream> {
        let mut gone = Vec::new();
        if found.returns {
            let returned = self.internal("__returned");
            gone.push(quote!(#returned));
        }
        let (broken, skipped) = (found.breaks.iter().map(|&id| self.broken(id)), found.continues.iter());
        gone.extend(broken.chain(skipped.map(|&id| self.skipped(id))).map(|mask| quote!(#mask)));
        gone
    }

    /// Returns the mask of the threads that have left a loop.
    pub(super) fn broken(&self, id: usize) -> Ident {
        self.internal(&format!("__broken_{id}"))
    }

    /// Returns the mask of the threads that wait for the next iteration of a loop.
    pub(super) fn skipped(&self, id: usize) -> Ident {
        self.internal(&format!("__skipped_{id}"))
    }

    /// Returns a variable of the expansion.
    pub(super) fn internal(&self, name: &str) -> Ident {
        Ident::new(name, Span::mixed_site())
    }

    fn masked_statement(&self, statement: &Statement) -> TokenStream {
        let span = statement.span;
        let variables = &self.kernel.variables;
        match &statement.kind {
            StatementKind::Let(id, value) => {
                let (binding, value) = (self.binding(*id), self.value_for(*id, value));
                quote_spanned!(span=> let #binding = #value;)
            }
            StatementKind::LetCall { to, function, arguments } => {
                let (bindings, written) = self.bindings_of_call(to);
                let class = to.leaves().first().map(|&&id| variables[id].class);
                let call = match class {
                    Some(Class::Uniform) => self.call_one(function, arguments, &written, span),
                    _ => self.call_lanes(function, arguments, &written, span),
                };
                quote_spanned!(span=> let #bindings = #call;)
            }
            StatementKind::LetArray(id, values) => {
                let class = variables[*id].class;
                let (binding, values) = (self.binding(*id), values.iter().map(|v| self.in_class(v, class)));
                quote_spanned!(span=> let #binding = [#(#values),*];)
            }
            StatementKind::LetRepeat(id, value) => {
                let (binding, length) = (self.binding(*id), self.length(*id));
                let value = self.in_class(value, variables[*id].class);
                quote_spanned!(span=> let #binding = [#value; #length];)
            }
            StatementKind::Assign { to, value, masked } => {
                let name = self.name_at(*to, span);
                let (new, merged) = self.assigned_value(*to, &name, value, *masked);
                quote_spanned!(span=> { let __new = #new; #name = #merged; })
            }
            StatementKind::AssignElement { array, index, value, .. } if index.class != Class::Uniform => {
                let (cx, x, name) = (&self.cx, &self.exec, self.name_at(*array, span));
                let (value_here, at) = (self.value_for(*array, value), self.per_thread(index));
                let held = self.held_as(self.types.get(value.ty), value.precision);
                quote_spanned!(span=> {
                    let (__new, __index) = (#value_here, #at);
                    #cx.set_array_element::<#held, _>(&mut #name[..], __index, #x, __new);
                })
            }
            StatementKind::AssignElement { array, index, value, masked } => {
                let (name, index) = (self.name_at(*array, span), self.scalar(index));
                let (new, merged) = self.assigned_value(*array, &quote!(#name[__index]), value, *masked);
                quote_spanned!(span=> { let __new = #new; let __index = #index; #name[__index] = #merged; })
            }
            StatementKind::Store { slice, index, value, .. } => self.store(*slice, index, value, statement.span),
            StatementKind::Atomic(atomic) => self.atomics(atomic, span),
            StatementKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise.as_ref(), span),
            StatementKind::For { counter, start, end, step, count, body } => {
                if variables[*counter].class == Class::Lin {
                    return self.steps_along(*counter, [Some(start), Some(end), step.as_ref()], body, span);
                }
                if variables[*counter].class != Class::Uniform {
                    return match step {
                        None => self.varying_for(*counter, start, end, *count, body, span),
                        Some(step) => self.varying_steps(*counter, [start, end, step], *count, body, span),
                    };
                }
                let (name, label) = (self.name(*counter), label(body));
                if let Some(step) = step {
                    let (start, end, step) = (self.scalar(start), self.scalar(end), self.scalar(step));
                    let range = range(*count, &start, &end, Some(&step));
                    let (before, inside) = self.loop_parts(body, None);
                    return quote_spanned!(span=> { #before #label for #name in #range { #inside } });
                }
                let print = |start: &TokenStream, end: &TokenStream, first: &TokenStream| {
                    let (range, (before, inside)) = (range(*count, start, end, None), self.loop_parts(body, None));
                    quote_spanned!(span=> { #before #label for #name in #range { #first #inside } })
                };
                self.hoisted(*counter, [start, end], *count, body, print)
            }
            StatementKind::While(condition, body) => {
                let (label, (before, inside)) = (label(body), self.loop_parts(body, condition.as_ref()));
                quote_spanned!(span=> { #before #label loop { #inside } })
            }
            StatementKind::Break(jump) => self.jump(&self.broken(jump.to), jump, quote_spanned!(span=> break)),
            StatementKind::Continue(jump) => self.jump(&self.skipped(jump.to), jump, quote_spanned!(span=> continue)),
            StatementKind::Return(value, masked) => self.return_statement(value.as_ref(), *masked, span),
            StatementKind::Sync => {
                let kernel = &self.path;
                let barrier = quote!(unsafe { #kernel::device::sync_threads() });
                quote_spanned!(span=> #barrier;)
            }
            StatementKind::Vote(result, vote, value) => self.votes(*result, *vote, value, span),
            StatementKind::Block(block) => {
                let block = self.masked_block(block, None);
                quote_spanned!(span=> { #block })
            }
        }
    }

    /// Prints the new value, and the value that an assignment writes, where `__new` is the new
    /// value. Threads that do not assign keep the old value.
    fn assigned_value(&self, id: usize, old: &TokenStream, value: &Expr, masked: bool) -> (TokenStream, TokenStream) {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let new = self.value_for(id, value);
        if !masked {
            return (new, quote!(__new));
        }
        let mask = quote!(#kernel::Exec::mask(#x, #cx));
        let select = self.select_of(self.types.get(value.ty), value.precision, &mask, &quote!(__new), old);
        (new, select)
    }

    fn store(&self, slice: usize, index: &Expr, value: &Expr, span: Span) -> TokenStream {
        self.store_of(slice, index, value, &self.per_thread(value), span)
    }

    /// Prints a write of a printed value.
    fn store_of(&self, slice: usize, index: &Expr, e: &Expr, value: &TokenStream, span: Span) -> TokenStream {
        let (cx, x, name) = (&self.cx, &self.exec, self.accessed(slice, index, span));
        let (ty, precision) = (self.types.get(e.ty), e.precision);
        let held = self.held_as(ty, precision);
        let stored = self.kernel.variables[slice].stored;
        if index.class == Class::Lin {
            let at = self.in_class(index, Class::Lin);
            let parity = self.parity(index, stored.is_some() || in_pairs(ty, precision));
            let store = if stored.is_some() {
                quote_spanned!(span=> store_as::<#held, _, _>)
            } else {
                quote_spanned!(span=> store::<#held, _>)
            };
            quote_spanned!(span=> { let __value = #value; #cx.#store(#name, #at, #parity, #x, __value); })
        } else {
            let at = self.per_thread(index);
            let scatter = if stored.is_some() {
                quote_spanned!(span=> scatter_as::<#held, _, _>)
            } else {
                quote_spanned!(span=> scatter::<#held, _>)
            };
            quote_spanned!(span=> { let __value = #value; #cx.#scatter(#name, #at, #x, __value); })
        }
    }

    fn branch(&self, condition: &Expr, then: &Block, otherwise: Option<&Block>, span: Span) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        if condition.class == Class::Uniform {
            let (condition, then) = (self.scalar(condition), self.masked_block(then, None));
            let otherwise = otherwise.map(|b| {
                let b = self.masked_block(b, None);
                quote!(else { #b })
            });
            return quote_spanned!(span=> if #condition { #then } #otherwise);
        }
        if let Some((store, value)) = otherwise.and_then(|otherwise| common_stores::store(condition, then, otherwise)) {
            let printed = self.either(&value);
            return self.store_of(store.slice, store.index, &value, &printed, store.span);
        }
        let arms: Vec<&Block> = core::iter::once(then).chain(otherwise).collect();
        self.with_loaded(condition, &arms, false, || {
            let condition = self.per_thread(condition);
            let then = self.branch_arm(then, &quote!(and));
            let otherwise = otherwise.map(|b| self.branch_arm(b, &quote!(and_not)));
            quote_spanned!(span=> {
                let __condition = #condition;
                let __before_branch = #kernel::Exec::mask(#x, #cx);
                #then
                #otherwise
            })
        })
    }

    /// Prints an arm, for those threads of `__before_branch` that take it.
    fn branch_arm(&self, arm: &Block, and: &TokenStream) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let block = self.masked_block(arm, None);
        let run = if is_pure_block(arm) { quote!(#block) } else { self.unless_none(arm, &block, None) };
        quote!({ let #x = #kernel::Masked(#cx.#and(__before_branch, __condition)); #run })
    }

    /// Prints the code before a loop, and that at the beginning of each iteration.
    fn loop_parts(&self, body: &Loop, condition: Option<&Expr>) -> (TokenStream, TokenStream) {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let found = jumps::in_loop(body);
        let varying = condition.is_some_and(|c| c.class != Class::Uniform);
        let (broken, skipped) = (self.broken(body.id), self.skipped(body.id));
        let breaks = found.breaks || varying;
        let before = if breaks { quote!(let mut #broken = #cx.mask(false);) } else { TokenStream::new() };
        let mut inside = TokenStream::new();
        let mut gone = self.masks_of(&found.outer);
        if breaks {
            gone.push(quote!(#broken));
        }
        if !gone.is_empty() {
            inside.extend(quote! {
                let #x = #kernel::Masked(#kernel::Exec::mask(#x, #cx));
                #(let #x = #kernel::Masked(#cx.and_not(#x.0, #gone));)*
                if !#cx.any(#x.0) { break; }
            });
        }
        match condition {
            Some(c) if varying => {
                let c = self.per_thread(c);
                inside.extend(quote! {
                    let __condition = #c;
                    #broken = #cx.or(#broken, #cx.and_not(#x.0, __condition));
                    let #x = #kernel::Masked(#cx.and(#x.0, __condition));
                    if !#cx.any(#x.0) { break; }
                });
            }
            Some(c) => {
                let c = self.scalar(c);
                inside.extend(quote!(if !#c { break; }));
            }
            None => {}
        }
        if found.continues {
            inside.extend(quote!(let mut #skipped = #cx.mask(false);));
        }
        inside.extend(self.masked_block(&body.body, None));
        (before, inside)
    }

    /// Prints a `for` whose bounds differ between threads.
    fn varying_for(
        &self,
        counter: usize,
        start: &Expr,
        end: &Expr,
        Count { inclusive, reversed }: Count,
        body: &Loop,
        span: Span,
    ) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let (name, ty) = (self.name(counter), self.rust_type(self.types.get(start.ty)));
        let (start, end) = (self.per_thread(start), self.per_thread(end));
        let found = jumps::in_loop(body);
        let (broken, skipped, gone) = (self.broken(body.id), self.skipped(body.id), self.masks_of(&found.outer));
        let left = quote!(#(let #x = #kernel::Masked(#cx.and_not(#x.0, #gone));)*);
        let label = label(body);
        let (first, last, op, step) = if reversed {
            (quote!(__end), quote!(__start), if inclusive { quote!(Ge) } else { quote!(Gt) }, quote!(Sub))
        } else {
            (quote!(__start), quote!(__end), if inclusive { quote!(Le) } else { quote!(Lt) }, quote!(Add))
        };
        // The last iteration of an inclusive range is the last even if the counter cannot count
        // further. A thread counts as inside of it until the next one begins. Otherwise a jump
        // would treat threads in their last iteration as gone.
        let (note, over) = if inclusive {
            let note = quote_spanned!(span=> __over = #cx.compare::<#ty, _>(#kernel::cmp::Eq, #name, #last););
            (note, quote_spanned!(span=> #broken = #cx.or(#broken, __over);))
        } else {
            (TokenStream::new(), TokenStream::new())
        };
        let declared = inclusive.then(|| quote_spanned!(span=> let mut __over = #cx.mask(false);));
        // Downwards the excluded bound is the one at which the loop begins.
        let below = (reversed && !inclusive).then(|| quote_spanned!(span=> let #name = __next;));
        let reset = found.continues.then(|| quote!(let mut #skipped = #cx.mask(false);));
        let inside = self.masked_block(&body.body, None);
        quote_spanned!(span=> {
            let (__start, __end) = (#start, #end);
            let mut __next = #first;
            let mut #broken = #cx.mask(false);
            #declared
            #label loop {
                let #name = __next;
                #over
                let #x = #kernel::Masked(#cx.and_not(#kernel::Exec::mask(#x, #cx), #broken));
                #left
                let __condition = #cx.compare::<#ty, _>(#kernel::cmp::#op, #name, #last);
                // A thread leaves for good, since a counter that goes on may wrap around.
                #broken = #cx.or(#broken, #cx.and_not(#x.0, __condition));
                let #x = #kernel::Masked(#cx.and(#x.0, __condition));
                if !#cx.any(#x.0) { break; }
                #note
                __next = #cx.int_op::<#ty>(#kernel::IntOp::#step, #name, #cx.splat::<#ty>(1), #cx.mask(true));
                #below
                #reset
                #inside
            }
        })
    }

    /// Notes the running threads in the mask `gone`, or jumps with all of them.
    fn jump(&self, gone: &Ident, jump: &Jump, all: TokenStream) -> TokenStream {
        let (kernel, cx, x, label) = (&self.path, &self.cx, &self.exec, &jump.label);
        if jump.masked { quote!(#gone = #cx.or(#gone, #kernel::Exec::mask(#x, #cx));) } else { quote!(#all #label;) }
    }

    fn return_statement(&self, value: Option<&Expr>, masked: bool, span: Span) -> TokenStream {
        let (kernel, cx, x, returned) = (&self.path, &self.cx, &self.exec, self.internal("__returned"));
        let result = self.internal("__result");
        if masked {
            let set = value.map(|value| {
                let (ty, new) = (self.types.get(value.ty), self.per_thread(value));
                let mask = quote!(#kernel::Exec::mask(#x, #cx));
                let select = self.select_of(ty, value.precision, &mask, &new, &quote!(#result));
                quote!(#result = #select;)
            });
            return quote!(#set #returned = #cx.or(#returned, #kernel::Exec::mask(#x, #cx)););
        }
        self.return_of_all(value.map(|value| self.result_after_returns(value)).or_else(|| self.results()), span)
    }

    /// Prints a function's result if some threads may have returned before.
    pub(super) fn result_after_returns(&self, value: &Expr) -> TokenStream {
        let new = self.per_thread(value);
        if !jumps::in_block(&self.kernel.body).returns {
            return new;
        }
        let (returned, result) = (self.internal("__returned"), self.internal("__result"));
        self.select_of(self.types.get(value.ty), value.precision, &quote!(#returned), &quote!(#result), &new)
    }

    /// Prints the beginning of a function or a kernel whose threads return one by one.
    pub(super) fn declare_returned(&self) -> TokenStream {
        let cx = &self.cx;
        if !jumps::in_block(&self.kernel.body).returns {
            return TokenStream::new();
        }
        let (returned, result) = (self.internal("__returned"), self.internal("__result"));
        let value = (self.kernel.result != Type::Unit).then(|| {
            let nothing = self.placeholder(self.kernel.result, super::super::ast::Precision::Element, Class::Varying);
            quote!(let mut #result = #nothing;)
        });
        quote!(let mut #returned = #cx.mask(false); #value)
    }
}
