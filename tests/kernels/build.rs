//! Writes the kernels that nobody wrote: as many as `PTXF_KERNELS=seed:count` says, or 30 of one seed.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
    let asked = std::env::var("PTXF_KERNELS").unwrap_or_else(|_| "1592590337:30".to_owned());
    let numbers = asked.split_once(':').and_then(|(seed, count)| Some((seed.parse().ok()?, count.parse().ok()?)));
    let Some((seed, count)) = numbers else {
        panic!("PTXF_KERNELS is `{asked}`: write a seed and a number of kernels, `7:40`");
    };
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    let file = Path::new(&folder).join("generated.rs");
    std::fs::write(file, testutil::kernels::generate(seed, count)).expect("the folder is Cargo's own");
}
