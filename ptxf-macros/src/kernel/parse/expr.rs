//! Expressions.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{BinOp, Error, Lit, Result, UnOp};

use super::super::ast::{
    Binary, Block, Class, Expr, ExprKind, Id, Int, Kind, Precision, Right, Statement, Type, TypeVar,
};
use super::super::parts::Parts;
use super::super::types::Types;
use super::super::{literal, names};
use super::Parser;
use super::arrays::Indexed;
use super::several::Value;
use super::signature::scalar;

/// The constants of `f32` that exist for every element type.
const LIMITS: &[&str] = &["INFINITY", "NEG_INFINITY", "NAN", "MAX", "MIN", "MIN_POSITIVE", "EPSILON"];

/// Whether it stands at the end of a block without being its value.
pub(super) fn is_statement(e: &syn::Expr) -> bool {
    matches!(
        e,
        syn::Expr::Assign(_)
            | syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::ForLoop(_)
            | syn::Expr::While(_)
            | syn::Expr::Loop(_)
            | syn::Expr::Break(_)
            | syn::Expr::Continue(_)
            | syn::Expr::Return(_)
            | syn::Expr::Binary(syn::ExprBinary {
                op: BinOp::AddAssign(_)
                    | BinOp::SubAssign(_)
                    | BinOp::MulAssign(_)
                    | BinOp::DivAssign(_)
                    | BinOp::RemAssign(_)
                    | BinOp::BitAndAssign(_)
                    | BinOp::BitOrAssign(_)
                    | BinOp::BitXorAssign(_)
                    | BinOp::ShlAssign(_)
                    | BinOp::ShrAssign(_),
                ..
            })
    )
}

/// `a op b`
pub(super) fn arithmetic(types: &mut Types, span: Span, op: Binary, a: Expr, b: Expr) -> Result<Expr> {
    let b = match op {
        Binary::Shl | Binary::Shr => distance(types, b, a.ty),
        _ => b,
    };
    types.unify(b.span, b.ty, a.ty)?;
    let ty = a.ty;
    let bitwise = matches!(op, Binary::And | Binary::Or | Binary::Xor);
    if bitwise {
        types.expect_bits(ty);
    }
    if types.get(ty) == Type::Float && !op.of_floats() {
        return Err(Error::new(span, format!("floats have no `{}` here: cast to an integer, `as i32`", op.symbol())));
    }
    if matches!(types.get(ty), Type::Bool | Type::Unit) && !(types.get(ty) == Type::Bool && bitwise) {
        let message = format!(
            "`{}` has no `{}`: truth values have `&&`, `||`, `&`, `|`, `^` and `!`, and become integers with `as i32`",
            types.get(ty).name(),
            op.symbol()
        );
        return Err(Error::new(span, message));
    }
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Ok(Expr { kind, span, ty, class: Class::Uniform, precision: Precision::Element })
}

/// By how many bits something of a type is shifted: an integer of any type, the low bits of which count.
pub(super) fn distance(types: &mut Types, by: Expr, of: TypeVar) -> Expr {
    let same = types.get(by.ty) == types.get(of) && !types.is_integer(of);
    // A literal takes the other's type, and so does whatever nothing is known of.
    if matches!(by.kind, ExprKind::Int(_)) || !types.get(by.ty).is_int() || types.is_unknown(of) || same {
        return by;
    }
    let (span, class, precision) = (by.span, by.class, by.precision);
    Expr { kind: ExprKind::Cast(Box::new(by)), span, ty: of, class, precision }
}

/// The name that a path is, and nothing else.
pub(super) fn name_of(path: &syn::ExprPath) -> Option<&Ident> {
    path.path.get_ident().filter(|_| path.qself.is_none())
}

/// What a call calls, if that is a name, with type arguments or without.
pub(super) fn called(call: &syn::ExprCall) -> Option<&Ident> {
    let syn::Expr::Path(path) = &*call.func else { return None };
    let one = path.qself.is_none() && path.path.leading_colon.is_none() && path.path.segments.len() == 1;
    path.path.segments.last().filter(|_| one).map(|segment| &segment.ident)
}

impl Parser<'_> {
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Result<Expr> {
        let span = e.span();
        if let Some(callee) = self.callee(e) {
            let mut first = Vec::new();
            return match self.inside_value(|parser| parser.inlined_value(&callee, &mut first))? {
                Parts::One(value) => self.after(first, value),
                several => Err(self.one_needed(span, &several)),
            };
        }
        if let Some(e) = self.no_callee(e) {
            return Err(e);
        }
        match e {
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Lit(lit) => self.literal(&lit.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Index(index) => {
                if let Some(element) = self.constant_element(index) {
                    return element;
                }
                let Indexed { id, span, index, text } = self.indexed(index)?;
                Ok(self.element(id, span, index, text))
            }
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::If(e) => {
                let (condition, then, otherwise) = self.inside_value(|parser| parser.if_parts(e))?;
                let otherwise = otherwise.ok_or_else(|| Error::new(span, "an `if` that is a value needs an `else`"))?;
                self.if_value(span, condition, then, otherwise)
            }
            syn::Expr::Match(e) => self.match_value(e),
            syn::Expr::Block(e) if e.label.is_none() => {
                let block = self.inside_value(|parser| parser.block(&e.block));
                self.block_value(span, block)
            }
            syn::Expr::Unsafe(e) => {
                let block = self.inside_value(|parser| parser.unsafe_block(e));
                self.block_value(span, block)
            }
            syn::Expr::Const(block) => self.const_block(block),
            syn::Expr::Tuple(_) | syn::Expr::Struct(_) | syn::Expr::Field(_) => {
                let mut first = Vec::new();
                match self.inside_value(|parser| parser.value(e, &mut first))? {
                    Parts::One(one) => self.after(first, one),
                    several => Err(self.one_needed(span, &several)),
                }
            }
            other => Err(refuse(other)),
        }
    }

    /// A value, and what has to be done for it first.
    pub(super) fn after(&mut self, first: Vec<Statement>, value: Expr) -> Result<Expr> {
        if first.is_empty() {
            return Ok(value);
        }
        self.block_value(value.span, Block { statements: first, tail: Some(Box::new(value)) })
    }

    /// Of several values, where one has to be.
    pub(super) fn one_needed(&self, span: Span, value: &Value) -> Error {
        let found = self.name_of_value(value);
        Error::new(span, format!("this is `{found}`, and one value is needed here: name a part, as `.x` or `.0`"))
    }

    pub(super) fn const_block(&mut self, block: &syn::ExprConst) -> Result<Expr> {
        let (token, inside) = (&block.const_token, self.constant(block.block.to_token_stream())?);
        let ty = self.types.unknown();
        Ok(self.make(block.span(), ExprKind::Constant(quote!(#token #inside)), ty))
    }

    /// `slice[index]`, where what follows the name is `text`, and the name stands at `span`.
    pub(super) fn element(&self, id: Id, span: Span, index: Expr, text: String) -> Expr {
        let (ty, index) = (self.variables[id].ty, Box::new(index));
        let kind = match self.variables[id].kind {
            Kind::Array(_) => ExprKind::Element(id, index),
            _ => ExprKind::Load { slice: id, index, text, right: self.frame.right },
        };
        self.make(span, kind, ty)
    }

    /// Parses what may not be left halfway.
    pub(super) fn inside_value<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.frame.in_value;
        self.frame.in_value.get_or_insert(self.frame.around.len());
        let parsed = parse(self);
        self.frame.in_value = outer;
        parsed
    }

    pub(super) fn unsafe_block(&mut self, e: &syn::ExprUnsafe) -> Block {
        self.promised(e, |parser| parser.block(&e.block))
    }

    /// Parses what stands in `unsafe`.
    pub(super) fn promised<T>(&mut self, e: &syn::ExprUnsafe, parse: impl FnOnce(&mut Self) -> T) -> T {
        self.unsafes.push(e.unsafe_token.span());
        let outer = core::mem::replace(&mut self.frame.right, Right::Promised);
        let parsed = parse(self);
        self.frame.right = outer;
        parsed
    }

    pub(super) fn block_value(&mut self, span: Span, block: Block) -> Result<Expr> {
        let ty = match &block.tail {
            Some(tail) => tail.ty,
            None => self.types.known(Type::Unit),
        };
        Ok(self.make(span, ExprKind::Block(block), ty))
    }

    pub(super) fn if_value(&mut self, span: Span, condition: Expr, then: Block, otherwise: Block) -> Result<Expr> {
        let (Some(a), Some(b)) = (&then.tail, &otherwise.tail) else {
            return Err(Error::new(span, "both arms of an `if` that is a value have to end with one"));
        };
        self.types.unify(b.span, b.ty, a.ty)?;
        let ty = a.ty;
        Ok(self.make(span, ExprKind::If(Box::new(condition), then, otherwise), ty))
    }

    pub(super) fn index(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Range(range) = e {
            return Err(Error::new(range.span(), "no ranges: a thread reads one element at a time"));
        }
        let index = self.expr(e)?;
        self.expect(index.span, index.ty, Type::USIZE)?;
        Ok(index)
    }

    /// The path of what is written like a constant.
    pub(super) fn constant_array<'e>(&self, e: &'e syn::Expr) -> Option<&'e syn::ExprPath> {
        let syn::Expr::Path(path) = bare(e) else {
            return None;
        };
        let Some(name) = name_of(path) else {
            return Some(path);
        };
        let written = !name.to_string().contains(|c: char| c.is_lowercase());
        (written && self.binding(name).is_none()).then_some(path)
    }

    pub(super) fn literal(&mut self, lit: &Lit) -> Result<Expr> {
        let span = lit.span();
        let suffix = |suffix: &str| match suffix {
            "f32" => Ok(Some(Type::Float)),
            "" => Ok(None),
            other => match Int::of(other) {
                Some(of) => Ok(Some(Type::Int(of))),
                None => {
                    let message =
                        format!("no `{other}` in a kernel: there are f32, usize and integers of 8 to 64 bits");
                    Err(Error::new(span, message))
                }
            },
        };
        match lit {
            Lit::Bool(lit) => {
                let ty = self.types.known(Type::Bool);
                Ok(self.make(span, ExprKind::Bool(lit.value), ty))
            }
            Lit::Float(lit) => {
                if let Some(other) = suffix(lit.suffix())?.filter(|ty| *ty != Type::Float) {
                    let message = format!("this is no `{}`: write the number without its point", other.name());
                    return Err(Error::new(span, message));
                }
                let ty = self.types.known(Type::Float);
                Ok(self.make(span, ExprKind::Float(lit.base10_digits().to_owned()), ty))
            }
            Lit::Int(lit) => match suffix(lit.suffix())? {
                Some(Type::Float) => {
                    let ty = self.types.known(Type::Float);
                    Ok(self.make(span, ExprKind::Float(lit.base10_digits().to_owned()), ty))
                }
                Some(ty) => {
                    let ty = self.types.known(ty);
                    Ok(self.make(span, ExprKind::Int(lit.base10_digits().to_owned()), ty))
                }
                None => {
                    let ty = self.types.integer();
                    Ok(self.make(span, ExprKind::Int(lit.base10_digits().to_owned()), ty))
                }
            },
            other => Err(Error::new(other.span(), "a kernel has numbers and `bool`s")),
        }
        .and_then(|e| match &e.kind {
            ExprKind::Float(text) => match literal::bits(text) {
                None => Err(Error::new(span, "this is no decimal number")),
                Some((single, ..)) if !f32::from_bits(single).is_finite() => {
                    Err(Error::new(span, "this is too large for f32: write `f32::INFINITY` for infinity"))
                }
                Some(_) => Ok(e),
            },
            _ => Ok(e),
        })
    }

    pub(super) fn path(&mut self, path: &syn::ExprPath) -> Result<Expr> {
        let span = path.span();
        if let Some(name) = name_of(path)
            && let Some(parts) = self.binding(name)
        {
            let id = match parts {
                Parts::One(id) => *id,
                _ if self.not_followed(path).is_some() => {
                    return Err(self.not_followed(path).expect("asked for here"));
                }
                several => {
                    let value =
                        several.clone().map(&mut |&id| self.make(span, ExprKind::Variable(id), self.variables[id].ty));
                    return Err(self.one_needed(span, &value));
                }
            };
            if matches!(self.variables[id].kind, Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_)) {
                let ways = match self.variables[id].kind {
                    Kind::In => ", asked for its length, or passed to a `#[ptx_fn]`",
                    _ => ", or asked for its length",
                };
                let message = format!("`{name}` can only be indexed, gone through by `for &v in {name}`{ways}");
                return Err(Error::new(span, message));
            }
            if let Some(e) = self.not_followed(path) {
                return Err(e);
            }
            return Ok(self.variable(id, span));
        }
        if let Some((value, ty)) = name_of(path).and_then(|name| self.frame.constants.get(&names::text(name))) {
            let (value, ty) = (value.clone(), *ty);
            return Ok(self.own_constant(span, value, ty));
        }
        if name_of(path).is_some_and(|name| self.is_lost(name)) {
            // A value of any type, so that other mistakes around it are still told.
            let ty = self.types.unknown();
            return Ok(self.make(span, ExprKind::Unset, ty));
        }
        self.outside(path)?;
        let segments: Vec<_> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let plain = path.qself.is_none()
            && path.path.leading_colon.is_none()
            && path.path.segments.iter().all(|s| s.arguments.is_none());
        if let [of, name] = &segments[..]
            && plain
        {
            let last = &path.path.segments[1].ident;
            match of.as_str() {
                "f32" if LIMITS.contains(&name.as_str()) => {
                    let ty = self.types.known(Type::Float);
                    return Ok(self.make(span, ExprKind::Limit(last.clone()), ty));
                }
                "f32" => {
                    let message = format!("of `f32` there are {} here", LIMITS.join(", "));
                    return Err(Error::new(last.span(), message));
                }
                of => {
                    if let Some(of) = Int::of(of) {
                        let ty = self.types.known(Type::Int(of));
                        return Ok(self.make(span, ExprKind::Constant(quote!(#path)), ty));
                    }
                }
            }
        }
        let ty = self.constant_type(path);
        Ok(self.make(span, ExprKind::Constant(quote!(#path)), ty))
    }

    /// The type of a constant, or of the elements of one, as far as a module says it.
    pub(super) fn constant_type(&mut self, path: &syn::ExprPath) -> TypeVar {
        let mut ty = self.known.constant_at(path);
        while let Some(syn::Type::Array(array)) = ty {
            ty = Some(&array.elem);
        }
        match ty.and_then(|ty| scalar(ty).ok()) {
            Some(ty) => self.types.known(ty),
            None => self.types.unknown(),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Result<Expr> {
        let span = unary.span();
        if let UnOp::Deref(_) = unary.op {
            let name = self.followed(unary)?.path.require_ident()?;
            return match self.binding(name) {
                Some(Parts::One(id)) => Ok(self.variable(*id, name.span())),
                several => {
                    let value = several.map(|parts| parts.clone().map(&mut |&id| self.variable(id, span)));
                    Err(self.one_needed(span, &value.expect("followed above")))
                }
            };
        }
        let a = self.expr(&unary.expr)?;
        let ty = a.ty;
        match unary.op {
            UnOp::Neg(_) => match self.types.get(ty) {
                Type::Float => Ok(self.make(span, ExprKind::Float1("Neg", Box::new(a)), ty)),
                Type::Int(of) if of.is_signed() => match a.kind {
                    // A literal with its sign: the least integer has no positive counterpart.
                    ExprKind::Int(digits) if !digits.starts_with('-') => {
                        Ok(self.make(span, ExprKind::Int(format!("-{digits}")), ty))
                    }
                    _ => Ok(self.make(span, ExprKind::Negate(Box::new(a)), ty)),
                },
                other => Err(Error::new(
                    span,
                    format!("`{}` has no negatives: cast it with `as i32`, or subtract", other.name()),
                )),
            },
            UnOp::Not(_) => {
                self.types.expect_bits(ty);
                if !self.types.get(ty).has_bits() {
                    return Err(Error::new(span, "`!` is for `bool` and integers"));
                }
                Ok(self.make(span, ExprKind::Not(Box::new(a)), ty))
            }
            _ => Err(Error::new(span, "no references in a kernel: values are copied")),
        }
    }

    pub(super) fn variable(&self, id: Id, span: Span) -> Expr {
        self.make(span, ExprKind::Variable(id), self.variables[id].ty)
    }

    /// What `*name` names, which is a reference.
    pub(super) fn followed<'e>(&self, unary: &'e syn::ExprUnary) -> Result<&'e syn::ExprPath> {
        match bare(&unary.expr) {
            syn::Expr::Path(path) if name_of(path).is_some_and(|name| self.reference(name).is_some()) => Ok(path),
            other => {
                let message =
                    "only a parameter that is a `&mut` is one: no references in a kernel, where values are copied";
                Err(Error::new(other.span(), message))
            }
        }
    }

    /// The complaint about a name that stands for a reference to a number, without a `*`.
    pub(super) fn not_followed(&self, path: &syn::ExprPath) -> Option<Error> {
        let name = name_of(path).filter(|name| self.reference(name).is_some())?;
        Some(Error::new(name.span(), format!("`{name}` is a `&mut` here: write `*{name}` for what it refers to")))
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Result<Expr> {
        let span = binary.span();
        let (a, b) = (self.expr(&binary.left)?, self.expr(&binary.right)?);
        let op = match &binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.expect(a.span, a.ty, Type::Bool)?;
                self.expect(b.span, b.ty, Type::Bool)?;
                let ty = a.ty;
                let and = matches!(binary.op, BinOp::And(_));
                return Ok(self.make(span, ExprKind::Logic { and, a: Box::new(a), b: Box::new(b) }, ty));
            }
            BinOp::Lt(_) => return self.compare(span, "Lt", a, b),
            BinOp::Le(_) => return self.compare(span, "Le", a, b),
            BinOp::Gt(_) => return self.compare(span, "Gt", a, b),
            BinOp::Ge(_) => return self.compare(span, "Ge", a, b),
            BinOp::Eq(_) => return self.compare(span, "Eq", a, b),
            BinOp::Ne(_) => return self.compare(span, "Ne", a, b),
            op => operation(op).ok_or_else(|| Error::new(span, "an assignment has no value"))?,
        };
        arithmetic(&mut self.types, span, op, a, b)
    }

    fn compare(&mut self, span: Span, op: &'static str, a: Expr, b: Expr) -> Result<Expr> {
        self.types.unify(b.span, b.ty, a.ty)?;
        let ty = self.types.known(Type::Bool);
        Ok(self.make(span, ExprKind::Compare(op, Box::new(a), Box::new(b)), ty))
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Result<Expr> {
        let a = self.expr(&cast.expr)?;
        let to = scalar(&cast.ty)?;
        let from = self.types.get(a.ty);
        let outside = a.is_outside() && self.types.is_unknown(a.ty);
        let legal = match (from, to) {
            // What it is, the compiler knows.
            _ if outside => to != Type::Bool,
            (Type::Float, Type::Float) => {
                let message = "a float of the element type already; a kept one becomes one with `cvt_rn(…)`";
                return Err(Error::new(cast.span(), message));
            }
            (Type::Bool, to) => to.is_int(),
            (from, to) => from != Type::Unit && to != Type::Bool,
        };
        if !legal {
            let message = format!("`{}` cannot be cast to `{}`", from.name(), to.name());
            return Err(Error::new(cast.span(), message));
        }
        let ty = self.types.known(to);
        Ok(self.make(cast.span(), ExprKind::Cast(Box::new(a)), ty))
    }
}

/// The operation of `+` and its like.
pub(super) const fn operation(op: &BinOp) -> Option<Binary> {
    Some(match op {
        BinOp::Add(_) => Binary::Add,
        BinOp::Sub(_) => Binary::Sub,
        BinOp::Mul(_) => Binary::Mul,
        BinOp::Div(_) => Binary::Div,
        BinOp::Rem(_) => Binary::Rem,
        BinOp::BitAnd(_) => Binary::And,
        BinOp::BitOr(_) => Binary::Or,
        BinOp::BitXor(_) => Binary::Xor,
        BinOp::Shl(_) => Binary::Shl,
        BinOp::Shr(_) => Binary::Shr,
        _ => return None,
    })
}

/// The expression without what only groups it.
pub(super) fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(inner) => bare(&inner.expr),
        syn::Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}

/// Why it cannot be in a kernel, and what can.
fn refuse(e: &syn::Expr) -> Error {
    let message = match e {
        syn::Expr::Let(_) => "no `if let`: there is nothing to match in a kernel; compare with `==`",
        syn::Expr::Try(_) => "no `?`: a kernel has nobody to return an error to; write `if` and `return`",
        syn::Expr::Closure(_) => "no closures: write a `#[ptx_fn]`",
        syn::Expr::Reference(_) => {
            "a reference is what a function of the same `#[ptx_module]` is called with, `f(&mut sum, x[t])`; elsewhere values are copied"
        }
        syn::Expr::Loop(_) | syn::Expr::While(_) | syn::Expr::ForLoop(_) => {
            "a loop has no value here: assign to a variable inside of it"
        }
        syn::Expr::Assign(_) => "an assignment has no value: let it be a statement of its own",
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => {
            "this has no value: write `if` and let it be a statement of its own"
        }
        syn::Expr::Macro(_) => "a kernel calls no macros",
        syn::Expr::Array(_) | syn::Expr::Repeat(_) => "an array stands in a `let` of its own",
        syn::Expr::Range(_) => "a range stands in a `for`",
        _ => "this cannot be converted; see the list of what a kernel may contain in `ptxf::kernel`",
    };
    Error::new(e.span(), message)
}
