//! What a form is worth for an input.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Answers, Atom, FormId, Forms, Question, Term, ZERO};
use crate::table::deep::Rational;
use crate::table::eval::Run;
use crate::table::program::{Function, Id, Program};
use crate::table::value::{self, Known, Relation, Value};

/// What is found out about forms for one input.
pub(in crate::table) struct Memory<L: Run> {
    values: HashMap<FormId, Known<L>>,
    answers: HashMap<Question, i8>,
    /// For good.
    numbers: HashMap<Rational, Known<L>>,
}

impl<L: Run> Memory<L> {
    pub(in crate::table) fn new() -> Self {
        Self { values: HashMap::new(), answers: HashMap::new(), numbers: HashMap::new() }
    }

    pub(in crate::table) fn forget(&mut self) {
        self.values.clear();
        self.answers.clear();
    }
}

/// Makes and evaluates forms for one input, at one level.
pub(in crate::table) struct Refiner<'a, L: Run> {
    pub(in crate::table) program: &'a Program,
    pub(in crate::table) forms: &'a mut Forms,
    pub(in crate::table) level: &'a mut L,
    pub(in crate::table) memory: &'a mut Memory<L>,
    /// The nodes' values.
    pub(in crate::table) found: &'a [Option<Known<L>>],
    /// What choices chose: 1 or 2 for the first operand or the second, ±1 for a sign.
    pub(in crate::table) chosen: &'a [i8],
    /// The input, if it is a number other than 0.
    pub(in crate::table) input: Option<&'a Rational>,
    /// Steps taken.
    pub(in crate::table) work: &'a mut u64,
    /// The questions asked while a form is made.
    pub(in crate::table) asked: Option<Answers>,
}

impl<L: Run> Refiner<'_, L> {
    /// The node's value by its form, if that says anything. All of what it is made of has to be real numbers.
    pub(in crate::table) fn node(&mut self, id: Id) -> Option<Known<L>> {
        let form = self.form(id)?;
        Some(self.value(form))
    }

    /// How two nodes compare.
    pub(in crate::table) fn compare(&mut self, a: Id, b: Id) -> Relation {
        let form = |r: &mut Self, id| {
            let form = r.form(id);
            form.unwrap_or_else(|| r.forms.of_atom(Atom::Node(id), 1))
        };
        let (a, b) = (form(self, a), form(self, b));
        let Some(difference) = self.sub(a, b) else { return Relation::Unknown };
        let v = self.value(difference);
        value::compare(self.level, &v, &Value::Zero { negative: false })
    }

    pub(super) fn ask(&mut self, question: Question) -> i8 {
        let answer = match self.memory.answers.get(&question) {
            Some(&answer) => answer,
            None => {
                // What is asked on the way to the answer is no matter of the form's.
                let asked = self.asked.take();
                let answer = self.answer(question);
                self.asked = asked;
                self.memory.answers.insert(question, answer);
                answer
            }
        };
        if let Some(asked) = &mut self.asked {
            asked.push((question, answer));
        }
        answer
    }

    fn answer(&mut self, question: Question) -> i8 {
        match question {
            Question::Choice(id) => self.chosen[id],
            Question::Sign(form) => {
                let v = self.value(form);
                match value::compare(self.level, &v, &Value::Zero { negative: false }) {
                    Relation::Known(Some(order)) => order as i8,
                    _ => 0,
                }
            }
            Question::Side(form) => {
                let v = self.value(form);
                let half = self.level.exp2_of(-1);
                let is = |l: &L, v: &Known<L>, half: &Known<L>, order: Ordering| {
                    value::compare(l, v, half) == Relation::Known(Some(order))
                };
                if is(self.level, &v, &half, Ordering::Greater) {
                    1
                } else if is(self.level, &v, &value::neg::<L>(&half), Ordering::Less) {
                    -1
                } else {
                    0
                }
            }
            Question::Largest(form) => {
                let terms = self.forms.terms(form);
                if terms.iter().all(|t| {
                    t.exponent == ZERO || {
                        let v = self.value(t.exponent);
                        self.is_small(&v)
                    }
                }) {
                    return -1;
                }
                let mut largest: Option<(usize, Known<L>)> = None;
                for (i, term) in terms.iter().enumerate() {
                    let v = self.value(term.exponent);
                    let is_larger = largest.as_ref().is_none_or(|(_, most)| {
                        value::compare(self.level, &v, most) == Relation::Known(Some(Ordering::Greater))
                    });
                    if is_larger {
                        largest = Some((i, v));
                    }
                }
                largest.map_or(0, |(i, _)| i as i8)
            }
            Question::LargestFactors(form, exponent) => {
                let terms = self.forms.terms(form);
                let mut largest: Option<(usize, Known<L>)> = None;
                for (i, term) in terms.iter().enumerate() {
                    // Where all are small none is taken out.
                    if term.exponent != exponent && exponent != ZERO {
                        continue;
                    }
                    let v = self.product(&Term { exponent: ZERO, ..term.clone() });
                    let v = value::abs::<L>(&v);
                    let is_larger = largest.as_ref().is_none_or(|(_, most)| {
                        value::compare(self.level, &v, most) == Relation::Known(Some(Ordering::Greater))
                    });
                    if is_larger {
                        largest = Some((i, v));
                    }
                }
                largest.map_or(0, |(i, _)| i as i8)
            }
        }
    }

    pub(super) fn value(&mut self, form: FormId) -> Known<L> {
        if let Some(v) = self.memory.values.get(&form) {
            return v.clone();
        }
        *self.work += self.level.work();
        let terms = self.forms.terms(form);
        let v = match &*terms {
            [] => Value::Zero { negative: false },
            [term] => self.product(term),
            _ => match self.groups(&terms) {
                Some(groups) => groups.into_iter().fold(Value::Zero { negative: false }, |sum, group| {
                    let group = self.forms.intern(group);
                    let v = self.value(group);
                    value::add(self.level, &sum, &v)
                }),
                None => match self.primitive(form) {
                    Some((common, rest)) if !common.is_one() => {
                        let rest = self.forms.terms(rest);
                        let (common, rest) = (self.product(&common), self.total(&rest));
                        value::mul(self.level, &common, &rest)
                    }
                    _ => self.total(&terms),
                },
            },
        };
        self.memory.values.insert(form, v.clone());
        v
    }

    /// The terms by what stands below the line, if that is not the same everywhere.
    fn groups(&self, terms: &[Term]) -> Option<Vec<Vec<Term>>> {
        let below = |t: &Term| -> Vec<(usize, i32)> {
            let is_below = |(a, k): &(usize, i32)| *k < 0 && matches!(self.forms.atoms[*a], Atom::Sum(_));
            t.factors.iter().copied().filter(is_below).collect()
        };
        let mut groups: Vec<(Vec<(usize, i32)>, Vec<Term>)> = Vec::new();
        for term in terms {
            let below = below(term);
            match groups.iter_mut().find(|(b, _)| *b == below) {
                Some((_, group)) => group.push(term.clone()),
                None => groups.push((below, vec![term.clone()])),
            }
        }
        (groups.len() > 1).then(|| groups.into_iter().map(|(_, group)| group).collect())
    }

    fn total(&mut self, terms: &[Term]) -> Known<L> {
        let (number, rest) = self.parts(terms);
        value::add(self.level, &number, &rest)
    }

    /// A sum as a number known exactly and what is added to it, which may be far smaller.
    fn parts(&mut self, terms: &[Term]) -> (Known<L>, Known<L>) {
        let zero = || Value::Zero { negative: false };
        let (mut number, mut rest) = (zero(), zero());
        let mut paired = vec![false; terms.len()];
        for (i, term) in terms.iter().enumerate() {
            if paired[i] {
                continue;
            }
            let coefficient = self.number(&term.coefficient);
            if term.is_constant() {
                number = value::add(self.level, &number, &coefficient);
                continue;
            }
            if let Some(j) = self.partner(terms, i) {
                // e^u + e^−u = 2 + 4 sinh² u/2
                paired[j] = true;
                let exponent = self.forms.half(term.exponent);
                let exponent = self.value(exponent);
                let sinh = value::apply(self.level, Function::Sinh, &exponent);
                let square = value::powi(self.level, &sinh, 2);
                let part = value::mul(self.level, &self.integer(4), &square);
                let part = value::mul(self.level, &coefficient, &part);
                number = value::add(self.level, &number, &value::mul(self.level, &self.integer(2), &coefficient));
                rest = value::add(self.level, &rest, &part);
                continue;
            }
            let v = match self.beside_one(term) {
                Some(bit) => {
                    number = value::add(self.level, &number, &coefficient);
                    value::mul(self.level, &coefficient, &bit)
                }
                None => self.product(term),
            };
            rest = value::add(self.level, &rest, &v);
        }
        (number, rest)
    }

    fn integer(&self, n: i64) -> Known<L> {
        Value::Exact(L::exact_from(n))
    }

    /// The term that is the same with the opposite exponent, where that is small.
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

    /// What a term is beside its coefficient, if that is a little.
    fn beside_one(&mut self, term: &Term) -> Option<Known<L>> {
        let one = self.integer(1);
        match *term.factors {
            [] => {
                let exponent = self.value(term.exponent);
                self.is_small(&exponent).then(|| value::apply(self.level, Function::ExpM1, &exponent))
            }
            [(atom, power)] if term.exponent == ZERO => match (self.forms.atoms[atom], power) {
                // cos u = 1 − 2 sin² u/2
                (Atom::Function(Function::Cos, angle), 1) => {
                    let half = self.forms.half(angle);
                    let half = self.value(half);
                    let sine = self.is_small(&half).then(|| value::apply(self.level, Function::Sin, &half))?;
                    let square = value::powi(self.level, &sine, 2);
                    Some(value::mul(self.level, &self.integer(-2), &square))
                }
                // √(1 + r) = 1 + r / (1 + √(1 + r))
                (Atom::Function(Function::Sqrt, square), 1) => {
                    let r = self.near_one(square)?;
                    let root = value::apply(self.level, Function::Sqrt, &value::add(self.level, &one, &r));
                    Some(value::div(self.level, &r, &value::add(self.level, &one, &root)))
                }
                // 1 / √(1 + r) = 1 − r / (√(1 + r) + 1 + r)
                (Atom::Function(Function::Sqrt, square), -1) => {
                    let r = self.near_one(square)?;
                    let sum = value::add(self.level, &one, &r);
                    let root = value::apply(self.level, Function::Sqrt, &sum);
                    let quotient = value::div(self.level, &r, &value::add(self.level, &root, &sum));
                    Some(value::neg::<L>(&quotient))
                }
                // 1 / (1 + r) = 1 − r / (1 + r)
                (Atom::Sum(form), -1) => {
                    let r = self.near_one(form)?;
                    let quotient = value::div(self.level, &r, &value::add(self.level, &one, &r));
                    Some(value::neg::<L>(&quotient))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// r, if a sum is 1 + r with a small r.
    fn near_one(&mut self, form: FormId) -> Option<Known<L>> {
        let terms = self.forms.terms(form);
        if terms.len() < 2 || self.groups(&terms).is_some() {
            return None;
        }
        let (number, rest) = self.parts(&terms);
        let is_one = value::compare(self.level, &number, &self.integer(1)) == Relation::Known(Some(Ordering::Equal));
        (is_one && self.is_small(&rest)).then_some(rest)
    }

    /// Whether it lies between −½ and ½.
    fn is_small(&self, v: &Known<L>) -> bool {
        let half = self.level.exp2_of(-1);
        let below = |a: &Known<L>, b: &Known<L>| {
            matches!(value::compare(self.level, a, b), Relation::Known(Some(Ordering::Less)))
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

    fn product(&mut self, term: &Term) -> Known<L> {
        let mut v = self.number(&term.coefficient);
        for &(atom, k) in &term.factors {
            let atom = self.forms.atoms[atom];
            let factor = self.atom(atom);
            let power = if k == 1 { factor } else { value::powi(self.level, &factor, k) };
            v = value::mul(self.level, &v, &power);
        }
        if term.exponent != ZERO {
            let exponent = self.value(term.exponent);
            let e = value::apply(self.level, Function::Exp, &exponent);
            v = value::mul(self.level, &v, &e);
        }
        v
    }

    fn atom(&mut self, atom: Atom) -> Known<L> {
        match atom {
            Atom::Node(id) => self.found[id].clone().unwrap_or(Value::Unknown),
            Atom::Pi => {
                let (lo, hi) = self.level.pi();
                Value::Open(lo, hi)
            }
            Atom::Sum(form) => self.value(form),
            Atom::Function(f, form) => self.function_value(f, form),
        }
    }

    fn function_value(&mut self, f: Function, form: FormId) -> Known<L> {
        let key = self.forms.of_atom(Atom::Function(f, form), 1);
        if let Some(v) = self.memory.values.get(&key) {
            return v.clone();
        }
        *self.work += 2 * self.level.work();
        let v = self.function_of(f, form);
        self.memory.values.insert(key, v.clone());
        v
    }

    fn function_of(&mut self, f: Function, form: FormId) -> Known<L> {
        if let Function::Sin | Function::Cos = f {
            if let Some(turns) = self.half_turns(form) {
                return self.wave_of_half_turns(f, &turns);
            }
            if let Some(x) = self.exactly(form) {
                let (lo, hi) = self.level.wave(f, &x);
                return Value::Open(lo, hi);
            }
        }
        if f == Function::Ln
            && let Some(rest) = self.near_one(form)
        {
            return value::apply(self.level, Function::Ln1p, &rest);
        }
        let v = self.value(form);
        value::apply(self.level, f, &v)
    }

    /// A polynomial's value, exactly and not 0.
    fn exactly(&self, form: FormId) -> Option<Rational> {
        self.exact_sum(&self.forms.terms(form))
    }

    /// The same of a polynomial that is multiplied by π.
    fn half_turns(&mut self, form: FormId) -> Option<Rational> {
        let pi = self.forms.atom(Atom::Pi);
        let terms = self.forms.terms(form);
        if terms.iter().any(|t| t.power(pi) != 1) {
            return None;
        }
        let terms: Vec<Term> = terms.iter().map(|t| t.raised(pi, -1)).collect();
        self.exact_sum(&terms)
    }

    /// Sine or cosine of π times a rational number.
    fn wave_of_half_turns(&mut self, f: Function, turns: &Rational) -> Known<L> {
        let (quarters, rest) = turns.scaled(1).nearest_integer();
        let quarters = if f == Function::Sin { quarters } else { quarters + 1 };
        let v = match rest {
            None if quarters & 1 == 0 => Value::Zero { negative: false },
            None => self.integer(1),
            // Of 30° the sine is rational, and of no other angle up to 45°, nor is a cosine.
            Some(rest) => {
                let third = Rational::one().product(&Rational::three().inverse()).reduced();
                let rest = rest.reduced();
                if quarters & 1 == 0 && rest.abs() == third {
                    let half = self.level.exp2_of(-1);
                    if rest.is_negative() { value::neg::<L>(&half) } else { half }
                } else {
                    let (lo, hi) = self.level.pi();
                    let rest = L::number(&rest.scaled(-1));
                    let angle = value::mul(self.level, &rest, &Value::Open(lo, hi));
                    value::apply(self.level, if quarters & 1 == 0 { Function::Sin } else { Function::Cos }, &angle)
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
