//! From Rust's syntax to the tree: scopes and names as Rust has them, types by unification.

mod arrays;
mod constant;
mod elements;
mod expr;
mod items;
mod methods;

use std::collections::HashMap;

use syn::ext::IdentExt as _;
use syn::{Pat, Stmt};

use super::Fault;
use super::tree::{Block, Expr, Function, Id, IndexOf, Is, Kind, Precision, Type, TypeVar, Variable};
use super::types::Types;

pub(super) use constant::Constant;
pub(super) use items::{Items, Role, Signature};

/// A function's body, from its syntax.
pub(super) fn function(items: &Items, signature: &Signature) -> Result<Function, Fault> {
    let mut lower = Lower {
        items,
        keep: &signature.keep,
        variables: Vec::new(),
        scopes: vec![HashMap::new()],
        types: Types::default(),
        result: 0,
        words: 0,
        barriers: 0,
    };
    lower.result = lower.types.known(signature.result);
    let mut parameters = Vec::new();
    for parameter in &signature.parameters {
        let ty = lower.types.known(parameter.ty);
        parameters.push(lower.declare(&parameter.name, parameter.kind, ty));
    }
    let body = lower.block(&signature.body)?;
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
    keep: &'a [String],
    variables: Vec<Variable>,
    /// The scopes, the innermost last.
    scopes: Vec<HashMap<String, Id>>,
    types: Types,
    result: TypeVar,
    words: usize,
    barriers: usize,
}

impl Lower<'_> {
    fn declare(&mut self, name: &str, kind: Kind, ty: TypeVar) -> Id {
        let kept = self.keep.iter().any(|k| k == name);
        let variable = Variable { name: name.to_owned(), kind, ty, kept, axes: Vec::new(), place: self.words };
        self.words += variable.words();
        self.variables.push(variable);
        let id = self.variables.len() - 1;
        self.scopes.last_mut().expect("one is open").insert(name.to_owned(), id);
        id
    }

    fn find(&self, name: &str) -> Option<Id> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
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
                Stmt::Local(local) => statements.extend(self.local(local)?),
                Stmt::Expr(e, None) if i == last => tail = Some(Box::new(self.expr(e)?)),
                Stmt::Expr(e, _) => statements.push(self.expr(e)?),
                // Items were collected before.
                Stmt::Item(_) => {}
                Stmt::Macro(_) => return Err(Fault::source("a kernel calls no macros")),
            }
        }
        self.scopes.pop();
        Ok(Block { statements, tail })
    }

    /// What a block's value is of.
    fn block_type(&mut self, block: &Block) -> TypeVar {
        match (&block.tail, block.statements.last()) {
            (Some(tail), _) => tail.ty,
            // Nothing comes after a jump.
            (None, Some(Expr { kind: Is::Return(_) | Is::Break(_) | Is::Continue(_), .. })) => self.types.any(),
            _ => self.types.known(Type::Unit),
        }
    }

    /// `None` for shared memory, which is there before the first statement.
    fn local(&mut self, local: &syn::Local) -> Result<Option<Expr>, Fault> {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        if let Pat::Tuple(names) = pattern {
            return self.locals(names, annotation, local.init.as_ref()).map(Some);
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
            return Ok(None);
        }
        let (element, written) = match annotation {
            Some(ty) => self.array_type(ty).map(|(element, axes)| (Some(element), Some(axes)))?,
            None => (None, None),
        };
        let ty = self.types.any();
        if let Some(element) = element {
            self.types.expect(ty, element)?;
        }
        // The name means the new variable after its value only.
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
        Ok(Some(self.unit(make)))
    }

    /// `let (a, b) = (x, y);`: all values, and then the names.
    fn locals(
        &mut self,
        names: &syn::PatTuple,
        annotation: Option<&syn::Type>,
        init: Option<&syn::LocalInit>,
    ) -> Result<Expr, Fault> {
        let wrong = || Fault::source("several names have as many values");
        let mut init = &*init.ok_or_else(wrong)?.expr;
        if let syn::Expr::Unsafe(block) = init
            && let [Stmt::Expr(value, None)] = &block.block.stmts[..]
        {
            init = value;
        }
        let syn::Expr::Tuple(values) = init else { return Err(wrong()) };
        let values = values.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>, _>>()?;
        let of = match annotation {
            Some(syn::Type::Tuple(types)) => types.elems.iter().map(|ty| items::scalar(ty).map(Some)).collect(),
            Some(_) => Err(wrong()),
            None => Ok(vec![None; values.len()]),
        }?;
        if values.len() != names.elems.len() || of.len() != values.len() {
            return Err(wrong());
        }
        let mut each = Vec::new();
        for ((value, name), of) in values.into_iter().zip(&names.elems).zip(of) {
            let Pat::Ident(name) = name else { return Err(wrong()) };
            if let Some(of) = of {
                self.types.expect(value.ty, of)?;
            }
            each.push((self.declare(&text(&name.ident), Kind::Local, value.ty), value));
        }
        Ok(self.unit(Is::LetEach(each)))
    }
}

/// What a parameter named like this is an index of.
pub(super) fn index_type(name: &str) -> Option<(IndexOf, usize)> {
    let (of, axis) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let of = match of {
        "Thread" => IndexOf::Thread,
        "Local" => IndexOf::Local,
        "Block" => IndexOf::Block,
        _ => return None,
    };
    Some((of, ["X", "Y", "Z"].iter().position(|&a| a == axis)?))
}

/// A name as Rust compares it: `r#t` is `t`.
fn text(name: &syn::Ident) -> String {
    name.unraw().to_string()
}
