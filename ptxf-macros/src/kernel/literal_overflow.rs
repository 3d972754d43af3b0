//! Literals that become infinite or 0 in the element type.
//!
//! The kernel computes with them as they are, since its author may mean just that: `if x >
//! 65536.0`. The plan lists them, and the compiler warns.

use proc_macro2::Span;

use super::ast::{Expr, ExprKind, Kernel, Precision};
use super::literal;
use super::options::Pair;
use super::visit::{Visit, walk_expr};

/// A literal that becomes infinite or 0.
#[derive(Clone, Debug)]
pub(crate) struct LiteralOverflow {
    pub(crate) span: Span,
    /// A text such as `65536.0 is infinity in f16`.
    pub(crate) what: String,
}

/// Returns all such literals, in the order of the source.
pub(crate) fn find(kernel: &Kernel, pair: Pair) -> Vec<LiteralOverflow> {
    let mut pass = Pass { pair, found: Vec::new() };
    pass.block(&kernel.body);
    pass.found
}

struct Pass {
    pair: Pair,
    found: Vec<LiteralOverflow>,
}

impl Visit<'_> for Pass {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Float(text) = &e.kind
            && e.precision != Precision::Single
            && let Some(becomes) = becomes(text, self.pair)
        {
            let what = format!("{text} is {becomes} in {}", self.pair.element().to_lowercase());
            self.found.push(LiteralOverflow { span: e.span, what });
        }
        walk_expr(self, e);
    }
}

/// Returns "0" or "infinity" if the literal becomes that, and `None` if it stays a number or is 0
/// itself.
fn becomes(text: &str, pair: Pair) -> Option<&'static str> {
    let (single, half, bfloat) = literal::bits(text)?;
    let (bits, infinity) = match pair {
        Pair::F16x2 => (half, 0x7C00),
        Pair::Bf16x2 => (bfloat, 0x7F80),
        Pair::F32x2 => return None,
    };
    match bits {
        0 if single != 0 => Some("0"),
        bits if bits == infinity => Some("infinity"),
        _ => None,
    }
}
