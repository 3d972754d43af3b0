//! Golden files of the compiler's errors about wrong uses of the macros.
//!
//! `TRYBUILD=overwrite cargo test -p messages --test ui` writes the expectations. Read the
//! difference before committing it. `-- ui trybuild=kernel/races` runs a single case.
//!
//! Code that must compile is a test of its own, `hygiene.rs`: without such code trybuild checks all
//! cases in one run of Cargo.

#[test]
fn ui() {
    let t = trybuild::TestCases::new();
    t.compile_fail("tests/ui/*.rs");
    t.compile_fail("tests/ui/kernel/*.rs");
    t.compile_fail("tests/ui/table/*.rs");
}
