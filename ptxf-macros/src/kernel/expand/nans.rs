//! Canonical NaNs, and the operations that need not return them.
//!
//! An operation's NaN is canonical, which costs a vector an instruction or two per operation. An
//! operand's NaN may be any: the result is a NaN, and canonical. So if a sum, a product or a
//! quotient is itself an operand, the context computes it with any NaN (`op2_any`, `fma_any`). A
//! variable whose assigned values are all computed holds any NaN until its bits are seen: when it
//! is stored, chosen, passed on, or changes its sign (`canonical`).
//!
//! ```text
//! let d = x[t] - y[t];      let d = cx.op2_any(Sub, load(x), load(y));
//! sum += d * d;             sum = cx.op2_any(Add, sum, cx.op2_any(Mul, d, d));
//! out[t] = sum;             cx.store(out, cx.canonical(sum));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use super::super::ast::{Binary, Class, Expr, ExprKind, Id, Kernel, Kind, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::super::types::Types;
use super::super::visit::{Visit, walk_statement};
use super::Printer;

/// Returns the variables that hold any NaN.
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
    // A value that was not computed excludes its variable, and then the variables that are computed
    // from that one.
    let none = |id: &Id, computed: &BTreeSet<Id>| !values[id].iter().all(|value| is_computed(value, computed, types));
    while let Some(id) = computed.iter().copied().find(|id| none(id, &computed)) {
        computed.remove(&id);
    }
    // For the others there is nothing to save.
    computed.retain(|id| values[id].iter().any(|value| has_any(value, types)));
    computed
}

/// The values that are assigned to variables.
#[derive(Default)]
struct Assigned<'a> {
    values: BTreeMap<Id, Vec<&'a Expr>>,
    /// Variables with values of other constructs.
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

/// Returns `true` if a NaN of the value may be treated as canonical: the value is computed here,
/// and no NaN of another origin reaches it.
fn is_computed(e: &Expr, computed: &BTreeSet<Id>, types: &Types) -> bool {
    match &e.kind {
        ExprKind::Float(_) | ExprKind::Unset | ExprKind::MulAdd(_) | ExprKind::Power(..) => true,
        ExprKind::Limit(name) => *name != "NAN",
        // `copysign` may change the sign.
        ExprKind::Binary(op, ..) => *op != Binary::CopySign,
        ExprKind::Float1(op, _) => !changes_sign(op),
        ExprKind::Cast(a) => types.get(a.ty) != Type::Float,
        // From f32 to f32 it does nothing.
        ExprKind::Narrow(a) => is_computed(a, computed, types),
        // The canonical NaN of a 16-bit float in f32 is not that of f32.
        ExprKind::Widen(_) => false,
        ExprKind::Variable(id) => computed.contains(id),
        _ => false,
    }
}

/// Returns `true` if the context can compute the value with any NaN.
fn has_any(e: &Expr, types: &Types) -> bool {
    let of_threads = e.class > Class::Lin && types.get(e.ty) == Type::Float;
    of_threads
        && match &e.kind {
            ExprKind::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div),
            ExprKind::MulAdd(_) => true,
            _ => false,
        }
}

/// Returns `true` for an operation that changes only the sign, and so keeps the other bits of a
/// NaN.
fn changes_sign(op: &str) -> bool {
    matches!(op, "Neg" | "Abs")
}

impl Printer<'_> {
    /// Prints the value of a variable.
    pub(super) fn value_for(&self, id: Id, value: &Expr) -> TokenStream {
        match self.kernel.variables[id].class {
            _ if self.any_nan.contains(&id) => self.with_any_nan(value),
            class => self.in_class(value, class),
        }
    }

    /// Prints a variable of one value per thread whose bits are seen.
    pub(super) fn canonical(&self, id: Id, e: &Expr) -> TokenStream {
        let (cx, name, span) = (&self.cx, self.name_at(id, e.span), e.span);
        if !self.any_nan.contains(&id) {
            return name;
        }
        let held = self.held_as(Type::Float, e.precision);
        quote_spanned!(span=> #cx.canonical::<#held>(#name))
    }

    /// Prints one value per thread that may be any NaN.
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

    /// Prints an operand of an operation on one float.
    pub(super) fn operand_of(&self, op: &str, a: &Expr) -> TokenStream {
        if changes_sign(op) { self.per_thread(a) } else { self.with_any_nan(a) }
    }
}
