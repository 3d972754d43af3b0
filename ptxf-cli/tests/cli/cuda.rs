//! `ptxf cuda`.
#![cfg(target_os = "linux")]

use crate::support::ptxf;

#[test]
fn a_program_finds_the_library_first() {
    let ran = ptxf(&[
        "cuda",
        "--",
        "sh",
        "-c",
        "d=${LD_LIBRARY_PATH%%:*}; ls $d; readlink $d/libcuda.so.1; echo $1 >&2; exit 3",
        "sh",
        "--x",
    ]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), "--x\n"));
    let names = [
        "cuda",
        "libcuda.so",
        "libcuda.so.1",
        "libcudart.so",
        "libcudart.so.12",
        "libcudart.so.13",
        "libgpuocelot.so",
        "libptxf_cuda.so",
        "libptxf_ocelot.so",
    ];
    assert_eq!(lines[..names.len()], names);
    let library = std::path::Path::new(lines[names.len()]);
    assert!(library.ends_with("libptxf_cuda.so") && !library.exists(), "{}", ran.out);
    // The hyphens may be missing. A signal has the status that a shell reports.
    assert_eq!(ptxf(&["cuda", "sh", "-c", "kill -9 $$"]).code, Some(137));
}

/// A copy of the command, as `cargo install` makes it, needs no other file.
#[test]
fn the_command_contains_the_library() {
    let folder = crate::run::Folder::new("installed");
    let installed = folder.path("ptxf");
    std::fs::copy(env!("CARGO_BIN_EXE_ptxf"), &installed).unwrap();
    let program = "od -An -tx1 -N4 ${LD_LIBRARY_PATH%%:*}/libcuda.so.1; wc -c < ${LD_LIBRARY_PATH%%:*}/libcuda.so";
    let output = std::process::Command::new(installed).args(["cuda", "--", "sh", "-c", program]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "7f 45 4c 46", "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(lines[1].parse::<u64>().unwrap() > 100_000, "{text}");
}

#[test]
fn a_program_that_cannot_run_is_named() {
    let ran = ptxf(&["cuda", "--", "./no-such-program"]);
    assert!(ran.code == Some(1) && ran.err.starts_with("error: ./no-such-program: "), "{}", ran.err);
    let ran = ptxf(&["cuda", "--library", "/no/library.so", "--", "true"]);
    assert!(ran.code == Some(1) && ran.err.starts_with("error: /no/library.so: "), "{}", ran.err);
    assert_eq!(ptxf(&["cuda"]).code, Some(2));
}

const KERNEL: &str = ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";

/// Triton and other programs start `ptxas`, and load what it wrote.
#[test]
fn an_assembler_is_there_that_wraps_ptx() {
    let folder = crate::run::Folder::new("assembler");
    let file = |name: &str| folder.path(name);
    std::fs::write(file("k.ptx"), KERNEL).unwrap();
    std::fs::write(file("wrong.ptx"), KERNEL.replace("ret", "mov.u32 %missing, 1; ret")).unwrap();
    let script = "cd $1 && ptxas --version && test $TRITON_PTXAS_PATH -ef $(command -v ptxas) && \
                  ptxas -lineinfo -v --gpu-name=sm_90a k.ptx -o k.cubin; echo $?; ptxas -arch=sm_90 wrong.ptx -o no; echo $?";
    let ran = ptxf(&["cuda", "--", "sh", "-c", script, "sh", &file("")]);
    assert!(ran.out.contains("release 13.5, V13.5") && ran.out.ends_with("\n0\n255\n"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("ptxas fatal   : wrong.ptx: ") && ran.err.contains("%missing"), "{}", ran.err);
    let wrapped = std::fs::read(file("k.cubin")).unwrap();
    assert_eq!(wrapped, ptxf_cuda::wrapped(KERNEL));
    assert!(!std::path::Path::new(&file("no")).exists());
}

/// PyCUDA starts `nvcc --cubin`, and looks for other files beside it. The `nvcc` of this test
/// prints the words that it was passed.
#[test]
fn nvcc_compiles_to_ptx_instead_of_machine_code() {
    let folder = crate::run::Folder::new("nvcc");
    let file = |name: &str| folder.path(name);
    std::fs::write(file("k.ptx"), KERNEL).unwrap();
    let script = "cd $1 && mkdir -p bin include && echo text > include/cuda.h && touch bin/nvcc.profile && \
                  printf '#!/bin/sh\necho real $*\nif test \"$1\" = -arch; then cp k.ptx k.cubin; fi\n' > bin/nvcc && \
                  chmod +x bin/nvcc && PATH=$1/bin:$PATH exec $2 cuda -- sh -c 'nvcc --version; \
                  nvcc --cubin -arch sm_90 k.cu; cat $(dirname $(command -v nvcc))/../include/cuda.h'";
    let command = env!("CARGO_BIN_EXE_ptxf");
    let output = std::process::Command::new("sh").args(["-c", script, "sh", &file(""), command]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(out, "real --version\nreal -arch sm_90 k.cu -ptx -o k.cubin\ntext\n", "{err}");
    assert_eq!(std::fs::read(file("k.cubin")).unwrap(), ptxf_cuda::wrapped(KERNEL));
}
