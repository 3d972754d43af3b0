//! Writes the kernels that nobody wrote: those that `PTXF_KERNELS=seed:first:count` says, or 40 of one seed.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
    let asked = std::env::var("PTXF_KERNELS").unwrap_or_else(|_| "1592590337:0:40".to_owned());
    let numbers: Option<Vec<u64>> = asked.split(':').map(|number| number.parse().ok()).collect();
    let Some([seed, first, count]) = numbers.as_deref() else {
        panic!("PTXF_KERNELS is `{asked}`: write a seed, the number of the first kernel and how many, `7:0:40`");
    };
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    let file = Path::new(&folder).join("generated.rs");
    std::fs::write(file, testutil::kernels::generate(*seed, *first as usize, *count as usize))
        .expect("the folder is Cargo's own");
}
