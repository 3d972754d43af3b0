//! `--gpu`: the same benchmarks on a device, and beside each what was written by hand.

mod argument;
mod device;
mod measure;
mod ptx;
mod report;
mod target;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::Path;

use indicatif::ProgressBar;

use crate::benchmark::Benchmark;
use crate::measure::Arithmetic;

pub use argument::Argument;
pub use device::{Device, Entry};
pub use ptx::emit;
pub use target::Checks;

/// What runs the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The first device, through its driver.
    Gpu,
    /// The machine that executes PTX on this CPU.
    Machine(Checks),
}

/// Runs the benchmarks on the first device, or in the machine, with the kernels of `folder` or such as are compiled now.
///
/// A device runs the newest kernels that it takes, the machine those of each target. Where there is no device everything happens
/// but for that: entries and arguments are looked up in the PTX, and the CPU computes. Then the result says why.
pub fn run(
    chosen: &[Box<dyn Benchmark>],
    arithmetics: [Arithmetic; 3],
    folder: Option<&Path>,
    on: On,
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<Option<String>, Box<dyn Error>> {
    match on {
        On::Gpu => {
            let (device, absent) = open(folder)?;
            if let Some(why) = &absent {
                eprintln!("NO GPU WAS USED: {why}");
                eprintln!("This CPU computes in its place, so the table below tells nothing of a device.");
            }
            run_on(&device, chosen, arithmetics, bar)?;
            Ok(absent)
        }
        On::Machine(checks) => {
            let found = match folder {
                Some(folder) => ptx::in_folder(folder, None)?,
                None => match ptx::compiled(None)? {
                    Ok(ptx) => vec![ptx],
                    Err(missing) => return Ok(Some(missing.to_string())),
                },
            };
            for ptx in found {
                run_on(&Device::machine(ptx, checks)?, chosen, arithmetics, &bar)?;
            }
            Ok(None)
        }
    }
}

/// Runs the benchmarks there, and prints what came of them.
fn run_on(
    device: &Device,
    chosen: &[Box<dyn Benchmark>],
    arithmetics: [Arithmetic; 3],
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<(), Box<dyn Error>> {
    println!("{}", device.describe());
    for left_out in arithmetics.into_iter().filter(|a| !device.has(a.format)) {
        eprintln!("LEFT OUT: {}, which the PTX's target has not", left_out.name());
    }
    let bar = bar(measure::steps(chosen, arithmetics));
    let mut outcomes = Vec::new();
    let mut end = Ok(());
    for benchmark in chosen {
        match measure::outcome(&**benchmark, arithmetics, device, &bar) {
            Ok(outcome) => outcomes.push(outcome),
            // A device that failed does not recover; what it did before stays worth something.
            Err(failure) => {
                end = Err(failure);
                break;
            }
        }
    }
    bar.finish_and_clear();
    report::print(&outcomes);
    println!("{}", device.done());
    end?;

    let problems: Vec<&String> = outcomes.iter().flat_map(|o| &o.problems).collect();
    if let Some(first) = problems.first() {
        problems.iter().for_each(|p| eprintln!("{p}"));
        return Err(format!("{} results are wrong, the first: {first}", problems.len()).into());
    }
    Ok(())
}

/// The device with its kernels, or what stands in for it and why.
fn open(folder: Option<&Path>) -> Result<(Device, Option<String>), Box<dyn Error>> {
    let opened = driver::open(0)?;
    let sm = opened.as_ref().ok().map(|context| context.info().sm());
    let found = match folder {
        Some(folder) => Ok(ptx::in_folder(folder, sm)?),
        None => ptx::compiled(sm)?.map(|ptx| vec![ptx]),
    };
    match (opened, found) {
        (Ok(context), Ok(found)) => Ok((Device::new(context, found)?, None)),
        (Ok(context), Err(missing)) => {
            let why = format!("{} is here, but nothing compiles its kernels: {missing}", context.info().name);
            Ok((Device::rehearsal(None), Some(why)))
        }
        (Err(absent), Ok(found)) => Ok((Device::rehearsal(found.into_iter().next()), Some(absent.to_string()))),
        (Err(absent), Err(missing)) => {
            eprintln!("{missing}");
            Ok((Device::rehearsal(None), Some(absent.to_string())))
        }
    }
}
