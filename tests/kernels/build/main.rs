//! Writes the kernels that nobody wrote: those that `PTXF_KERNELS=seed:first:count` says, or 40 of
//! one seed. And those that stand elsewhere, in the documentation, the tests and the examples, so
//! that their siblings are held against what they mean.

mod found;
mod print;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
    println!("cargo::rustc-check-cfg=cfg(only_generated, few_formats)");
    let asked = std::env::var("PTXF_KERNELS").unwrap_or_else(|_| "1592590337:0:40".to_owned());
    let numbers: Option<Vec<u64>> = asked.split(':').map(|number| number.parse().ok()).collect();
    let Some([seed, first, count]) = numbers.as_deref() else {
        panic!("PTXF_KERNELS is `{asked}`: write a seed, the number of the first kernel and how many, `7:0:40`");
    };
    write("generated.rs", &oracle::kernels::generate(*seed, *first as usize, *count as usize));
    // By themselves they take a minute to compile, which a run over many batches of the others does
    // once.
    let others = std::env::var_os("PTXF_KERNELS").is_none();
    let modules = if others { found::all().iter().map(|m| print::module(m, false)).collect() } else { String::new() };
    write("found.rs", &modules);
    // Under an emulator, which is given the numbers of its kernels too, vectors are tested. Those
    // of bf16 are f32's with a rounding, and the tests of slices compare that rounding; kernels
    // that are written out for these formats have none.
    if !others {
        println!("cargo::rustc-cfg=few_formats");
    }
    let here = found::here().into_iter().filter(|m| others || m.pair != "Bf16x2");
    write("here.rs", &here.map(|m| print::module(&m, true)).collect::<String>());
}

fn write(name: &str, text: &str) {
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    std::fs::write(Path::new(&folder).join(name), text).expect("the folder is Cargo's own");
}
