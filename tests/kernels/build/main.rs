//! Writes the kernels that are compiled besides the handwritten ones, so that their versions are
//! compared with the interpreter: generated kernels, and those of documentation, tests and
//! examples.
//!
//! Compiling kernels takes most of the time of the workspace's tests. So by default few kernels are
//! generated, those of examples are left out, and the others are in f16 alone, whose vectors have
//! the most code of their own. `PTXF_TESTS=long`, as in CI, takes all kernels in all formats.
//! `PTXF_KERNELS=seed:first:count` generates these kernels, omits those of documentation, tests and
//! examples, and leaves the formats at f16.

mod found;
mod print;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
    println!("cargo::rerun-if-env-changed=PTXF_TESTS");
    println!("cargo::rustc-check-cfg=cfg(only_generated, few_formats)");
    let named = std::env::var("PTXF_KERNELS").ok();
    let long = named.is_none() && std::env::var_os("PTXF_TESTS").is_some_and(|tests| tests == "long");
    let kernels = named.as_deref().unwrap_or(if long { "1592590337:0:40" } else { "1592590337:0:8" });
    let numbers: Option<Vec<u64>> = kernels.split(':').map(|number| number.parse().ok()).collect();
    let Some([seed, first, count]) = numbers.as_deref() else {
        panic!("PTXF_KERNELS is `{kernels}`: write a seed, the number of the first kernel and how many, `7:0:40`");
    };
    write("generated.rs", &oracle::kernels::generate(*seed, *first as usize, *count as usize));
    let found = if named.is_none() { found::all(long) } else { Vec::new() };
    write("found.rs", &found.iter().map(|m| print::module(m, false)).collect::<String>());
    // Kernels in bf16 and f32 have no code of their own but roundings, which the tests of slices
    // compare.
    if !long {
        println!("cargo::rustc-cfg=few_formats");
    }
    let here = found::here().into_iter().filter(|m| long || m.pair == "F16x2");
    write("here.rs", &here.map(|m| print::module(&m, true)).collect::<String>());
}

fn write(name: &str, text: &str) {
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    std::fs::write(Path::new(&folder).join(name), text).expect("the folder is Cargo's own");
}
