//! Fits the function unit's coefficients to a device's samples.
//!
//! | file | subject |
//! |---|---|
//! | `inverse` | a result → an inequality in A, B and C of its segment |
//! | `solve` | inequalities → every A, B, C that satisfies them |
//!
//! A segment is *determined* if one triple is left. Several triples reproduce the samples alike,
//! and the first is taken. A segment without a solution shows that the unit differs from
//! `ptxf_tables::device::unit`.

use std::cmp::Reverse;

use anyhow::Result;
use ptxf_tables::device::unit::{Coefficients, Complement, Evaluation, Function, turns};
use rayon::prelude::*;

use crate::samples;
use crate::store::Results;

mod inverse;
mod solve;

use inverse::Inverse;
use solve::{Limits, Sample, Solutions};

/// A function of the unit, with the forms that return its results unchanged.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) forms: &'static [(&'static str, Function)],
}

impl Subject {
    /// Returns the function that owns the table; `cos` uses that of `sin`.
    pub(crate) fn function(&self) -> Function {
        self.forms[0].1
    }
}

/// The functions that can be fitted.
pub(crate) const SUBJECTS: [Subject; 7] = [
    Subject { forms: &[("rcp.approx.ftz.f32", Function::Rcp)] },
    Subject { forms: &[("rsqrt.approx.ftz.f32", Function::Rsq)] },
    Subject { forms: &[("sqrt.approx.ftz.f32", Function::Sqrt)] },
    Subject { forms: &[("ex2.approx.ftz.f32", Function::Ex2)] },
    Subject { forms: &[("lg2.approx.ftz.f32", Function::Lg2)] },
    Subject { forms: &[("sin.approx.ftz.f32", Function::Sin), ("cos.approx.ftz.f32", Function::Cos)] },
    Subject { forms: &[("tanh.approx.f32", Function::Tanh)] },
];

/// A fit with one of the possible evaluations.
#[derive(Debug)]
pub(crate) struct Best {
    pub(crate) evaluation: Evaluation,
    pub(crate) complement: Complement,
    pub(crate) fit: Fit,
}

/// Fits a function to a device's samples. Returns the fits that explain the most; none if there are
/// no samples.
pub(crate) fn best(device: &Results, subject: &Subject) -> Result<Vec<Best>> {
    let mut results = Vec::new();
    for (form, function) in subject.forms {
        results.extend(samples::read(device, form)?.into_iter().map(|(x, d)| (*function, x, d)));
    }
    if results.is_empty() {
        return Ok(Vec::new());
    }
    let function = subject.function();
    let mut fits: Vec<_> = variants(function)
        .into_iter()
        .map(|(evaluation, complement)| {
            let fit = fit(function, evaluation, complement, &results);
            Best { evaluation, complement, fit }
        })
        .collect();
    let most = fits.iter().map(|best| best.fit.merit()).max();
    fits.retain(|best| Some(best.fit.merit()) == most);
    Ok(fits)
}

/// Returns every possible evaluation of a function.
fn variants(function: Function) -> Vec<(Evaluation, Complement)> {
    let complements = match function {
        Function::Lg2 | Function::Sin | Function::Cos => &[Complement::Ones, Complement::Twos][..],
        _ => &[Complement::Ones],
    };
    complements.iter().map(|&complement| (Evaluation::known(function), complement)).collect()
}

/// The solutions of a function's segments.
#[derive(Debug)]
pub(crate) struct Fit {
    /// Number of samples of each segment, and its solutions.
    segments: Vec<(usize, Solutions)>,
    /// Number of results that no coefficients lead to.
    impossible: usize,
}

impl Fit {
    fn count(&self, f: impl Fn(usize) -> bool) -> usize {
        self.segments.iter().filter(|(_, s)| matches!(s, Solutions::All(all) if f(all.len()))).count()
    }

    fn determined(&self) -> usize {
        self.count(|n| n == 1)
    }

    fn solved(&self) -> usize {
        self.count(|n| n > 0)
    }

    /// Returns coefficients that lead to every sample: the first of several solutions.
    ///
    /// # Errors
    ///
    /// It returns the reason if there are none.
    pub(crate) fn coefficients(&self) -> Result<Vec<Coefficients>, String> {
        if self.impossible > 0 {
            return Err(format!("no coefficients lead to {} of the captured samples", self.impossible));
        }
        let first = |(i, (_, solutions)): (usize, &(usize, Solutions))| match solutions {
            Solutions::All(all) => {
                all.first().copied().ok_or_else(|| format!("no coefficients lead to the samples of segment {i}"))
            }
            Solutions::TooFewSamples => Err(format!("there are too few samples of segment {i}")),
        };
        self.segments.iter().enumerate().map(first).collect()
    }

    /// Returns a key that is greater for a better fit.
    fn merit(&self) -> (usize, Reverse<usize>, usize) {
        (self.solved(), Reverse(self.impossible), self.determined())
    }
}

/// Solves every segment. Angles are in radians, the forms' operands.
fn fit(function: Function, e: Evaluation, complement: Complement, results: &[(Function, u32, u32)]) -> Fit {
    let mut segments: Vec<Vec<Sample>> = vec![Vec::new(); function.segments()];
    let mut impossible = 0;
    for &(f, x, d) in results {
        let x = if matches!(f, Function::Sin | Function::Cos) { turns(x) } else { x };
        match inverse::invert(f, e, complement, x, d) {
            Inverse::Free => {}
            Inverse::Inequality(segment, sample) => segments[segment].push(sample),
            Inverse::Impossible => impossible += 1,
        }
    }
    let limits = if function == Function::Tanh { Limits::SEVERAL_SCALES } else { Limits::USUAL };
    let segments = segments.into_par_iter().map(|s| (s.len(), solve::solve(&s, e.a, limits))).collect();
    Fit { segments, impossible }
}

#[cfg(test)]
pub(crate) mod tests;
