//! What the compiler says about wrong uses of the macros.
//!
//! `TRYBUILD=overwrite cargo test -p messages --test ui` writes the expectations; read the difference before it is committed.
//!
//! What has to compile is a test of its own, `hygiene.rs`: without it trybuild checks all cases in one run of Cargo.

#[test]
fn ui() {
    let t = trybuild::TestCases::new();
    t.compile_fail("tests/ui/*.rs");
    t.compile_fail("tests/ui/kernel/*.rs");
    t.compile_fail("tests/ui/table/*.rs");
}
