//! `cargo xtask fit`: the function unit's coefficients from what a device returned.
//!
//! | file | does |
//! |---|---|
//! | `samples` | the files of `cargo xtask gpu capture` |
//! | `inverse` | a result → an inequality in A, B and C of its segment |
//! | `solve` | inequalities → every A, B, C that satisfies them |
//!
//! A segment is *determined* if one triple is left; several reproduce the samples alike, and the first is printed with
//! their number. A segment without a solution says that the unit does not work as `ptxf_tables::device::unit` has it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, turns};
use rayon::prelude::*;

use crate::shell;

mod inverse;
mod samples;
mod solve;

use inverse::Says;
use solve::{Sample, Solutions};

/// Recover the function unit's coefficients from captured samples.
///
/// Reads the folders that `cargo xtask gpu capture` writes and prints a table of segment, A, B, C, number of solutions and
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

/// The forms that show the bare unit, and which function it is. `cos` has the coefficients of `sin`.
const FORMS: [(&str, &[&str], Function); 6] = [
    ("rcp", &["rcp.approx.ftz.f32"], Function::Rcp),
    ("rsqrt", &["rsqrt.approx.ftz.f32"], Function::Rsq),
    ("sqrt", &["sqrt.approx.ftz.f32"], Function::Sqrt),
    ("ex2", &["ex2.approx.ftz.f32"], Function::Ex2),
    ("lg2", &["lg2.approx.ftz.f32"], Function::Lg2),
    ("sin, cos", &["sin.approx.ftz.f32", "cos.approx.ftz.f32"], Function::Sin),
];

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(form) = &args.form {
        let known: Vec<&str> = FORMS.iter().flat_map(|(_, forms, _)| *forms).copied().collect();
        ensure!(known.contains(&form.as_str()), "{form} cannot be fitted; {} can", known.join(", "));
    }
    let folders = if args.folders.is_empty() {
        samples::folders(&shell::root().join("ptxf-tables/device"))?
    } else {
        args.folders.clone()
    };
    if folders.is_empty() {
        eprintln!(
            "no captured data: run `cargo xtask gpu capture` on a device, then `cargo xtask gpu adopt` its results"
        );
        return Ok(ExitCode::from(3));
    }
    let mut good = true;
    for folder in &folders {
        good &= fit_folder(folder, args.form.as_deref())?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fit_folder(folder: &Path, only: Option<&str>) -> Result<bool> {
    let mut good = true;
    for (name, forms, function) in FORMS {
        if only.is_some_and(|only| !forms.contains(&only)) {
            continue;
        }
        let mut results = Vec::new();
        for form in forms {
            let f = if *form == "cos.approx.ftz.f32" { Function::Cos } else { function };
            results.extend(samples::read(folder, form)?.into_iter().map(|(x, d)| (f, x, d)));
        }
        if results.is_empty() {
            println!("# {}: {name}: no samples", folder.display());
            continue;
        }
        let mut fits: Vec<_> =
            variants(function).into_iter().map(|(e, c)| (e, c, fit(function, e, c, &results))).collect();
        fits.sort_by_key(|(.., fit)| fit.merit());
        if let [.., (.., second), (.., first)] = &fits[..]
            && second.merit() == first.merit()
        {
            println!("# {}: {name}: the samples do not tell which complement the unit has", folder.display());
        }
        let Some((e, complement, fit)) = fits.pop() else { continue };
        good &= fit.impossible == 0 && fit.solved() == function.segments();
        print!("{}", fit.text(&folder.display().to_string(), name, e, complement));
    }
    Ok(good)
}

/// What is open about a function, every way it can be.
fn variants(function: Function) -> Vec<(Evaluation, Complement)> {
    let complements = match function {
        Function::Lg2 | Function::Sin | Function::Cos => &[Complement::Ones, Complement::Twos][..],
        _ => &[Complement::Ones],
    };
    // SQRT's evaluation is not known; RSQ's, of the same segments, is worth a try and proves itself or not.
    let evaluation = Evaluation::known(function).or(Evaluation::known(Function::Rsq));
    evaluation.into_iter().flat_map(|e| complements.iter().map(move |&c| (e, c))).collect()
}

/// What the samples say about a function.
#[derive(Debug)]
struct Fit {
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

    /// Greater is better.
    fn merit(&self) -> (usize, Reverse<usize>, usize) {
        (self.solved(), Reverse(self.impossible), self.determined())
    }

    fn text(&self, folder: &str, name: &str, e: Evaluation, complement: Complement) -> String {
        let mut out = format!(
            "# {folder}: {name}: {} of {} segments determined, {} solved, {} impossible results; {e:?}, {complement:?}\n\
             # segment\ta\tb\tc\tsolutions\tsamples\n",
            self.determined(),
            self.segments.len(),
            self.solved(),
            self.impossible
        );
        for (i, (samples, solutions)) in self.segments.iter().enumerate() {
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
    let segments = segments.into_par_iter().map(|s| (s.len(), solve::solve(&s, e.a))).collect();
    Fit { segments, impossible }
}

#[cfg(test)]
mod tests;
