//! Polynomials with integer coefficients, as which indices and bounds are compared.
//!
//! An index is computed modulo 2^64. A polynomial stands for the true integer. If that integer is
//! in range, then the index equals it, whatever wraps on the way.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ast::Id;

/// A number that a polynomial contains. None is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// A parameter, an index or a counter.
    Variable(Id),
    /// The value of an index for the thread that computes the bound.
    Own(Id),
    /// The number of threads that run together, less 1.
    Lanes,
    /// Another expression of parameters, by its position in a list.
    Fixed(usize),
}

/// A product of atoms, in order.
pub(super) type Product = Vec<Atom>;

/// A sum of products with coefficients, none of which is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(BTreeMap<Product, i128>);

/// The largest number of products in a sum.
const PRODUCTS: usize = 24;
/// The largest number of factors in a product.
const FACTORS: usize = 4;
/// The largest coefficient.
const LARGEST: i128 = 1 << 40;

impl Polynomial {
    pub(super) fn constant(n: i128) -> Self {
        Self((n != 0).then(|| (Vec::new(), n)).into_iter().collect())
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self([(vec![atom], 1)].into())
    }

    /// Returns the products with their coefficients.
    pub(super) fn products(&self) -> impl Iterator<Item = (&Product, i128)> {
        self.0.iter().map(|(product, n)| (product, *n))
    }

    pub(super) fn atoms(&self) -> BTreeSet<Atom> {
        self.0.keys().flatten().copied().collect()
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.0.clone();
        for (product, n) in &other.0 {
            *sum.entry(product.clone()).or_default() += n;
        }
        Self(sum).limited()
    }

    pub(super) fn negated(&self) -> Self {
        Self(self.0.iter().map(|(product, n)| (product.clone(), -n)).collect())
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.negated())
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut all = BTreeMap::<Product, i128>::new();
        for (a, n) in &self.0 {
            for (b, m) in &other.0 {
                let mut product: Product = a.iter().chain(b).copied().collect();
                product.sort_unstable();
                *all.entry(product).or_default() += n * m;
            }
        }
        Self(all).limited()
    }

    /// Removes zeros. Returns `None` if the polynomial is too large.
    fn limited(mut self) -> Option<Self> {
        self.0.retain(|_, n| *n != 0);
        let fits = |(product, n): (&Product, &i128)| product.len() <= FACTORS && n.abs() <= LARGEST;
        (self.0.len() <= PRODUCTS && self.0.iter().all(fits)).then_some(self)
    }

    /// Returns `a` and `b` of `self = a * atom + b`. Returns `None` if the atom occurs squared.
    pub(super) fn split(&self, atom: Atom) -> Option<[Self; 2]> {
        let mut parts = [Self::default(), Self::default()];
        for (product, &n) in &self.0 {
            let mut rest: Product = product.clone();
            let part = match rest.iter().position(|a| *a == atom) {
                Some(i) => {
                    rest.remove(i);
                    0
                }
                None => 1,
            };
            if rest.contains(&atom) {
                return None;
            }
            parts[part].0.insert(rest, n);
        }
        Some(parts)
    }

    /// Returns `self - atom` if the atom occurs once, alone and with the coefficient 1.
    pub(super) fn without(&self, atom: Atom) -> Option<Self> {
        let [a, b] = self.split(atom)?;
        (a == Self::constant(1)).then_some(b)
    }

    /// Returns `true` if all coefficients are at least 0.
    pub(super) fn is_sum(&self) -> bool {
        self.0.values().all(|n| *n >= 0)
    }

    /// Returns the constant term.
    pub(super) fn constant_term(&self) -> i128 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// Returns the sums of the products that are added, and of those that are subtracted.
    pub(super) fn signs(&self) -> [Self; 2] {
        let part = |sign: i128| {
            Self(self.0.iter().filter(|(_, n)| **n * sign > 0).map(|(product, n)| (product.clone(), n.abs())).collect())
        };
        [part(1), part(-1)]
    }
}

/// Facts about atoms at a place in a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The indices and counters in the order of their declarations. Bounds of one contain those
    /// before it, parameters and the thread's own values.
    pub(super) changing: Vec<Atom>,
    /// The least values of indices and counters, if not 0.
    pub(super) lower: BTreeMap<Atom, Polynomial>,
    /// The largest values of indices and counters.
    pub(super) upper: BTreeMap<Atom, Polynomial>,
    /// The least values of parameters, if not 0.
    pub(super) least: BTreeMap<Atom, i128>,
    /// Polynomials of parameters that are at least 0.
    pub(super) positive: Vec<Polynomial>,
}

impl Facts {
    /// Returns the largest value of a polynomial, or the least one, as a polynomial of parameters.
    /// Bounds of counters and indices are substituted, the last declared one first.
    ///
    /// The search takes at most `steps` substitutions.
    pub(super) fn bound(&self, of: &Polynomial, largest: bool, steps: &mut usize) -> Option<Polynomial> {
        let mut of = of.clone();
        loop {
            let atoms = of.atoms();
            let Some(&last) = self.changing.iter().rev().find(|atom| atoms.contains(atom)) else {
                return Some(of);
            };
            *steps = steps.checked_sub(1)?;
            let [factor, rest] = of.split(last)?;
            let rises = if self.is_positive(&factor, steps) {
                true
            } else if self.is_positive(&factor.negated(), steps) {
                false
            } else {
                return None;
            };
            let bound = match rises == largest {
                true => self.upper.get(&last)?.clone(),
                false => self.lower.get(&last).cloned().unwrap_or_default(),
            };
            of = factor.times(&bound)?.plus(&rest)?;
        }
    }

    /// Returns `true` if the polynomial is known to be at least 0.
    pub(super) fn is_positive(&self, of: &Polynomial, steps: &mut usize) -> bool {
        if of.is_sum() {
            return true;
        }
        let Some(least) = self.bound(of, false, steps) else {
            return false;
        };
        let known = |of: &Polynomial| self.relative_to_least(of).is_some_and(|of| of.is_sum());
        known(&least) || self.positive.iter().any(|fact| least.minus(fact).is_some_and(|rest| known(&rest)))
    }

    /// Writes the polynomial in the differences of parameters to their least values.
    pub(super) fn relative_to_least(&self, of: &Polynomial) -> Option<Polynomial> {
        let mut of = of.clone();
        for (&atom, &least) in &self.least {
            let moved = Polynomial::atom(atom).plus(&Polynomial::constant(least))?;
            let mut all = Polynomial::default();
            for (product, n) in of.products() {
                let mut term = Polynomial::constant(n);
                for factor in product {
                    term = if *factor == atom { term.times(&moved)? } else { term.times(&Polynomial::atom(*factor))? };
                }
                all = all.plus(&term)?;
            }
            of = all;
        }
        Some(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I: Atom = Atom::Variable(0);
    const J: Atom = Atom::Variable(1);
    const N: Atom = Atom::Variable(2);
    const M: Atom = Atom::Variable(3);

    fn of(terms: &[(i128, &[Atom])]) -> Polynomial {
        let term = |&(n, product): &(i128, &[Atom])| {
            product.iter().try_fold(Polynomial::constant(n), |all, atom| all.times(&Polynomial::atom(*atom)))
        };
        let terms: Vec<_> = terms.iter().filter_map(term).collect();
        terms.iter().try_fold(Polynomial::default(), |sum, term| sum.plus(term)).expect("it is short")
    }

    fn value(of: &Polynomial, at: &BTreeMap<Atom, i128>) -> i128 {
        of.products().map(|(product, n)| product.iter().map(|atom| at[atom]).product::<i128>() * n).sum()
    }

    /// All sums of some products with coefficients from -1 to 2.
    fn polynomials() -> Vec<Polynomial> {
        let products: [&[Atom]; 6] = [&[], &[I], &[J], &[N], &[I, N], &[J, N, M]];
        (0..4_usize.pow(6))
            .map(|code| {
                let terms: Vec<_> = (0..6).map(|k| ((code >> (2 * k) & 3) as i128 - 1, products[k as usize])).collect();
                of(&terms)
            })
            .collect()
    }

    #[test]
    fn bounds_hold_for_all_small_values_and_positive_polynomials_are_positive() {
        let facts = Facts {
            changing: vec![I, J],
            lower: [(J, Polynomial::atom(I))].into(),
            upper: [(I, of(&[(1, &[N]), (-1, &[])])), (J, of(&[(1, &[I]), (1, &[M]), (-1, &[])]))].into(),
            least: [(N, 1), (M, 1)].into(),
            positive: vec![of(&[(1, &[N]), (-1, &[M])])],
        };
        let (mut bounded, mut positive) = (0, 0);
        for polynomial in polynomials() {
            let [least, most] = [false, true].map(|largest| facts.bound(&polynomial, largest, &mut 200));
            let is_positive = facts.is_positive(&polynomial, &mut 200);
            bounded += usize::from(least.is_some() && most.is_some());
            positive += usize::from(is_positive);
            for n in 1..5 {
                for m in 1..=n {
                    for i in 0..n {
                        for j in i..i + m {
                            let at = [(I, i), (J, j), (N, n), (M, m)].into();
                            let x = value(&polynomial, &at);
                            assert!(least.as_ref().is_none_or(|least| value(least, &at) <= x), "{polynomial:?}");
                            assert!(most.as_ref().is_none_or(|most| value(most, &at) >= x), "{polynomial:?}");
                            assert!(!is_positive || x >= 0, "{polynomial:?}");
                        }
                    }
                }
            }
        }
        assert!(bounded > 2000 && positive > 500, "{bounded} {positive}");
    }

    #[test]
    fn polynomials_that_are_too_large_are_refused() {
        let long = of(&[(1, &[I, J, N, M])]);
        assert_eq!(long.times(&Polynomial::atom(I)), None);
        assert_eq!(Polynomial::constant(LARGEST).plus(&Polynomial::constant(1)), None);
        assert_eq!(of(&[(1, &[I, I])]).split(I), None);
    }
}
