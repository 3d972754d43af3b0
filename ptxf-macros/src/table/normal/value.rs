//! The value of a normal form for an input.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use super::{Answers, Atom, Factors, NormalForms, NormalId, Term, ZERO};
use crate::table::number::Rational;
use crate::table::program::{Function, Id, Program};
use crate::table::run::Run;
use crate::table::value::{self, Known, Relation, Value};

/// The results about normal forms for one input.
pub(in crate::table) struct Memory<L: Run> {
    values: Vec<Option<Known<L>>>,
    pub(super) answers: Vec<Option<i8>>,
    /// The values of rational numbers, which are the same for all inputs.
    numbers: HashMap<Rational, Known<L>>,
}

impl<L: Run> Memory<L> {
    pub(in crate::table) fn new() -> Self {
        Self { values: Vec::new(), answers: Vec::new(), numbers: HashMap::new() }
    }

    fn value(&self, form: NormalId) -> Option<Known<L>> {
        self.values.get(form).cloned().flatten()
    }

    fn remember(&mut self, form: NormalId, v: &Known<L>) {
        if self.values.len() <= form {
            self.values.resize(form + 1, None);
        }
        self.values[form] = Some(v.clone());
    }

    pub(in crate::table) fn forget(&mut self) {
        self.values.clear();
        self.answers.clear();
    }
}

/// Makes and evaluates normal forms for one input, in one arithmetic.
pub(in crate::table) struct Refiner<'a, L: Run> {
    pub(in crate::table) program: &'a Program,
    pub(in crate::table) forms: &'a mut NormalForms,
    pub(in crate::table) arithmetic: &'a mut L,
    pub(in crate::table) memory: &'a mut Memory<L>,
    /// The nodes' values.
    pub(in crate::table) found: &'a [Option<Known<L>>],
    /// The choice of each node: 1 or 2 for the first or second operand, ±1 for a sign.
    pub(in crate::table) chosen: &'a [i8],
    /// The input, if it is a number other than 0.
    pub(in crate::table) input: Option<&'a Rational>,
    /// Steps taken.
    pub(in crate::table) work: &'a mut u64,
    /// The questions asked while a normal form is made.
    pub(in crate::table) asked: Option<Answers>,
}

impl<L: Run> Refiner<'_, L> {
    /// Returns the node's value by its normal form; `None` if the form adds nothing. All operands
    /// have to be real numbers.
    pub(in crate::table) fn node(&mut self, id: Id) -> Option<Known<L>> {
        let form = self.form(id)?;
        Some(self.value(form))
    }

    /// Returns the relation of two nodes by the normal form of their difference.
    pub(in crate::table) fn compare(&mut self, a: Id, b: Id) -> Relation {
        let form = |r: &mut Self, id| {
            let form = r.form(id);
            form.unwrap_or_else(|| r.forms.of_atom(Atom::Node(id), 1))
        };
        let (a, b) = (form(self, a), form(self, b));
        let Some(difference) = self.sub(a, b) else { return Relation::Unknown };
        let v = self.value(difference);
        value::compare(self.arithmetic, &v, &Value::Zero { negative: false })
    }

    pub(super) fn value(&mut self, form: NormalId) -> Known<L> {
        if let Some(v) = self.memory.value(form) {
            return v;
        }
        *self.work += 66 + 2 * self.arithmetic.work();
        let terms = self.forms.terms(form);
        let v = match &*terms {
            [] => Value::Zero { negative: false },
            [term] => self.product(term),
            _ => match self.forms.groups(form) {
                Some(groups) => groups.iter().fold(Value::Zero { negative: false }, |sum, group| {
                    let v = self.value(*group);
                    value::add(self.arithmetic, &sum, &v)
                }),
                None => match self.primitive(form) {
                    Some((common, rest)) if !common.is_one() => {
                        let rest = self.forms.terms(rest);
                        let (common, rest) = (self.product(&common), self.total(&rest));
                        value::mul(self.arithmetic, &common, &rest)
                    }
                    _ => self.total(&terms),
                },
            },
        };
        self.memory.remember(form, &v);
        v
    }

    fn total(&mut self, terms: &[Term]) -> Known<L> {
        let (number, rest) = self.parts(terms);
        value::add(self.arithmetic, &number, &rest)
    }

    /// Returns a sum as an exact number and the rest, which may be far smaller.
    fn parts(&mut self, terms: &[Term]) -> (Known<L>, Known<L>) {
        let zero = || Value::Zero { negative: false };
        // The numbers are added up before they are rounded.
        let (mut numbers, mut rest): (Option<Rational>, _) = (None, zero());
        let add = |sum: Option<Rational>, x: Rational| match sum {
            None => Some(x),
            Some(sum) => sum.sum(&x).map(Rational::reduced),
        };
        let mut paired = vec![false; terms.len()];
        for (i, term) in terms.iter().enumerate() {
            if paired[i] {
                continue;
            }
            if term.is_constant() {
                numbers = add(numbers, term.coefficient.clone());
                continue;
            }
            let coefficient = self.number(&term.coefficient);
            if let Some(exact) = self.exact_wave(term) {
                numbers = match exact {
                    0 => numbers,
                    sign => add(numbers, if sign < 0 { term.coefficient.negated() } else { term.coefficient.clone() }),
                };
                continue;
            }
            if let Some(j) = self.partner(terms, i) {
                // e^u + e^−u = 2 + 4 sinh² u/2
                paired[j] = true;
                let exponent = self.forms.half(term.exponent);
                let exponent = self.value(exponent);
                let sinh = value::apply(self.arithmetic, Function::Sinh, &exponent);
                let square = value::powi(self.arithmetic, &sinh, 2);
                let part = value::mul(self.arithmetic, &self.integer(4), &square);
                let part = value::mul(self.arithmetic, &coefficient, &part);
                numbers = add(numbers, term.coefficient.scaled(1));
                rest = value::add(self.arithmetic, &rest, &part);
                continue;
            }
            let v = match self.beside_one(term) {
                Some(bit) => {
                    numbers = add(numbers, term.coefficient.clone());
                    value::mul(self.arithmetic, &coefficient, &bit)
                }
                None => self.product(term),
            };
            rest = value::add(self.arithmetic, &rest, &v);
        }
        let number = numbers.map_or_else(zero, |x| self.number(&x));
        (number, rest)
    }

    /// Returns the value of a term that is the sine or cosine of right angles: −1, 0 or 1.
    fn exact_wave(&mut self, term: &Term) -> Option<i64> {
        let [(atom, 1)] = *term.factors else { return None };
        let Atom::Function(f @ (Function::Sin | Function::Cos), angle) = self.forms.atoms[atom] else { return None };
        if term.exponent != ZERO {
            return None;
        }
        let turns = self.half_turns(angle)?;
        match self.wave_of_half_turns(f, &turns) {
            Value::Zero { .. } => Some(0),
            Value::Exact(x) => L::exact_integer(&x),
            _ => None,
        }
    }

    fn integer(&self, n: i64) -> Known<L> {
        Value::Exact(L::exact_from(n))
    }

    /// Returns the index of the term that differs only in the sign of a small exponent.
    fn partner(&mut self, terms: &[Term], i: usize) -> Option<usize> {
        let term = &terms[i];
        if !term.factors.is_empty() {
            return None;
        }
        let opposite = self.forms.negated(term.exponent);
        let is_partner = |t: &Term| t.factors.is_empty() && t.exponent == opposite && t.coefficient == term.coefficient;
        let j = terms.iter().skip(i + 1).position(is_partner)? + i + 1;
        let exponent = self.value(term.exponent);
        self.is_small(&exponent).then_some(j)
    }

    /// Returns r if a term is its coefficient times 1 + r, with a small r.
    fn beside_one(&mut self, term: &Term) -> Option<Known<L>> {
        let one = self.integer(1);
        match *term.factors {
            [] => {
                let exponent = self.value(term.exponent);
                self.is_small(&exponent).then(|| value::apply(self.arithmetic, Function::ExpM1, &exponent))
            }
            [(atom, power)] if term.exponent == ZERO => match (self.forms.atoms[atom], power) {
                // cos u = 1 − 2 sin² u/2
                (Atom::Function(Function::Cos, angle), 1) => {
                    let half = self.forms.half(angle);
                    let half = self.value(half);
                    let sine = self.is_small(&half).then(|| value::apply(self.arithmetic, Function::Sin, &half))?;
                    let square = value::powi(self.arithmetic, &sine, 2);
                    Some(value::mul(self.arithmetic, &self.integer(-2), &square))
                }
                // √(1 + r) = 1 + r / (1 + √(1 + r))
                (Atom::Function(Function::Sqrt, square), 1) => {
                    let r = self.near_one(square)?;
                    let root = value::apply(self.arithmetic, Function::Sqrt, &value::add(self.arithmetic, &one, &r));
                    Some(value::div(self.arithmetic, &r, &value::add(self.arithmetic, &one, &root)))
                }
                // 1 / √(1 + r) = 1 − r / (√(1 + r) + 1 + r)
                (Atom::Function(Function::Sqrt, square), -1) => {
                    let r = self.near_one(square)?;
                    let sum = value::add(self.arithmetic, &one, &r);
                    let root = value::apply(self.arithmetic, Function::Sqrt, &sum);
                    let quotient = value::div(self.arithmetic, &r, &value::add(self.arithmetic, &root, &sum));
                    Some(value::neg::<L>(&quotient))
                }
                // 1 / (1 + r) = 1 − r / (1 + r)
                (Atom::Sum(form), -1) => {
                    let r = self.near_one(form)?;
                    let quotient = value::div(self.arithmetic, &r, &value::add(self.arithmetic, &one, &r));
                    Some(value::neg::<L>(&quotient))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns r if a sum is 1 + r, with a small r.
    fn near_one(&mut self, form: NormalId) -> Option<Known<L>> {
        let terms = self.forms.terms(form);
        if terms.len() < 2 || self.forms.groups(form).is_some() {
            return None;
        }
        let (number, rest) = self.parts(&terms);
        let is_one =
            value::compare(self.arithmetic, &number, &self.integer(1)) == Relation::Known(Some(Ordering::Equal));
        (is_one && self.is_small(&rest)).then_some(rest)
    }

    /// Returns `true` if the value lies between −½ and ½.
    pub(super) fn is_small(&self, v: &Known<L>) -> bool {
        let half = self.arithmetic.exp2_of(-1);
        let below = |a: &Known<L>, b: &Known<L>| {
            matches!(value::compare(self.arithmetic, a, b), Relation::Known(Some(Ordering::Less)))
        };
        below(v, &half) && below(&value::neg::<L>(&half), v)
    }

    fn number(&mut self, x: &Rational) -> Known<L> {
        if let Some(v) = self.memory.numbers.get(x) {
            return v.clone();
        }
        let v = L::number(x);
        self.memory.numbers.insert(x.clone(), v.clone());
        v
    }

    pub(super) fn product(&mut self, term: &Term) -> Known<L> {
        let mut v = (term.coefficient != Rational::one()).then(|| self.number(&term.coefficient));
        for &(atom, k) in &term.factors {
            let atom = self.forms.atoms[atom];
            let factor = self.atom(atom);
            let power = if k == 1 { factor } else { value::powi(self.arithmetic, &factor, k) };
            v = Some(v.map_or_else(|| power.clone(), |v| value::mul(self.arithmetic, &v, &power)));
        }
        if term.exponent != ZERO {
            let exponent = self.value(term.exponent);
            let e = value::apply(self.arithmetic, Function::Exp, &exponent);
            v = Some(v.map_or_else(|| e.clone(), |v| value::mul(self.arithmetic, &v, &e)));
        }
        v.unwrap_or_else(|| self.integer(1))
    }

    fn atom(&mut self, atom: Atom) -> Known<L> {
        match atom {
            Atom::Node(id) => self.found[id].clone().unwrap_or(Value::Unknown),
            Atom::Pi => {
                let (lo, hi) = self.arithmetic.pi();
                Value::Open(lo, hi)
            }
            Atom::Sum(form) => self.value(form),
            Atom::Function(f, form) => self.function_value(f, form),
        }
    }

    fn function_value(&mut self, f: Function, form: NormalId) -> Known<L> {
        let key = self.forms.of_atom(Atom::Function(f, form), 1);
        if let Some(v) = self.memory.value(key) {
            return v;
        }
        *self.work += 132 + 4 * self.arithmetic.work();
        let v = self.function_of(f, form);
        self.memory.remember(key, &v);
        v
    }

    fn function_of(&mut self, f: Function, form: NormalId) -> Known<L> {
        if let Function::Sin | Function::Cos = f {
            if let Some(turns) = self.half_turns(form) {
                return self.wave_of_half_turns(f, &turns);
            }
            if let Some(x) = self.exactly(form) {
                let (lo, hi) = self.arithmetic.wave(f, &x);
                return Value::Open(lo, hi);
            }
        }
        if f == Function::Ln
            && let Some(rest) = self.near_one(form)
        {
            return value::apply(self.arithmetic, Function::Ln1p, &rest);
        }
        let v = self.value(form);
        value::apply(self.arithmetic, f, &v)
    }

    /// Returns a polynomial's exact value; `None` if it is 0, or not a polynomial.
    fn exactly(&self, form: NormalId) -> Option<Rational> {
        self.exact_sum(&self.forms.terms(form))
    }

    /// Returns the exact value of a polynomial that is multiplied by π, as a multiple of π.
    fn half_turns(&mut self, form: NormalId) -> Option<Rational> {
        let pi = self.forms.atom(Atom::Pi);
        let terms = self.forms.terms(form);
        if terms.iter().any(|t| t.power(pi) != 1) {
            return None;
        }
        let terms: Vec<Term> = terms.iter().map(|t| t.raised(pi, -1)).collect();
        self.exact_sum(&terms)
    }

    /// Returns the sine or cosine of π times a rational number.
    fn wave_of_half_turns(&mut self, f: Function, turns: &Rational) -> Known<L> {
        let (quarters, rest) = turns.scaled(1).nearest_integer();
        let quarters = if f == Function::Sin { quarters } else { quarters + 1 };
        let v = match rest {
            None if quarters & 1 == 0 => Value::Zero { negative: false },
            None => self.integer(1),
            // Up to 45° only the sine of 30° is rational, and no cosine.
            Some(rest) => {
                let third = Rational::one().product(&Rational::three().inverse()).reduced();
                let rest = rest.reduced();
                if quarters & 1 == 0 && rest.abs() == third {
                    let half = self.arithmetic.exp2_of(-1);
                    if rest.is_negative() { value::neg::<L>(&half) } else { half }
                } else {
                    let (lo, hi) = self.arithmetic.pi();
                    let rest = L::number(&rest.scaled(-1));
                    let angle = value::mul(self.arithmetic, &rest, &Value::Open(lo, hi));
                    value::apply(self.arithmetic, if quarters & 1 == 0 { Function::Sin } else { Function::Cos }, &angle)
                }
            }
        };
        if quarters & 2 == 0 { v } else { value::neg::<L>(&v) }
    }

    fn exact_sum(&self, terms: &[Term]) -> Option<Rational> {
        let input = self.input?;
        let mut sum: Option<Rational> = None;
        for term in terms {
            let mut product = term.coefficient.clone();
            for &(atom, k) in &term.factors {
                let is_input = matches!(self.forms.atoms[atom], Atom::Node(id) if self.program.is_input(id));
                if !is_input || !(1..=3).contains(&k) {
                    return None;
                }
                product = (0..k).fold(product, |p, _| p.product(input));
            }
            if term.exponent != ZERO {
                return None;
            }
            sum = match sum {
                None => Some(product),
                Some(sum) => Some(sum.sum(&product)?),
            };
        }
        sum.filter(Rational::is_short)
    }
}

impl Term {
    fn is_one(&self) -> bool {
        self.is_constant() && self.coefficient == Rational::one()
    }
}

impl NormalForms {
    /// Returns the terms grouped by denominator; `None` if all have the same.
    fn groups(&mut self, form: NormalId) -> Option<Rc<[NormalId]>> {
        if let Some(known) = self.groups.get(&form) {
            return known.clone();
        }
        let is_below = |(a, k): &(usize, i32)| *k < 0 && matches!(self.atoms[*a], Atom::Sum(_));
        let mut groups: Vec<(Factors, Vec<Term>)> = Vec::new();
        for term in self.forms[form].iter() {
            let below: Factors = term.factors.iter().copied().filter(is_below).collect();
            match groups.iter_mut().find(|(b, _)| *b == below) {
                Some((_, group)) => group.push(term.clone()),
                None => groups.push((below, vec![term.clone()])),
            }
        }
        let several = groups.len() > 1;
        let groups = several.then(|| groups.into_iter().map(|(_, group)| self.intern(group)).collect());
        self.groups.insert(form, groups.clone());
        groups
    }
}
