//! Inference of types, by unification.

use super::Fault;
use super::tree::{Type, TypeVar};

#[derive(Clone, Copy, Debug)]
enum Node {
    /// An unconstrained type, such as that of an expression which does not return.
    Any,
    /// The type of an integer literal.
    Integer,
    Known(Type),
    Same(TypeVar),
}

#[derive(Debug, Default)]
pub(super) struct Types(Vec<Node>);

impl Types {
    fn push(&mut self, node: Node) -> TypeVar {
        self.0.push(node);
        self.0.len() - 1
    }

    pub(super) fn known(&mut self, ty: Type) -> TypeVar {
        self.push(Node::Known(ty))
    }

    pub(super) fn any(&mut self) -> TypeVar {
        self.push(Node::Any)
    }

    pub(super) fn integer(&mut self) -> TypeVar {
        self.push(Node::Integer)
    }

    fn root(&self, mut v: TypeVar) -> TypeVar {
        while let Node::Same(to) = self.0[v] {
            v = to;
        }
        v
    }

    /// Returns the type as far as it is known; an unconstrained integer literal is `i32`.
    pub(super) fn get(&self, v: TypeVar) -> Type {
        match self.0[self.root(v)] {
            Node::Known(ty) => ty,
            Node::Integer => Type::I32,
            Node::Any | Node::Same(_) => Type::Unit,
        }
    }

    pub(super) fn unify(&mut self, a: TypeVar, b: TypeVar) -> Result<(), Fault> {
        let (a, b) = (self.root(a), self.root(b));
        match (self.0[a], self.0[b]) {
            _ if a == b => {}
            (Node::Any, _) => self.0[a] = Node::Same(b),
            (_, Node::Any) => self.0[b] = Node::Same(a),
            (Node::Integer, Node::Integer) => self.0[a] = Node::Same(b),
            (Node::Integer, Node::Known(ty)) if ty.is_int() => self.0[a] = Node::Same(b),
            (Node::Known(ty), Node::Integer) if ty.is_int() => self.0[b] = Node::Same(a),
            (Node::Known(x), Node::Known(y)) if x == y => self.0[a] = Node::Same(b),
            _ => return Err(Fault::source(format!("`{}` is not `{}`", self.get(a), self.get(b)))),
        }
        Ok(())
    }

    pub(super) fn expect(&mut self, v: TypeVar, ty: Type) -> Result<(), Fault> {
        let known = self.known(ty);
        self.unify(v, known)
    }

    pub(super) fn all(&self) -> Vec<Type> {
        (0..self.0.len()).map(|v| self.get(v)).collect()
    }
}
