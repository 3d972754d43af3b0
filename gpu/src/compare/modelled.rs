//! The model of a device and the device itself, on the same operands: each has to be as far from the default model as the other.
//!
//! `compare` keeps no results of a device's approximations, but how many of them are how far from the default model, and the largest error with its
//! operands. No model was made from these numbers.

use std::fs;
use std::path::PathBuf;

use ptxf_tables::device::Model;
use rayon::prelude::*;

use super::*;
use crate::answers::BATCH;
use crate::store::DATA;

/// The device's folder in the project's data.
fn folder(model: Model) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(DATA).join(model.name())
}

/// The line that `approximate.tsv` would have if the model were the device.
fn line_of(model: Model, form: &Subject, choice: &Choice) -> String {
    let lists = lists(form, Part::Operands, choice);
    let mut tally = Tally::default();
    let (mut columns, mut results) = (Vec::new(), Vec::new());
    for source in &lists {
        for first in (0..source.len).step_by(BATCH as usize) {
            source.fill(first..source.len.min(first + BATCH), &mut columns);
            let result = |i: usize| {
                let operands: Vec<u64> = columns.iter().map(|column| column[i]).collect();
                model.call(form.info, &operands).expect("the model has every approximate form")
            };
            (0..columns[0].len()).into_par_iter().map(result).collect_into_vec(&mut results);
            tally = tally.merge(Tally::of(form, source.class, first, &columns, &results));
        }
    }
    let (form, function) = (form.name.to_owned(), form.identifier.to_owned());
    let line = Line {
        form,
        function,
        part: Part::Operands,
        native: true,
        approximate: true,
        lists: Vec::new(),
        seconds: 0.0,
        tally,
    };
    distances(&[line]).lines().nth(1).expect("a line after the names of the columns").to_owned()
}

/// Compares the forms of every device that has been compared.
fn hold(is_asked: impl Fn(&Subject) -> bool) {
    let mut held = 0;
    for &model in Model::available().iter().filter(|&&model| model != Model::Reference) {
        let read = |file: &str| fs::read_to_string(folder(model).join(file)).unwrap();
        let (compared, approximate) = (read("compare.tsv"), read("approximate.tsv"));
        let choice = compared
            .lines()
            .find_map(|line| line.strip_prefix("# choice\t"))
            .expect("compare.tsv says what was chosen");
        let choice: Choice = serde_json::from_str(choice).unwrap();
        for form in forms::all().iter().filter(|form| form.info.approximate && is_asked(form)) {
            let Some(device) = approximate.lines().find(|line| line.split('\t').next() == Some(form.name)) else {
                continue;
            };
            assert_eq!(line_of(model, form, &choice), device, "{}", model.name());
            println!("{} {}: as far from the default model as the device", model.name(), form.name);
            held += 1;
        }
    }
    assert!(held > 0, "no device has been compared");
}

fn has_halves(form: &Subject) -> bool {
    form.info.operands[0].lane_bits() == 16
}

#[test]
fn halves_are_as_far_from_the_default_model_as_a_devices() {
    hold(has_halves);
}

#[test]
#[ignore = "some 5 minutes of CPU time: cargo test --release -p ptxf-gpu --lib modelled -- --ignored --nocapture"]
fn everything_else_is_as_far_from_the_default_model_as_a_devices() {
    hold(|form| !has_halves(form));
}
