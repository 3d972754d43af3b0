//! Does a neural network care what it is computed in?
//!
//! Thirteen people wrote digits on paper, which became 8×8 images of 17 grey levels. A small network (64 pixels → 48
//! neurons with ReLU → 10 logits) has learned 1347 of them in f32. Here it reads the 450 that it has never seen, once
//! in every arithmetic that a GPU offers for the job:
//!
//! - **f32**, `fma.rn.f32` and a `max` for the ReLU: what it was trained in, the measure of the others;
//! - **f32x2**, the packed form of newer GPUs: half the instructions, the same bits;
//! - **f16x2** and **bf16x2**, two neurons per 32-bit register, sums and all in half precision; `fma.rn.relu` makes the
//!   last step of a neuron its ReLU as well;
//! - **f16 > f32** and **bf16 > f32**: weights and inputs are stored as halves, products and sums are f32;
//! - each of them once more with **.ftz**, where PTX has it.
//!
//! No GPU is asked. The instructions are computed to the bit on this CPU, so the checksums below the table have to come
//! out the same on any machine: a microcontroller, a GPU, or the exact integers of `oracle.py` next to this file.
//!
//! ```sh
//! cargo run --release --example digits
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

/// Where the data is; `None` for arguments that say something else.
///
/// Written by hand, because a parser of arguments takes as long to compile as the library.
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

/// The variant's logits and the best time of three.
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
