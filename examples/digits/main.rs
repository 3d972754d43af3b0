//! Reads handwritten digits with a neural network in eleven arithmetics.
//!
//! The images have 8×8 pixels of 17 grey levels. A small network (64 pixels → 48 neurons with ReLU
//! → 10 logits) was trained on 1347 of them in f32. The example classifies the other 450 in every
//! arithmetic that a GPU offers:
//!
//! - **f32**: `fma.rn.f32`, and a `max` for the ReLU. This is the reference.
//! - **f32x2**: the packed form of newer GPUs, half the instructions and the same bits.
//! - **f16x2** and **bf16x2**: two neurons per 32-bit register, with sums in half precision.
//!   `fma.rn.relu` includes the ReLU in the last step.
//! - **f16 > f32** and **bf16 > f32**: weights and inputs in half precision, products and sums in
//!   f32.
//! - each of these with **.ftz**, where PTX has it.
//!
//! No GPU is used. The CPU computes the instructions bit for bit, so the checksums below the table
//! are equal on every machine: a microcontroller, a GPU, or the exact integers of `oracle.py`.
//!
//! ```sh
//! cargo run --release -p ptxf --example digits
//! ```

#![allow(missing_docs, unreachable_pub, reason = "an example is not a library")]

mod data;
mod network;
mod report;
mod squash;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use data::DataError;
use network::{CLASSES, PIXELS, VARIANTS, Variant};
use report::Outcome;

const USAGE: &str = "digits [--data DIR]: classifies handwritten digits in PTX arithmetic

  --data DIR  where digits.csv and digits_mlp.csv are, if not in the repository";

fn main() -> ExitCode {
    let Some(data) = directory() else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    match run(&data) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the folder of the data, or `None` if the arguments are wrong.
///
/// An argument parser would take as long to compile as the library.
fn directory() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next(), arguments.next()) {
        (None, ..) => Some(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data").into()),
        (Some(option), Some(folder), None) if option == "--data" => Some(folder.into()),
        _ => None,
    }
}

fn run(folder: &Path) -> Result<(), DataError> {
    let trained = data::parameters(folder)?;
    let digits = data::digits(folder)?;
    let test = digits.get(data::FIRST_TEST_ROW..).unwrap_or_default();
    let (images, labels): (Vec<_>, Vec<_>) = test.iter().map(|digit| (digit.pixels, digit.label)).unzip();
    println!("{} of {} digits, none of them seen in training\n", images.len(), digits.len());

    let outcomes: Vec<Outcome> = VARIANTS.into_iter().map(|variant| time(variant, &trained, &images)).collect();
    report::print(&outcomes, &labels);
    Ok(())
}

/// Returns the variant's logits and the best time of three runs.
fn time(variant: Variant, trained: &network::Parameters, images: &[[u8; PIXELS]]) -> Outcome {
    let mut logits = vec![[0.0; CLASSES]; images.len()];
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        (variant.run)(trained, images, &mut logits);
        best = best.min(start.elapsed());
    }
    Outcome { variant, logits, time: best / images.len().max(1) as u32 }
}
