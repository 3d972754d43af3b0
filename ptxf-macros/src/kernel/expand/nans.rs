//! Which NaNs have to be the canonical one.
//!
//! An operation's NaN is canonical, which costs a vector an instruction or two for each operation. But an operand's NaN may be any: what is
//! computed of it is a NaN, and canonical. So where a sum, a product or a quotient is an operand itself, the context computes it with any NaN
//! (`op2_any`, `fma_any`). And a variable to which nothing is assigned but what was computed holds any NaN, until somebody sees its bits: where
//! it is stored, chosen, passed on, or changes its sign (`canonical`).
//!
//! ```text
//! let d = x[t] - y[t];      let d = cx.op2_any(Sub, load(x), load(y));
//! sum += d * d;             sum = cx.op2_any(Add, sum, cx.op2_any(Mul, d, d));
//! out[t] = sum;             cx.store(out, cx.canonical(sum));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use super::super::ast::{Binary, Class, Expr, ExprKind, Id, Kernel, Kind, Statement, StatementKind, Type};
use super::super::types::Types;
use super::super::visit::{Visit, walk_statement};
use super::Printer;

/// The variables that hold any NaN.
pub(super) fn variables(kernel: &Kernel, types: &Types) -> BTreeSet<Id> {
    let mut found = Assigned::default();
    found.block(&kernel.body);
    let results = kernel.results.iter().flat_map(|results| results.leaves());
    found.others.extend(results.copied());
    let Assigned { values, others } = found;
    let of_threads = |id: Id| {
        let v = &kernel.variables[id];
        v.kind == Kind::Local && v.class > Class::Lin && types.get(v.ty) == Type::Float && !others.contains(&id)
    };
    let mut computed: BTreeSet<Id> = values.keys().copied().filter(|&id| of_threads(id)).collect();
    // What was not computed makes a variable none, and then those that it is assigned to.
    let none = |id: &Id, computed: &BTreeSet<Id>| !values[id].iter().all(|value| is_computed(value, computed, types));
    while let Some(id) = computed.iter().copied().find(|id| none(id, &computed)) {
        computed.remove(&id);
    }
    // Of others there is nothing to save.
    computed.retain(|id| values[id].iter().any(|value| has_any(value, types)));
    computed
}

/// What is assigned to variables.
#[derive(Default)]
struct Assigned<'a> {
    values: BTreeMap<Id, Vec<&'a Expr>>,
    /// Variables that get values in other ways.
    others: BTreeSet<Id>,
}

impl<'a> Visit<'a> for Assigned<'a> {
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Let(id, value) | StatementKind::Assign { to: id, value, .. } => {
                self.values.entry(*id).or_default().push(value);
            }
            StatementKind::LetCall { to, .. } => self.others.extend(to.leaves().into_iter().copied()),
            _ => {}
        }
        walk_statement(self, statement);
    }
}

/// Whether a NaN of it is canonical, or may be taken for canonical: no NaN of another origin comes of it.
fn is_computed(e: &Expr, computed: &BTreeSet<Id>, types: &Types) -> bool {
    match &e.kind {
        ExprKind::Float(_) | ExprKind::Unset | ExprKind::MulAdd(_) | ExprKind::Power(..) => true,
        ExprKind::Limit(name) => *name != "NAN",
        // Of a float the sign may be changed.
        ExprKind::Binary(op, ..) => *op != Binary::CopySign,
        ExprKind::Float1(op, _) => !changes_sign(op),
        ExprKind::Cast(a) => types.get(a.ty) != Type::Float,
        // From f32 to f32 it does nothing.
        ExprKind::Narrow(a) => is_computed(a, computed, types),
        // A half's canonical NaN in f32 is not that of f32.
        ExprKind::Widen(_) => false,
        ExprKind::Variable(id) => computed.contains(id),
        _ => false,
    }
}

/// Whether the context computes it with any NaN.
fn has_any(e: &Expr, types: &Types) -> bool {
    let of_threads = e.class > Class::Lin && types.get(e.ty) == Type::Float;
    of_threads
        && match &e.kind {
            ExprKind::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div),
            ExprKind::MulAdd(_) => true,
            _ => false,
        }
}

/// Whether a NaN's bits are seen: those of all but the sign are the operand's.
fn changes_sign(op: &str) -> bool {
    matches!(op, "Neg" | "Abs")
}

impl Printer<'_> {
    /// The value for a variable.
    pub(super) fn value_for(&self, id: Id, value: &Expr) -> TokenStream {
        match self.kernel.variables[id].class {
            _ if self.any_nan.contains(&id) => self.with_any_nan(value),
            class => self.in_class(value, class),
        }
    }

    /// A variable of one value per thread, whose bits are seen.
    pub(super) fn canonical(&self, id: Id, e: &Expr) -> TokenStream {
        let (cx, name, span) = (&self.cx, self.name_at(id, e.span), e.span);
        if !self.any_nan.contains(&id) {
            return name;
        }
        let held = self.held_as(Type::Float, e.precision);
        quote_spanned!(span=> #cx.canonical::<#held>(#name))
    }

    /// One value per thread, of which a NaN may be any.
    pub(super) fn with_any_nan(&self, e: &Expr) -> TokenStream {
        let (cx, span) = (&self.cx, e.span);
        let held = self.held_as(self.types.get(e.ty), e.precision);
        match &e.kind {
            ExprKind::Variable(id) if self.any_nan.contains(id) => self.name_at(*id, e.span),
            ExprKind::Binary(op, a, b) if has_any(e, self.types) => {
                let (op, a, b) = (Ident::new(op.name(), span), self.with_any_nan(a), self.with_any_nan(b));
                let kernel = &self.path;
                quote_spanned!(span=> #cx.op2_any::<#held, _>(#kernel::op2::#op, #a, #b))
            }
            ExprKind::MulAdd(x) if has_any(e, self.types) => {
                let x = x.iter().map(|x| self.with_any_nan(x));
                quote_spanned!(span=> #cx.fma_any::<#held>(#(#x),*))
            }
            _ => self.per_thread(e),
        }
    }

    /// An operand of an operation on one float.
    pub(super) fn operand_of(&self, op: &str, a: &Expr) -> TokenStream {
        if changes_sign(op) { self.per_thread(a) } else { self.with_any_nan(a) }
    }
}
