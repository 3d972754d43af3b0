//! The model of a device against the comparison of that device: on the same operands each has to be as far from the default model as the other.
//!
//! `compare` does not keep what a device returned from its approximations, but how many of these results are how far from the default model, and the
//! largest error with its operands. Two results that differ may be equally far, so that this shows less than equal bits; but it is another capture
//! than the one that a model is made from and, of forms with two operands and of `rsqrt.approx.f64`, of which `cargo model make` has only single
//! answers, it has 17 million operands.

use std::fs;

use anyhow::Context as _;
use ptxf_tables::device::Model;
use rayon::prelude::*;

use super::*;
use crate::store::{DATA, in_project};

/// A file of the device in the project's data.
fn read(model: Model, file: &str) -> String {
    let path = in_project(DATA).join(model.name()).join(file);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{model} has a model and was not compared: {}: {error}", path.display()))
}

/// The line that `approximate.tsv` would have if the model were the device.
fn line_of(model: Model, form: &Subject, choice: &Choice) -> Result<String> {
    let answer = |columns: &[Vec<u64>], results: &mut Vec<u64>| {
        let one = |i: usize| {
            let operands: Vec<u64> = columns.iter().map(|column| column[i]).collect();
            model.call(form.info, &operands).with_context(|| format!("{model} {}", form.name))
        };
        *results = (0..columns[0].len()).into_par_iter().map(one).collect::<Result<_>>()?;
        Ok(())
    };
    let lists = lists(form, Part::Operands, choice);
    let tally = tallied(form, &lists, Deadline::in_seconds(None), &mut Space::default(), answer)?;
    let distance = tally.and_then(|tally| tally.distance).context("an approximation has distances, and no deadline")?;
    Ok(distance_line(form.name, true, &distance))
}

/// Compares every approximation that is asked for in every model of a device.
fn hold(is_asked: impl Fn(&Subject) -> bool) {
    let models: Vec<Model> = Model::available().iter().copied().filter(|&model| model != Model::Reference).collect();
    assert!(!models.is_empty(), "no device has a model");
    for model in models {
        let (compared, approximate) = (read(model, "compare.tsv"), read(model, "approximate.tsv"));
        let choice = compared.lines().find_map(|line| line.strip_prefix("# choice\t"));
        let choice: Choice = serde_json::from_str(choice.expect("compare.tsv says what was chosen")).unwrap();
        for form in forms::all().iter().filter(|form| form.info.approximate && is_asked(form)) {
            let device = approximate.lines().find(|line| line.split('\t').next() == Some(form.name));
            let device = device.unwrap_or_else(|| panic!("{model} was not compared in {}", form.name));
            assert_eq!(line_of(model, form, &choice).unwrap(), device, "{model}");
            println!("{model} {}: as far from the default model as the device", form.name);
        }
    }
}

fn has_halves(form: &Subject) -> bool {
    form.info.operands[0].lane_bits() == 16
}

#[test]
fn halves_are_as_far_from_the_default_model_as_a_devices() {
    hold(has_halves);
}

#[test]
#[ignore = "two minutes of CPU time: cargo test --release -p ptxf-gpu --lib modelled -- --ignored --nocapture"]
fn everything_else_is_as_far_from_the_default_model_as_a_devices() {
    hold(|form| !has_halves(form));
}
