//! What the compiler says about wrong uses of the macros.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the expectations; read the difference before it is committed.

#[test]
fn ui() {
    let t = trybuild::TestCases::new();
    t.compile_fail("tests/ui/*.rs");
    t.compile_fail("tests/ui/kernel/*.rs");
    t.pass("tests/ui/pass/*.rs");
}
