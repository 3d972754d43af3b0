//! Writes the kernels that are compiled besides the handwritten ones, so that their versions are
//! compared with `threads`: generated kernels, and those of documentation, tests and examples.
//!
//! Compiling kernels takes most of the time of the workspace's tests. So by default few kernels are
//! generated, those of examples are left out, and the others are in f16 alone, whose vectors have
//! the most code of their own. `PTXF_TESTS=long`, as in CI, takes all kernels in all formats.
//! `PTXF_KERNELS=seed:first:count` generates these kernels, omits those of documentation, tests and
//! examples, and leaves the formats at f16. `PTXF_KERNELS=FILE` reads the kernels' tapes from a
//! file.

mod print;

use std::path::Path;

use oracle::found;
use oracle::kernels::Which;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rustc-check-cfg=cfg(only_generated, few_formats)");
    let which = Which::asked();
    write("generated.rs", &oracle::kernels::module(&which.samples));
    let found = if which.named { Vec::new() } else { found::all(which.long) };
    write("found.rs", &found.iter().map(|m| print::module(m, false)).collect::<String>());
    // Kernels in bf16 and f32 have no code of their own but roundings, which the tests of slices
    // compare.
    if !which.long {
        println!("cargo::rustc-cfg=few_formats");
    }
    let here = found::here().into_iter().filter(|m| which.long || m.pair == "F16x2");
    write("here.rs", &here.map(|m| print::module(&m, true)).collect::<String>());
}

fn write(name: &str, text: &str) {
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    std::fs::write(Path::new(&folder).join(name), text).expect("the folder is Cargo's own");
}
