//! From a checked kernel to Rust.
//!
//! ```text
//! enum k {}                          impl k { f32(grid, …)  scalar(…)  pair(…)  wide(…)  PLAN }       siblings
//! struct __kArguments<'a, E> { … }   what a sibling is called with
//! impl Body for __kArguments         one(at)           the kernel as it was written, for one thread    direct, scalar
//!                                    guard(cx, at, x)  which threads pass the `if` it begins with     vector
//!                                    run(cx, at, x)    the rest, under masks                          lanes, vector
//! impl BlockBody for __kArguments    with barriers or shared memory: phases, block by block           blocks, frame
//! extern "ptx-kernel" fn             one for each sibling that a device runs                          device
//! ```
//!
//! The guard that a kernel begins with is split off, so that groups which pass it whole run with `All`, a mask of no size.
//!
//! What an expansion needs and nobody else may have is `unsafe`: outputs that all threads hold, bodies, barriers. Lints take an expansion's
//! `unsafe` for the macro's, so that a user's crate may forbid its own; therefore no token of a user's may stand in a block of it.
// Invariant: the blocks that are printed are empty, and stand for the user's in the lints' eyes.

mod atomics;
mod blocks;
mod device;
mod direct;
mod filled;
mod frame;
mod function;
mod hoist;
mod imported;
mod joined;
mod jumps;
mod lanes;
mod loaded;
mod nans;
mod on;
mod scalar;
mod siblings;
mod steps;
mod vector;
mod votes;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

pub(crate) use function::{function, inlined};
pub(crate) use siblings::{class_name, kernel};

use super::ast::{
    Block, Class, Dim, DimOf, Expr, ExprKind, Id, Index, IndexOf, Kernel, Kind, Precision, Statement, StatementKind,
    Type, Variable,
};
use super::parity::Parities;
use super::parts::Parts;
use super::types::Types;

/// What the parts of an expansion share.
struct Printer<'a> {
    kernel: &'a Kernel,
    types: &'a Types,
    /// `::ptxf::kernel::__expansion`
    path: TokenStream,
    /// The element type.
    element: TokenStream,
    /// The context and the threads that run, as variables.
    cx: Ident,
    exec: Ident,
    /// Whether this is code for one thread.
    direct: bool,
    /// Whether a return ends a round of a loop over groups, and not the function.
    in_round: Cell<bool>,
    parities: RefCell<Parities<'a>>,
    /// The accesses that need not ask whether there is such an element, in a loop that is printed for when that is known.
    known: RefCell<BTreeSet<*const Expr>>,
    /// The variables whose NaNs may be any, in code for several threads.
    any_nan: BTreeSet<Id>,
    /// The elements that were read in front of what is printed.
    loaded: RefCell<Vec<loaded::Element>>,
}

impl<'a> Printer<'a> {
    fn new(kernel: &'a Kernel, types: &'a Types, path: &TokenStream, direct: bool) -> Self {
        Self {
            kernel,
            types,
            path: expansion_path(path),
            element: if direct { quote!(__Element) } else { quote!(__Context::Elem) },
            cx: Ident::new("__context", Span::mixed_site()),
            exec: Ident::new("__running", Span::mixed_site()),
            direct,
            in_round: Cell::new(false),
            parities: RefCell::new(Parities::new(kernel)),
            known: RefCell::default(),
            any_nan: if direct { BTreeSet::new() } else { nans::variables(kernel, types) },
            loaded: RefCell::default(),
        }
    }

    /// The variable where it is declared.
    fn name(&self, id: Id) -> TokenStream {
        let name = &self.kernel.variables[id].unique;
        quote!(#name)
    }

    /// The variable where the source names it, at `span`: the compiler has to find the same, see `names`.
    fn name_at(&self, id: Id, span: Span) -> TokenStream {
        let mut name = self.kernel.variables[id].unique.clone();
        name.set_span(span);
        quote!(#name)
    }

    /// The parameters that the user passes, and the parts of those that have some.
    fn arguments(&self) -> impl Iterator<Item = (Id, &Variable)> {
        let variables = &self.kernel.variables;
        self.kernel.all_parameters().map(move |id| (id, &variables[id])).filter(|(_, v)| !v.kind.is_supplied())
    }

    /// What the user calls a parameter that the user passes.
    fn given(&self, parameter: &Parts<Id>) -> Option<&Ident> {
        let v = parameter.leaves().first().map(|&&id| &self.kernel.variables[id])?;
        (!v.kind.is_supplied()).then_some(&v.name)
    }

    /// The name and the type of what a host passes for a parameter, if it does; `slice` is the type of a slice of such elements, and is told
    /// whether it is written.
    fn declaration(
        &self,
        parameter: &Parts<Id>,
        element: &TokenStream,
        slice: impl Fn(bool, TokenStream) -> TokenStream,
    ) -> Option<TokenStream> {
        let name = self.given(parameter)?;
        let ty = parameter.map(&mut |&id| {
            let (v, held) = (&self.kernel.variables[id], self.element_type(id, element));
            match v.kind {
                Kind::In => slice(false, held),
                Kind::Out => slice(true, held),
                _ if self.types.get(v.ty) == Type::Float => primitive("f32"),
                _ => held,
            }
        });
        let ty = ty.print_type();
        Some(quote!(#name: #ty))
    }

    /// What a slice's elements are.
    fn element_type(&self, id: Id, element: &TokenStream) -> TokenStream {
        self.kernel.variables[id].rows.array(self.held_type(id, element))
    }

    /// What the numbers of a slice are, or a parameter that is one.
    fn held_type(&self, id: Id, element: &TokenStream) -> TokenStream {
        let v = &self.kernel.variables[id];
        if let Some(stored) = v.stored {
            let (kernel, format) = (&self.path, format_ident!("{}", stored.name()));
            return quote!(#kernel::#format);
        }
        match self.types.get(v.ty) {
            Type::Float if v.kept => primitive("f32"),
            Type::Float => element.clone(),
            other => self.rust_type(other),
        }
    }

    /// The label of a round for one group.
    fn round_label(&self) -> syn::Lifetime {
        syn::Lifetime::new("'__round", Span::mixed_site())
    }

    /// A return of all threads here.
    fn return_of_all(&self, value: Option<TokenStream>, span: Span) -> TokenStream {
        if self.in_round.get() {
            let round = self.round_label();
            return quote_spanned!(span=> break #round;);
        }
        quote_spanned!(span=> return #value;)
    }

    /// What is for the compiler's complaints only. An empty `unsafe` block for each of the user's, for the lints that count them:
    /// what the kernel says in it is checked, and stands in none. A `let` of each name: one that is a constant's is no variable's. A
    /// use of what is deprecated, which is how a macro warns, for each literal that is lost. The name of each function that is part of this.
    fn witnesses(&self) -> TokenStream {
        let blocks = self.kernel.unsafes.iter().map(|&span| quote_spanned!(span=> unsafe {}));
        let names = self.kernel.variables.iter().filter(|v| !v.temporary && v.name != "self").map(|v| &v.name);
        let lost = self.kernel.lost.iter().map(|lost| {
            let note = format!("{}: `keep` what it is computed with, or write what is meant", lost.what);
            quote_spanned!(lost.span=> { #[deprecated(note = #note)] struct Literal; let _ = Literal; })
        });
        let inlined = &self.kernel.inlined;
        quote! {
            #(#blocks)*
            #(#lost)*
            #(let _: ::core::option::Option<#inlined> = ::core::option::Option::None;)*
            {
                struct __Variable;
                #(let #names = __Variable;)*
            }
        }
    }

    /// `let`s of all parameters, in the body.
    fn parameters(&self) -> TokenStream {
        let mut lets = TokenStream::new();
        for id in self.kernel.all_parameters() {
            let (v, name) = (&self.kernel.variables[id], self.name(id));
            let value = match v.kind {
                Kind::Index(index) => self.index(index),
                Kind::Dim(dim) => dim_value(dim),
                _ => self.argument(id),
            };
            lets.extend(quote!(let #name = #value;));
        }
        for id in self.shared_arrays() {
            let (name, field) = (self.name(id), shared_field(id));
            lets.extend(quote!(let #name = self.#field;));
        }
        lets
    }

    /// The arrays that the block's threads share.
    fn shared_arrays(&self) -> impl Iterator<Item = Id> {
        self.kernel.variables.iter().enumerate().filter(|(_, v)| matches!(v.kind, Kind::Shared(_))).map(|(id, _)| id)
    }

    /// What the kernel's argument is in the body: of elements that are arrays or structures the numbers.
    fn argument(&self, id: Id) -> TokenStream {
        let v = &self.kernel.variables[id];
        let (field, flatten) = (field(v), self.flatten(id));
        quote!(self.#field #flatten)
    }

    /// From a slice of arrays to the slice of their numbers.
    fn flatten(&self, id: Id) -> TokenStream {
        self.kernel.variables[id].rows.0.iter().map(|_| quote!(.flatten())).collect()
    }

    fn index(&self, index: Index) -> TokenStream {
        let axis = index.axis;
        let lane = if self.direct { quote!(__at.x.0) } else { quote!(__at.x) };
        match (index.of, axis) {
            (IndexOf::Thread, 0) => lane,
            (IndexOf::Thread, 1) => quote!(__at.y),
            (IndexOf::Thread, _) => quote!(__at.z),
            (IndexOf::Block, _) => quote!(__at.block[#axis]),
            (IndexOf::Local, 0) => quote!(#lane - __at.block[0] * __at.block_dim[0]),
            (IndexOf::Local, 1) => quote!(__at.y - __at.block[1] * __at.block_dim[1]),
            (IndexOf::Local, _) => quote!(__at.z - __at.block[2] * __at.block_dim[2]),
        }
    }
}

fn dim_value(Dim { of, axis }: Dim) -> TokenStream {
    match of {
        DimOf::Grid => quote!(__at.grid[#axis]),
        DimOf::Block => quote!(__at.block_dim[#axis]),
    }
}

/// The guard that a kernel begins with: what turns threads away before anything is read.
struct Guard<'a> {
    /// The `let`s in front of it, which compute indices.
    lets: &'a [Statement],
    condition: &'a Expr,
    /// Whether the condition lets threads in, or turns them away.
    lets_in: bool,
    /// What follows.
    rest: &'a [Statement],
}

impl Guard<'_> {
    /// Whether threads pass up to some index and none beyond: `t < n` and what is the same for all of them.
    fn is_up_to(&self, kernel: &Kernel) -> bool {
        let (and, below) = if self.lets_in { (true, ["Lt", "Le"]) } else { (false, ["Ge", "Gt"]) };
        is_up_to(self.condition, kernel, and, below)
    }
}

fn is_up_to(e: &Expr, kernel: &Kernel, conjunction: bool, below: [&str; 2]) -> bool {
    let is_index = |e: &Expr| match e.kind {
        ExprKind::Variable(id) => matches!(kernel.variables[id].kind, Kind::Index(index) if index.axis == 0),
        _ => false,
    };
    match &e.kind {
        _ if e.class == Class::Uniform => true,
        ExprKind::Compare(op, a, b) => below.contains(op) && is_index(a) && b.class == Class::Uniform,
        ExprKind::Logic { and, a, b } => {
            *and == conjunction && [a, b].into_iter().all(|e| is_up_to(e, kernel, conjunction, below))
        }
        _ => false,
    }
}

/// `let …; if condition { return; } rest` or `let …; if condition { rest }`
fn guard(body: &Block) -> Option<Guard<'_>> {
    let is_index = |s: &&Statement| match &s.kind {
        StatementKind::Let(_, value) => value.class <= Class::Lin && vector::is_pure(value) && !value.has_statements(),
        _ => false,
    };
    let count = body.statements.iter().take_while(is_index).count();
    let (lets, rest) = body.statements.split_at(count);
    let (first, after) = rest.split_first()?;
    let StatementKind::If(condition, then, None) = &first.kind else {
        return None;
    };
    // What the condition changes has to be changed for what follows, which does not ask it again.
    if !vector::is_pure(condition) || condition.has_statements() || body.tail.is_some() {
        return None;
    }
    match &then.statements[..] {
        [Statement { kind: StatementKind::Return(None, _), .. }] => {
            Some(Guard { lets, condition, lets_in: false, rest: after })
        }
        _ if after.is_empty() => Some(Guard { lets, condition, lets_in: true, rest: &then.statements }),
        _ => None,
    }
}

/// Where everything is that an expansion names, of the library at `path`.
pub(super) fn expansion_path(path: &TokenStream) -> TokenStream {
    quote!(#path::kernel::__expansion)
}

/// What a parameter is called outside of the body.
fn field(v: &Variable) -> &Ident {
    if v.part.is_empty() { &v.name } else { &v.unique }
}

/// The field of an array that the block's threads share, which no parameter is called.
fn shared_field(id: Id) -> Ident {
    format_ident!("__shared_{id}")
}

/// What the expansion does that a person would not.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(
            unused_unsafe, unused_variables, unused_mut, unused_assignments, unused_parens, unused_braces, unused_labels,
            unused_qualifications, unused_results, trivial_casts, trivial_numeric_casts, unreachable_code,
            non_snake_case, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// Where a body stands a second time: what the compiler has to say of what it names is said of the first one, under the
/// user's own attributes.
fn allow_deprecated() -> TokenStream {
    quote!(#[allow(deprecated)])
}

/// The type that stands for a function. All of it has the span of the function's name, which is what the compiler shows where the type is
/// private, say.
fn type_of(visibility: &TokenStream, name: &Ident) -> TokenStream {
    let allow = allow_of_type();
    let declared = quote_spanned!(name.span()=> enum #name {});
    quote!(#allow #visibility #declared)
}

/// What a type that stands for a function has to be allowed.
fn allow_of_type() -> TokenStream {
    quote! {
        #[allow(
            non_camel_case_types, missing_copy_implementations, missing_debug_implementations, clippy::all,
            clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// A primitive type, which the user may call something else by the same name.
fn primitive(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(::core::primitive::#name)
}

/// The precision of a parameter.
fn precision(kept: bool) -> Precision {
    if kept { Precision::Single } else { Precision::Element }
}
