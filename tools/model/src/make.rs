//! `cargo model make`: from adopted results of devices to the models in the library.
//!
//! ```text
//! dumps ─ delta::encode ► differences                                              ex2, tanh of 16 bits
//! samples ─ fit ► coefficients ─ held against every block of the sweeps ► a form   rcp … cos of f32
//! rcp's coefficients ─ held against the captured quotients ► a form                div of f32
//! those of rcp and rsqrt ─ held against the sweeps of upper words ► a form         rcp, rsqrt of f64
//! ```
//!
//! | file | does |
//! |---|---|
//! | `known` | what a device's results say about each form, or why they say nothing |
//! | `sweep` | a table against the hashes of all 2³² results |
//! | `emit` | the Rust that `ptxf_tables::device` is built from |

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use ptxf_gpu::store::{self, Results, write_whole};

mod emit;
mod known;
mod sweep;

use known::Known;

/// Make the library's device models out of adopted results.
///
/// Reads every folder that `cargo gpu adopt` filled, and rewrites ptxf-tables/src/device/measured. A form of a device
/// comes into its model if its results prove it: a whole dump, or coefficients that give the hash of every block of the
/// sweep, which takes a minute or so per form. Of any other form the model says what is missing. Exits with status 3 if there
/// are no data; then there are no models.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the data lie
    #[arg(long, value_name = "DIR", default_value = store::DATA)]
    data: PathBuf,
    /// The module to write
    #[arg(long, value_name = "DIR", default_value = MODELS)]
    to: PathBuf,
}

/// Where the models of the library are.
const MODELS: &str = "ptxf-tables/src/device/measured";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let at = |path: &Path| crate::root().join(path);
    let models = make(&at(&args.data), &at(&args.to), 1)?;
    if models == 0 {
        eprintln!("no data: run `ptxf-gpu capture` on a device, then `cargo gpu adopt` its results");
        return Ok(ExitCode::from(3));
    }
    println!("{models} models: cargo test -p ptxf-tables, then commit {}", args.to.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the models of the devices below `data`, and removes those without; says how many there are. Tests, and nothing
/// else, look at every so many-th block of the sweeps only.
fn make(data: &Path, to: &Path, every: usize) -> Result<usize> {
    let mut models = Vec::new();
    for folder in store::devices(data)? {
        let known = Known::from(&Results::open(&folder)?, every)?;
        known.report();
        if known.is_something() {
            models.push(known);
        }
    }
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| to.display().to_string())?;
    }
    for model in &models {
        write_whole(&to.join(format!("{}.rs", model.target)), emit::device(model).as_bytes())?;
        for dump in &model.dumps {
            if let Ok(bytes) = &dump.deltas {
                write_whole(&to.join(&model.target).join(emit::file(dump.form)), bytes)?;
            }
        }
    }
    write_whole(&to.with_extension("rs"), emit::list(&models).as_bytes())?;
    Ok(models.len())
}

#[cfg(test)]
mod tests;
