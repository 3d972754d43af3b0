//! `--gpu`: runs the benchmarks on a device, beside handwritten kernels.

mod argument;
mod counts;
mod device;
mod driver;
mod fill;
mod measure;
mod peers;
mod ptx;
mod report;
mod signature;
mod target;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::Path;

use indicatif::ProgressBar;

use crate::benchmark::Benchmark;
use crate::measure::Arithmetic;
use peers::Peers;

pub use argument::Argument;
pub use counts::run as counts;
pub use device::{Device, Entry};
pub use fill::run as fill;
pub use ptx::emit;
pub use target::Checks;

/// The processor that runs the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The first device, through its driver.
    Gpu,
    /// `ptxf-vm` on this CPU.
    Machine(Checks),
}

/// Runs the benchmarks on the first device or in `ptxf-vm`, with the kernels of `folder`, or with
/// kernels that are compiled now.
///
/// A device runs the newest kernels that it supports. `ptxf-vm` runs those of each target. Without
/// a device, entries and arguments are checked against the PTX, the CPU computes, and the result
/// has the reason. Kernels in CUDA C++ from the folder `peers` run too.
pub fn run(
    chosen: &[Box<dyn Benchmark>],
    arithmetics: [Arithmetic; 3],
    folder: Option<&Path>,
    peers: Option<&Path>,
    on: On,
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<Option<String>, Box<dyn Error>> {
    match on {
        On::Gpu => {
            let (device, absent) = open(folder)?;
            let device = with_peers(device, peers)?;
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
                run_on(&with_peers(Device::machine(ptx, checks)?, peers)?, chosen, arithmetics, &bar)?;
            }
            Ok(None)
        }
    }
}

/// Adds the kernels in CUDA C++ of a folder, if there is one.
fn with_peers(device: Device, folder: Option<&Path>) -> Result<Device, Box<dyn Error>> {
    match folder {
        Some(folder) => Ok(device.with_peers(Peers::read(folder)?)?),
        None => Ok(device),
    }
}

/// Runs the benchmarks and prints their results.
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
            // A device does not recover from a failure. The results before it are printed.
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

/// Returns the device with its kernels, or a rehearsal and the reason for it.
fn open(folder: Option<&Path>) -> Result<(Device, Option<String>), Box<dyn Error>> {
    let opened = driver::open()?;
    let sm = opened.as_ref().ok().map(|gpu| gpu.sm);
    let found = match folder {
        Some(folder) => Ok(ptx::in_folder(folder, sm)?),
        None => ptx::compiled(sm)?.map(|ptx| vec![ptx]),
    };
    match (opened, found) {
        (Ok(gpu), Ok(found)) => Ok((Device::new(gpu, found)?, None)),
        (Ok(gpu), Err(missing)) => {
            let why = format!("{} is here, but nothing compiles its kernels: {missing}", gpu.name);
            Ok((Device::rehearsal(None), Some(why)))
        }
        (Err(absent), Ok(found)) => Ok((Device::rehearsal(found.into_iter().next()), Some(absent))),
        (Err(absent), Err(missing)) => {
            eprintln!("{missing}");
            Ok((Device::rehearsal(None), Some(absent)))
        }
    }
}
