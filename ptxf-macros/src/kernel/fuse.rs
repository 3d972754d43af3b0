//! The option `fuse`: a product and the sum that it is an operand of are one `fma`.
//!
//! ```text
//! a * b + c    c + a * b    s += a * b       a.mul_add(b, c)
//! a * b - c                                  a.mul_add(b, -c)
//! c - a * b    s -= a * b                    (-a).mul_add(b, c)
//! ```
//!
//! A product is an operand as it is written, in parentheses or not, negated or not. Of two products
//! the first is fused. The value of a variable, function, block or choice is none, although the
//! tree may hold a product in its place. So the parser finds products in the source ([`product`]),
//! by the option of the function in which the sum is written.
//!
//! [`sums`] makes the sums `mul_add`s when the types are known. [`signs`] negates operands after
//! `precision`, which treats a product and its negation differently.

use quote::ToTokens as _;

use super::ast::{Binary, Expr, ExprKind, Kernel, Product};
use super::parse::bare;
use super::scalar_type::Type;
use super::types::Types;
use super::visit::{VisitMut, walk_expr_mut};

/// Returns the product that `fuse` takes from a sum's operands. `None` stands for the first operand
/// of a compound assignment.
pub(super) fn product(op: Binary, first: Option<&syn::Expr>, second: &syn::Expr) -> Option<Box<Product>> {
    if !matches!(op, Binary::Add | Binary::Sub) {
        return None;
    }
    let written = |e| Some(factors(e)?.map(shown).join(" * "));
    let of = |is_first, text| Box::new(Product { is_first, text, negates: [false; 2] });
    let first = first.and_then(written).map(|text| of(true, text));
    first.or_else(|| written(second).map(|text| of(false, text)))
}

/// Returns the factors of a product as it is written, or of its negation.
fn factors(e: &syn::Expr) -> Option<[&syn::Expr; 2]> {
    match bare(e) {
        syn::Expr::Binary(syn::ExprBinary { op: syn::BinOp::Mul(_), left, right, .. }) => Some([left, right]),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => factors(expr),
        _ => None,
    }
}

/// Returns an expression as a person writes it.
fn shown(e: &syn::Expr) -> String {
    let (mut shown, mut is_glued) = (String::new(), true);
    for word in e.to_token_stream().to_string().split_whitespace() {
        let sticks = word.starts_with(['.', '[', ']', ')', ',', ';', '?']);
        let calls = word.starts_with('(') && shown.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if !(is_glued || sticks || calls) {
            shown.push(' ');
        }
        shown.push_str(word);
        is_glued = word.ends_with(['.', '[', '(', ':']);
    }
    shown
}

/// Makes each sum with a product a `mul_add`.
pub(super) fn sums(kernel: &mut Kernel, types: &Types) {
    Sums(types).block(&mut kernel.body);
}

struct Sums<'a>(&'a Types);

impl VisitMut for Sums<'_> {
    fn expr(&mut self, e: &mut Expr) {
        walk_expr_mut(self, e);
        let Some(mut product) = e.fused.take().filter(|_| self.0.get(e.ty) == Type::Float) else { return };
        let ExprKind::Binary(op, a, b) = &mut e.kind else { return };
        let (found, other) = if product.is_first { (a, b) } else { (b, a) };
        // The product of structures is the value of a function.
        let Some((is_negated, [a, b])) = take(found) else { return };
        let c = core::mem::replace(&mut **other, a.placeholder());
        let subtracts = *op == Binary::Sub;
        product.negates = [is_negated ^ (subtracts && !product.is_first), subtracts && product.is_first];
        e.kind = ExprKind::MulAdd(Box::new([a, b, c]));
        e.fused = Some(product);
    }
}

/// Returns `true` for a product of numbers, or its negation.
pub(super) fn is_product(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Float1("Neg", a) => is_product(a),
        ExprKind::Binary(op, ..) => *op == Binary::Mul,
        _ => false,
    }
}

/// Takes the factors out of a product of numbers. Returns `true` with them if it is negated.
fn take(e: &mut Expr) -> Option<(bool, [Expr; 2])> {
    match &mut e.kind {
        ExprKind::Float1("Neg", a) => take(a).map(|(is_negated, factors)| (!is_negated, factors)),
        ExprKind::Binary(Binary::Mul, a, b) => {
            let placeholder = a.placeholder();
            Some((false, [a, b].map(|e| core::mem::replace(&mut **e, placeholder.clone()))))
        }
        _ => None,
    }
}

/// Negates the operands of the `mul_add`s of differences.
pub(super) fn signs(kernel: &mut Kernel) {
    Signs.block(&mut kernel.body);
}

struct Signs;

impl VisitMut for Signs {
    fn expr(&mut self, e: &mut Expr) {
        walk_expr_mut(self, e);
        if let (ExprKind::MulAdd(operands), Some(product)) = (&mut e.kind, &e.fused) {
            let [of_product, of_addend] = product.negates;
            let [a, b, c] = &mut **operands;
            if of_product {
                negate(if matches!(b.kind, ExprKind::Float(_)) { b } else { a });
            }
            if of_addend {
                negate(c);
            }
        }
    }
}

/// Negates a value, which is exact.
fn negate(e: &mut Expr) {
    let placeholder = e.placeholder();
    let kind = match core::mem::replace(e, placeholder) {
        Expr { kind: ExprKind::Float1("Neg", a), .. } => return *e = *a,
        a => ExprKind::Float1("Neg", Box::new(a)),
    };
    e.kind = kind;
}

impl Expr {
    /// Returns an expression of the same type, to stand where this one is taken out.
    pub(super) fn placeholder(&self) -> Self {
        let Self { span, ty, class, precision, .. } = *self;
        Self { kind: ExprKind::Unset, span, ty, class, precision, fused: None }
    }
}
