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
    assert_eq!((ran.code, &lines[..2], ran.err.as_str()), (Some(3), &["libcuda.so", "libcuda.so.1"][..], "--x\n"));
    let library = std::path::Path::new(lines[2]);
    assert!(library.is_file() && library.ends_with("libptxf_cuda.so"), "{}", ran.out);
    // Without the hyphens too, and a signal is told as a shell tells it.
    assert_eq!(ptxf(&["cuda", "sh", "-c", "kill -9 $$"]).code, Some(137));
}

#[test]
fn what_cannot_be_run_is_named() {
    let ran = ptxf(&["cuda", "--", "./no-such-program"]);
    assert!(ran.code == Some(1) && ran.err.starts_with("error: ./no-such-program: "), "{}", ran.err);
    let ran = ptxf(&["cuda", "--library", "/no/library.so", "--", "true"]);
    assert!(ran.code == Some(1) && ran.err.starts_with("error: /no/library.so: "), "{}", ran.err);
    assert_eq!(ptxf(&["cuda"]).code, Some(2));
}
