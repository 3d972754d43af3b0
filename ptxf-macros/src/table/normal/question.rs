//! Answers, for an input, to the conditions of a normal form: a sign, a branch, or the larger
//! exponential.

use std::cmp::Ordering;

use super::{Question, Refiner, Term, ZERO};
use crate::table::run::Run;
use crate::table::value::{self, Known, Relation, Value};

impl<L: Run> Refiner<'_, L> {
    pub(super) fn ask(&mut self, question: Question) -> i8 {
        let i = self.forms.question(question);
        let answer = self.ask_again(i);
        if let Some(asked) = &mut self.asked {
            asked.push((i, answer));
        }
        answer
    }

    pub(super) fn ask_again(&mut self, i: usize) -> i8 {
        if let Some(Some(answer)) = self.memory.answers.get(i) {
            return *answer;
        }
        // Questions that arise while this one is answered do not belong to the normal form.
        let asked = self.asked.take();
        let answer = self.answer(self.forms.questions[i]);
        self.asked = asked;
        if self.memory.answers.len() <= i {
            self.memory.answers.resize(i + 1, None);
        }
        self.memory.answers[i] = Some(answer);
        answer
    }

    fn answer(&mut self, question: Question) -> i8 {
        match question {
            Question::Choice(id) => self.chosen[id],
            Question::Sign(form) => {
                let v = self.value(form);
                match value::compare(self.arithmetic, &v, &Value::Zero { negative: false }) {
                    Relation::Known(Some(order)) => order as i8,
                    _ => 0,
                }
            }
            Question::Side(form) => {
                let v = self.value(form);
                let half = self.arithmetic.exp2_of(-1);
                let is = |l: &L, v: &Known<L>, half: &Known<L>, order: Ordering| {
                    value::compare(l, v, half) == Relation::Known(Some(order))
                };
                if is(self.arithmetic, &v, &half, Ordering::Greater) {
                    1
                } else if is(self.arithmetic, &v, &value::neg::<L>(&half), Ordering::Less) {
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
                        value::compare(self.arithmetic, &v, most) == Relation::Known(Some(Ordering::Greater))
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
                    // If all exponents are small, none is divided out.
                    if term.exponent != exponent && exponent != ZERO {
                        continue;
                    }
                    let v = self.product(&Term { exponent: ZERO, ..term.clone() });
                    let v = value::abs::<L>(&v);
                    let is_larger = largest.as_ref().is_none_or(|(_, most)| {
                        value::compare(self.arithmetic, &v, most) == Relation::Known(Some(Ordering::Greater))
                    });
                    if is_larger {
                        largest = Some((i, v));
                    }
                }
                largest.map_or(0, |(i, _)| i as i8)
            }
        }
    }
}
