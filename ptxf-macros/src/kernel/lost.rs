//! Literals that the element type has no number for but infinity or 0, where the source has another one.
//!
//! They are computed with as they are, for a kernel may mean just that: `if x > 65536.0`. The plan says so, and the compiler warns.

use proc_macro2::Span;

use super::ast::{Expr, ExprKind, Kernel, Precision};
use super::literal;
use super::options::Pair;
use super::visit::{Visit, walk_expr};

/// A literal, and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    pub(crate) span: Span,
    /// `65536.0 is infinity in f16`
    pub(crate) what: String,
}

/// All of them, in the order of the source.
pub(crate) fn find(kernel: &Kernel, pair: Pair) -> Vec<Lost> {
    let mut pass = Pass { pair, found: Vec::new() };
    pass.block(&kernel.body);
    pass.found
}

struct Pass {
    pair: Pair,
    found: Vec<Lost>,
}

impl Visit<'_> for Pass {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Float(text) = &e.kind
            && e.precision != Precision::Single
            && let Some(becomes) = becomes(text, self.pair)
        {
            let what = format!("{text} is {becomes} in {}", self.pair.element().to_lowercase());
            self.found.push(Lost { span: e.span, what });
        }
        walk_expr(self, e);
    }
}

/// Infinity or 0, if the literal is neither.
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
