//! Runs the program with `ptxf-cuda` as the driver, which executes the PTX.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use ptxf_cuda::{Folder, library};

#[test]
fn the_products_have_the_same_bits_in_kernels_in_gemm_and_in_executed_ptx() {
    let folder = Folder::new(&library().unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_matmul"));
    command.env("LD_LIBRARY_PATH", folder.path()).env("PTXF_VM_SM", "90").env("PTXF_VM_STRICT", "1");
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("{out}{err}{status}");
    assert!(status.success());
    for kernel in ["matmul_f16", "matmul_e4m3"] {
        assert!(out.contains(&format!("{kernel}: 12000 results of the kernel, the same bits")));
    }
    // Without a compiler for devices there is no PTX to launch.
    if err.contains("the kernels were not compiled for a device") {
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {err}{out}");
        eprintln!("skipped: no compiler for devices");
        return;
    }
    for kernel in ["matmul_f16", "matmul_e4m3"] {
        assert!(out.contains(&format!("{kernel}: 12000 results of the device, the same bits")));
    }
}

/// The constants that the build script wrote.
mod device {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// A tile takes eight instructions a step, and their text has one line each.
#[test]
fn each_mma_of_a_kernel_is_one_instruction() {
    let Ok(ptx) = device::PTX else {
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "no compiler for devices");
        eprintln!("skipped: no compiler for devices");
        return;
    };
    let count = |instruction: &str| ptx.lines().filter(|line| line.trim_start().starts_with(instruction)).count();
    assert_eq!(count("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {"), 8, "{ptx}");
    assert_eq!(count("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {"), 8, "{ptx}");
    assert_eq!(count("mma"), 16);
    assert_eq!(device::ENTRIES, ["matmul_e4m3", "matmul_f16"]);
    assert_eq!(device::TARGET, "sm_90");
}
