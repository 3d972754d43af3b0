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
    assert_eq!(lines[..3], ["libcuda.so", "libcuda.so.1", "libptxf_cuda.so"]);
    let library = std::path::Path::new(lines[3]);
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
