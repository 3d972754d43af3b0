//! The program on this CPU, as if it were a device. It is apart from the stub's tests, since both have the driver's functions.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Runs the program; what it printed, and whether it was well.
fn run(variables: &[(&str, &str)]) -> (String, String, bool) {
    let folder = ptxf_cuda::Folder::new(&ptxf_cuda::library().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_launch"));
    command.env("LD_LIBRARY_PATH", folder.path()).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("{out}{err}{}", output.status);
    (out, err, output.status.success())
}

#[test]
fn what_the_kernels_are_compiled_to_leaves_the_cpus_bits() {
    let (out, err, good) = run(&[("PTXF_VM_LEFT", "1")]);
    if err.contains("the kernels were not compiled for a device") {
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {err}{out}");
        eprintln!("skipped: no compiler for devices");
        return;
    }
    assert!(good && !err.contains("NO GPU"));
    assert!(out.contains("ptxf-vm (this CPU computed it): 6 entries for sm_75"));
    assert!(
        out.contains("distance: 100001 results, the same bits")
            && out.contains("smooth: 100001 results, the same bits")
    );
    assert!(err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"));
    // A device that is too old for them.
    let (_, err, good) = run(&[("PTXF_VM_SM", "70")]);
    assert!(!good && err.contains("`.target sm_75` on a device of sm_70"));
}
