//! Checks compiled kernels against the suite's launches.

use clap::Parser as _;
use indicatif::ProgressBar;

use super::super::ptx::{self, Ptx};
use super::super::{Checks, Device, measure::outcome};
use super::benchmark;
use crate::benchmarks::{self, Size};
use crate::measure::Arithmetic;
use crate::real::Format;
use crate::{Ended, Options};

/// Returns the kernels for the common target. Without a compiler it prints a message, and fails
/// under `PTXF_STRICT=1`.
fn compiled() -> Option<Ptx> {
    match ptx::compiled(None).unwrap_or_else(|e| panic!("{e}")) {
        Ok(ptx) => Some(ptx),
        Err(missing) => {
            assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {missing}");
            eprintln!("skipped: {missing}");
            None
        }
    }
}

#[test]
#[ignore = "compiles kernels for a device; `cargo xtask ci crates` runs it"]
fn every_launch_finds_its_entry_and_passes_what_it_takes() {
    let Some(ptx) = compiled() else { return };
    let entries: Vec<String> = ptx.read.entries().map(|entry| entry.name.of(&ptx.text).to_owned()).collect();
    let device = Device::rehearsal(Some(ptx));
    for half in [Format::F16, Format::Bf16] {
        for benchmark in benchmarks::all(Size::QUICK) {
            let outcome = outcome(&*benchmark, Arithmetic::of(half), &device, &ProgressBar::hidden());
            let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(outcome.problems, [""; 0]);
        }
    }
    // Two entries of each kernel's five modules, the pairs of eight threads a thread, and the
    // handwritten kernels. The f32 entries are extra.
    let is_extra = |e: &&String| e.ends_with("_f32") || e.starts_with("in_f16_many_") && e.ends_with("_scalar");
    let launched = entries.iter().filter(|e| !is_extra(e)).count();
    assert!(device.done().contains(&format!(" of {launched} entries would have run")), "{}", device.done());
}

#[test]
#[ignore = "compiles kernels for a device; `cargo xtask ci crates` runs it"]
fn what_the_kernels_are_compiled_to_leaves_the_cpus_bits_in_the_machine() {
    let Some(ptx) = compiled() else { return };
    // Runs as a user would, in two orders of blocks and warps, and with a seeded fault.
    for line in [
        "suite --vm --quick --check racecheck --schedule 1",
        "suite --vm --quick --bf16 --check racecheck --schedule 2",
    ] {
        let ended = crate::run(&Options::parse_from(line.split(' '))).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert!(matches!(ended, Ended::Done), "{line}");
    }
    let faulty = ptx.text.replace("mul.rn.f16x2", "mul.rn.bf16x2");
    assert_ne!(faulty, ptx.text);
    let faulty = Ptx::parse("faulty".to_owned(), faulty).unwrap();
    let device = Device::machine(faulty, Checks::default()).unwrap();
    let nn = benchmark("nn");
    let ended = outcome(&*nn, Arithmetic::of(Format::F16), &device, &ProgressBar::hidden());
    assert!(ended.map_or(true, |outcome| !outcome.problems.is_empty()));
}

#[test]
#[ignore = "compiles kernels for a device; `cargo xtask ci crates` runs it"]
fn instructions_are_as_many_as_the_table_has() {
    if compiled().is_some() {
        let counted = crate::run(&Options::parse_from(["suite", "--counts"])).unwrap_or_else(|e| panic!("{e}"));
        assert!(matches!(counted, Ended::Done));
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "compiles kernels for a device; `cargo xtask ci crates` runs it"]
fn through_a_driver_the_kernels_leave_the_cpus_bits_without_a_gpu() {
    if compiled().is_none() {
        return;
    }
    let (good, text) = super::with_library("on_this_cpu", &[]);
    assert!(good && text.contains("ptxf-vm (this CPU computed it)"));
    assert!(text.contains(" entries; times are those of one execution of the PTX on this CPU"));
    assert!(text.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"));
}
