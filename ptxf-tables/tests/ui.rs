//! What the compiler says about mistakes in `unary_table!`.
//!
//! `TRYBUILD=overwrite cargo test -p ptxf-tables --test ui` writes the expectations; read the difference before it is
//! committed.

#[test]
fn ui() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
