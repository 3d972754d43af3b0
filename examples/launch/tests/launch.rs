//! The program without a device, and with a stub in the driver's place.

use std::process::{Command, Output};

use stub_driver::Folder;

/// Runs the program with this as the only place of libraries beside the system's; what it printed, and whether it was well.
fn run(libraries: &Folder, variables: &[(&str, &str)]) -> (String, String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch"));
    command.env("LD_LIBRARY_PATH", libraries.path()).envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(stdout), text(stderr));
    println!("{out}{err}{status}");
    (out, err, status.success())
}

/// Whether the build script found a compiler for devices; without one there are no kernels to launch.
fn has_kernels() -> bool {
    let (out, err, _) = run(&Folder::new("launch-kernels").unwrap(), &[]);
    let none = err.contains("the kernels were not compiled for a device");
    if none {
        assert!(err.contains("rustup toolchain install nightly"), "it says what to install");
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {err}{out}");
        eprintln!("skipped: no compiler for devices");
    }
    !none
}

#[cfg(target_os = "linux")]
#[test]
fn a_driver_without_a_device_is_said_loudly_and_the_cpu_computes() {
    let (out, err, good) = run(&Folder::new("launch-none").unwrap(), &[("STUB_DEVICES", "0")]);
    assert!(good && err.contains("NO GPU WAS USED: the driver does not start"));
    assert!(out.contains("distance: 100001 results from the CPU; the first is 325"));
}

#[cfg(target_os = "linux")]
#[test]
fn results_of_a_device_are_compared_bit_by_bit() {
    if !has_kernels() {
        return;
    }
    let stub = Folder::new("launch-device").unwrap();
    let (out, err, good) = run(&stub, &[]);
    assert!(good && !err.contains("NO GPU"));
    assert!(out.contains("smooth: 100001 results, the same bits on the device and on the CPU"));
    assert!(out.contains("stub driver: released, 0 allocations and events left"));
    assert!(out.contains("6 entries for sm_75"));

    let (_, err, good) = run(&stub, &[("STUB_FLIPS", "smooth")]);
    assert!(!good && err.contains("smooth[5] is"), "a wrong bit is an error");
    let (_, err, good) = run(&stub, &[("STUB_REFUSES_PTX", "6.3"), ("STUB_FLIPS", "")]);
    let (_, newer, worse) = run(&stub, &[("STUB_REFUSES_PTX", "7.0")]);
    assert!(!good && err.contains("line 7") || !worse && newer.contains("line 7"), "the compiler's words are shown");
}
