//! From an expression in Rust's syntax to a program: resolves names, and rejects everything that a
//! table cannot contain.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Error, Expr, ExprBinary, ExprLit, Lit, Pat, Result, Stmt, UnOp};

use super::number::Rational;
use super::program::{Comparison, Condition, Function, Id, Node, Program};

/// The names in scope with their nodes, and the program so far.
pub(super) struct Lowering {
    pub(super) program: Program,
    names: Vec<(String, Id)>,
    /// A name that constants cannot use: the variable.
    absent: Option<String>,
}

/// The largest exponent of `powi`. Larger powers have finite 16-bit results only for bases near 1.
const LARGEST_POWER: i32 = 1024;
/// The largest number of operations between the variable and the result.
const DEEPEST: usize = 512;
/// The largest decimal exponent of a literal.
const LARGEST_EXPONENT: i32 = 5000;

/// Returns both values, or all errors as one.
fn both<A, B>(a: Result<A>, b: Result<B>) -> Result<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut a), Err(b)) => {
            a.combine(b);
            Err(a)
        }
        (Err(e), _) | (_, Err(e)) => Err(e),
    }
}

impl Lowering {
    pub(super) fn new(variable: &Ident) -> Self {
        Self { program: Program::default(), names: Vec::new(), absent: Some(variable.unraw().to_string()) }
    }

    /// Binds a `const`.
    pub(super) fn constant(&mut self, name: &Ident, value: &Expr) -> Result<()> {
        let id = self.constant_expression(value)?;
        self.names.push((name.unraw().to_string(), id));
        Ok(())
    }

    /// Lowers an expression that must not contain the variable.
    pub(super) fn constant_expression(&mut self, value: &Expr) -> Result<Id> {
        let id = self.number(value)?;
        Ok(self.program.push(Node::Constant(id)))
    }

    /// Binds the variable.
    pub(super) fn variable(&mut self) -> Id {
        let id = self.program.push(Node::Input);
        if let Some(name) = self.absent.take() {
            self.names.push((name, id));
        }
        id
    }

    fn push(&mut self, node: Node) -> Id {
        self.program.push(node)
    }

    /// Adds the node that was written at `span`; an error if its operands are more than [`DEEPEST`]
    /// operations deep.
    fn push_at(&mut self, node: Node, span: Span) -> Result<Id> {
        let id = self.program.push(node);
        if self.program.depth[id] > DEEPEST {
            let message = format!("more than {DEEPEST} operations that depend on each other");
            return Err(Error::new(span, message + ": shorten the expression"));
        }
        self.program.spans[id] = Some(span);
        Ok(id)
    }

    pub(super) fn number(&mut self, e: &Expr) -> Result<Id> {
        match e {
            Expr::Paren(e) => self.number(&e.expr),
            Expr::Group(e) => self.number(&e.expr),
            Expr::Lit(e) => self.literal(e),
            Expr::Path(_) => self.name(e),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => {
                let a = self.number(&e.expr)?;
                self.push_at(Node::Neg(a), e.op.span())
            }
            Expr::Binary(e) => self.chain(e),
            Expr::Call(e) => {
                let Some(name) = plain_name(&e.func) else {
                    return Err(Error::new_spanned(
                        &e.func,
                        "expected the name of a function, as in `exp(x)` or `powi(x, 2)`",
                    ));
                };
                self.call(name, &e.args.iter().collect::<Vec<_>>(), e.paren_token.span.join())
            }
            Expr::MethodCall(e) => {
                if let Some(generic) = &e.turbofish {
                    return Err(Error::new_spanned(generic, "not supported in a table's expression"));
                }
                let arguments: Vec<&Expr> = std::iter::once(&*e.receiver).chain(&e.args).collect();
                self.call(&e.method, &arguments, e.paren_token.span.join())
            }
            Expr::If(e) => {
                let Some((_, otherwise)) = &e.else_branch else {
                    return Err(Error::new(e.if_token.span(), "this `if` has no value without an `else`"));
                };
                let c = self.condition(&e.cond);
                let (a, b) = (self.block(&e.then_branch), self.number(otherwise));
                let (c, (a, b)) = both(c, both(a, b))?;
                self.push_at(Node::If(c, a, b), e.if_token.span())
            }
            Expr::Block(e) if e.label.is_none() && e.attrs.is_empty() => self.block(&e.block),
            Expr::Cast(e) => Err(Error::new(e.as_token.span(), "numbers are real numbers here: leave out the cast")),
            other => Err(Error::new_spanned(
                other,
                "not supported in a table's expression: use numbers, the variable, `+ - * /`, functions, \
                 `let` and `if … else`",
            )),
        }
    }

    /// Lowers `a + b − c + …` by a loop, since its left operands may nest deep.
    fn chain(&mut self, last: &ExprBinary) -> Result<Id> {
        let mut chain = vec![last];
        let mut first = &*last.left;
        while let Expr::Binary(e) = first {
            chain.push(e);
            first = &e.left;
        }
        let mut result = self.number(first);
        for e in chain.into_iter().rev() {
            let node = match &e.op {
                BinOp::Add(_) => Node::Add,
                BinOp::Sub(_) => Node::Sub,
                BinOp::Mul(_) => Node::Mul,
                BinOp::Div(_) => Node::Div,
                op if comparison(op).is_some() || matches!(op, BinOp::And(_) | BinOp::Or(_)) => {
                    return Err(Error::new(
                        op.span(),
                        "expected a number, found a condition: write `if … { … } else { … }`",
                    ));
                }
                BinOp::BitXor(op) => {
                    return Err(Error::new(op.span(), "`^` is not a power: write `powi(x, 2)`"));
                }
                op => return Err(Error::new(op.span(), "this operator is not supported: use `+`, `-`, `*` or `/`")),
            };
            let right = self.number(&e.right);
            result = both(result, right).and_then(|(a, b)| self.push_at(node(a, b), e.op.span()));
        }
        result
    }

    fn block(&mut self, block: &Block) -> Result<Id> {
        let names = self.names.len();
        let result = self.statements(block);
        self.names.truncate(names);
        result
    }

    fn statements(&mut self, block: &Block) -> Result<Id> {
        let Some((last, rest)) = block.stmts.split_last() else {
            return Err(Error::new(block.brace_token.span.join(), "an empty block has no value"));
        };
        for statement in rest {
            let binding = match statement {
                Stmt::Local(local) => local,
                other => return Err(Error::new_spanned(other, "expected `let name = expression;`")),
            };
            let name = match &binding.pat {
                Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => &p.ident,
                other => return Err(Error::new_spanned(other, "expected `let name = expression;`")),
            };
            let Some(init) = binding.init.as_ref().filter(|i| i.diverge.is_none()) else {
                return Err(Error::new_spanned(binding, "expected `let name = expression;`"));
            };
            let id = self.number(&init.expr)?;
            self.names.push((name.unraw().to_string(), id));
        }
        match last {
            Stmt::Expr(e, None) => self.number(e),
            other => Err(Error::new_spanned(other, "expected an expression, which is the value of the block")),
        }
    }

    fn condition(&mut self, e: &Expr) -> Result<Condition> {
        match e {
            Expr::Paren(e) => self.condition(&e.expr),
            Expr::Group(e) => self.condition(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => Ok(Condition::Not(Box::new(self.condition(&e.expr)?))),
            Expr::Binary(e) => {
                if let Some(c) = comparison(&e.op) {
                    let (a, b) = (self.number(&e.left), self.number(&e.right));
                    let (a, b) = both(a, b)?;
                    return Ok(Condition::Compare(c, a, b));
                }
                let node = match &e.op {
                    BinOp::And(_) => Condition::And,
                    BinOp::Or(_) => Condition::Or,
                    op => return Err(Error::new(op.span(), "expected a comparison, such as `x < 0`")),
                };
                let (a, b) = (self.condition(&e.left), self.condition(&e.right));
                let (a, b) = both(a, b)?;
                Ok(node(Box::new(a), Box::new(b)))
            }
            other => Err(Error::new_spanned(other, "expected a comparison, such as `x < 0`")),
        }
    }

    fn name(&mut self, e: &Expr) -> Result<Id> {
        if let Some(name) = plain_name(e) {
            let name = name.unraw().to_string();
            if let Some((_, id)) = self.names.iter().rev().find(|(n, _)| *n == name) {
                return Ok(*id);
            }
            if let Some(id) = self.known_constant(&name) {
                return Ok(id);
            }
            if self.absent.as_ref() == Some(&name) {
                return Err(Error::new_spanned(e, format!("`{name}` is the variable: write a constant")));
            }
            if Function::ALL.iter().any(|(f, _)| *f == name) {
                return Err(Error::new_spanned(e, format!("`{name}` is a function: `{name}(…)`")));
            }
            return Err(Error::new_spanned(
                e,
                format!(
                    "`{name}` is not known here: a macro sees tokens, not values. Declare it in the macro, \
                     `const {name}: f64 = …;` before the `static`, or write the number"
                ),
            ));
        }
        // std::f64::consts::PI
        if let Expr::Path(p) = e
            && p.qself.is_none()
            && p.path.segments.iter().all(|s| s.arguments.is_empty())
            && let [.., parent, last] = &p.path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>()[..]
            && parent == "consts"
            && let Some(id) = self.known_constant(last)
        {
            return Ok(id);
        }
        Err(Error::new_spanned(
            e,
            "not known here: a macro sees tokens, not values. Declare it in the macro, `const NAME: f64 = …;` \
             before the `static`, or write the number",
        ))
    }

    /// Returns the real number that a constant of `core::f64::consts` is named for; `None` for
    /// another name.
    fn known_constant(&mut self, name: &str) -> Option<Id> {
        let p = &mut self.program;
        let int = |p: &mut Program, n| p.push(Rational::from_i64(n).map_or(Node::Zero, Node::Literal));
        let (one, two) = (int(p, 1), int(p, 2));
        let value = match name {
            "PI" => p.push(Node::Pi),
            "TAU" => {
                let pi = p.push(Node::Pi);
                p.push(Node::Mul(two, pi))
            }
            "FRAC_PI_2" | "FRAC_PI_3" | "FRAC_PI_4" | "FRAC_PI_6" | "FRAC_PI_8" => {
                let (pi, n) = (p.push(Node::Pi), int(p, (name.as_bytes()[8] - b'0').into()));
                p.push(Node::Div(pi, n))
            }
            "FRAC_1_PI" | "FRAC_2_PI" => {
                let pi = p.push(Node::Pi);
                p.push(Node::Div(if name == "FRAC_1_PI" { one } else { two }, pi))
            }
            "FRAC_2_SQRT_PI" => {
                let pi = p.push(Node::Pi);
                let root = p.push(Node::Apply(Function::Sqrt, pi));
                p.push(Node::Div(two, root))
            }
            "SQRT_2" => p.push(Node::Apply(Function::Sqrt, two)),
            "FRAC_1_SQRT_2" => {
                let root = p.push(Node::Apply(Function::Sqrt, two));
                p.push(Node::Div(one, root))
            }
            "E" => p.push(Node::Apply(Function::Exp, one)),
            "LN_2" => p.push(Node::Apply(Function::Ln, two)),
            "LN_10" | "LOG10_E" => {
                let ten = int(p, 10);
                let ln = p.push(Node::Apply(Function::Ln, ten));
                if name == "LN_10" { ln } else { p.push(Node::Div(one, ln)) }
            }
            "LOG2_E" => {
                let ln = p.push(Node::Apply(Function::Ln, two));
                p.push(Node::Div(one, ln))
            }
            "LOG2_10" | "LOG10_2" => {
                let ten = int(p, 10);
                let log = p.push(Node::Apply(Function::Log2, ten));
                if name == "LOG2_10" { log } else { p.push(Node::Div(one, log)) }
            }
            _ => return None,
        };
        Some(p.push(Node::Constant(value)))
    }

    fn call(&mut self, name: &Ident, arguments: &[&Expr], parentheses: Span) -> Result<Id> {
        let text = name.unraw().to_string();
        let expect = |n: usize, usage: &str| {
            if arguments.len() == n {
                return Ok(());
            }
            let takes = if n == 1 { "one argument" } else { "two arguments" };
            Err(Error::new(parentheses, format!("`{text}` takes {takes}, not {}: `{usage}`", arguments.len())))
        };
        if let Some((_, f)) = Function::ALL.iter().find(|(f, _)| *f == text) {
            expect(1, &format!("{text}(x)"))?;
            let a = self.number(arguments[0])?;
            return self.push_at(Node::Apply(*f, a), name.span());
        }
        match text.as_str() {
            "abs" => {
                expect(1, "abs(x)")?;
                let a = self.number(arguments[0])?;
                self.push_at(Node::Abs(a), name.span())
            }
            "min" | "max" => {
                expect(2, &format!("{text}(a, b)"))?;
                let (a, b) = (self.number(arguments[0]), self.number(arguments[1]));
                let (a, b) = both(a, b)?;
                self.push_at(if text == "min" { Node::Min(a, b) } else { Node::Max(a, b) }, name.span())
            }
            "powi" => {
                expect(2, "powi(x, 3)")?;
                let (a, n) = both(self.number(arguments[0]), exponent(arguments[1]))?;
                self.push_at(Node::Powi(a, n), name.span())
            }
            _ => {
                let instead = match text.as_str() {
                    "log" | "log10" => "; the logarithms are `ln` and `log2`".to_owned(),
                    "pow" | "powf" => {
                        "; `powi(x, 3)` takes an integer, other powers are `exp2(y * log2(x))`".to_owned()
                    }
                    "recip" => "; write `1 / x`".to_owned(),
                    "tan" => "; write `sin(x) / cos(x)`".to_owned(),
                    "relu" => "; write `max(x, 0)`".to_owned(),
                    _ => {
                        let names: Vec<&str> = Function::ALL.iter().map(|(f, _)| *f).collect();
                        format!("; there are abs, min, max, powi, {}", names.join(", "))
                    }
                };
                Err(Error::new(name.span(), format!("there is no function `{name}` here{instead}")))
            }
        }
    }

    fn literal(&mut self, e: &ExprLit) -> Result<Id> {
        let (digits, suffix) = match &e.lit {
            Lit::Int(n) => (n.base10_digits(), n.suffix()),
            Lit::Float(x) => (x.base10_digits(), x.suffix()),
            other => return Err(Error::new_spanned(other, "expected a number")),
        };
        if !suffix.is_empty() {
            return Err(Error::new_spanned(e, format!("a number has no type here: remove `{suffix}`")));
        }
        let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(i32::MAX);
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if exponent.unsigned_abs() > LARGEST_EXPONENT as u32 || mantissa.len() > LARGEST_EXPONENT as usize {
            return Err(Error::new_spanned(e, "this number has too many digits or too large an exponent"));
        }
        let digits = format!("{whole}{part}");
        Ok(match Rational::from_decimal(&digits, exponent - part.len() as i32) {
            Some(x) => self.push(Node::Literal(x)),
            None => self.push(Node::Zero),
        })
    }
}

fn comparison(op: &BinOp) -> Option<Comparison> {
    Some(match op {
        BinOp::Lt(_) => Comparison::Lt,
        BinOp::Le(_) => Comparison::Le,
        BinOp::Gt(_) => Comparison::Gt,
        BinOp::Ge(_) => Comparison::Ge,
        BinOp::Eq(_) => Comparison::Eq,
        BinOp::Ne(_) => Comparison::Ne,
        _ => return None,
    })
}

fn plain_name(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) if p.qself.is_none() => p.path.get_ident(),
        _ => None,
    }
}

/// Returns the literal exponent of `powi`.
fn exponent(e: &Expr) -> Result<i32> {
    let (negative, magnitude) = match e {
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => (true, &*u.expr),
        _ => (false, e),
    };
    let Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) = magnitude else {
        return Err(Error::new_spanned(e, "the exponent of `powi` is an integer literal"));
    };
    if !n.suffix().is_empty() {
        return Err(Error::new_spanned(e, format!("the exponent of `powi` has no type: remove `{}`", n.suffix())));
    }
    match n.base10_parse::<i32>() {
        Ok(n) if n <= LARGEST_POWER => Ok(if negative { -n } else { n }),
        _ => Err(Error::new_spanned(e, format!("the exponent of `powi` is at most {LARGEST_POWER}"))),
    }
}
