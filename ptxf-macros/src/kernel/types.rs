//! The types of expressions, by unification: a type may stay unknown until it has to equal a known
//! one.

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::TypeVar;
use super::scalar_type::{Int, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Unknown,
    /// `bool` or an integer: `bool` unless something makes it an integer.
    Bits,
    /// The type of an integer literal.
    Integer,
    Known(Type),
    Same(TypeVar),
}

#[derive(Debug, Default)]
pub(crate) struct Types(Vec<Node>);

impl Types {
    pub(crate) fn known(&mut self, ty: Type) -> TypeVar {
        self.0.push(Node::Known(ty));
        self.0.len() - 1
    }

    pub(crate) fn unknown(&mut self) -> TypeVar {
        self.0.push(Node::Unknown);
        self.0.len() - 1
    }

    pub(crate) fn integer(&mut self) -> TypeVar {
        self.0.push(Node::Integer);
        self.0.len() - 1
    }

    fn root(&self, mut v: TypeVar) -> TypeVar {
        while let Node::Same(to) = self.0[v] {
            v = to;
        }
        v
    }

    /// Returns the type. An undecided integer literal is `i32`, an undecided constant `f32`, and
    /// `!` of an undecided constant `bool`.
    pub(crate) fn get(&self, v: TypeVar) -> Type {
        match self.0[self.root(v)] {
            Node::Known(ty) => ty,
            Node::Integer => Type::I32,
            Node::Bits => Type::Bool,
            Node::Unknown | Node::Same(_) => Type::Float,
        }
    }

    /// Returns the type if it is known, and `None` for a literal or a constant that may become
    /// another type.
    pub(crate) fn known_type(&self, v: TypeVar) -> Option<Type> {
        match self.0[self.root(v)] {
            Node::Known(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns `true` if the type is undecided: that of a constant, or of the result of a function.
    pub(crate) fn is_unknown(&self, v: TypeVar) -> bool {
        matches!(self.0[self.root(v)], Node::Unknown | Node::Bits)
    }

    /// Returns `true` for the undecided type of an integer literal.
    pub(crate) fn is_integer(&self, v: TypeVar) -> bool {
        matches!(self.0[self.root(v)], Node::Integer)
    }

    /// Makes two types the same. Returns an error at `span` if they differ.
    pub(crate) fn unify(&mut self, span: Span, found: TypeVar, expected: TypeVar) -> Result<()> {
        let (a, b) = (self.root(found), self.root(expected));
        if a == b {
            return Ok(());
        }
        match (self.0[a], self.0[b]) {
            (Node::Unknown, _) => self.0[a] = Node::Same(b),
            (_, Node::Unknown) => self.0[b] = Node::Same(a),
            (Node::Bits, Node::Bits | Node::Integer) => self.0[a] = Node::Same(b),
            (Node::Integer, Node::Bits) => self.0[b] = Node::Same(a),
            (Node::Bits, Node::Known(ty)) if ty.has_bits() => self.0[a] = Node::Same(b),
            (Node::Known(ty), Node::Bits) if ty.has_bits() => self.0[b] = Node::Same(a),
            (Node::Integer, Node::Integer) => self.0[a] = Node::Same(b),
            (Node::Integer, Node::Known(ty)) if ty.is_int() => self.0[a] = Node::Same(b),
            (Node::Known(ty), Node::Integer) if ty.is_int() => self.0[b] = Node::Same(a),
            (Node::Known(x), Node::Known(y)) if x == y => self.0[a] = Node::Same(b),
            (x, y) => {
                let way_out = match (x, y) {
                    (Node::Integer, Node::Known(Type::Float)) => format!("; {}", as_number(span)),
                    (Node::Known(Type::Float), Node::Known(Type::Int(of))) => format!("; {}", as_integer(span, of)),
                    (Node::Known(Type::Bool), Node::Known(Type::Float)) => "; choose a number with `if`".to_owned(),
                    (Node::Known(x), Node::Known(y)) if x != Type::Unit && y != Type::Unit && y != Type::Bool => {
                        format!("; convert it with `as {}`", y.name())
                    }
                    _ => String::new(),
                };
                return Err(Error::new(span, format!("expected {}, found {}{way_out}", shown(y), shown(x))));
            }
        }
        Ok(())
    }

    /// Makes an undecided type one that has `!`, `&`, `|` and `^`.
    pub(crate) fn expect_bits(&mut self, v: TypeVar) {
        let root = self.root(v);
        if self.0[root] == Node::Unknown {
            self.0[root] = Node::Bits;
        }
    }

    pub(crate) fn expect(&mut self, span: Span, found: TypeVar, expected: Type) -> Result<()> {
        let expected = self.known(expected);
        self.unify(span, found, expected)
    }
}

/// Returns what to write in place of an integer where a float is expected: the literal with a
/// point, or a conversion.
fn as_number(span: Span) -> String {
    let is_literal = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'_')
    };
    match span.source_text().as_deref() {
        Some(text) if is_literal(text) => format!("write `{text}.0` for `{text}`"),
        // The span of a negation is its sign alone. Unit tests and some editors have no text.
        Some("-") | None => "write a literal with a point, `1.0`, or convert it with `as f32`".to_owned(),
        Some(_) => "convert it with `as f32`".to_owned(),
    }
}

/// Returns what to write in the place of a float where an integer is expected.
fn as_integer(span: Span, of: Int) -> String {
    let whole = span.source_text().and_then(|text| {
        let whole = text.strip_suffix(".0").or(text.strip_suffix('.'))?.to_owned();
        let is_number = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        is_number.then(|| format!("write `{whole}` for `{text}`"))
    });
    whole.unwrap_or_else(|| format!("convert it with `as {}`, which drops the fraction", of.name()))
}

/// Returns the type as messages name it.
fn shown(node: Node) -> String {
    match node {
        Node::Known(ty) => format!("`{}`", ty.name()),
        Node::Integer => "integer".to_owned(),
        Node::Bits => "`bool`".to_owned(),
        Node::Unknown | Node::Same(_) => "`_`".to_owned(),
    }
}
