//! The expression as a program: checked, and flattened so that every node follows its operands.

use proc_macro2::Span;

use super::number::Rational;

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// `e^x − 1`, +0 at ±0. This and the next function have no name: [`Program::identities`] finds
    /// them.
    ExpM1,
    /// `ln(1 + e^x)`
    Softplus,
    /// `ln(1 + x)` for −½ < x < ½. Only normal forms contain this and the next function.
    Ln1p,
    /// `e^(x²) (1 − erf x)` for x ≥ ½.
    Erfcx,
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
    /// Any other literal.
    Literal(Rational),
    Pi,
    /// An expression without the variable, which is rounded once in either mode.
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
    /// Returns the operands; those of a condition and its branches are not included.
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

impl Node {
    /// Returns the work of computing the node, in units of a sum's.
    pub(crate) const fn weight(&self) -> u64 {
        match self {
            Self::Apply(..) | Self::Powi(..) => 4,
            _ => 1,
        }
    }

    /// Returns the same node of a program in which node `i` has moved to `to[i]`.
    fn renumbered(&self, to: &[Id]) -> Self {
        match *self {
            Self::Input => Self::Input,
            Self::Zero => Self::Zero,
            Self::Literal(ref x) => Self::Literal(x.clone()),
            Self::Pi => Self::Pi,
            Self::Constant(a) => Self::Constant(to[a]),
            Self::Neg(a) => Self::Neg(to[a]),
            Self::Abs(a) => Self::Abs(to[a]),
            Self::Add(a, b) => Self::Add(to[a], to[b]),
            Self::Sub(a, b) => Self::Sub(to[a], to[b]),
            Self::Mul(a, b) => Self::Mul(to[a], to[b]),
            Self::Div(a, b) => Self::Div(to[a], to[b]),
            Self::Min(a, b) => Self::Min(to[a], to[b]),
            Self::Max(a, b) => Self::Max(to[a], to[b]),
            Self::Powi(a, n) => Self::Powi(to[a], n),
            Self::Apply(f, a) => Self::Apply(f, to[a]),
            Self::If(ref c, a, b) => Self::If(c.renumbered(to), to[a], to[b]),
        }
    }
}

impl Condition {
    /// Appends the nodes that are compared.
    fn operands(&self, out: &mut Vec<Id>) {
        match self {
            Self::Compare(_, a, b) => out.extend([*a, *b]),
            Self::Not(a) => a.operands(out),
            Self::And(a, b) | Self::Or(a, b) => {
                a.operands(out);
                b.operands(out);
            }
        }
    }

    fn renumbered(&self, to: &[Id]) -> Self {
        match self {
            Self::Compare(op, a, b) => Self::Compare(*op, to[*a], to[*b]),
            Self::Not(a) => Self::Not(Box::new(a.renumbered(to))),
            Self::And(a, b) => Self::And(Box::new(a.renumbered(to)), Box::new(b.renumbered(to))),
            Self::Or(a, b) => Self::Or(Box::new(a.renumbered(to)), Box::new(b.renumbered(to))),
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
    /// `true` for nodes that do not depend on the variable.
    pub(crate) constant: Vec<bool>,
    /// The largest number of operations between a node and its leaves.
    pub(crate) depth: Vec<usize>,
    /// The place of a node in the source.
    pub(crate) spans: Vec<Option<Span>>,
    pub(crate) result: Id,
}

impl Program {
    pub(crate) fn push(&mut self, node: Node) -> Id {
        let constant = match &node {
            Node::Input => false,
            Node::If(c, a, b) => self.constant_condition(c) && self.constant[*a] && self.constant[*b],
            _ => node.operands().into_iter().flatten().all(|a| self.constant[a]),
        };
        let mut needs: Vec<Id> = node.operands().into_iter().flatten().collect();
        if let Node::If(c, a, b) = &node {
            needs.extend([*a, *b]);
            c.operands(&mut needs);
        }
        self.depth.push(needs.into_iter().map(|a| self.depth[a] + 1).max().unwrap_or(0));
        self.spans.push(None);
        self.nodes.push(node);
        self.constant.push(constant);
        self.nodes.len() - 1
    }

    /// Returns the nodes that a node always needs, itself the last. Branches of choices are not
    /// among them.
    ///
    /// Evaluation in this order finds every operand computed, so that it needs no deep recursion.
    /// Operands of constants are included if `into_constants`.
    pub(crate) fn always_needed(&self, id: Id, into_constants: bool) -> Vec<Id> {
        let mut needed = vec![false; id + 1];
        needed[id] = true;
        let mut i = id + 1;
        while i > 0 {
            i -= 1;
            if !needed[i] {
                continue;
            }
            if matches!(self.nodes[i], Node::Constant(_)) && !into_constants {
                continue;
            }
            let mut operands: Vec<Id> = self.nodes[i].operands().into_iter().flatten().collect();
            if let Node::If(c, ..) = &self.nodes[i] {
                c.operands(&mut operands);
            }
            for a in operands {
                needed[a] = true;
            }
        }
        (0..=id).filter(|&i| needed[i]).collect()
    }

    /// Returns the same real function with less cancellation, for the `exact` mode.
    ///
    /// `deep` would decide these inputs as well, but in a second: for many of bf16's exponents
    /// `1 + tanh x` is nearly 0 or `e^x` out of range.
    pub(crate) fn identities(&self) -> Self {
        let mut out = Self::default();
        // The places of the nodes in the new program.
        let mut moved: Vec<Id> = Vec::new();
        let is_one = |id: Id| matches!(&self.nodes[id], Node::Literal(x) if Some(x) == Rational::from_i64(1).as_ref());
        let argument = |f: Function, id: Id| match self.nodes[id] {
            Node::Apply(g, a) if g == f => Some(a),
            _ => None,
        };
        // (1 + f(a)) or (f(a) + 1), and 1 − f(a)
        let one_plus = |f: Function, node: &Node| match *node {
            Node::Add(a, b) if is_one(a) => argument(f, b),
            Node::Add(a, b) if is_one(b) => argument(f, a),
            _ => None,
        };
        let one_minus = |f: Function, node: &Node| match *node {
            Node::Sub(a, b) if is_one(a) => argument(f, b),
            _ => None,
        };
        let exp_minus_one = |node: &Node| match *node {
            Node::Sub(a, b) if is_one(b) => argument(Function::Exp, a),
            _ => None,
        };
        let softplus = |node: &Node| match *node {
            Node::Apply(Function::Ln, a) => one_plus(Function::Exp, &self.nodes[a]),
            _ => None,
        };
        for (node, span) in self.nodes.iter().zip(&self.spans) {
            let tanh = one_plus(Function::Tanh, node).map(|a| (a, 2));
            let tanh = tanh.or_else(|| one_minus(Function::Tanh, node).map(|a| (a, -2)));
            let new = if let Some((a, n)) = tanh {
                // 1 ± tanh a = 2 sigmoid(±2a)
                let mut int = |n| out.push(Rational::from_i64(n).map_or(Node::Zero, Node::Literal));
                let (n, two) = (int(n), int(2));
                let twice = out.push(Node::Mul(n, moved[a]));
                let sigmoid = out.push(Node::Apply(Function::Sigmoid, twice));
                Node::Mul(two, sigmoid)
            } else if let Some(a) = exp_minus_one(node) {
                Node::Apply(Function::ExpM1, moved[a])
            } else if let Some(a) = softplus(node) {
                Node::Apply(Function::Softplus, moved[a])
            } else {
                node.renumbered(&moved)
            };
            let new = out.push(new);
            out.spans[new] = *span;
            moved.push(new);
        }
        out.result = moved.get(self.result).copied().unwrap_or(0);
        out
    }

    pub(crate) fn is_input(&self, id: Id) -> bool {
        matches!(self.nodes[id], Node::Input)
    }

    fn constant_condition(&self, c: &Condition) -> bool {
        match c {
            Condition::Compare(_, a, b) => self.constant[*a] && self.constant[*b],
            Condition::Not(a) => self.constant_condition(a),
            Condition::And(a, b) | Condition::Or(a, b) => self.constant_condition(a) && self.constant_condition(b),
        }
    }

    /// Returns for each node if it is an odd or an even function of the variable, signs of zeros
    /// included.
    ///
    /// Sums of odd functions that cancel are an exception: they are +0 for both signs.
    pub(crate) fn parity(&self) -> Vec<Option<Parity>> {
        use Parity::{Even, Odd};
        let mut out: Vec<Option<Parity>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |id: Id| out[id];
            out.push(match *node {
                Node::Input => Some(Odd),
                Node::Zero | Node::Literal(_) | Node::Pi => Some(Even),
                Node::Constant(a) | Node::Neg(a) => of(a),
                Node::Abs(a) => of(a).map(|_| Even),
                Node::Add(a, b) | Node::Sub(a, b) => of(a).filter(|p| of(b) == Some(*p)),
                Node::Min(a, b) | Node::Max(a, b) => of(a).filter(|p| *p == Even && of(b) == Some(Even)),
                Node::Mul(a, b) | Node::Div(a, b) => of(a).zip(of(b)).map(|(a, b)| if a == b { Even } else { Odd }),
                Node::Powi(a, n) => of(a).map(|a| if n % 2 == 0 { Even } else { a }),
                Node::Apply(f, a) => match (f, of(a)) {
                    (_, Some(Even)) | (Function::Cos | Function::Cosh, Some(Odd)) => Some(Even),
                    (Function::Sin | Function::Tanh | Function::Sinh | Function::Atan | Function::Erf, parity) => {
                        parity
                    }
                    _ => None,
                },
                Node::If(..) => None,
            });
        }
        out
    }
}

/// The effect of the variable's sign on a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    Odd,
    Even,
}
