//! Methods of numbers, tables and slices.

use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Lit, Result, UnOp};

use super::super::ast::{Binary, Expr, ExprKind, Kind};
use super::super::scalar_type::Type;
use super::Parser;
use super::expr::name_of;

/// Functions of one float, with the variant of `Op1`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("abs", "Abs"),
    ("sqrt", "Sqrt"),
    ("recip", "Recip"),
    ("rsqrt", "Rsqrt"),
    ("exp2", "Exp2"),
    ("exp", "Exp"),
    ("log2", "Log2"),
    ("ln", "Ln"),
    ("sin", "Sin"),
    ("cos", "Cos"),
    ("tanh", "Tanh"),
    ("floor", "Floor"),
    ("ceil", "Ceil"),
    ("trunc", "Trunc"),
    ("round", "Round"),
    ("round_ties_even", "RoundTiesEven"),
    ("signum", "Signum"),
    ("fract", "Fract"),
    ("tan", "Tan"),
    ("asin", "Asin"),
    ("acos", "Acos"),
    ("atan", "Atan"),
    ("sinh", "Sinh"),
    ("cosh", "Cosh"),
    ("log10", "Log10"),
    ("to_degrees", "ToDegrees"),
    ("to_radians", "ToRadians"),
];

/// Functions of two floats that integers do not have.
const OF_TWO_FLOATS: &[(&str, Binary)] =
    &[("copysign", Binary::CopySign), ("atan2", Binary::Atan2), ("powf", Binary::Powf), ("hypot", Binary::Hypot)];

/// Functions from a float to `bool`.
const TESTS: &[&str] = &["is_nan", "is_finite", "is_infinite"];

/// Functions of one integer, with the variant of `IntOp1` and the type of the result.
const OF_ONE_INTEGER: &[(&str, &str, Returns)] = &[
    ("abs", "Abs", Returns::Signed),
    ("signum", "Signum", Returns::Signed),
    ("count_ones", "CountOnes", Returns::Count),
    ("leading_zeros", "LeadingZeros", Returns::Count),
    ("trailing_zeros", "TrailingZeros", Returns::Count),
    ("reverse_bits", "ReverseBits", Returns::Same),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    /// The type of the operand.
    Same,
    /// The type of the operand, which must be signed.
    Signed,
    /// `u32` for every operand.
    Count,
}

/// Functions of two integers of one type.
const OF_TWO_INTEGERS: &[(&str, Binary)] = &[
    ("wrapping_add", Binary::Add),
    ("wrapping_sub", Binary::Sub),
    ("wrapping_mul", Binary::Mul),
    ("saturating_add", Binary::SaturatingAdd),
    ("saturating_sub", Binary::SaturatingSub),
    ("abs_diff", Binary::AbsDiff),
    ("div_euclid", Binary::DivEuclid),
    ("rem_euclid", Binary::RemEuclid),
    ("div_ceil", Binary::DivCeil),
];

/// Functions of an integer and a `u32`.
const BY_A_NUMBER: &[(&str, Binary)] =
    &[("pow", Binary::Pow), ("rotate_left", Binary::RotateLeft), ("rotate_right", Binary::RotateRight)];

/// Functions of floats with other arguments.
const OF_FLOATS: &[&str] = &["mul_add", "powi"];

fn integers() -> impl Iterator<Item = &'static (&'static str, Binary)> {
    OF_TWO_INTEGERS.iter().chain(BY_A_NUMBER)
}

impl Parser<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Result<Expr> {
        let span = call.span();
        let name = call.method.to_string();
        if let Some(turbofish) = &call.turbofish {
            return Err(Error::new(turbofish.span(), format!("`{name}` has no type arguments here: leave them out")));
        }
        // A table, or the length of a slice.
        if let syn::Expr::Path(path) = &*call.receiver {
            let local = name_of(path).and_then(|name| self.find(name));
            match (local, name.as_str()) {
                (None, "get") => {
                    self.outside(path)?;
                    let [x] = self.arguments::<1>(call)?;
                    self.expect(x.span, x.ty, Type::Float)?;
                    let ty = self.types.known(Type::Float);
                    return Ok(self.make(span, ExprKind::Table(quote!(#path), Box::new(x)), ty));
                }
                (Some(id), "len")
                    if matches!(self.variables[id].kind, Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_)) =>
                {
                    self.arguments::<0>(call)?;
                    let rows = match &self.variables[id].kind {
                        Kind::Array(shape) => shape.0.first().cloned(),
                        Kind::Shared(shape) if shape.0.len() > 1 => shape.0.first().cloned(),
                        _ => None,
                    };
                    if let Some(rows) = rows {
                        return Ok(self.length(&rows));
                    }
                    let ty = self.types.known(Type::USIZE);
                    return Ok(self.make(path.span(), ExprKind::Length(id), ty));
                }
                (None, "len") if self.constant_array(&call.receiver).is_some() => {
                    self.outside(path)?;
                    self.arguments::<0>(call)?;
                    let ty = self.types.known(Type::USIZE);
                    return Ok(self.make(span, ExprKind::Constant(quote!(#path.len())), ty));
                }
                _ => {}
            }
        }
        let a = self.expr(&call.receiver)?;
        match name.as_str() {
            "min" | "max" => {
                let [b] = self.arguments::<1>(call)?;
                let op = if name == "min" { Binary::Min } else { Binary::Max };
                self.arithmetic(span, op, a, b)
            }
            "clamp" => {
                let [least, most] = self.arguments::<2>(call)?;
                let ty = a.ty;
                for bound in [&least, &most] {
                    self.types.unify(bound.span, bound.ty, ty)?;
                }
                if self.types.get(ty) == Type::Bool {
                    return Err(Error::new(span, "`bool` has no `clamp`: floats and integers have it"));
                }
                Ok(self.make(span, ExprKind::Clamp(Box::new([a, least, most])), ty))
            }
            _ if self.types.get(a.ty).is_int() => self.method_of_integer(call, a),
            _ => self.method_of_float(call, a),
        }
    }

    fn method_of_float(&mut self, call: &syn::ExprMethodCall, a: Expr) -> Result<Expr> {
        let (span, name, ty) = (call.span(), call.method.to_string(), a.ty);
        if let Some((_, op)) = FUNCTIONS.iter().find(|f| f.0 == name) {
            self.arguments::<0>(call)?;
            self.expect(a.span, ty, Type::Float)?;
            return Ok(self.make(span, ExprKind::Float1(op, Box::new(a)), ty));
        }
        if let Some(test) = TESTS.iter().find(|test| **test == name) {
            self.arguments::<0>(call)?;
            self.expect(a.span, ty, Type::Float)?;
            let ty = self.types.known(Type::Bool);
            return Ok(self.make(span, ExprKind::Test(test, Box::new(a)), ty));
        }
        if let Some((_, op)) = OF_TWO_FLOATS.iter().find(|f| f.0 == name) {
            let [b] = self.arguments::<1>(call)?;
            self.expect(a.span, ty, Type::Float)?;
            return self.arithmetic(span, *op, a, b);
        }
        match name.as_str() {
            "mul_add" => {
                let [b, c] = self.arguments::<2>(call)?;
                for x in [&a, &b, &c] {
                    self.expect(x.span, x.ty, Type::Float)?;
                }
                Ok(self.make(span, ExprKind::MulAdd(Box::new([a, b, c])), ty))
            }
            "powi" => {
                self.expect(a.span, ty, Type::Float)?;
                let exponent = match &call.args.iter().collect::<Vec<_>>()[..] {
                    [exponent] => integer(exponent),
                    _ => None,
                };
                let Some(exponent) = exponent else {
                    let message = "`powi` takes an integer literal here, `x.powi(3)`: for another exponent write \
                                   `x.powf(y)`, or a loop";
                    return Err(Error::new(call.method.span(), message));
                };
                Ok(self.make(span, ExprKind::Power(Box::new(a), exponent), ty))
            }
            _ if self.types.get(ty) == Type::Bool => {
                let message = format!("`bool` has no `{name}`: it has `&&`, `||`, `!` and `as i32`");
                Err(Error::new(call.method.span(), message))
            }
            name if elsewhere(name).is_some() => {
                let write = elsewhere(name).unwrap_or_default();
                Err(Error::new(call.method.span(), format!("floats have no `{name}` in a kernel: write {write}")))
            }
            name if OF_ONE_INTEGER.iter().any(|f| f.0 == name) || integers().any(|f| f.0 == name) => {
                let message = format!("`{name}` takes integers, and this is `f32`: cast it, `as i32`");
                Err(Error::new(call.method.span(), message))
            }
            _ => {
                let others = OF_TWO_FLOATS.iter().map(|f| &f.0).chain(TESTS).chain(OF_FLOATS).copied();
                let all: Vec<_> = FUNCTIONS.iter().map(|f| f.0).chain(others).collect();
                let message = format!(
                    "floats have no `{name}` in a kernel: there are {}, min, max and clamp; for another function of \
                     one value write a table, `TABLE.get(x)`",
                    all.join(", ")
                );
                Err(Error::new(call.method.span(), message))
            }
        }
    }

    fn method_of_integer(&mut self, call: &syn::ExprMethodCall, a: Expr) -> Result<Expr> {
        let (span, name, ty) = (call.span(), call.method.to_string(), a.ty);
        if let Some((_, op, returns)) = OF_ONE_INTEGER.iter().find(|f| f.0 == name) {
            self.arguments::<0>(call)?;
            if *returns == Returns::Signed {
                let found = self.decided(&a)?;
                if matches!(found, Type::Int(of) if !of.is_signed()) {
                    let message = format!(
                        "`{name}` takes signed integers and floats, and this is `{}`: cast it, `as i32`",
                        found.name()
                    );
                    return Err(Error::new(call.method.span(), message));
                }
            }
            let d = self.make(span, ExprKind::Int1(op, Box::new(a)), ty);
            return Ok(if *returns == Returns::Count { self.as_type(d, Type::U32) } else { d });
        }
        if let Some((_, op)) = OF_TWO_INTEGERS.iter().find(|f| f.0 == name) {
            let [b] = self.arguments::<1>(call)?;
            let d = self.arithmetic(span, *op, a, b)?;
            if matches!(op, Binary::AbsDiff | Binary::DivCeil)
                && let Type::Int(of) = self.decided(&d)?
                && of.is_signed()
            {
                if *op == Binary::AbsDiff {
                    return Ok(self.as_type(d, Type::Int(of.unsigned())));
                }
                let message =
                    format!("`div_ceil` takes unsigned integers, and this is `{}`: cast it, `as u32`", of.name());
                return Err(Error::new(call.method.span(), message));
            }
            return Ok(d);
        }
        if let Some((_, op)) = BY_A_NUMBER.iter().find(|f| f.0 == name) {
            let [b] = self.arguments::<1>(call)?;
            self.expect(b.span, b.ty, Type::U32)?;
            if *op == Binary::Pow
                && let Type::Int(of) = self.decided(&a)?
                && !of.has_32_bits()
            {
                // The power of a longer integer has the same low bits.
                let a = self.as_type(a, Type::U32);
                let power = self.arithmetic(span, *op, a, b)?;
                return Ok(self.as_type(power, Type::Int(of)));
            }
            let b = self.make(b.span, ExprKind::Cast(Box::new(b)), ty);
            return self.arithmetic(span, *op, a, b);
        }
        let of_floats = FUNCTIONS.iter().map(|f| &f.0).chain(OF_TWO_FLOATS.iter().map(|f| &f.0));
        if of_floats.chain(TESTS).chain(OF_FLOATS).any(|of| *of == name) {
            self.expect(a.span, ty, Type::Float)?;
        }
        if name.starts_with("fetch_") || matches!(&*name, "swap" | "compare_exchange" | "compare_and_swap") {
            let message = format!(
                "`{name}` is a method of atomic types, which kernels do not have: write \
                                   `atomic_add(&mut x[i], 1);`"
            );
            return Err(Error::new(call.method.span(), message));
        }
        let all: Vec<_> = OF_ONE_INTEGER.iter().map(|f| f.0).chain(integers().map(|f| f.0)).collect();
        let message =
            format!("integers have no `{name}` in a kernel: there are {}, min, max and clamp", all.join(", "));
        Err(Error::new(call.method.span(), message))
    }

    /// Returns the type of an expression. An undecided integer becomes `i32`.
    fn decided(&mut self, e: &Expr) -> Result<Type> {
        if self.types.is_integer(e.ty) {
            self.expect(e.span, e.ty, Type::I32)?;
        }
        Ok(self.types.get(e.ty))
    }

    /// Returns `e as T`.
    fn as_type(&mut self, e: Expr, to: Type) -> Expr {
        let ty = self.types.known(to);
        self.make(e.span, ExprKind::Cast(Box::new(e)), ty)
    }

    fn arguments<const N: usize>(&mut self, call: &syn::ExprMethodCall) -> Result<[Expr; N]> {
        let mut found = Vec::new();
        for argument in &call.args {
            found.push(self.expr(argument)?);
        }
        let count = found.len();
        found.try_into().map_err(|_| {
            let table = if call.method == "get" { "; a table has one variable" } else { "" };
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{}` takes {N} argument{plural}, found {count}{table}", call.method);
            Error::new(call.method.span(), message)
        })
    }
}

/// Returns what to write for a function that Rust has for floats and kernels do not.
fn elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "asinh" => "`(x + (x * x + 1.0).sqrt()).ln()`, which is inexact near 0, or a table",
        "acosh" => "`(x + (x * x - 1.0).sqrt()).ln()`",
        "atanh" => "`0.5 * ((1.0 + x) / (1.0 - x)).ln()`, which is inexact near 0, or a table",
        "cbrt" => "`x.abs().powf(1.0 / 3.0).copysign(x)`",
        "erf" | "erfc" | "gamma" => {
            "a table for 16 bits, `unary_table!(static TABLE: F16 -> F16 = |x| …)` and `TABLE.get(x)`; *Functions \
             that no instruction is* in \
             docs/kernels.md has an `erf` of all formats to copy"
        }
        "exp_m1" => "`x.exp() - 1.0`, which is inexact near 0, or a table",
        "ln_1p" => "`(1.0 + x).ln()`, which is inexact near 0, or a table",
        "rem_euclid" | "div_euclid" => "`x - (x / y).floor() * y`",
        _ => return None,
    })
}

/// Returns the value of an integer literal with or without a sign.
fn integer(e: &syn::Expr) -> Option<i32> {
    match e {
        syn::Expr::Paren(inner) => integer(&inner.expr),
        syn::Expr::Group(inner) => integer(&inner.expr),
        syn::Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => integer(&unary.expr)?.checked_neg(),
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Int(lit), .. }) if matches!(lit.suffix(), "" | "i32") => {
            lit.base10_parse().ok()
        }
        _ => None,
    }
}
