//! `ptxf gemm`, against PyTorch's products on an H100.

use std::path::{Path, PathBuf};

use crate::support::command;

const A: &[u8] = include_bytes!("../../../tests/matrix/data/gemm-a.bin");
const B: &[u8] = include_bytes!("../../../tests/matrix/data/gemm-b.bin");

/// Writes an array to a file for the test `name`.
fn array(name: &str, descr: &str, shape: [usize; 2], bytes: &[u8]) -> PathBuf {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}, {}), }}", shape[0], shape[1]);
    let path = std::env::temp_dir().join(format!("ptxf-gemm-{}-{name}.npy", std::process::id()));
    let length = (header.len() as u16).to_le_bytes();
    std::fs::write(&path, [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), bytes].concat()).unwrap();
    path
}

/// Runs `ptxf gemm`. Returns the elements of the result, or the message.
fn gemm(a: &Path, b: &Path, options: &[&str]) -> Result<Vec<u8>, String> {
    let words = [&["gemm", a.to_str().unwrap(), b.to_str().unwrap()], options].concat();
    let ran = command(&words).output().unwrap();
    if !ran.status.success() {
        return Err(String::from_utf8(ran.stderr).unwrap());
    }
    let header = usize::from(u16::from_le_bytes([ran.stdout[8], ran.stdout[9]]));
    Ok(ran.stdout[10 + header..].to_vec())
}

#[test]
fn products_are_pytorchs() {
    let (a, b) = (array("a", "<f4", [64, 1024], A), array("b", "<f4", [1024, 64], B));
    let is = |options: &[&str], want: &[u8]| assert!(gemm(&a, &b, options).unwrap() == want, "{options:?}");
    is(&["--as", "sm_90", "--type", "f16", "--to", "f16"], include_bytes!("../../../tests/matrix/data/gemm-f16.bin"));
    is(
        &["--as", "sm_90a", "--type", "bf16", "--to", "bf16"],
        include_bytes!("../../../tests/matrix/data/gemm-bf16.bin"),
    );
    let fp8 = ["--as", "sm_90a", "--type", "e4m3", "--to", "bf16"];
    is(&fp8, include_bytes!("../../../tests/matrix/data/gemm-e4m3-fast.bin"));
    let promoted = include_bytes!("../../../tests/matrix/data/gemm-e4m3-promoted.bin");
    is(&[&fp8[..], &["--promote", "128"]].concat(), promoted);
    for path in [a, b] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn bits_values_and_transposed_matrices_are_read() {
    // 1.5 and −2 as bits of e4m3, and 2 and 0.5 as f16, which are two columns of B.
    let a = array("bits", "|u1", [1, 2], &[0x3c, 0xc0]);
    let halves: Vec<u8> = [0x4000_u16, 0x3800, 0x3c00, 0xbc00].iter().flat_map(|h| h.to_le_bytes()).collect();
    let b = array("halves", "<f2", [2, 2], &halves);
    let options = ["--as", "sm_90", "--type", "e4m3", "--transposed-b", "--alpha", "-2"];
    let found = gemm(&a, &b, &options).unwrap();
    let want = [1.5_f32 * 2.0 - 2.0 * 0.5, 1.5 + 2.0].map(|x| -2.0 * x);
    assert_eq!(found, want.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
    let narrow = array("narrow", "<f2", [2, 1], &halves[..4]);
    for (a, b, options, what) in [
        (
            &b,
            &a,
            ["--as", "sm_90", "--type", "f16"],
            "its elements are `|u1`: values are `<f4` or `<f2`, and the bits of .f16 are `u2`",
        ),
        (
            &a,
            &b,
            ["--as", "sm_80", "--type", "e4m3"],
            "the matrix unit of sm_80 does not multiply e4m3 by e4m3 into f32",
        ),
        (&a, &b, ["--as", "sm_20", "--type", "e4m3"], "sm_20 is no target with a known matrix unit"),
        (&narrow, &b, ["--as", "sm_90", "--type", "f16"], "rows of 1 elements cannot be multiplied by columns of 2"),
    ] {
        let error = gemm(a, b, &options).unwrap_err();
        assert!(error.contains(what), "{error}");
    }
    for path in [a, b, narrow] {
        std::fs::remove_file(path).unwrap();
    }
}
