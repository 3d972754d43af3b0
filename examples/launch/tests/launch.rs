//! Runs the program without a device, and with `ptxf-cuda` as the driver, which executes the PTX.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use ptxf_cuda::{Folder, library};

/// Runs the program; returns its output, its errors, and `true` for success.
fn run(variables: &[(&str, &str)]) -> (String, String, bool) {
    let folder = Folder::new(&library().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch"));
    command.env("LD_LIBRARY_PATH", folder.path()).envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("{out}{err}{status}");
    (out, err, status.success())
}

#[test]
fn a_driver_without_a_device_is_said_loudly_and_the_cpu_computes() {
    let (out, err, good) = run(&[("PTXF_VM_DEVICES", "0")]);
    assert!(good && err.contains("NO GPU WAS USED: the driver does not start"));
    assert!(out.contains("distance: 100001 results from the CPU; the first is 325"));
}

#[test]
fn results_of_a_device_are_compared_bit_by_bit() {
    let (out, err, good) = run(&[("PTXF_VM_LEFT", "1"), ("PTXF_VM_STRICT", "1")]);
    // Without a compiler for devices there is no PTX to launch.
    if err.contains("the kernels were not compiled for a device") {
        assert!(err.contains("rustup toolchain install nightly"), "it says what to install");
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {err}{out}");
        eprintln!("skipped: no compiler for devices");
        return;
    }
    assert!(good && !err.contains("NO GPU"));
    assert!(out.contains("ptxf-vm (this CPU computed it): 12 entries for sm_75"));
    for (kernel, results) in [("distance", 100_001), ("smooth", 100_001), ("dequantize", 100_001), ("sums", 1563)] {
        let line = format!("{kernel}: {results} results, the same bits on the device and on the CPU");
        assert!(out.contains(&line), "{line}");
    }
    assert!(err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"));

    // The fault hits the sixth element of the output of `smooth`, its fifth argument counted from
    // 0.
    let (_, err, good) = run(&[("PTXF_VM_FAULTS", "byte:smooth_pair:5:10:01")]);
    assert!(!good && err.contains("smooth[5] is"), "a wrong bit is an error");
    // A driver, and a device, that are too old for the kernels.
    let (_, err, good) = run(&[("PTXF_VM_PTX", "6.2")]);
    assert!(!good && err.contains("PTXF_VM_PTX=6.2 is the newest that is accepted"), "the compiler's words are shown");
    let (_, err, good) = run(&[("PTXF_VM_SM", "70")]);
    assert!(!good && err.contains("`.target sm_75` on a device of sm_70"));
}
