//! From Rust's syntax to the tree: scopes and names as Rust has them, types by unification.

mod arrays;
mod calls;
mod constant;
mod elements;
mod expr;
mod impls;
mod items;
mod matches;
mod methods;
mod several;

use std::collections::HashMap;

use syn::ext::IdentExt as _;
use syn::{Pat, Stmt};

use super::Fault;
use super::tree::{Block, Expr, Function, Id, IndexOf, Is, Kind, Precision, Type, TypeVar, Variable};
use super::types::Types;

pub(super) use constant::Constant;
pub(super) use items::{Items, Role, Signature};
use several::Lowered;
pub(super) use several::Shape;

/// A function's body, from its syntax.
pub(super) fn function(items: &Items, signature: &Signature) -> Result<Function, Fault> {
    let mut lower = Lower {
        items,
        keep: signature.keep.clone(),
        fuse: signature.fuse,
        variables: Vec::new(),
        scopes: vec![HashMap::new()],
        types: Types::default(),
        result: 0,
        several_result: signature.several.clone(),
        words: 0,
        promised: false,
    };
    lower.result = lower.types.known(signature.result);
    let mut parameters = Vec::new();
    for parameter in &signature.parameters {
        if let Some((shape, types)) = &parameter.several {
            let types: Vec<_> = types.iter().map(|&ty| lower.types.known(ty)).collect();
            parameters.extend(lower.declare_several(&parameter.name, shape.clone(), parameter.kind, &types));
            continue;
        }
        let ty = lower.types.known(parameter.ty);
        let id = lower.declare(&parameter.name, parameter.kind, ty);
        lower.variables[id].structure.clone_from(&parameter.structure);
        lower.variables[id].axes = match &parameter.axes {
            Some(axes) => axes.clone(),
            None => lower.axes_of_element(parameter)?,
        };
        parameters.push(id);
    }
    let body = match signature.several {
        None => lower.block(&signature.body)?,
        Some(_) => {
            let value = lower.return_several(&syn::Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block: signature.body.clone(),
            }))?;
            Block { statements: vec![value], tail: None }
        }
    };
    if let Some(tail) = &body.tail {
        lower.types.unify(tail.ty, lower.result)?;
    }
    let mut function = Function {
        name: signature.name.clone(),
        variables: lower.variables,
        parameters,
        words: lower.words,
        types: lower.types.all(),
        body,
    };
    super::precision::decide(&mut function)?;
    Ok(function)
}

struct Lower<'a> {
    items: &'a Items,
    keep: Vec<String>,
    /// `true` if the function's products are fused.
    fuse: bool,
    variables: Vec<Variable>,
    /// The scopes, the innermost last.
    scopes: Vec<HashMap<String, (Shape, Vec<Id>)>>,
    types: Types,
    result: TypeVar,
    /// For a function with several results: their shape and types.
    several_result: Option<(Shape, Vec<Type>)>,
    words: usize,
    /// `true` inside of `unsafe`.
    promised: bool,
}

impl Lower<'_> {
    fn declare(&mut self, name: &str, kind: Kind, ty: TypeVar) -> Id {
        let kept = self.keep.iter().any(|k| k == name);
        let variable =
            Variable { name: name.to_owned(), kind, ty, kept, axes: Vec::new(), structure: None, place: self.words };
        self.words += variable.words();
        self.variables.push(variable);
        let id = self.variables.len() - 1;
        self.scopes.last_mut().expect("one is open").insert(name.to_owned(), (Shape::One, vec![id]));
        id
    }

    fn find(&self, name: &str) -> Option<Id> {
        match self.named(name)? {
            (Shape::One, ids) => ids.first().copied(),
            _ => None,
        }
    }

    /// Returns the parts of a variable that has several.
    fn find_several(&self, name: &str) -> Option<(Shape, Vec<Id>)> {
        self.named(name).filter(|(shape, _)| *shape != Shape::One).cloned()
    }

    fn named(&self, name: &str) -> Option<&(Shape, Vec<Id>)> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Lowers a `return` of several values.
    fn return_several(&mut self, value: &syn::Expr) -> Result<Expr, Fault> {
        let value = self.value(value)?;
        let result = self.several_result.clone().ok_or_else(|| Fault::source("one value is returned"))?;
        self.expect(&value, &result)?;
        match value {
            Lowered::Several(_, value) => Ok(self.never(Is::ReturnSeveral(Box::new(value)))),
            Lowered::One(_) => Err(Fault::source("several values are returned")),
        }
    }

    fn make(&self, kind: Is, ty: TypeVar) -> Expr {
        Expr { kind, ty, precision: Precision::Element }
    }

    fn unit(&mut self, kind: Is) -> Expr {
        let ty = self.types.known(Type::Unit);
        self.make(kind, ty)
    }

    fn block(&mut self, block: &syn::Block) -> Result<Block, Fault> {
        self.scopes.push(HashMap::new());
        let (mut statements, mut tail) = (Vec::new(), None);
        let last = block.stmts.len().wrapping_sub(1);
        for (i, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Expr(e, None) if i == last => tail = Some(Box::new(self.expr(e)?)),
                statement => self.statement(statement, &mut statements)?,
            }
        }
        self.scopes.pop();
        Ok(Block { statements, tail })
    }

    fn statement(&mut self, statement: &Stmt, statements: &mut Vec<Expr>) -> Result<(), Fault> {
        match statement {
            Stmt::Local(local) => self.local(local, statements),
            Stmt::Expr(e, _) => {
                let e = self.expr(e)?;
                statements.push(e);
                Ok(())
            }
            // Items were collected before.
            Stmt::Item(_) => Ok(()),
            Stmt::Macro(_) => Err(Fault::source("a kernel calls no macros")),
        }
    }

    /// Returns the type of a block's value.
    fn block_type(&mut self, block: &Block) -> TypeVar {
        match (&block.tail, block.statements.last()) {
            (Some(tail), _) => tail.ty,
            // Nothing follows a jump.
            (None, Some(Expr { kind: Is::Return(_) | Is::Break(_) | Is::Continue(_), .. })) => self.types.any(),
            _ => self.types.known(Type::Unit),
        }
    }

    /// Lowers a `let`. Shared memory exists before the first statement, so its `let` becomes
    /// nothing.
    fn local(&mut self, local: &syn::Local, statements: &mut Vec<Expr>) -> Result<(), Fault> {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let parts = matches!(pattern, Pat::Tuple(_) | Pat::Struct(_) | Pat::Wild(_));
        if let Some(init) = &local.init
            && (parts
                || self.shared(&init.expr)?.is_none()
                    && !matches!(array_of(&init.expr), syn::Expr::Array(_) | syn::Expr::Repeat(_)))
        {
            let value = self.value(&init.expr)?;
            return self.bind(&local.pat, value, statements);
        }
        let Pat::Ident(pattern) = pattern else {
            return Err(Fault::source("a `let` has one name"));
        };
        let name = text(&pattern.ident);
        let Some(init) = &local.init else {
            return Err(Fault::source(format!("`{name}` has no value")));
        };
        if let Some((ty, axes)) = self.shared(&init.expr)? {
            let ty = self.types.known(ty);
            let id = self.declare(&name, Kind::Shared(axes.iter().product()), ty);
            self.variables[id].axes = axes;
            return Ok(());
        }
        let (element, written) = match annotation {
            Some(ty) => self.array_type(ty).map(|(element, axes)| (Some(element), Some(axes)))?,
            None => (None, None),
        };
        let ty = self.types.any();
        if let Some(element) = element {
            self.types.expect(ty, element)?;
        }
        // The name denotes the new variable only after its value.
        let (axes, mut values, repeats) = self.array_value(&init.expr)?;
        for value in &values {
            self.types.unify(value.ty, ty)?;
        }
        if written.is_some_and(|written| written != axes) {
            return Err(Fault::source(format!("`{name}` is an array of another length than its type says")));
        }
        let elements = axes.iter().product();
        let kind = if axes.is_empty() { Kind::Local } else { Kind::Array(elements) };
        let id = self.declare(&name, kind, ty);
        let make = match (axes.is_empty(), repeats) {
            (true, _) => Is::Let(id, Box::new(values.remove(0))),
            (false, true) => Is::LetRepeat(id, Box::new(values.remove(0))),
            (false, false) => Is::LetArray(id, values),
        };
        self.variables[id].axes = axes;
        statements.push(self.unit(make));
        Ok(())
    }
}

/// Without parentheses.
fn array_of(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(inner) => array_of(&inner.expr),
        syn::Expr::Group(inner) => array_of(&inner.expr),
        other => other,
    }
}

/// Returns the kind and the axis of an index parameter of this name.
pub(super) fn index_type(name: &str) -> Option<(IndexOf, usize)> {
    let (of, axis) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let of = match of {
        "Thread" => IndexOf::Thread,
        "Local" => IndexOf::Local,
        "Block" => IndexOf::Block,
        "Threads" => IndexOf::Threads,
        "BlockDim" => IndexOf::BlockDim,
        _ => return None,
    };
    Some((of, ["X", "Y", "Z"].iter().position(|&a| a == axis)?))
}

/// A name as Rust compares it: `r#t` is `t`.
fn text(name: &syn::Ident) -> String {
    name.unraw().to_string()
}
