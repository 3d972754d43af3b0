//! Kernels, expanded and launched: `scalar` leaves the bits of a plain loop, every other sibling those of `scalar`, and all
//! touch the same elements.
#![cfg(test)]

mod float;
mod harness;

mod arrays;
mod divergence;
mod functions;
#[rustfmt::skip]
mod generated;
mod grids;
mod integers;
mod loops;
mod offsets;
mod precision;

/// The seed of `generated.rs`, and how many kernels it has.
const GENERATED: (u64, usize) = (0x5EED_0001, 30);

#[test]
fn generated_kernels_are_those_of_the_seed() {
    let want = testutil::kernels::generate(GENERATED.0, GENERATED.1);
    if std::env::var_os("PTXF_BLESS").is_some_and(|v| v == "1") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/generated.rs"), &want)
            .expect("the file can be written");
        return;
    }
    assert!(
        include_str!("generated.rs") == want,
        "the generator changed: PTXF_BLESS=1 cargo test -p kernels writes the file"
    );
}
