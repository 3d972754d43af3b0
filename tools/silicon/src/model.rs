//! `model`: makes the library's device models from adopted results.
//!
//! ```text
//! dumps ─ delta::encode ► differences                              ex2, tanh of 16 bits
//! samples ─ fit ► coefficients ─ compared with whole sweeps ► form rcp … cos of f32
//! rcp's coefficients ─ compared with captured quotients ► form     div of f32
//! those of rcp and rsqrt ─ compared with sweeps ► form             rcp, rsqrt of f64
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `contents` | the forms of a model, or the reason why a form is missing |
//! | `fit` | coefficients of the function unit from samples |
//! | `sweep` | compares coefficients with the hashes of all 2³² results |
//! | `source` | the Rust that `ptxf_tables::device` is built from |

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::store::{self, Results, write_whole};

mod contents;
mod fit;
mod source;
mod sweep;

use contents::Contents;

/// Make the library's device models from adopted results
///
/// Reads every folder that `adopt` filled, and rewrites ptxf-tables/src/device/measured. A form is
/// in a device's model if its results prove it: a complete dump, or coefficients that give the hash
/// of every block of the sweep, which takes about a minute per form. For any other form the model
/// has the reason. Exits with status 3, without models, if there are no data.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the project's data
    #[arg(long, value_name = "DIR", default_value = store::DATA)]
    data: PathBuf,
    /// The module to write
    #[arg(long, value_name = "DIR", default_value = MODELS)]
    to: PathBuf,
}

/// The library's module of models.
const MODELS: &str = "ptxf-tables/src/device/measured";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let models = make(&args.data, &args.to, 1)?;
    if models == 0 {
        eprintln!("no data: run `ptxf-gpu capture` on a device, then `cargo gpu adopt` its results");
        return Ok(ExitCode::from(3));
    }
    println!("{models} models: cargo test -p ptxf-tables, then commit {}", args.to.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the models of the devices in `data`, and removes all others. Returns their number.
///
/// `every` is 1, or in tests the distance of the blocks that are compared in each sweep.
fn make(data: &Path, to: &Path, every: usize) -> Result<usize> {
    let mut models = Vec::new();
    for folder in store::devices(data)? {
        let model = Contents::from(&Results::open(&folder)?, every)?;
        model.report();
        if !model.is_empty() {
            models.push(model);
        }
    }
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| to.display().to_string())?;
    }
    for model in &models {
        write_whole(&to.join(format!("{}.rs", model.target)), source::device(model).as_bytes())?;
        for dump in &model.dumps {
            if let Ok(bytes) = &dump.deltas {
                write_whole(&to.join(&model.target).join(source::file(dump.form)), bytes)?;
            }
        }
    }
    write_whole(&to.with_extension("rs"), source::list(&models).as_bytes())?;
    Ok(models.len())
}

#[cfg(test)]
mod tests;
