//! Compares the model of a device with the device's `approximate.tsv`: on the same operands both
//! have the same distances from the default model.
//!
//! `approximate.tsv` counts results at each distance and has the largest error with its operands.
//! Two different results may have equal distances, so the test shows less than equal bits would. On
//! the other hand models are made from other files. For forms of two operands and
//! `rsqrt.approx.f64` these have single answers, whereas the comparison has 17 million operands.

use std::fs;

use anyhow::Context as _;
use ptxf_tables::device::Model;
use rayon::prelude::*;

use super::report::distance_line;
use super::*;
use crate::store::{DATA, in_repository};

/// Reads a file of the device in the project's data.
fn read(model: Model, file: &str) -> String {
    let path = in_repository(DATA).join(model.name()).join(file);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{model} has a model and was not compared: {}: {error}", path.display()))
}

/// Returns the line that `approximate.tsv` would have if the model were the device.
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

/// Compares every chosen approximation in every model of a device.
fn compare_models(is_chosen: impl Fn(&Subject) -> bool) {
    let models: Vec<Model> = Model::available().iter().copied().filter(|&model| model != Model::Reference).collect();
    assert!(!models.is_empty(), "no device has a model");
    for model in models {
        let (compared, approximate) = (read(model, "compare.tsv"), read(model, "approximate.tsv"));
        let choice = compared.lines().find_map(|line| line.strip_prefix("# choice\t"));
        let choice: Choice = serde_json::from_str(choice.expect("compare.tsv says what was chosen")).unwrap();
        for form in forms::all().iter().filter(|form| form.info.approximate && is_chosen(form)) {
            let device = approximate.lines().find(|line| line.split('\t').next() == Some(form.name));
            let device = device.unwrap_or_else(|| panic!("{model} was not compared in {}", form.name));
            assert_eq!(line_of(model, form, &choice).unwrap(), device, "{model}");
            println!("{model} {}: as far from the default model as the device", form.name);
        }
    }
}

fn is_16_bits(form: &Subject) -> bool {
    form.info.operands[0].lane_bits() == 16
}

#[test]
fn forms_of_16_bits_are_as_far_from_the_default_model_as_a_devices() {
    compare_models(is_16_bits);
}

#[test]
#[ignore = "two minutes of CPU time: cargo test --release -p silicon models -- --ignored --nocapture"]
fn all_other_forms_are_as_far_from_the_default_model_as_a_devices() {
    compare_models(|form| !is_16_bits(form));
}
