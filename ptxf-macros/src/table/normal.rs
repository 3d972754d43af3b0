//! Sums of products: what an expression is, however it is spelled.
//!
//! `e^x / (1 + e^x)`, `cosh x − sinh x`, `(1 − erf x) · e^(x²)`: enclosures of such parts know nothing of each other, and
//! what is left when they cancel is lost, or lies beyond every exponent. So the expression is brought into a normal form in
//! which that has happened already, a sum of products of numbers, atoms and *one* exponential, whose exponent is a normal form
//! again; and exponentials are multiplied by adding those. The functions that consist of exponentials are spelled out,
//! logarithms and roots undo what they can. In a sum the largest exponential is taken out, so that nothing that is
//! evaluated is large but by its exponent.
//!
//! A normal form is a theorem about real numbers. It holds where every part of the expression is one, and where the
//! [`Question`]s on the way have the answers that they had when it was made; both is checked for every input.

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
/// A sum, the exponent that is taken out of it, whether all are small, and of which term the factors are taken out if
/// not of all.
type Split = (NormalId, NormalId, bool, Option<usize>);

/// The sum of nothing.
const ZERO: NormalId = 0;
/// The number 1.
const ONE: NormalId = 1;

/// The number of terms from which on sums are not multiplied out.
const LONGEST: usize = 48;
/// The power from which on powers are not multiplied out.
const HIGHEST: i32 = 64;

/// A factor that is not looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Atom {
    /// What the program says there.
    Node(Id),
    Pi,
    Function(Function, NormalId),
    /// A sum, below the line.
    Sum(NormalId),
}

/// `coefficient · Π factor^power · e^exponent`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Term {
    coefficient: Rational,
    /// In the order of the atoms, without powers of 0.
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

    /// With the power of an atom that much higher.
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

/// What a normal form depends on besides the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Which operand a choice takes, the sign of an absolute value's, or which infinity an arc tangent's is.
    Choice(Id),
    /// The sign of a normal form, 0 if that is not known.
    Sign(NormalId),
    /// Whether it is above ½ (1), below −½ (−1), or not known to be.
    Side(NormalId),
    /// Which of a sum's terms has the largest exponent, −1 if all are small. A wrong answer leaves the theorem true.
    Largest(NormalId),
    /// Which of its terms with that exponent is the largest.
    LargestFactors(NormalId, NormalId),
}

/// The answers under which a normal form was made, by the questions' index.
type Answers = Vec<(usize, i8)>;
/// What a node is, given those.
type OfNode = (Rc<[(usize, i8)]>, Option<NormalId>);

/// All normal forms of a program.
#[derive(Debug)]
pub(super) struct NormalForms {
    forms: Vec<Rc<[Term]>>,
    ids: HashMap<Rc<[Term]>, NormalId>,
    atoms: Vec<Atom>,
    atom_ids: HashMap<Atom, AtomId>,
    /// A sum without what its terms have in common.
    splits: HashMap<Split, (Rc<Term>, NormalId)>,
    /// A sum's terms by what stands below the line, if that is not the same everywhere.
    groups: HashMap<NormalId, Option<Rc<[NormalId]>>>,
    questions: Vec<Question>,
    question_ids: HashMap<Question, usize>,
    /// What nodes are.
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

    /// The sum of the terms, like ones as one.
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
