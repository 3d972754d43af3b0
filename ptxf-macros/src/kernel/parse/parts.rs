//! Values of several parts: their parts, their names, and choices between them.
//!
//! Each part has a variable, and is a value like any other. A choice between several parts assigns
//! to variables that are made for it. A function with several results is called in a statement.
//! Both stand before the place where the parts are used.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result, Stmt};

use super::super::ast::{Block, Expr, ExprKind, Id, Kind, Statement, StatementKind};
use super::super::parts::{Form, Parts, Structure};
use super::super::scalar_type::Type;
use super::super::{header, names};
use super::expr::{bare, name_of};
use super::loops::method;
use super::signature::{SCALARS, scalar};
use super::statement::{no_label, plain_name, structure};
use super::{Parser, matches};

/// The largest number of parts of a value.
const MOST: usize = 12;

/// A value's parts.
pub(super) type Value = Parts<Expr>;

impl Parser<'_> {
    /// Returns the parts of a type.
    pub(super) fn type_of_parts(&self, ty: &syn::Type) -> Result<Parts<Type>> {
        self.type_within(ty, &mut Vec::new())
    }

    fn type_within(&self, ty: &syn::Type, around: &mut Vec<String>) -> Result<Parts<Type>> {
        match header::bare(ty) {
            syn::Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                few(tuple.elems.len(), ty.span())?;
                let parts = tuple.elems.iter().map(|ty| self.type_within(ty, around)).collect::<Result<_>>()?;
                Ok(Parts::Several(Form::Tuple, parts))
            }
            ty => match self.known_path(ty) {
                Some(of) => self.fields(of, around),
                None => Ok(Parts::One(scalar(ty)?)),
            },
        }
    }

    /// Returns the structure of this module that a type names.
    pub(super) fn known_path(&self, ty: &syn::Type) -> Option<&Rc<Structure>> {
        match header::bare(ty) {
            syn::Type::Path(path) if path.qself.is_none() => self.items.structure(path.path.get_ident()?),
            _ => None,
        }
    }

    fn fields(&self, of: &Rc<Structure>, around: &mut Vec<String>) -> Result<Parts<Type>> {
        let name = names::text(&of.name);
        if around.contains(&name) {
            return Err(Error::new(of.name.span(), format!("`{name}` contains itself: remove the field")));
        }
        few(of.fields.len(), of.name.span())?;
        around.push(name);
        let field = |(name, ty): &(Ident, syn::Type)| {
            let written = names::spelled(ty);
            self.type_within(ty, around).map_err(|e| match ty {
                // An error inside of the field's type is reported there.
                syn::Type::Path(_) | syn::Type::Array(_) | syn::Type::Reference(_) if self.known_path(ty).is_none() => {
                    let message = format!(
                        "`{written}` cannot be the type of the field `{name}`: in a kernel it is {SCALARS}, a tuple, \
                          or a structure that the module declares"
                    );
                    Error::new(ty.span(), message)
                }
                _ => e,
            })
        };
        let parts = of.fields.iter().map(field).collect::<Result<_>>()?;
        around.pop();
        Ok(Parts::Several(Form::Structure(of.clone()), parts))
    }

    /// Returns the parts of an expression, as far as its form and its names show. `inside` are the
    /// blocks around it that are not entered yet, and `effort` is the number of expressions still
    /// to be visited.
    pub(super) fn shape<'e>(
        &self,
        e: &'e syn::Expr,
        inside: &mut Vec<&'e syn::Block>,
        effort: &mut usize,
    ) -> Parts<()> {
        const ONE: Parts<()> = Parts::One(());
        let Some(left) = effort.checked_sub(1) else { return ONE };
        *effort = left;
        match bare(e) {
            syn::Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|e| self.shape(e, inside, effort)).collect();
                Parts::Several(Form::Tuple, parts)
            }
            syn::Expr::Struct(e) => match e.path.get_ident().and_then(|name| self.items.structure(name)) {
                Some(of) => self.fields(of, &mut Vec::new()).map_or(ONE, |parts| parts.map(&mut |_| ())),
                // The structure is looked up later.
                None => Parts::Several(Form::Tuple, Vec::new()),
            },
            syn::Expr::Path(path) => match name_of(path) {
                Some(name) => self.shape_of_name(name, inside, effort),
                None => self.items.constant_at(path).map_or(ONE, |ty| self.shape_of_type(ty)),
            },
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.shape(expr, inside, effort),
            syn::Expr::Field(field) => match self.shape(&field.base, inside, effort) {
                Parts::Several(form, mut parts) => match form.position(&field.member) {
                    Some(i) if i < parts.len() => parts.swap_remove(i),
                    _ => ONE,
                },
                Parts::One(()) => ONE,
            },
            syn::Expr::Index(e) => self.structure_index(e).map_or(ONE, |(_, _, of)| of.map(&mut |_| ())),
            syn::Expr::Call(call) if self.results_of(call).is_some() => {
                self.results_of(call).map_or(ONE, |parts| parts.map(&mut |_| ()))
            }
            syn::Expr::Call(_) | syn::Expr::MethodCall(_) | syn::Expr::Binary(_) | syn::Expr::Unary(_) => {
                match self.callee_within(e, inside, effort).map(|callee| callee.function.shape_of_result()) {
                    Some(Some(ty)) => self.shape_of_type(&ty),
                    None if method(e, "sin_cos", 0).is_some() => Parts::Several(Form::Tuple, vec![ONE; 2]),
                    _ => ONE,
                }
            }
            syn::Expr::If(e) => match (self.shape_of_block(&e.then_branch, inside, effort), &e.else_branch) {
                (Parts::One(()), Some((_, otherwise))) => self.shape(otherwise, inside, effort),
                (shape, _) => shape,
            },
            syn::Expr::Block(e) => self.shape_of_block(&e.block, inside, effort),
            syn::Expr::Unsafe(e) => self.shape_of_block(&e.block, inside, effort),
            syn::Expr::Match(e) => {
                let mut arms = e.arms.iter().map(|arm| self.shape(&arm.body, inside, effort));
                arms.find(Parts::is_several).unwrap_or(ONE)
            }
            _ => ONE,
        }
    }

    fn shape_of_block<'e>(
        &self,
        block: &'e syn::Block,
        inside: &mut Vec<&'e syn::Block>,
        effort: &mut usize,
    ) -> Parts<()> {
        let Some(Stmt::Expr(value, None)) = block.stmts.last() else {
            return Parts::One(());
        };
        inside.push(block);
        let shape = self.shape(value, inside, effort);
        inside.pop();
        shape
    }

    fn shape_of_name(&self, name: &Ident, inside: &mut Vec<&syn::Block>, effort: &mut usize) -> Parts<()> {
        let local =
            inside.iter().rev().flat_map(|block| block.stmts.iter().rev()).find_map(|statement| match statement {
                Stmt::Local(local) => is_let_of(&local.pat, name).then_some(local),
                _ => None,
            });
        match local {
            Some(syn::Local { pat: Pat::Type(typed), .. }) => self.shape_of_type(&typed.ty),
            Some(syn::Local { init: Some(init), .. }) => self.shape(&init.expr, inside, effort),
            Some(_) => Parts::One(()),
            None => match (self.binding(name), self.items.constant(name)) {
                (Some(parts), _) => parts.map(&mut |_| ()),
                (None, Some(ty)) => self.shape_of_type(ty),
                (None, None) => Parts::One(()),
            },
        }
    }

    pub(super) fn shape_of_type(&self, ty: &syn::Type) -> Parts<()> {
        self.type_of_parts(ty).map_or(Parts::One(()), |parts| parts.map(&mut |_| ()))
    }

    /// Returns the parts of an expression, as far as its form and its names show.
    pub(super) fn shape_of(&self, e: &syn::Expr) -> Parts<()> {
        self.shape(e, &mut Vec::new(), &mut 1000)
    }

    /// Returns `true` if the expression has several parts.
    pub(super) fn is_several(&self, e: &syn::Expr) -> bool {
        self.shape_of(e).is_several()
    }

    /// Returns the parts that a pattern has names for.
    pub(super) fn shape_of_pattern(&self, pattern: &Pat) -> Parts<()> {
        match pattern {
            Pat::Type(typed) => match self.shape_of_type(&typed.ty) {
                Parts::One(()) => self.shape_of_pattern(&typed.pat),
                several => several,
            },
            Pat::Paren(inner) => self.shape_of_pattern(&inner.pat),
            Pat::Tuple(names) => {
                Parts::Several(Form::Tuple, names.elems.iter().map(|name| self.shape_of_pattern(name)).collect())
            }
            _ => Parts::One(()),
        }
    }

    /// Returns the results of a function of this module, if there are several.
    pub(super) fn results_of(&self, call: &syn::ExprCall) -> Option<Parts<Type>> {
        let name = super::expr::called(call).filter(|name| self.binding(name).is_none())?;
        match &self.items.function(name)?.output {
            syn::ReturnType::Type(_, ty) => self.type_of_parts(ty).ok().filter(Parts::is_several),
            syn::ReturnType::Default => None,
        }
    }

    /// Parses a value. Statements before it go to `first`.
    pub(super) fn value(&mut self, e: &syn::Expr, first: &mut Vec<Statement>) -> Result<Value> {
        self.value_as(e, &Parts::One(()), first)
    }

    /// Parses a value with the parts `asked`, which are those of an unknown function's result.
    /// Statements before it go to `first`.
    pub(super) fn value_as(&mut self, e: &syn::Expr, asked: &Parts<()>, first: &mut Vec<Statement>) -> Result<Value> {
        let e = bare(e);
        if let Some(callee) = self.callee(e) {
            return self.inlined_value(&callee, first);
        }
        match e {
            syn::Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                few(tuple.elems.len(), e.span())?;
                let mut parts = Vec::new();
                for (i, e) in tuple.elems.iter().enumerate() {
                    let asked = match asked {
                        Parts::Several(Form::Tuple, asked) => asked.get(i),
                        _ => None,
                    };
                    let asked = asked.unwrap_or(&Parts::One(()));
                    let before = parts.iter_mut().flat_map(Parts::leaves_mut).collect();
                    let part = self.in_order(before, first, |parser, first| parser.value_as(e, asked, first))?;
                    parts.push(part);
                }
                Ok(Parts::Several(Form::Tuple, parts))
            }
            syn::Expr::Struct(e) => self.structure(e, first),
            syn::Expr::Path(path) if self.is_several(e) => {
                if let Some(e) = self.not_followed(path) {
                    return Err(e);
                }
                self.named_parts(path)
            }
            syn::Expr::Unary(unary @ syn::ExprUnary { op: syn::UnOp::Deref(_), .. }) if self.is_several(e) => {
                self.named_parts(self.followed(unary)?)
            }
            syn::Expr::Field(field) => {
                if !self.is_several(&field.base) {
                    return Err(self.no_callee(&field.base).unwrap_or_else(|| structure(field)));
                }
                let base = match bare(&field.base) {
                    syn::Expr::Path(path) => self.named_parts(path),
                    base => self.value(base, first),
                };
                match base? {
                    Parts::Several(form, mut parts) => {
                        let i = position(&form, parts.len(), &field.member)?;
                        Ok(parts.swap_remove(i))
                    }
                    Parts::One(_) => Err(structure(field)),
                }
            }
            syn::Expr::Index(index) => match self.structure_element(index, first)? {
                Some(places) => {
                    Ok(places.map(&mut |at| self.element(at.id, at.span, at.index.clone(), at.text.clone())))
                }
                None => Ok(Parts::One(self.expr(e)?)),
            },
            syn::Expr::Call(call) => match self.results_of(call) {
                Some(results) => {
                    let results = results.map(&mut |&ty| self.types.known(ty));
                    self.several_results(call, &results, first)
                }
                None if asked.is_several() && !self.is_known(call) => {
                    let results = asked.map(&mut |()| self.types.unknown());
                    self.several_results(call, &results, first)
                }
                None => Ok(Parts::One(self.expr(e)?)),
            },
            syn::Expr::MethodCall(call) if method(e, "sin_cos", 0).is_some() => {
                let x = self.operand(&call.receiver, first)?;
                self.expect(x.span, x.ty, Type::Float)?;
                let x = self.settled("angle", x, first);
                let part = |op| Parts::One(self.make(call.span(), ExprKind::Float1(op, Box::new(x.clone())), x.ty));
                Ok(Parts::Several(Form::Tuple, ["Sin", "Cos"].map(part).into()))
            }
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Unsafe(_) => {
                match (self.shape_of(e), asked) {
                    (Parts::One(()), Parts::One(())) => Ok(Parts::One(self.expr(e)?)),
                    (Parts::One(()), asked) => self.chosen(e, asked, first),
                    (shape, _) => self.chosen(e, &shape, first),
                }
            }
            _ => Ok(Parts::One(self.expr(e)?)),
        }
    }

    /// Parses a value after others, which are computed first if the value may change them.
    pub(super) fn in_order<T>(
        &mut self,
        before: Vec<&mut Expr>,
        first: &mut Vec<Statement>,
        parse: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Result<T>,
    ) -> Result<T> {
        let (effects, mut own) = (self.effects, Vec::new());
        let value = parse(self, &mut own);
        if self.effects != effects {
            // A whole input needs no variable.
            for part in before.into_iter().filter(|part| !matches!(part.kind, ExprKind::Slice(_))) {
                let placeholder = part.placeholder();
                let value = core::mem::replace(part, placeholder);
                *part = self.settled("value", value, first);
            }
        }
        first.append(&mut own);
        value
    }

    /// Computes the value here, in its own precision, and returns a variable for it.
    pub(super) fn settled(&mut self, name: &str, value: Expr, first: &mut Vec<Statement>) -> Expr {
        let (span, ty) = (value.span, value.ty);
        let id = self.temporary(&Ident::new(name, span), ty);
        self.variables[id].settles = true;
        first.push(Statement { span, kind: StatementKind::Let(id, value) });
        self.make(span, ExprKind::Variable(id), ty)
    }

    /// Returns `true` if the module declares the called function.
    fn is_known(&self, call: &syn::ExprCall) -> bool {
        super::expr::called(call).is_some_and(|name| self.items.function(name).is_some())
    }

    /// Returns the parts of a variable or a constant.
    pub(super) fn named_parts(&mut self, path: &syn::ExprPath) -> Result<Value> {
        let span = path.span();
        if let Some(parts) = name_of(path).and_then(|name| self.binding(name)) {
            return Ok(parts.clone().map(&mut |&id| self.make(span, ExprKind::Variable(id), self.variables[id].ty)));
        }
        self.outside(path)?;
        let Some(ty) = self.items.constant_at(path) else {
            return Err(self.nothing(path.path.require_ident()?));
        };
        let parts = self.type_of_parts(ty)?;
        let mut accessors = parts.accessors().into_iter();
        Ok(parts.map(&mut |&ty| {
            let (accessor, ty) = (accessors.next(), self.types.known(ty));
            self.make(span, ExprKind::Constant(quote!(#path #accessor)), ty)
        }))
    }

    /// Parses `Point { x: a, y: b }`.
    fn structure(&mut self, e: &syn::ExprStruct, first: &mut Vec<Statement>) -> Result<Value> {
        let of = match e.path.get_ident() {
            Some(name) => self.known_structure(name)?.clone(),
            None => {
                return Err(Error::new(
                    e.path.span(),
                    "a path to a structure is not possible here: write its name \
                     alone",
                ));
            }
        };
        let mut parts: Vec<Option<Value>> = of.fields.iter().map(|_| None).collect();
        for field in &e.fields {
            let i = position(&Form::Structure(of.clone()), parts.len(), &field.member)?;
            if parts[i].is_some() {
                return Err(Error::new(field.member.span(), "this field has two values: remove one"));
            }
            let ty = self.type_of_parts(&of.fields[i].1)?;
            let (before, asked) =
                (parts.iter_mut().flatten().flat_map(Parts::leaves_mut).collect(), ty.map(&mut |_| ()));
            let value = self.in_order(before, first, |parser, first| parser.value_as(&field.expr, &asked, first))?;
            self.expect_parts(field.expr.span(), &value, &ty)?;
            parts[i] = Some(value);
        }
        let base = match &e.rest {
            None => None,
            Some(base) => match self.value(base, first)? {
                Parts::Several(Form::Structure(found), parts) if Rc::ptr_eq(&found, &of) => Some(parts),
                _ => {
                    return Err(Error::new(
                        base.span(),
                        format!("the value after `..` is not a `{}`: write one", of.name),
                    ));
                }
            },
        };
        let mut base = base.map(Vec::into_iter);
        let mut whole = Vec::new();
        for (part, (field, _)) in parts.into_iter().zip(&of.fields) {
            let other = base.as_mut().and_then(Iterator::next);
            let Some(part) = part.or(other) else {
                return Err(Error::new(
                    e.span(),
                    format!("`{}` has a field `{field}`, which has no value here: write one", of.name),
                ));
            };
            whole.push(part);
        }
        Ok(Parts::Several(Form::Structure(of), whole))
    }

    fn known_structure(&self, name: &Ident) -> Result<&Rc<Structure>> {
        self.items.structure(name).ok_or_else(|| {
            let message = match &self.items.module {
                Some(module) => {
                    format!("the module `{module}` declares no structure `{name}` with named fields: declare it there")
                }
                None => format!(
                    "an attribute on one function does not see the structure `{name}`: put both into a module, \
                     `#[ptx_module] mod kernels {{ … }}`"
                ),
            };
            Error::new(name.span(), message)
        })
    }

    /// Parses `f(x)`, where `f` has several results of these types.
    pub(super) fn several_results(
        &mut self,
        call: &syn::ExprCall,
        results: &Parts<super::TypeVar>,
        first: &mut Vec<Statement>,
    ) -> Result<Value> {
        let (function, arguments) = self.called_with(call, first)?;
        let span = call.span();
        let to = results.map(&mut |&ty| self.temporary(&Ident::new("result", span), ty));
        let value = to.map(&mut |&id| self.make(span, ExprKind::Variable(id), self.variables[id].ty));
        first.push(Statement { kind: StatementKind::LetCall { to, function, arguments }, span });
        Ok(value)
    }

    /// Parses an `if`, a `match` or a block as assignments to new variables.
    fn chosen(&mut self, e: &syn::Expr, shape: &Parts<()>, first: &mut Vec<Statement>) -> Result<Value> {
        let name = Ident::new("value", e.span());
        let to = shape.map(&mut |()| {
            let ty = self.types.unknown();
            let id = self.temporary(&name, ty);
            let v = &mut self.variables[id];
            (v.mutable, v.settles) = (true, true);
            id
        });
        let mut statements = Vec::new();
        self.inside_value(|parser| parser.assign_value(e, &to, &mut statements))?;
        for id in to.leaves() {
            let unset = self.make(e.span(), ExprKind::Unset, self.variables[*id].ty);
            first.push(Statement { kind: StatementKind::Let(*id, unset), span: e.span() });
        }
        first.append(&mut statements);
        Ok(to.map(&mut |&id| self.make(e.span(), ExprKind::Variable(id), self.variables[id].ty)))
    }

    /// Assigns a value to variables. In a choice each of its values is assigned where it stands.
    pub(super) fn assign_value(
        &mut self,
        e: &syn::Expr,
        to: &Parts<Id>,
        statements: &mut Vec<Statement>,
    ) -> Result<()> {
        let kind = match bare(e) {
            syn::Expr::If(e) => {
                let condition = self.condition(&e.cond)?;
                let then = self.block_into(&e.then_branch, to);
                let Some((_, otherwise)) = &e.else_branch else {
                    return Err(Error::new(e.span(), "an `if` with a value needs an `else`: write one"));
                };
                let otherwise = match &**otherwise {
                    syn::Expr::Block(block) => self.block_into(&block.block, to),
                    other => {
                        let mut statements = Vec::new();
                        self.assign_tail(other, to, &mut statements)?;
                        Block { statements, tail: None }
                    }
                };
                StatementKind::If(condition, then, Some(otherwise))
            }
            syn::Expr::Match(e) => {
                let arms = self.arms(e, &mut |parser, body| {
                    if let syn::Expr::Block(inner) = body
                        && inner.label.is_none()
                    {
                        return parser.block_into(&inner.block, to);
                    }
                    let mut statements = Vec::new();
                    if let Err(e) = parser.assign_tail(body, to, &mut statements) {
                        parser.errors.push(e);
                    }
                    Block { statements, tail: None }
                })?;
                matches::statement(e.span(), arms)?
            }
            syn::Expr::Block(e) => {
                no_label(e.label.as_ref())?;
                StatementKind::Block(self.block_into(&e.block, to))
            }
            syn::Expr::Unsafe(e) => StatementKind::Block(self.promised(e, |parser| parser.block_into(&e.block, to))),
            other => return self.assign_tail(other, to, statements),
        };
        statements.push(Statement { kind, span: e.span() });
        Ok(())
    }

    pub(super) fn block_into(&mut self, block: &syn::Block, to: &Parts<Id>) -> Block {
        let mut ends = false;
        let statements = self.block_with(block, &mut |parser, e, statements| {
            ends = true;
            parser.assign_tail(e, to, statements)
        });
        if !ends {
            self.errors.push(Error::new(block.span(), "this block ends without a value: end it with one"));
        }
        Block { statements, tail: None }
    }

    /// Assigns the value that a choice or a function ends with.
    fn assign_tail(&mut self, e: &syn::Expr, to: &Parts<Id>, statements: &mut Vec<Statement>) -> Result<()> {
        let choice =
            matches!(bare(e), syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Unsafe(_));
        if choice {
            return self.assign_value(e, to, statements);
        }
        let value = self.value_as(e, &to.map(&mut |_| ()), statements)?;
        self.set(to, value, e.span(), statements)
    }

    fn set(&mut self, to: &Parts<Id>, value: Value, span: Span, statements: &mut Vec<Statement>) -> Result<()> {
        if !to.is_like(&value) {
            let (expected, found) = (self.named(&to.map(&mut |&id| self.variables[id].ty)), self.name_of_value(&value));
            return Err(Error::new(span, format!("expected `{expected}`, found `{found}`")));
        }
        for (&to, value) in to.leaves().into_iter().zip(value.into_leaves()) {
            self.types.unify(value.span, value.ty, self.variables[to].ty)?;
            let span = value.span;
            statements.push(Statement { kind: StatementKind::Assign { to, value, masked: false }, span });
        }
        Ok(())
    }

    /// Declares one name for all parts.
    pub(super) fn let_parts(
        &mut self,
        name: &Ident,
        value: Value,
        mutable: bool,
        lets: &mut Vec<Statement>,
    ) -> Result<Parts<Id>> {
        let ids = self.declare_parts(name, &Kind::Local, &value.map(&mut |part| part.ty), mutable)?;
        for (&id, part) in ids.leaves().into_iter().zip(value.into_leaves()) {
            lets.push(Statement { span: part.span, kind: StatementKind::Let(id, part) });
        }
        Ok(ids)
    }

    /// Declares the names of a pattern for the parts.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value, lets: &mut Vec<Statement>) -> Result<()> {
        match pattern {
            Pat::Type(typed) => {
                let ty = self.type_of_parts(&typed.ty)?;
                self.expect_parts(typed.ty.span(), &value, &ty)?;
                self.bind(&typed.pat, value, lets)
            }
            Pat::Paren(inner) => self.bind(&inner.pat, value, lets),
            Pat::Ident(name) => {
                plain_name(name)?;
                self.let_parts(&name.ident, value, name.mutability.is_some(), lets).map(drop)
            }
            // The value is computed, since it may panic.
            Pat::Wild(_) => {
                value.into_leaves().into_iter().for_each(|part| _ = self.settled("unnamed", part, lets));
                Ok(())
            }
            Pat::Tuple(names) => {
                let found = self.name_of_value(&value);
                let Parts::Several(Form::Tuple, parts) = value else {
                    let message = format!("there are several names, and the value is one `{found}`: write one name");
                    return Err(Error::new(names.span(), message));
                };
                if parts.len() != names.elems.len() {
                    let message = format!(
                        "there are {} names, and `{found}` has {} parts: write a name for each",
                        names.elems.len(),
                        parts.len()
                    );
                    return Err(Error::new(names.span(), message));
                }
                names.elems.iter().zip(parts).try_for_each(|(name, part)| self.bind(name, part, lets))
            }
            Pat::Struct(names) => {
                let found = self.name_of_value(&value);
                let Parts::Several(Form::Structure(of), parts) = value else {
                    return Err(Error::new(
                        names.span(),
                        format!(
                            "the value is `{found}`, which is not a structure: \
                         write a name"
                        ),
                    ));
                };
                let mut parts: Vec<_> = parts.into_iter().map(Some).collect();
                for (i, pattern) in fields(names, &of)? {
                    let part = parts[i].take().expect("`fields` has each once");
                    self.bind(pattern, part, lets)?;
                }
                Ok(())
            }
            other => Err(Error::new(
                other.span(),
                "this pattern is not possible in a kernel: write a name, or names \
                 for parts, `let (a, b) = (x, y);`",
            )),
        }
    }

    /// Declares a variable for each part of `name`.
    pub(super) fn declare_parts(
        &mut self,
        name: &Ident,
        kind: &Kind,
        types: &Parts<super::TypeVar>,
        mutable: bool,
    ) -> Result<Parts<Id>> {
        let parts = types.leaves().len();
        if parts > 64 {
            return Err(Error::new(name.span(), format!("`{name}` has {parts} parts, and at most 64 are possible")));
        }
        let mut accessors = types.accessors().into_iter();
        let ids = types.map(&mut |&ty| {
            let id = self.declare_one(name, kind.clone(), ty, mutable);
            self.variables[id].part = names::spelled(&accessors.next().unwrap_or_default());
            id
        });
        self.name(name, ids.clone(), None);
        Ok(ids)
    }

    /// Refuses a value of another type.
    pub(super) fn expect_parts(&mut self, span: Span, value: &Value, ty: &Parts<Type>) -> Result<()> {
        if !ty.is_like(value) {
            let found = self.name_of_value(value);
            return Err(Error::new(span, format!("expected `{}`, found `{found}`", ty.name())));
        }
        value.leaves().into_iter().zip(ty.leaves()).try_for_each(|(part, ty)| self.expect(part.span, part.ty, *ty))
    }

    pub(super) fn name_of_value(&self, value: &Value) -> String {
        self.named(&value.map(&mut |part| part.ty))
    }

    fn named(&self, types: &Parts<super::TypeVar>) -> String {
        types.map(&mut |&ty| self.types.get(ty)).name()
    }
}

/// Refuses a pattern with the same name for two parts.
pub(super) fn each_once<'p>(pattern: &'p Pat, found: &mut Vec<&'p Ident>) -> Result<()> {
    match pattern {
        Pat::Type(typed) => each_once(&typed.pat, found),
        Pat::Paren(inner) => each_once(&inner.pat, found),
        Pat::Tuple(names) => names.elems.iter().try_for_each(|name| each_once(name, found)),
        Pat::Struct(names) => names.fields.iter().try_for_each(|field| each_once(&field.pat, found)),
        Pat::Ident(name) if found.iter().any(|other| names::text(other) == names::text(&name.ident)) => {
            Err(twice(&name.ident))
        }
        Pat::Ident(name) => {
            found.push(&name.ident);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns the error about a name for two parts.
pub(super) fn twice(name: &Ident) -> Error {
    Error::new(name.span(), format!("two parts have the name `{name}`: rename one"))
}

/// Returns the fields in the pattern of a structure, and the pattern of each.
pub(super) fn fields<'p>(names: &'p syn::PatStruct, of: &Rc<Structure>) -> Result<Vec<(usize, &'p Pat)>> {
    if names.path.get_ident().is_none_or(|name| names::text(name) != names::text(&of.name)) {
        return Err(Error::new(names.path.span(), format!("expected `{}`", of.name)));
    }
    let mut found: Vec<(usize, &Pat)> = Vec::new();
    for field in &names.fields {
        let i = position(&Form::Structure(of.clone()), of.fields.len(), &field.member)?;
        if found.iter().any(|&(named, _)| named == i) {
            return Err(Error::new(field.member.span(), "this field has two names: remove one"));
        }
        found.push((i, &field.pat));
    }
    let left = (0..of.fields.len()).find(|i| found.iter().all(|(named, _)| named != i));
    if let (Some(i), None) = (left, &names.rest) {
        let message = format!("the field `{}` has no name here: write one, or `..`", of.fields[i].0);
        return Err(Error::new(names.span(), message));
    }
    Ok(found)
}

/// Returns the position of a member.
pub(super) fn position(form: &Form, parts: usize, member: &syn::Member) -> Result<usize> {
    form.position(member).filter(|&i| i < parts).ok_or_else(|| {
        let has = match form {
            Form::Tuple => format!("this has {parts} parts, `.0` and so on"),
            Form::Structure(of) => {
                let fields: Vec<_> = of.fields.iter().map(|(name, _)| format!("`{name}`")).collect();
                format!("`{}` has {}", of.name, fields.join(", "))
            }
        };
        Error::new(member.span(), format!("there is no such field: {has}"))
    })
}

fn few(parts: usize, span: Span) -> Result<()> {
    match parts {
        0 => Err(Error::new(span, "this type has no parts: leave it out")),
        1..=MOST => Ok(()),
        _ => {
            let message =
                format!("there are {parts} parts, and at most {MOST} are possible: put some of them into a structure");
            Err(Error::new(span, message))
        }
    }
}

/// Returns `true` if the pattern declares the name.
fn is_let_of(pattern: &Pat, name: &Ident) -> bool {
    match pattern {
        Pat::Ident(found) => names::text(&found.ident) == names::text(name),
        Pat::Type(typed) => is_let_of(&typed.pat, name),
        _ => false,
    }
}
