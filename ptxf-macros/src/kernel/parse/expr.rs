//! Expressions.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{BinOp, Error, Lit, Result, UnOp};

use super::super::ast::{Binary, Block, Expr, ExprKind, Id, Kind, Product, Right, Statement, TypeVar};
use super::super::parts::Parts;
use super::super::scalar_type::{Int, Type};
use super::super::types::Types;
use super::super::{fuse, literal, names, races};
use super::Parser;
use super::arrays::Indexed;
use super::parts::Value;
use super::signature::scalar;

/// The constants of `f32` that exist for every element type.
const LIMITS: &[&str] = &["INFINITY", "NEG_INFINITY", "NAN", "MAX", "MIN", "MIN_POSITIVE", "EPSILON"];

/// Returns `true` for an expression that may end a block without being its value.
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

/// Returns the distance of a shift in the type of the shifted value. A distance may be an integer
/// of any type, of which the low bits count.
pub(super) fn distance(types: &mut Types, by: Expr, of: TypeVar) -> Expr {
    let same = types.get(by.ty) == types.get(of) && !types.is_integer(of);
    // A literal and an undecided type become the other type.
    if matches!(by.kind, ExprKind::Int(_)) || !types.get(by.ty).is_int() || types.is_unknown(of) || same {
        return by;
    }
    let (span, class, precision) = (by.span, by.class, by.precision);
    Expr { kind: ExprKind::Cast(Box::new(by)), span, ty: of, class, precision, fused: None }
}

/// Returns the name if the path is a single name.
pub(super) fn name_of(path: &syn::ExprPath) -> Option<&Ident> {
    path.path.get_ident().filter(|_| path.qself.is_none())
}

/// Returns the called function if it is a single name, with type arguments or without.
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
                let otherwise = otherwise.ok_or_else(|| {
                    Error::new(
                        span,
                        "an `if` with a value needs an `else`: \
                     write one",
                    )
                })?;
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

    /// Returns a value with the statements that come before it.
    pub(super) fn after(&mut self, first: Vec<Statement>, value: Expr) -> Result<Expr> {
        if first.is_empty() {
            return Ok(value);
        }
        self.block_value(value.span, Block { statements: first, tail: Some(Box::new(value)) })
    }

    /// Returns the error about several values where one is needed.
    pub(super) fn one_needed(&self, span: Span, value: &Value) -> Error {
        let found = self.name_of_value(value);
        Error::new(span, format!("this is `{found}`, and one value is needed here: name a part, as `.x` or `.0`"))
    }

    pub(super) fn const_block(&mut self, block: &syn::ExprConst) -> Result<Expr> {
        let (token, inside) = (&block.const_token, self.constant(block.block.to_token_stream())?);
        let ty = self.types.unknown();
        Ok(self.make(block.span(), ExprKind::Constant(quote!(#token #inside)), ty))
    }

    /// Returns the element `slice[index]`. `text` is the index as it is written, and `span` the
    /// place of the name.
    pub(super) fn element(&self, id: Id, span: Span, index: Expr, text: String) -> Expr {
        let (ty, index) = (self.variables[id].ty, Box::new(index));
        let kind = match self.variables[id].kind {
            Kind::Array(_) => ExprKind::Element(id, index),
            _ => ExprKind::Load { slice: id, index, text, right: self.frame.right },
        };
        self.make(span, kind, ty)
    }

    /// Parses an inner part of a value, which no jump may leave.
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

    /// Parses the content of an `unsafe` block.
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
            return Err(Error::new(span, "an arm of this `if` ends without a value: end both arms with one"));
        };
        self.types.unify(b.span, b.ty, a.ty)?;
        let ty = a.ty;
        Ok(self.make(span, ExprKind::If(Box::new(condition), then, otherwise), ty))
    }

    pub(super) fn index(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Range(range) = e {
            return Err(Error::new(
                range.span(),
                "a range is not possible as an index: read one element at a time, \
                 `x[i]`",
            ));
        }
        let index = self.expr(e)?;
        self.expect(index.span, index.ty, Type::USIZE)?;
        Ok(index)
    }

    /// Returns the path of an expression that is written like a constant.
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
                    let message = format!(
                        "`{other}` is not possible in a kernel: write `f32`, `usize` or an integer type of 8 \
                                 to 64 bits"
                    );
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
                    let message =
                        format!("a literal with a point is not `{}`: write it without the point", other.name());
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
            other => Err(Error::new(
                other.span(),
                "this literal is not possible in a kernel: write a number or a \
                 `bool`",
            )),
        }
        .and_then(|e| match &e.kind {
            ExprKind::Float(text) => match literal::bits(text) {
                None => Err(Error::new(span, "this is not a decimal number: write a literal such as `1.5` or `1e-3`")),
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
        if name_of(path).is_some_and(|name| self.is_refused(name)) {
            // The value has any type, so that other errors around it are still reported.
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
                    let message = format!(
                        "this constant of `f32` does not exist in a kernel: write one of {}",
                        LIMITS.join(", ")
                    );
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

    /// Returns the type of a constant, or of its elements, if the module declares it.
    pub(super) fn constant_type(&mut self, path: &syn::ExprPath) -> TypeVar {
        let mut ty = self.items.constant_at(path);
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
                    // The sign becomes a part of the literal: the smallest integer has no positive
                    // counterpart.
                    ExprKind::Int(digits) if !digits.starts_with('-') => {
                        Ok(self.make(span, ExprKind::Int(format!("-{digits}")), ty))
                    }
                    _ => Ok(self.make(span, ExprKind::Negate(Box::new(a)), ty)),
                },
                other => Err(Error::new(
                    span,
                    format!("`-` is not possible for `{}`: cast it with `as i32`, or subtract", other.name()),
                )),
            },
            UnOp::Not(_) => {
                self.types.expect_bits(ty);
                if !self.types.get(ty).has_bits() {
                    return Err(Error::new(span, "`!` is possible only for `bool` and integers: compare, `x == 0.0`"));
                }
                Ok(self.make(span, ExprKind::Not(Box::new(a)), ty))
            }
            _ => Err(Error::new(span, "a reference is not possible here: leave out `&`, since values are copied")),
        }
    }

    pub(super) fn variable(&self, id: Id, span: Span) -> Expr {
        self.make(span, ExprKind::Variable(id), self.variables[id].ty)
    }

    /// Returns the name in `*name`, which is a reference.
    pub(super) fn followed<'e>(&self, unary: &'e syn::ExprUnary) -> Result<&'e syn::ExprPath> {
        match bare(&unary.expr) {
            syn::Expr::Path(path) if name_of(path).is_some_and(|name| self.reference(name).is_some()) => Ok(path),
            other => {
                let message = "`*` is possible only before a `&mut` parameter: leave it out, since values are copied";
                Err(Error::new(other.span(), message))
            }
        }
    }

    /// Returns the error about a name of a reference without a `*`.
    pub(super) fn not_followed(&self, path: &syn::ExprPath) -> Option<Error> {
        let name = name_of(path).filter(|name| self.reference(name).is_some())?;
        Some(Error::new(name.span(), format!("`{name}` is a `&mut`: write `*{name}` for its value")))
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
            op => operation(op).ok_or_else(|| {
                Error::new(
                    span,
                    "an assignment has no value: make it a statement of \
                 its own",
                )
            })?,
        };
        let product = self.product(op, Some(&binary.left), &binary.right);
        self.sum(span, op, product, a, b)
    }

    /// Returns the product that the function's `fuse` takes into a sum.
    pub(super) fn product(&self, op: Binary, first: Option<&syn::Expr>, second: &syn::Expr) -> Option<Box<Product>> {
        if self.frame.fuse { fuse::product(op, first, second) } else { None }
    }

    /// Returns `a op b`, with the product that is fused. An operand that is computed before a
    /// product stays so if the product changes variables.
    pub(super) fn sum(
        &mut self,
        span: Span,
        op: Binary,
        product: Option<Box<Product>>,
        mut a: Expr,
        b: Expr,
    ) -> Result<Expr> {
        let mut first = Vec::new();
        let is_second = product.as_ref().is_some_and(|product| !product.is_first);
        if is_second && self.types.get(a.ty) == Type::Float && (a.has_statements() || b.has_statements()) {
            a = self.settled("value", a, &mut first);
        }
        let mut sum = self.arithmetic(span, op, a, b)?;
        sum.fused = product;
        self.after(first, sum)
    }

    /// Returns `a op b`.
    pub(super) fn arithmetic(&mut self, span: Span, op: Binary, a: Expr, b: Expr) -> Result<Expr> {
        let b = match op {
            Binary::Shl | Binary::Shr => distance(&mut self.types, b, a.ty),
            _ => b,
        };
        self.same_type(&a, &b)?;
        let ty = a.ty;
        let found = self.types.get(ty);
        let bitwise = matches!(op, Binary::And | Binary::Or | Binary::Xor);
        if bitwise {
            self.types.expect_bits(ty);
        }
        if found == Type::Float && !op.of_floats() {
            let message = format!("floats have no `{}`: cast to an integer, `as i32`", op.symbol());
            return Err(Error::new(span, message));
        }
        let found = self.types.get(ty);
        if matches!(found, Type::Bool | Type::Unit) && !(found == Type::Bool && bitwise) {
            let message = format!(
                "`{}` has no `{}`: a `bool` has `&&`, `||`, `&`, `|`, `^` and `!`, and becomes an integer with `as \
                 i32`",
                found.name(),
                op.symbol()
            );
            return Err(Error::new(span, message));
        }
        Ok(self.make(span, ExprKind::Binary(op, Box::new(a), Box::new(b)), ty))
    }

    /// Makes the types of two operands the same. The error about an integer and a float names both.
    fn same_type(&mut self, a: &Expr, b: &Expr) -> Result<()> {
        let known = |e: &Expr| self.types.known_type(e.ty);
        match (known(a), known(b)) {
            (Some(Type::Int(_)), Some(Type::Float)) => Err(self.mixed(a, b, b.span)),
            (Some(Type::Float), Some(Type::Int(_))) => Err(self.mixed(b, a, b.span)),
            (None, Some(Type::Float)) if self.types.is_integer(a.ty) => self.types.unify(a.span, a.ty, b.ty),
            _ => self.types.unify(b.span, b.ty, a.ty),
        }
    }

    /// Returns the error about an operation of an integer and a float.
    fn mixed(&self, integer: &Expr, float: &Expr, span: Span) -> Error {
        let ty = self.types.get(integer.ty).name();
        let (found, cast) = match self.written(integer) {
            Some(text) => (format!("`{text}` is `{ty}`"), format!("`{text} as f32`")),
            None => (format!("one operand is `{ty}`"), "`… as f32`".to_owned()),
        };
        let (other, literal) = match (self.written(float), &float.kind) {
            (Some(text), ExprKind::Float(digits)) => {
                let whole = digits.strip_suffix(".0").or(digits.strip_suffix('.'));
                (format!("`{text}`"), whole.map(|whole| format!("write `{whole}` for `{text}`, or ")))
            }
            (Some(text), _) => (format!("`{text}`"), None),
            (None, _) => ("the other".to_owned(), None),
        };
        let literal = literal.unwrap_or_default();
        Error::new(span, format!("{found} and {other} is `f32`: {literal}convert the integer, {cast}"))
    }

    /// Returns a variable, an element or a literal as it is written in the kernel. `None` for any
    /// other expression.
    pub(super) fn written(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Variable(id) if !self.variables[*id].temporary => Some(self.variables[*id].shown()),
            ExprKind::Load { slice, text, .. } if !text.starts_with('.') => {
                Some(format!("{}{}", self.variables[*slice].shown(), races::written(text)))
            }
            ExprKind::Float(digits) | ExprKind::Int(digits) => Some(digits.clone()),
            _ => None,
        }
    }

    fn compare(&mut self, span: Span, op: &'static str, a: Expr, b: Expr) -> Result<Expr> {
        self.same_type(&a, &b)?;
        let ty = self.types.known(Type::Bool);
        Ok(self.make(span, ExprKind::Compare(op, Box::new(a), Box::new(b)), ty))
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Result<Expr> {
        let a = self.expr(&cast.expr)?;
        let to = scalar(&cast.ty)?;
        let from = self.types.get(a.ty);
        let outside = a.is_outside() && self.types.is_unknown(a.ty);
        let legal = match (from, to) {
            // The compiler checks the type of the constant.
            _ if outside => to != Type::Bool,
            (Type::Float, Type::Float) => {
                let found = self.written(&a).map_or("this".to_owned(), |text| format!("`{text}`"));
                let message = format!("{found} is a float already: leave out `as f32`");
                return Err(Error::new(cast.span(), message));
            }
            (Type::Bool, to) => to.is_int(),
            (from, to) => from != Type::Unit && to != Type::Bool,
        };
        if !legal {
            let write = match (from, to) {
                (Type::Bool, Type::Float) => ": write `if b { 1.0 } else { 0.0 }`",
                (_, Type::Bool) => ": write a comparison, `x != 0`",
                _ => "",
            };
            let message = format!("`{}` cannot be cast to `{}`{write}", from.name(), to.name());
            return Err(Error::new(cast.span(), message));
        }
        let ty = self.types.known(to);
        Ok(self.make(cast.span(), ExprKind::Cast(Box::new(a)), ty))
    }
}

/// Returns the operation of an operator such as `+`.
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

/// Returns the expression without parentheses and invisible groups.
pub(crate) fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(inner) => bare(&inner.expr),
        syn::Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}

/// Returns the error about an expression that no kernel may have.
fn refuse(e: &syn::Expr) -> Error {
    let message = match e {
        syn::Expr::Let(_) => "`if let` is not possible in a kernel: compare with `==`, or write a `match`",
        syn::Expr::Try(_) => "`?` is not possible in a kernel, which returns no error: write `if` and `return`",
        syn::Expr::Closure(_) => "a closure is not possible in a kernel: write a `#[ptx_fn]`",
        syn::Expr::Reference(_) => {
            "a reference is possible only as an argument of a function of the same `#[ptx_module]`, `f(&mut sum, \
             x[t])`: leave out `&`"
        }
        syn::Expr::Loop(_) | syn::Expr::While(_) | syn::Expr::ForLoop(_) => {
            "a loop has no value in a kernel: assign to a variable inside of it"
        }
        syn::Expr::Assign(_) => "an assignment has no value: make it a statement of its own",
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => {
            "this has no value: make it a statement of its own, in an `if`"
        }
        syn::Expr::Macro(_) => "a kernel calls no macros",
        syn::Expr::Array(_) | syn::Expr::Repeat(_) => "an array is not possible here: declare it in a `let` of its own",
        syn::Expr::Range(_) => "a range is possible only in a `for`",
        _ => "this expression is not possible in a kernel: the page of `ptxf::kernel` lists those that are",
    };
    Error::new(e.span(), message)
}
