//! `cargo model fit`: the function unit's coefficients from what a device returned.
//!
//! | file | does |
//! |---|---|
//! | `samples` | the files of `ptxf-gpu capture` |
//! | `inverse` | a result → an inequality in A, B and C of its segment |
//! | `solve` | inequalities → every A, B, C that satisfies them |
//!
//! A segment is *determined* if one triple is left; several reproduce the samples alike, and the first is printed with
//! their number. A segment without a solution says that the unit does not work as `ptxf_tables::device::unit` has it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use ptxf_tables::device::unit::{Coefficients, Complement, Evaluation, Function, turns};
use rayon::prelude::*;

use ptxf_gpu::store::{self, Results};

mod inverse;
pub(crate) mod samples;
mod solve;

use inverse::Says;
use solve::{Limits, Sample, Solutions};

/// Recover the function unit's coefficients from captured samples.
///
/// Reads the folders that `ptxf-gpu capture` writes and prints a table of segment, A, B, C, number of solutions and
/// samples for each form. Exits with status 3 if there are no captured data, and with 1 if a segment has no solution or too
/// few samples.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders such as results/sm_90; by default every one in ptxf-tables/device
    folders: Vec<PathBuf>,
    /// Only this form, such as rcp.approx.ftz.f32
    #[arg(long)]
    form: Option<String>,
}

/// A function of the unit, with the forms that show it bare.
#[derive(Debug)]
pub(crate) struct Subject {
    name: &'static str,
    pub(crate) forms: &'static [(&'static str, Function)],
}

impl Subject {
    /// Whose table it is; `cos` has the coefficients of `sin`.
    pub(crate) fn function(&self) -> Function {
        self.forms[0].1
    }
}

/// What can be fitted.
pub(crate) const SUBJECTS: [Subject; 7] = [
    Subject { name: "rcp", forms: &[("rcp.approx.ftz.f32", Function::Rcp)] },
    Subject { name: "rsqrt", forms: &[("rsqrt.approx.ftz.f32", Function::Rsq)] },
    Subject { name: "sqrt", forms: &[("sqrt.approx.ftz.f32", Function::Sqrt)] },
    Subject { name: "ex2", forms: &[("ex2.approx.ftz.f32", Function::Ex2)] },
    Subject { name: "lg2", forms: &[("lg2.approx.ftz.f32", Function::Lg2)] },
    Subject {
        name: "sin, cos",
        forms: &[("sin.approx.ftz.f32", Function::Sin), ("cos.approx.ftz.f32", Function::Cos)],
    },
    Subject { name: "tanh", forms: &[("tanh.approx.f32", Function::Tanh)] },
];

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let known: Vec<&str> = SUBJECTS.iter().flat_map(|s| s.forms).map(|(form, _)| *form).collect();
    if let Some(form) = &args.form {
        ensure!(known.contains(&form.as_str()), "{form} cannot be fitted; {} can", known.join(", "));
    }
    let folders =
        if args.folders.is_empty() { store::devices(&crate::root().join(store::DATA))? } else { args.folders.clone() };
    if folders.is_empty() {
        eprintln!("no captured data: run `ptxf-gpu capture` on a device, then `cargo gpu adopt` its results");
        return Ok(ExitCode::from(3));
    }
    let mut good = true;
    for folder in &folders {
        good &= fit_folder(folder, args.form.as_deref())?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fit_folder(folder: &Path, only: Option<&str>) -> Result<bool> {
    let device = Results::open(folder)?;
    let mut good = true;
    for subject in SUBJECTS {
        if only.is_some_and(|only| subject.forms.iter().all(|(form, _)| *form != only)) {
            continue;
        }
        let fits = best(&device, &subject)?;
        let Some(best) = fits.first() else {
            println!("# {}: {}: no samples", folder.display(), subject.name);
            continue;
        };
        if fits.len() > 1 {
            let name = subject.name;
            println!("# {}: {name}: the samples do not tell which complement the unit has", folder.display());
        }
        good &= best.fit.coefficients().is_ok();
        print!("{}", best.text(&folder.display().to_string(), subject.name));
    }
    Ok(good)
}

/// A fit under one choice of what is open.
#[derive(Debug)]
pub(crate) struct Best {
    pub(crate) evaluation: Evaluation,
    pub(crate) complement: Complement,
    pub(crate) fit: Fit,
}

/// Fits a function to a device's samples: the choices that leave least unexplained; none if there are no samples.
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

/// What is open about a function, every way it can be.
fn variants(function: Function) -> Vec<(Evaluation, Complement)> {
    let complements = match function {
        Function::Lg2 | Function::Sin | Function::Cos => &[Complement::Ones, Complement::Twos][..],
        _ => &[Complement::Ones],
    };
    complements.iter().map(|&complement| (Evaluation::known(function), complement)).collect()
}

/// What the samples say about a function.
#[derive(Debug)]
pub(crate) struct Fit {
    segments: Vec<(usize, Solutions)>,
    /// Results that no coefficients lead to.
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

    /// Coefficients that lead to every sample, of several solutions the first; or why there are none.
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

    /// Greater is better.
    fn merit(&self) -> (usize, Reverse<usize>, usize) {
        (self.solved(), Reverse(self.impossible), self.determined())
    }
}

impl Best {
    fn text(&self, folder: &str, name: &str) -> String {
        let Self { fit, evaluation, complement, .. } = self;
        let mut out = format!(
            "# {folder}: {name}: {} of {} segments determined, {} solved, {} impossible results; {evaluation:?}, {complement:?}\n\
             # segment\ta\tb\tc\tsolutions\tsamples\n",
            fit.determined(),
            fit.segments.len(),
            fit.solved(),
            fit.impossible
        );
        for (i, (samples, solutions)) in fit.segments.iter().enumerate() {
            out += &match solutions {
                Solutions::All(all) => match all.first() {
                    Some(Coefficients { a, b, c }) => format!("{i}\t{a}\t{b}\t{c}\t{}\t{samples}\n", all.len()),
                    None => format!("{i}\t-\t-\t-\t0\t{samples}\n"),
                },
                Solutions::TooFewSamples => format!("{i}\t?\t?\t?\tmany\t{samples}\n"),
            };
        }
        out
    }
}

/// Solves every segment. Angles are given in radians, as the forms take them.
fn fit(function: Function, e: Evaluation, complement: Complement, results: &[(Function, u32, u32)]) -> Fit {
    let mut segments: Vec<Vec<Sample>> = vec![Vec::new(); function.segments()];
    let mut impossible = 0;
    for &(f, x, d) in results {
        let x = if matches!(f, Function::Sin | Function::Cos) { turns(x) } else { x };
        match inverse::says(f, e, complement, x, d) {
            Says::Nothing => {}
            Says::About(segment, sample) => segments[segment].push(sample),
            Says::Never => impossible += 1,
        }
    }
    let limits = if function == Function::Tanh { Limits::SEVERAL_SCALES } else { Limits::USUAL };
    let segments = segments.into_par_iter().map(|s| (s.len(), solve::solve(&s, e.a, limits))).collect();
    Fit { segments, impossible }
}

#[cfg(test)]
pub(crate) mod tests;
