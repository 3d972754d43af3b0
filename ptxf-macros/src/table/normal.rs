//! Normal forms: sums of products, which are equal however the expression is written.
//!
//! In `e^x / (1 + e^x)`, `cosh x − sinh x` or `(1 − erf x) · e^(x²)` the parts have independent
//! enclosures. Where the parts cancel, the difference is lost, or beyond every exponent. In a
//! normal form they have cancelled already. It is a sum of products of numbers, atoms and *one*
//! exponential, whose exponent is a normal form again:
//!
//! 1. Functions that consist of exponentials are written as exponentials, whose products add their
//!    exponents.
//! 2. Logarithms and roots cancel against exponentials and powers.
//! 3. Each sum is divided by its largest exponential, so that only exponents are large.
//!
//! A normal form is a theorem about real numbers. It holds where every part of the expression is
//! real, and where the [`Question`]s have the answers with which it was made. Both are checked for
//! every input.

mod algebra;
mod build;
mod question;
mod value;

use std::collections::HashMap;
use std::rc::Rc;

use super::number::Rational;
use super::program::{Function, Id};

pub(super) use value::{Memory, Refiner};

/// Index of a normal form.
pub(super) type NormalId = usize;
/// Index of an atom.
type AtomId = usize;
/// Atoms and their powers.
type Factors = Vec<(AtomId, i32)>;
/// A sum, the exponent that is divided out, `true` if all exponents are small, and the term whose
/// factors are divided out, if not those of all terms.
type Split = (NormalId, NormalId, bool, Option<usize>);

/// The empty sum.
const ZERO: NormalId = 0;
/// The number 1.
const ONE: NormalId = 1;

/// Sums with more terms are not multiplied out.
const LONGEST: usize = 48;
/// Higher powers are not multiplied out.
const HIGHEST: i32 = 64;

/// A factor without a known structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Atom {
    /// The value of this node of the program.
    Node(Id),
    Pi,
    Function(Function, NormalId),
    /// A sum in a denominator.
    Sum(NormalId),
}

/// `coefficient · Π factor^power · e^exponent`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Term {
    coefficient: Rational,
    /// Factors in the order of their atoms, none with power 0.
    factors: Factors,
    exponent: NormalId,
}

impl Term {
    fn is_constant(&self) -> bool {
        self.factors.is_empty() && self.exponent == ZERO
    }

    fn power(&self, atom: AtomId) -> i32 {
        self.factors.iter().find(|(a, _)| *a == atom).map_or(0, |(_, k)| *k)
    }

    /// Returns the term with the power of an atom raised by `by`.
    fn raised(&self, atom: AtomId, by: i32) -> Self {
        let mut factors: Vec<(AtomId, i32)> = self.factors.iter().copied().filter(|(a, _)| *a != atom).collect();
        let power = self.power(atom) + by;
        if power != 0 {
            let place = factors.iter().position(|(a, _)| *a > atom).unwrap_or(factors.len());
            factors.insert(place, (atom, power));
        }
        Self { factors, ..self.clone() }
    }
}

/// A condition of a normal form besides its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// The operand that a choice takes, the sign of an absolute value's operand, or the infinity of
    /// an arc tangent's.
    Choice(Id),
    /// The sign of a normal form, 0 if that is not known.
    Sign(NormalId),
    /// 1 if a normal form is above ½, −1 if it is below −½, 0 if neither is known.
    Side(NormalId),
    /// The term of a sum with the largest exponent, −1 if all are small. The theorem holds for any
    /// answer.
    Largest(NormalId),
    /// The largest of a sum's terms with this exponent.
    LargestFactors(NormalId, NormalId),
}

/// The answers with which a normal form was made, by the questions' index.
type Answers = Vec<(usize, i8)>;
/// The answers with which a node has a normal form, and the form; `None` if the node is an atom.
type OfNode = (Rc<[(usize, i8)]>, Option<NormalId>);

/// All normal forms of a program.
#[derive(Debug)]
pub(super) struct NormalForms {
    forms: Vec<Rc<[Term]>>,
    ids: HashMap<Rc<[Term]>, NormalId>,
    atoms: Vec<Atom>,
    atom_ids: HashMap<Atom, AtomId>,
    /// The common factor of a sum's terms, and the rest of the sum.
    splits: HashMap<Split, (Rc<Term>, NormalId)>,
    /// The terms of a sum grouped by denominator; `None` if all have the same.
    groups: HashMap<NormalId, Option<Rc<[NormalId]>>>,
    questions: Vec<Question>,
    question_ids: HashMap<Question, usize>,
    /// The normal forms of nodes.
    of_nodes: HashMap<Id, Rc<[OfNode]>>,
}

impl NormalForms {
    pub(super) fn new() -> Self {
        let mut forms = Self {
            forms: Vec::new(),
            ids: HashMap::new(),
            atoms: Vec::new(),
            atom_ids: HashMap::new(),
            splits: HashMap::new(),
            groups: HashMap::new(),
            questions: Vec::new(),
            question_ids: HashMap::new(),
            of_nodes: HashMap::new(),
        };
        forms.intern(Vec::new());
        forms.constant(Rational::one());
        forms
    }

    fn terms(&self, form: NormalId) -> Rc<[Term]> {
        Rc::clone(&self.forms[form])
    }

    fn intern(&mut self, terms: Vec<Term>) -> NormalId {
        let terms: Rc<[Term]> = terms.into();
        if let Some(&id) = self.ids.get(&terms) {
            return id;
        }
        self.forms.push(Rc::clone(&terms));
        self.ids.insert(terms, self.forms.len() - 1);
        self.forms.len() - 1
    }

    fn atom(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.atom_ids.get(&atom) {
            return id;
        }
        self.atoms.push(atom);
        self.atom_ids.insert(atom, self.atoms.len() - 1);
        self.atoms.len() - 1
    }

    fn question(&mut self, question: Question) -> usize {
        if let Some(&i) = self.question_ids.get(&question) {
            return i;
        }
        self.questions.push(question);
        self.question_ids.insert(question, self.questions.len() - 1);
        self.questions.len() - 1
    }

    fn constant(&mut self, x: Rational) -> NormalId {
        self.intern(vec![Term { coefficient: x.reduced(), factors: Vec::new(), exponent: ZERO }])
    }

    fn integer(&mut self, n: i64) -> NormalId {
        Rational::from_i64(n).map_or(ZERO, |x| self.constant(x))
    }

    fn of_atom(&mut self, atom: Atom, power: i32) -> NormalId {
        let atom = self.atom(atom);
        self.intern(vec![Term { coefficient: Rational::one(), factors: vec![(atom, power)], exponent: ZERO }])
    }

    /// Returns the sum of the terms, with like terms added up.
    fn sum(&mut self, mut terms: Vec<Term>) -> NormalId {
        terms.sort_by(|a, b| (a.exponent, &a.factors).cmp(&(b.exponent, &b.factors)));
        let mut out: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            let Some(last) = out.last_mut().filter(|t| t.exponent == term.exponent && t.factors == term.factors) else {
                out.push(term);
                continue;
            };
            match last.coefficient.sum(&term.coefficient) {
                Some(sum) => last.coefficient = sum.reduced(),
                None => {
                    out.pop();
                }
            }
        }
        self.intern(out)
    }
}
