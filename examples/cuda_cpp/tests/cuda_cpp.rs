//! The program where no GPU is: without a driver, and with the one that executes PTX on this CPU.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Runs the program with libraries from a folder; what it printed, and its status.
fn run(folder: Option<&ptxf_cuda::Folder>) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-cpp"));
    if let Some(folder) = folder {
        command.env("LD_LIBRARY_PATH", folder.search_path().unwrap());
    }
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    println!("{out}{err}");
    (out, err, output.status.code())
}

#[test]
fn the_kernel_has_the_bits_of_the_cpu() {
    let folder = ptxf_cuda::Folder::new(&ptxf_cuda::library().unwrap()).unwrap();
    let (out, err, status) = run(Some(&folder));
    assert_eq!(status, Some(0));
    assert!(out.contains("ptxf-vm (this CPU computed it): 100003 products in 24 blocks"));
    assert!(out.contains("24 sums with the same bits on the device and on the CPU"));
    // With NVRTC or without, and it says which.
    assert_ne!(out.contains("compiled by NVRTC now"), err.contains("NVRTC is not here"));
}

#[test]
fn without_a_driver_it_says_how_to_run_it() {
    let (_, err, status) = run(None);
    // Where there is a driver, a device computed it.
    assert!(
        status == Some(0) || status == Some(3) && err.contains("`ptxf cuda -- PROGRAM` runs a program without a GPU")
    );
}
