//! Constants that Rust computes before a kernel runs, in binary32 for floats.

use super::super::Fault;
use super::super::number;
use super::super::tree::{Binary, Int, Type};
use super::items::Items;
use super::text;
use crate::form::Ty;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Constant {
    /// A float, as bits of binary32.
    Float(u32),
    /// An integer, and its type if the source gives one.
    Int(Option<Type>, i128),
    Bool(bool),
}

impl Constant {
    /// The value as a `const` of this type holds it.
    pub(super) const fn typed(self, ty: Type) -> Self {
        match self {
            Self::Int(_, x) => Self::Int(Some(ty), x),
            other => other,
        }
    }
}

/// Constants of `f32::consts` that kernels name.
const CONSTS: [(&str, f32); 8] = [
    ("PI", core::f32::consts::PI),
    ("TAU", core::f32::consts::TAU),
    ("E", core::f32::consts::E),
    ("LN_2", core::f32::consts::LN_2),
    ("LN_10", core::f32::consts::LN_10),
    ("LOG2_E", core::f32::consts::LOG2_E),
    ("SQRT_2", core::f32::consts::SQRT_2),
    ("FRAC_PI_2", core::f32::consts::FRAC_PI_2),
];

impl Items {
    /// The value of a constant expression.
    pub(super) fn constant(&self, e: &syn::Expr) -> Result<Constant, Fault> {
        let wrong = || Fault::source("this is no constant");
        match e {
            syn::Expr::Paren(e) => self.constant(&e.expr),
            syn::Expr::Group(e) => self.constant(&e.expr),
            syn::Expr::Const(e) => self.block(&e.block),
            syn::Expr::Block(e) => self.block(&e.block),
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(int) if int.suffix() == "f32" => float(int.base10_digits()),
                syn::Lit::Int(int) => {
                    let ty = Int::of(int.suffix()).map(Type::Int);
                    Ok(Constant::Int(ty, int.base10_parse()?))
                }
                syn::Lit::Float(x) => float(x.base10_digits()),
                syn::Lit::Bool(b) => Ok(Constant::Bool(b.value)),
                _ => Err(wrong()),
            },
            syn::Expr::Unary(unary) => match (&unary.op, self.constant(&unary.expr)?) {
                (syn::UnOp::Neg(_), Constant::Int(ty, x)) => Ok(Constant::Int(ty, -x)),
                (syn::UnOp::Neg(_), Constant::Float(x)) => Ok(Constant::Float(number::negate(Ty::F32, x))),
                _ => Err(wrong()),
            },
            syn::Expr::Binary(e) => {
                let op = super::expr::arithmetic(&e.op).ok_or_else(wrong)?;
                match (self.constant(&e.left)?, self.constant(&e.right)?) {
                    (Constant::Float(a), Constant::Float(b)) => {
                        number::binary(Ty::F32, op, a, b).map(Constant::Float).ok_or_else(wrong)
                    }
                    (Constant::Int(s, a), Constant::Int(t, b)) => {
                        let x = match op {
                            Binary::Add => a.checked_add(b),
                            Binary::Sub => a.checked_sub(b),
                            Binary::Mul => a.checked_mul(b),
                            Binary::Div => a.checked_div(b),
                            _ => None,
                        };
                        x.map(|x| Constant::Int(s.or(t), x)).ok_or_else(wrong)
                    }
                    _ => Err(wrong()),
                }
            }
            syn::Expr::Path(path) => self.path(&path.path).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    fn block(&self, block: &syn::Block) -> Result<Constant, Fault> {
        match &block.stmts[..] {
            [syn::Stmt::Expr(e, None)] => self.constant(e),
            _ => Err(Fault::source("a constant block is one expression here")),
        }
    }

    /// A constant by its path.
    pub(super) fn path(&self, path: &syn::Path) -> Option<Constant> {
        let names: Vec<_> = path.segments.iter().map(|s| text(&s.ident)).collect();
        match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [of, end @ ("MIN" | "MAX")] if Int::of(of).is_some() => {
                let of = Int::of(of)?;
                Some(Constant::Int(Some(Type::Int(of)), of.range()[usize::from(end == "MAX")]))
            }
            [.., "consts", name] => CONSTS.iter().find(|c| c.0 == name).map(|c| Constant::Float(c.1.to_bits())),
            [.., name] => self.named(name),
            [] => None,
        }
    }
}

fn float(digits: &str) -> Result<Constant, Fault> {
    let bits = number::literal(digits).ok_or_else(|| Fault::source(format!("`{digits}` is no number")))?;
    Ok(Constant::Float(bits[number::place(Ty::F32)]))
}
