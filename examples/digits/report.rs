//! Prints the table and the checksums.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use ptxf::spec::FORMS;

use crate::network::{Checksum, Logits, Variant, decision};
use crate::squash::squash;

/// The results of an arithmetic.
pub struct Outcome {
    pub variant: Variant,
    pub logits: Vec<Logits>,
    /// Time per image.
    pub time: Duration,
}

impl Outcome {
    fn decisions(&self) -> impl Iterator<Item = usize> {
        self.logits.iter().map(decision)
    }

    fn right(&self, labels: &[usize]) -> usize {
        self.decisions().zip(labels).filter(|&(d, &label)| d == label).count()
    }

    fn checksum(&self) -> Checksum {
        self.logits.iter().fold(Checksum::START, Checksum::with)
    }
}

/// Prints the table and the checksums. `outcomes[0]` is the reference.
pub fn print(outcomes: &[Outcome], labels: &[usize]) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["variant", "multiply-add, ReLU", "since", "accuracy", "differing", "max |Δlogit|", "µs/image"]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let reference = &outcomes[0];
    for outcome in outcomes {
        let differing = outcome.decisions().zip(reference.decisions()).filter(|(a, b)| a != b).count();
        let errors = outcome.logits.iter().flatten().zip(reference.logits.iter().flatten()).map(|(a, b)| (a - b).abs());
        let (forms, sm) = instructions(outcome.variant.functions);
        table.add_row([
            outcome.variant.name.into(),
            forms,
            format!("sm_{sm}"),
            format!("{:.2} %", 100.0 * outcome.right(labels) as f64 / labels.len() as f64),
            differing.to_string(),
            format!("{:.6}", errors.fold(0.0, f32::max)),
            format!("{:.1}", outcome.time.as_secs_f64() * 1e6),
        ]);
        if outcome.variant.name == "bf16x2" {
            table.add_row(["bf16x2 .ftz", "– (PTX has no .ftz for bf16)", "–", "–", "–", "–", "–"]);
        }
    }
    println!("{table}");
    if let Some((margin, [first, second])) = closest(reference) {
        println!("closest call in f32: {first} over {second}, by {margin:.6}");
    }
    println!("{}", conclusion(outcomes));
    println!("\nFNV-1a of all logits' bits; the same on every machine:");
    for outcome in outcomes {
        println!("  {:15} {:016x}", outcome.variant.name, outcome.checksum().0);
        if outcome.variant.name == "f16x2" {
            let squashed = outcome.logits.iter().map(squash).fold(Checksum::START, |sum, logits| sum.with(&logits));
            println!("  {:15} {:016x}", "f16x2, tanh", squashed.0);
        }
    }
}

/// Returns a sentence that says what the table shows.
fn conclusion(outcomes: &[Outcome]) -> String {
    let [reference, others @ ..] = outcomes else { return String::new() };
    let changed = |o: &&Outcome| o.decisions().zip(reference.decisions()).any(|(a, b)| a != b);
    match others.iter().filter(changed).count() {
        0 => "No arithmetic changes a decision: half precision costs this network no accuracy, although it \
              changes the logits."
            .to_owned(),
        n => format!("{n} of {} arithmetics change a decision of f32's.", others.len()),
    }
}

/// Returns the smallest lead of a decision, with its two digits. A smaller error changes no
/// decision.
fn closest(outcome: &Outcome) -> Option<(f32, [usize; 2])> {
    let leads = outcome.logits.iter().map(|logits| {
        let first = decision(logits);
        let mut rest = *logits;
        rest[first] = f32::NEG_INFINITY;
        let second = decision(&rest);
        (logits[first] - logits[second], [first, second])
    });
    leads.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Returns the PTX spellings of two functions, and the first target that has both.
fn instructions(functions: [&str; 2]) -> (String, u32) {
    let [a, b] = functions.map(|function| {
        let form = FORMS.iter().find(|form| form.function == function);
        form.expect("every function of ptxf::ptx is in the table")
    });
    (format!("{}, {}", a.canonical, b.canonical), a.targets[0].sm.max(b.targets[0].sm))
}
