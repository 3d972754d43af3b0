//! The expression, checked and flattened: every node after those it needs.

use super::deep::Rational;

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sqrt,
    Exp,
    Exp2,
    Ln,
    Log2,
    Sin,
    Cos,
    Tanh,
    Sinh,
    Cosh,
    Atan,
    Erf,
    Sigmoid,
}

impl Function {
    pub(crate) const ALL: [(&'static str, Self); 13] = [
        ("sqrt", Self::Sqrt),
        ("exp", Self::Exp),
        ("exp2", Self::Exp2),
        ("ln", Self::Ln),
        ("log2", Self::Log2),
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("tanh", Self::Tanh),
        ("sinh", Self::Sinh),
        ("cosh", Self::Cosh),
        ("atan", Self::Atan),
        ("erf", Self::Erf),
        ("sigmoid", Self::Sigmoid),
    ];
}

/// Index of a node.
pub(crate) type Id = usize;

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The variable.
    Input,
    /// The literal 0.
    Zero,
    /// Any other.
    Literal(Rational),
    Pi,
    /// A number made of numbers, rounded but once in any mode.
    Constant(Id),
    Neg(Id),
    Abs(Id),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    Div(Id, Id),
    Min(Id, Id),
    Max(Id, Id),
    Powi(Id, i32),
    Apply(Function, Id),
    If(Condition, Id, Id),
}

impl Node {
    /// What it is computed from, unless that depends on a condition.
    pub(crate) const fn operands(&self) -> [Option<Id>; 2] {
        match *self {
            Self::Input | Self::Zero | Self::Literal(_) | Self::Pi | Self::If(..) => [None, None],
            Self::Constant(a) | Self::Neg(a) | Self::Abs(a) | Self::Powi(a, _) | Self::Apply(_, a) => [Some(a), None],
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Min(a, b)
            | Self::Max(a, b) => [Some(a), Some(b)],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Compare(Comparison, Id, Id),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Nodes; the last one need not be the result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
    /// Whether the variable takes no part in a node.
    pub(crate) constant: Vec<bool>,
    pub(crate) result: Id,
}

impl Program {
    pub(crate) fn push(&mut self, node: Node) -> Id {
        let constant = match &node {
            Node::Input => false,
            Node::If(c, a, b) => self.constant_condition(c) && self.constant[*a] && self.constant[*b],
            _ => node.operands().into_iter().flatten().all(|a| self.constant[a]),
        };
        self.nodes.push(node);
        self.constant.push(constant);
        self.nodes.len() - 1
    }

    fn constant_condition(&self, c: &Condition) -> bool {
        match c {
            Condition::Compare(_, a, b) => self.constant[*a] && self.constant[*b],
            Condition::Not(a) => self.constant_condition(a),
            Condition::And(a, b) | Condition::Or(a, b) => self.constant_condition(a) && self.constant_condition(b),
        }
    }
}
