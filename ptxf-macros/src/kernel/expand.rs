//! The printer: from a checked kernel to Rust.
//!
//! ```text
//! versions         enum k {}, impl k { f32(grid, …)  scalar(…)  pair(…)  wide(…)  PLAN }
//! attributes       fn k(…)                           an error for a call of k names the versions
//!                  struct __kArguments<'a, E> { … }  the arguments of a version
//!                  impl Body for __kArguments
//! direct, scalar       one(at)                       the kernel as written, for one thread
//! vector               guard(cx, at, x)              the threads that pass the first `if`
//! lanes, vector        run(cx, at, x)                the rest, under masks
//! blocks, frame    impl BlockBody for __kArguments   phases, block by block
//! device           extern "ptx-kernel" fn            one for each version on a device
//! ```
//!
//! The guard at the beginning of a kernel is split off, so that groups whose threads all pass it
//! run with `All`, a mask of size zero.
//!
//! An expansion needs `unsafe` for outputs that all threads hold, for bodies, and for barriers.
//! Lints attribute an expansion's `unsafe` to the macro, so a user's crate may forbid its own.
//! Therefore no token of the user's may stand in such a block.
// Invariant: printed `unsafe` blocks around the user's tokens are empty, and only stand for the user's blocks in lints.

mod atomics;
mod blocks;
mod call_checks;
mod chosen_loads;
mod common_loads;
mod common_stores;
mod device;
mod device_launch;
mod direct;
mod frame;
mod function;
mod hoist;
mod imports;
mod jumps;
mod lanes;
mod nans;
mod polynomial;
mod range;
mod scalar;
mod steps;
mod unroll;
mod vector;
mod versions;
mod votes;
mod zero_fill;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

pub(crate) use function::{function, inlined};
pub(crate) use versions::{class_name, kernel};

use super::ast::{
    Block, Class, Dim, DimOf, Expr, ExprKind, Id, Index, IndexOf, Kernel, Kind, Precision, Statement, StatementKind,
    Variable,
};
use super::parity::Parities;
use super::parts::Parts;
use super::scalar_type::Type;
use super::types::Types;

/// The state that the parts of an expansion share.
struct Printer<'a> {
    kernel: &'a Kernel,
    types: &'a Types,
    /// `::ptxf::kernel::__expansion`
    path: TokenStream,
    /// The element type.
    element: TokenStream,
    /// The variables of the context and of the running threads.
    cx: Ident,
    exec: Ident,
    /// `true` for the code for one thread.
    direct: bool,
    /// `true` if a return ends an iteration of the loop over groups, and not the function.
    in_round: Cell<bool>,
    parities: RefCell<Parities<'a>>,
    /// The accesses without a bounds check, in the copy of a loop whose bounds were checked before
    /// it.
    unchecked: RefCell<BTreeSet<*const Expr>>,
    /// The accesses whose bounds an entry checks before the body.
    covered: RefCell<BTreeSet<*const Expr>>,
    /// The variables that may hold any NaN, in code for several threads.
    any_nan: BTreeSet<Id>,
    /// The elements that were read before the printed code.
    loaded: RefCell<Vec<common_loads::Element>>,
    /// The elements that all threads read in the printed statement, or after it before anything is
    /// written.
    sure: RefCell<Vec<common_loads::Element>>,
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
            unchecked: RefCell::default(),
            covered: RefCell::default(),
            any_nan: if direct { BTreeSet::new() } else { nans::variables(kernel, types) },
            loaded: RefCell::default(),
            sure: RefCell::default(),
        }
    }

    /// Prints the variable at its declaration.
    fn name(&self, id: Id) -> TokenStream {
        let name = &self.kernel.variables[id].unique;
        quote!(#name)
    }

    /// Prints the variable at a use, with the span of the use: the compiler must find the same
    /// variable, see `names`.
    fn name_at(&self, id: Id, span: Span) -> TokenStream {
        let mut name = self.kernel.variables[id].unique.clone();
        name.set_span(span);
        quote!(#name)
    }

    /// Returns the parameters that the user passes, with those that have parts replaced by the
    /// parts.
    fn arguments(&self) -> impl Iterator<Item = (Id, &Variable)> {
        let variables = &self.kernel.variables;
        self.kernel.all_parameters().map(move |id| (id, &variables[id])).filter(|(_, v)| !v.kind.is_supplied())
    }

    /// Returns the name of a parameter that the user passes. `None` if the launch supplies the
    /// parameter.
    fn given(&self, parameter: &Parts<Id>) -> Option<&Ident> {
        let v = parameter.leaves().first().map(|&&id| &self.kernel.variables[id])?;
        (!v.kind.is_supplied()).then_some(&v.name)
    }

    /// Prints the parameter of a version for a parameter of the kernel. `None` if the launch
    /// supplies it. `slice` prints the type of a slice from `true` for an output and the type of
    /// the elements.
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

    /// Prints the type of a slice's elements.
    fn element_type(&self, id: Id, element: &TokenStream) -> TokenStream {
        self.kernel.variables[id].rows.array(self.held_type(id, element))
    }

    /// Prints the type of the numbers in a slice, or of a scalar parameter.
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

    /// Returns the label of an iteration for one group.
    fn round_label(&self) -> syn::Lifetime {
        syn::Lifetime::new("'__round", Span::mixed_site())
    }

    /// Prints a return of all threads.
    fn return_of_all(&self, value: Option<TokenStream>, span: Span) -> TokenStream {
        if self.in_round.get() {
            let round = self.round_label();
            return quote_spanned!(span=> break #round;);
        }
        quote_spanned!(span=> return #value;)
    }

    /// Prints items that only matter for the compiler's errors and lints.
    ///
    /// - An empty `unsafe` block for each of the user's, for the lints that count them. The content
    ///   of the user's block is checked, and
    ///   stands in no `unsafe`.
    /// - A `let` of each name. A name of a constant is an error as a variable.
    /// - A use of a deprecated item, which is how a macro warns, for each literal that becomes 0 or
    ///   infinite.
    /// - The name of each inlined function.
    fn witnesses(&self) -> TokenStream {
        let blocks = self.kernel.unsafes.iter().map(|&span| quote_spanned!(span=> unsafe {}));
        let names = self.kernel.variables.iter().filter(|v| !v.temporary && v.name != "self").map(|v| &v.name);
        let overflows = self.kernel.overflows.iter().map(|overflow| {
            let note = format!(
                "{}: `keep` the variable that it is computed with, or write `f32::INFINITY` or `0.0` \
                                if you mean that",
                overflow.what
            );
            quote_spanned!(overflow.span=> { #[deprecated(note = #note)] struct Literal; let _ = Literal; })
        });
        let inlined = &self.kernel.inlined;
        quote! {
            #(#blocks)*
            #(#overflows)*
            #(let _: ::core::option::Option<#inlined> = ::core::option::Option::None;)*
            {
                struct __Variable;
                #(let #names = __Variable;)*
            }
        }
    }

    /// Prints the `let`s of all parameters in the body.
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

    /// Returns the arrays in shared memory.
    fn shared_arrays(&self) -> impl Iterator<Item = Id> {
        self.kernel.variables.iter().enumerate().filter(|(_, v)| matches!(v.kind, Kind::Shared(_))).map(|(id, _)| id)
    }

    /// Prints the value of an argument in the body. For elements that are arrays or structures it
    /// is the slice of their numbers.
    fn argument(&self, id: Id) -> TokenStream {
        let v = &self.kernel.variables[id];
        let (field, flatten) = (field(v), self.flatten(id));
        quote!(self.#field #flatten)
    }

    /// Prints the conversion from a slice of arrays to the slice of their numbers.
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

/// The guard at the beginning of a kernel: an `if` that ends some threads before anything is read.
struct Guard<'a> {
    /// The `let`s before it, which compute indices.
    lets: &'a [Statement],
    condition: &'a Expr,
    /// `true` if the threads that fulfil the condition go on, `false` if they end.
    lets_in: bool,
    /// The statements for the threads that go on.
    rest: &'a [Statement],
}

impl Guard<'_> {
    /// Returns `true` if the threads up to some index pass and none beyond: `t < n`, and conditions
    /// that are the same for all threads.
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

/// Returns the guard of a body `let …; if condition { return; } rest` or `let …; if condition {
/// rest }`.
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
    // The rest of the body does not compute the condition again, so the condition must not change
    // anything.
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

/// Returns the path of all items of the library that an expansion names.
pub(super) fn expansion_path(path: &TokenStream) -> TokenStream {
    quote!(#path::kernel::__expansion)
}

/// Returns the name of a parameter outside of the body.
fn field(v: &Variable) -> &Ident {
    if v.part.is_empty() { &v.name } else { &v.unique }
}

/// Returns the field of an array in shared memory. No parameter has this name.
fn shared_field(id: Id) -> Ident {
    format_ident!("__shared_{id}")
}

/// Prints the lints that the expansion breaks and a person would not.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(
            unused_unsafe, unused_variables, unused_mut, unused_assignments, unused_parens, unused_braces, unused_labels,
            unused_qualifications, unused_results, trivial_casts, trivial_numeric_casts, unreachable_code,
            non_snake_case, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// Prints `allow(deprecated)` for the second copy of a body: the first one reports the uses, under
/// the user's own attributes.
fn allow_deprecated() -> TokenStream {
    quote!(#[allow(deprecated)])
}

/// Prints the type of a function's name. All of it has the span of the name, which the compiler
/// shows in errors such as that about a private type.
fn type_of(visibility: &TokenStream, name: &Ident) -> TokenStream {
    let allow = allow_of_type();
    let declared = quote_spanned!(name.span()=> enum #name {});
    quote!(#allow #visibility #declared)
}

/// Prints the lints that a type with a function's name breaks.
fn allow_of_type() -> TokenStream {
    quote! {
        #[allow(
            non_camel_case_types, missing_copy_implementations, missing_debug_implementations, clippy::all,
            clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// Prints the full path of a primitive type. The user may have another item of that name.
fn primitive(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(::core::primitive::#name)
}

/// Returns the precision of a parameter.
fn precision(kept: bool) -> Precision {
    if kept { Precision::Single } else { Precision::Element }
}
