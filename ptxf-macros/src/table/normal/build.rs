//! From a program's nodes to normal forms.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Answers, Atom, NormalId, ONE, OfNode, Question, Refiner, Term, ZERO};
use crate::table::number::Rational;
use crate::table::program::{Function, Id, Node};
use crate::table::run::Run;

/// Normal forms of the nodes so far.
type Built = HashMap<Id, NormalId>;

/// The largest power k in e^(k ln v) = v^k.
const LARGEST_FACTOR: i64 = 64;

impl<L: Run> Refiner<'_, L> {
    /// Returns the normal form of a node for the present input; `None` if the form is the node
    /// itself.
    pub(super) fn form(&mut self, id: Id) -> Option<NormalId> {
        let known = self.forms.of_nodes.get(&id).map(Rc::clone);
        for (answers, form) in known.iter().flat_map(|known| known.iter()) {
            let mut i = 0;
            while i < answers.len() && self.ask_again(answers[i].0) == answers[i].1 {
                i += 1;
            }
            if i == answers.len() {
                return *form;
            }
        }
        let before = self.asked.replace(Answers::new());
        let form = self.build(id, &mut Built::new());
        let asked = std::mem::replace(&mut self.asked, before).unwrap_or_default();
        let opaque = self.forms.of_atom(Atom::Node(id), 1);
        let form = (form != opaque).then_some(form);
        let mut all: Vec<OfNode> = known.map_or_else(Vec::new, |known| known.to_vec());
        all.push((asked.into(), form));
        self.forms.of_nodes.insert(id, all.into());
        form
    }

    fn build(&mut self, id: Id, built: &mut Built) -> NormalId {
        for id in self.program.always_needed(id, true) {
            self.build_one(id, built);
        }
        self.build_one(id, built)
    }

    /// Returns the normal form of a node whose operands have theirs.
    fn build_one(&mut self, id: Id, built: &mut Built) -> NormalId {
        if let Some(&form) = built.get(&id) {
            return form;
        }
        let form = match self.spelled_out(id, built) {
            Some(form) => form,
            None => self.forms.of_atom(Atom::Node(id), 1),
        };
        built.insert(id, form);
        form
    }

    fn spelled_out(&mut self, id: Id, built: &mut Built) -> Option<NormalId> {
        let program = self.program;
        match program.nodes[id] {
            Node::Input => None,
            Node::Zero => Some(ZERO),
            Node::Literal(ref x) => Some(self.forms.constant(x.clone())),
            Node::Pi => Some(self.forms.of_atom(Atom::Pi, 1)),
            Node::Constant(a) => Some(self.build_one(a, built)),
            Node::Neg(a) => {
                let a = self.build_one(a, built);
                Some(self.forms.negated(a))
            }
            Node::Abs(a) => match self.ask(Question::Choice(id)) {
                0 => None,
                sign => {
                    let a = self.build_one(a, built);
                    Some(if sign < 0 { self.forms.negated(a) } else { a })
                }
            },
            Node::Min(a, b) | Node::Max(a, b) | Node::If(_, a, b) => match self.ask(Question::Choice(id)) {
                0 => None,
                1 => Some(self.build(a, built)),
                _ => Some(self.build(b, built)),
            },
            Node::Add(a, b) => {
                let (a, b) = (self.build_one(a, built), self.build_one(b, built));
                self.add(a, b)
            }
            Node::Sub(a, b) => {
                let (a, b) = (self.build_one(a, built), self.build_one(b, built));
                self.sub(a, b)
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.build_one(a, built), self.build_one(b, built));
                self.mul(a, b)
            }
            Node::Div(a, b) => {
                let (a, b) = (self.build_one(a, built), self.build_one(b, built));
                let b = self.inverse(b)?;
                self.mul(a, b)
            }
            Node::Powi(a, n) => {
                let a = self.build_one(a, built);
                self.power(a, n)
            }
            Node::Apply(Function::Atan, _) if self.ask(Question::Choice(id)) != 0 => {
                let side = self.ask(Question::Choice(id));
                Some(self.right_angle(side))
            }
            Node::Apply(f, a) => {
                let a = self.build_one(a, built);
                self.function(f, a)
            }
        }
    }

    fn function(&mut self, f: Function, u: NormalId) -> Option<NormalId> {
        match f {
            Function::Exp => self.exp(u),
            Function::Exp2 => {
                let ln_2 = self.ln_2();
                let exponent = self.mul(u, ln_2)?;
                self.exp(exponent)
            }
            Function::Ln => self.ln(u),
            Function::Log2 => {
                let (ln, ln_2) = (self.ln(u)?, self.ln_2());
                let inverse = self.inverse(ln_2)?;
                self.mul(ln, inverse)
            }
            Function::Sqrt => self.sqrt(u),
            Function::ExpM1 => {
                let e = self.exp(u)?;
                self.sub(e, ONE)
            }
            Function::Softplus => {
                let e = self.exp(u)?;
                let sum = self.add(ONE, e)?;
                self.ln(sum)
            }
            Function::Sigmoid => {
                let minus = self.forms.negated(u);
                let e = self.exp(minus)?;
                let sum = self.add(ONE, e)?;
                self.inverse(sum)
            }
            Function::Sinh | Function::Cosh | Function::Tanh => {
                let minus = self.forms.negated(u);
                let (up, down) = (self.exp(u)?, self.exp(minus)?);
                let (sum, difference) = (self.add(up, down)?, self.sub(up, down)?);
                match f {
                    Function::Sinh => Some(self.forms.half(difference)),
                    Function::Cosh => Some(self.forms.half(sum)),
                    _ => {
                        let inverse = self.inverse(sum)?;
                        self.mul(difference, inverse)
                    }
                }
            }
            Function::Erf => match self.ask(Question::Side(u)) {
                0 => Some(self.odd(f, u)),
                // erf u = 1 − e^(−u²) erfcx u, and erf is odd.
                side => {
                    let magnitude = if side < 0 { self.forms.negated(u) } else { u };
                    let square = self.mul(magnitude, magnitude)?;
                    let exponent = self.forms.negated(square);
                    let e = self.exp(exponent)?;
                    let scaled = self.forms.of_atom(Atom::Function(Function::Erfcx, magnitude), 1);
                    let complement = self.mul(e, scaled)?;
                    let erf = self.sub(ONE, complement)?;
                    Some(if side < 0 { self.forms.negated(erf) } else { erf })
                }
            },
            // arctan u = π/2 − arctan 1/u, for positive u.
            Function::Atan => match self.ask(Question::Side(u)) {
                0 => Some(self.odd(f, u)),
                side => {
                    let inverse = self.inverse(u)?;
                    let rest = self.odd(f, inverse);
                    let right = self.right_angle(side);
                    self.sub(right, rest)
                }
            },
            Function::Sin => Some(self.odd(f, u)),
            Function::Cos => {
                let u = if self.begins_negative(u) { self.forms.negated(u) } else { u };
                Some(self.forms.of_atom(Atom::Function(f, u), 1))
            }
            Function::Ln1p => {
                let sum = self.add(ONE, u)?;
                self.ln(sum)
            }
            Function::Erfcx => Some(self.forms.of_atom(Atom::Function(f, u), 1)),
        }
    }

    fn begins_negative(&self, u: NormalId) -> bool {
        self.forms.terms(u).first().is_some_and(|t| t.coefficient.is_negative())
    }

    fn odd(&mut self, f: Function, u: NormalId) -> NormalId {
        if u == ZERO {
            return ZERO;
        }
        if !self.begins_negative(u) {
            return self.forms.of_atom(Atom::Function(f, u), 1);
        }
        let minus = self.forms.negated(u);
        let mirrored = self.forms.of_atom(Atom::Function(f, minus), 1);
        self.forms.negated(mirrored)
    }

    fn right_angle(&mut self, side: i8) -> NormalId {
        let pi = self.forms.of_atom(Atom::Pi, 1);
        let half = self.forms.half(pi);
        if side < 0 { self.forms.negated(half) } else { half }
    }

    fn ln_2(&mut self) -> NormalId {
        let two = self.forms.integer(2);
        self.forms.of_atom(Atom::Function(Function::Ln, two), 1)
    }

    fn exp(&mut self, u: NormalId) -> Option<NormalId> {
        let mut product = ONE;
        let mut exponent = Vec::new();
        for term in self.forms.terms(u).iter() {
            // e^(k ln v) is a power of v, and e^(k/2 ln v) a power of its root.
            let logarithm = match *term.factors {
                [(atom, 1)] if term.exponent == ZERO => match self.forms.atoms[atom] {
                    Atom::Function(Function::Ln, v) => Some(v),
                    _ => None,
                },
                _ => None,
            };
            let twice = term.coefficient.scaled(1).as_i64().filter(|k| k.abs() <= LARGEST_FACTOR);
            let (Some(v), Some(k)) = (logarithm, twice) else {
                exponent.push(term.clone());
                continue;
            };
            let root = if k % 2 == 0 { v } else { self.sqrt(v)? };
            let power = self.power(root, (if k % 2 == 0 { k / 2 } else { k }) as i32)?;
            product = self.mul(product, power)?;
        }
        let exponent = self.forms.sum(exponent);
        let e = self.forms.exponential(exponent);
        self.mul(product, e)
    }

    /// Returns the normal form of ln u, for a positive u.
    fn ln(&mut self, u: NormalId) -> Option<NormalId> {
        if u == ZERO {
            return None;
        }
        let (common, rest) = self.leading(u)?;
        let exponent = common.exponent;
        // The logarithms of factors whose signs are known are added.
        let mut positive = !common.coefficient.is_negative();
        let mut parts = Vec::new();
        let mut all_known = true;
        let rest_power = (rest != ONE).then_some((rest, 1));
        let atoms: Vec<(NormalId, i32)> = common
            .factors
            .iter()
            .map(|&(a, k)| {
                let atom = self.forms.atoms[a];
                let form = if let Atom::Sum(form) = atom { form } else { self.forms.of_atom(atom, 1) };
                (form, k)
            })
            .chain(rest_power)
            .collect();
        for (form, k) in atoms {
            let sign = self.ask(Question::Sign(form));
            all_known &= sign != 0;
            positive ^= sign < 0 && k % 2 != 0;
            parts.push((if sign < 0 { self.forms.negated(form) } else { form }, k));
        }
        if !all_known || !positive {
            let inside = Term { exponent: ZERO, ..(*common).clone() };
            let inside = self.forms.intern(vec![inside]);
            let whole = self.mul(inside, rest)?;
            let ln = self.forms.of_atom(Atom::Function(Function::Ln, whole), 1);
            return self.add(exponent, ln);
        }
        let mut sum = self.ln_constant(&common.coefficient.abs());
        sum = self.add(sum, exponent)?;
        for (form, k) in parts {
            let ln = self.ln_atom(form);
            let k = self.forms.integer(i64::from(k));
            let part = self.mul(k, ln)?;
            sum = self.add(sum, part)?;
        }
        Some(sum)
    }

    fn ln_constant(&mut self, x: &Rational) -> NormalId {
        let power = x.as_power_of_two();
        if power == Some(0) {
            return ZERO;
        }
        if let Some(k) = power {
            let (ln_2, k) = (self.ln_2(), self.forms.integer(k));
            return self.mul(k, ln_2).unwrap_or(ZERO);
        }
        let x = self.forms.constant(x.clone());
        self.forms.of_atom(Atom::Function(Function::Ln, x), 1)
    }

    /// Returns the normal form of the logarithm of a positive normal form whose terms have no
    /// common factor.
    fn ln_atom(&mut self, form: NormalId) -> NormalId {
        if let [term] = &*self.forms.terms(form)
            && let [(atom, 1)] = *term.factors
            && let Atom::Function(Function::Sqrt, square) = self.forms.atoms[atom]
            && *term == (Term { coefficient: Rational::one(), factors: vec![(atom, 1)], exponent: ZERO })
        {
            let ln = self.forms.of_atom(Atom::Function(Function::Ln, square), 1);
            return self.forms.half(ln);
        }
        self.forms.of_atom(Atom::Function(Function::Ln, form), 1)
    }

    /// Returns the normal form of √u, for a u that is not negative.
    fn sqrt(&mut self, u: NormalId) -> Option<NormalId> {
        if u == ZERO || u == ONE {
            return Some(u);
        }
        let (common, rest) = self.leading(u)?;
        let mut outside = Term { coefficient: Rational::one(), factors: Vec::new(), exponent: ZERO };
        let mut inside = Term { exponent: ZERO, ..(*common).clone() };
        let mut negative = false;
        for &(atom, k) in &common.factors {
            let form = self.forms.of_atom(self.forms.atoms[atom], 1);
            // √(a²) is |a|.
            let sign = if k % 2 == 0 { self.ask(Question::Sign(form)) } else { 0 };
            if sign != 0 {
                outside = outside.raised(atom, k / 2);
                inside = inside.raised(atom, -k);
                negative ^= sign < 0 && k / 2 % 2 != 0;
            }
        }
        if !common.coefficient.is_negative()
            && let Some(root) = common.coefficient.sqrt()
        {
            outside.coefficient = root.reduced();
            inside.coefficient = Rational::one();
        }
        if negative {
            outside.coefficient = outside.coefficient.negated();
        }
        outside.exponent = self.forms.half(common.exponent);
        let outside = self.forms.intern(vec![outside]);
        let inside = self.forms.intern(vec![inside]);
        let inside = self.mul(inside, rest)?;
        let root = if inside == ONE { ONE } else { self.forms.of_atom(Atom::Function(Function::Sqrt, inside), 1) };
        self.mul(outside, root)
    }
}
