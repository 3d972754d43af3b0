//! Arithmetic on normal forms. `None` is a normal form that would be too long.

use std::rc::Rc;

use super::{Atom, AtomId, HIGHEST, LONGEST, NormalForms, ONE, Question, Refiner, Term, ZERO};
use super::{Function, NormalId};
use crate::table::number::Rational;
use crate::table::run::Run;

impl NormalForms {
    fn scaled(&mut self, form: NormalId, by: &Rational) -> NormalId {
        let scale = |t: &Term| Term { coefficient: t.coefficient.product(by).reduced(), ..t.clone() };
        let terms = self.terms(form).iter().map(scale).collect();
        self.intern(terms)
    }

    pub(super) fn negated(&mut self, form: NormalId) -> NormalId {
        let minus_one = Rational::one().negated();
        self.scaled(form, &minus_one)
    }

    pub(super) fn half(&mut self, form: NormalId) -> NormalId {
        self.scaled(form, &Rational::one().scaled(-1))
    }

    pub(super) fn exponential(&mut self, exponent: NormalId) -> NormalId {
        self.intern(vec![Term { coefficient: Rational::one(), factors: Vec::new(), exponent }])
    }

    /// Returns the product of all factors. Squares of roots and the like are not simplified.
    fn joined(&mut self, a: &Term, b: &Term) -> Term {
        let mut out = b.factors.iter().fold(a.clone(), |t, (atom, power)| t.raised(*atom, *power));
        out.coefficient = a.coefficient.product(&b.coefficient).reduced();
        let exponents = self.terms(a.exponent).iter().chain(self.terms(b.exponent).iter()).cloned().collect();
        out.exponent = self.sum(exponents);
        out
    }

    fn inverted(&mut self, t: &Term) -> Term {
        Term {
            coefficient: t.coefficient.inverse(),
            factors: t.factors.iter().map(|(a, k)| (*a, -k)).collect(),
            exponent: self.negated(t.exponent),
        }
    }
}

impl<L: Run> Refiner<'_, L> {
    pub(super) fn add(&mut self, a: NormalId, b: NormalId) -> Option<NormalId> {
        let terms: Vec<Term> = self.forms.terms(a).iter().chain(self.forms.terms(b).iter()).cloned().collect();
        let sum = self.forms.sum(terms);
        let terms = self.forms.terms(sum);
        if terms.len() > LONGEST {
            return None;
        }
        // The sums in any term's denominator.
        let mut below: Vec<(AtomId, NormalId, i32)> = Vec::new();
        for (atom, power) in terms.iter().flat_map(|t| t.factors.iter().copied()).filter(|(_, k)| *k < 0) {
            let Atom::Sum(form) = self.forms.atoms[atom] else { continue };
            match below.iter_mut().find(|(a, ..)| *a == atom) {
                Some((_, _, k)) => *k = (*k).max(-power),
                None => below.push((atom, form, -power)),
            }
        }
        if below.is_empty() || terms.len() < 2 {
            return Some(sum);
        }
        // Over a common denominator the sum may be shorter, zero, or the denominator itself.
        let Some(numerator) = self.numerator(&terms, &below) else { return Some(sum) };
        if numerator == ZERO {
            return Some(ZERO);
        }
        let (common, rest) = self.leading(numerator)?;
        if let Some((.., k)) = below.iter_mut().find(|(_, form, _)| *form == rest) {
            *k -= 1;
            let quotient = below.iter().fold((*common).clone(), |t, (atom, _, k)| t.raised(*atom, -k));
            return self.reduced(&quotient);
        }
        let numerator = self.forms.terms(numerator);
        if numerator.len() >= terms.len() {
            return Some(sum);
        }
        let over = |t: &Term| below.iter().fold(t.clone(), |t, (atom, _, k)| t.raised(*atom, -k));
        let quotient = numerator.iter().map(over).collect();
        Some(self.forms.sum(quotient))
    }

    fn numerator(&mut self, terms: &[Term], below: &[(AtomId, NormalId, i32)]) -> Option<NormalId> {
        let mut numerator = Vec::new();
        for term in terms {
            let mut above = term.clone();
            let mut factor = ONE;
            for &(atom, form, k) in below {
                let present = term.power(atom).min(0);
                above = above.raised(atom, -present);
                let missing = self.power(form, k + present)?;
                factor = self.mul(factor, missing)?;
            }
            let above = self.forms.intern(vec![above]);
            let product = self.mul(above, factor)?;
            numerator.extend(self.forms.terms(product).iter().cloned());
        }
        Some(self.forms.sum(numerator))
    }

    pub(super) fn sub(&mut self, a: NormalId, b: NormalId) -> Option<NormalId> {
        let b = self.forms.negated(b);
        self.add(a, b)
    }

    pub(super) fn mul(&mut self, a: NormalId, b: NormalId) -> Option<NormalId> {
        if a == ONE || b == ZERO {
            return Some(b);
        }
        if b == ONE || a == ZERO {
            return Some(a);
        }
        let (x, y) = (self.forms.terms(a), self.forms.terms(b));
        // A sum cancels against the same sum in a denominator.
        for (sum, single) in [(a, &y), (b, &x)] {
            let [term] = &**single else { continue };
            let is_sum = |(atom, k): &(AtomId, i32)| *k < 0 && matches!(self.forms.atoms[*atom], Atom::Sum(_));
            if self.forms.terms(sum).len() < 2 || !term.factors.iter().any(is_sum) {
                continue;
            }
            let (common, rest) = self.leading(sum)?;
            let atom = self.forms.atom(Atom::Sum(rest));
            if term.power(atom) < 0 {
                let product = self.forms.joined(&common, &term.raised(atom, 1));
                return self.reduced(&product);
            }
        }
        if x.len() * y.len() > LONGEST {
            return None;
        }
        let mut terms = Vec::new();
        for p in x.iter() {
            for q in y.iter() {
                let product = self.forms.joined(p, q);
                let product = self.reduced(&product)?;
                terms.extend(self.forms.terms(product).iter().cloned());
            }
        }
        let product = self.forms.sum(terms);
        (self.forms.terms(product).len() <= LONGEST).then_some(product)
    }

    pub(super) fn power(&mut self, form: NormalId, n: i32) -> Option<NormalId> {
        if n.abs() > HIGHEST {
            return None;
        }
        let base = if n < 0 { self.inverse(form)? } else { form };
        (0..n.abs()).try_fold(ONE, |p, _| self.mul(p, base))
    }

    /// Multiplies out squares of roots, squares of cosines, and sums in the numerator.
    fn reduced(&mut self, term: &Term) -> Option<NormalId> {
        for &(atom, k) in &term.factors {
            let (keep, form) = match self.forms.atoms[atom] {
                Atom::Function(Function::Sqrt, square) if k.abs() > 1 => (k % 2, self.power(square, k / 2)?),
                Atom::Function(Function::Cos, angle) if k > 1 => {
                    let sine = self.forms.of_atom(Atom::Function(Function::Sin, angle), 2);
                    let square = self.sub(ONE, sine)?;
                    (k % 2, self.power(square, k / 2)?)
                }
                Atom::Sum(form) if k > 0 => (0, self.power(form, k)?),
                _ => continue,
            };
            let rest = term.raised(atom, keep - k);
            let rest = self.reduced(&rest)?;
            return self.mul(rest, form);
        }
        term.coefficient.is_short().then(|| self.forms.intern(vec![term.clone()]))
    }

    /// Returns the inverse; `None` also for 0.
    pub(super) fn inverse(&mut self, form: NormalId) -> Option<NormalId> {
        if form == ZERO {
            return None;
        }
        let (common, rest) = self.leading(form)?;
        let mut inverse = self.forms.inverted(&common);
        if rest != ONE {
            let atom = self.forms.atom(Atom::Sum(rest));
            inverse = inverse.raised(atom, -1);
        }
        self.reduced(&inverse)
    }

    /// Returns the common factor of a sum's terms with its largest exponential, and the rest, in
    /// which a constant is 1.
    pub(super) fn primitive(&mut self, form: NormalId) -> Option<(Rc<Term>, NormalId)> {
        self.split(form, false)
    }

    /// Returns a sum's largest term, and the sum divided by it: 1 and smaller terms.
    pub(super) fn leading(&mut self, form: NormalId) -> Option<(Rc<Term>, NormalId)> {
        self.split(form, true)
    }

    fn split(&mut self, form: NormalId, leading: bool) -> Option<(Rc<Term>, NormalId)> {
        let terms = self.forms.terms(form);
        if let [term] = &*terms {
            return Some((Rc::new(term.clone()), ONE));
        }
        let (exponent, all_small) = self.largest_exponent(form);
        let largest = leading.then(|| self.ask(Question::LargestFactors(form, exponent)) as usize);
        let key = (form, exponent, all_small, largest);
        if let Some((common, rest)) = self.forms.splits.get(&key) {
            return Some((Rc::clone(common), *rest));
        }
        let mut common = Term { coefficient: Rational::one(), factors: Vec::new(), exponent };
        if let Some(i) = largest {
            common.factors = terms.get(i)?.factors.clone();
        } else {
            let atoms: Vec<AtomId> = terms.first()?.factors.iter().map(|(a, _)| *a).collect();
            for atom in atoms {
                let least = terms.iter().map(|t| t.power(atom)).min_by_key(|k| k.abs())?;
                let same_sign = terms.iter().all(|t| t.power(atom).signum() == least.signum());
                common = if same_sign { common.raised(atom, least) } else { common };
            }
        }
        let inverse = self.forms.inverted(&common);
        let mut rest: Vec<Term> = terms.iter().map(|t| self.forms.joined(t, &inverse)).collect();
        // If all exponents are small, the rest is the sum of those terms.
        let numbers = rest.iter().filter(|t| t.factors.is_empty() && (all_small || t.exponent == ZERO));
        let unit = numbers.fold(None, |sum: Option<Rational>, t| match sum {
            None => Some(t.coefficient.clone()),
            Some(sum) => sum.sum(&t.coefficient),
        });
        let unit = unit.unwrap_or_else(|| rest[0].coefficient.clone()).reduced();
        if !unit.is_short() {
            return None;
        }
        for term in &mut rest {
            term.coefficient = term.coefficient.product(&unit.inverse()).reduced();
        }
        common.coefficient = unit;
        let rest = self.forms.sum(rest);
        let common = Rc::new(common);
        self.forms.splits.insert(key, (Rc::clone(&common), rest));
        Some((common, rest))
    }

    /// Returns the exponent that is divided out of a sum, and `true` if all exponents are small, so
    /// that none is divided out.
    fn largest_exponent(&mut self, form: NormalId) -> (NormalId, bool) {
        let terms = self.forms.terms(form);
        let first = terms.first().map_or(ZERO, |t| t.exponent);
        if terms.iter().all(|t| t.exponent == first) {
            return (first, false);
        }
        let i = self.ask(Question::Largest(form));
        usize::try_from(i).ok().and_then(|i| terms.get(i)).map_or((ZERO, true), |t| (t.exponent, false))
    }
}
