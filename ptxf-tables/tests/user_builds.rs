//! Builds of users: a table of their own outside of this workspace, and no table without its
//! feature.
//!
//! Both run Cargo, offline.

use std::path::Path;

use object::{Object, ObjectSection, SectionKind};
use oracle::outside;
use ptxf_tables::device::Model;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn cargo(directory: &Path, words: &str, more: &[&str]) {
    let mut command = outside::cargo(directory, words);
    let status = command.args(["--offline", "--quiet"]).args(more).status().expect("cargo runs");
    assert!(status.success(), "{command:?}: {status}");
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn a_crate_outside_has_its_own_table() {
    let custom = root().join("tests/crates/custom");
    // The versions that are downloaded already.
    std::fs::copy(root().join("../Cargo.lock"), custom.join("Cargo.lock")).expect("the workspace's lock file");
    cargo(&custom, "test", &[]);
}

/// Returns the sizes of read-only and of writable data in the crate's object file, in bytes.
fn data(features: &str) -> (u64, u64) {
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tables {features}.o"));
    let emit = format!("--emit=obj={}", object.display());
    cargo(root(), "rustc --lib", &["--features", features, "--", &emit, "-Ccodegen-units=1"]);

    let bytes = std::fs::read(object).expect("the object file");
    let file = object::File::parse(&*bytes).expect("an object file");
    let (mut read_only, mut other) = (0, 0);
    for section in file.sections() {
        let relocated = section.name().is_ok_and(|n| n.starts_with(".data.rel.ro"));
        match section.kind() {
            SectionKind::ReadOnlyData | SectionKind::ReadOnlyDataWithRel | SectionKind::ReadOnlyString => {
                read_only += section.size();
            }
            SectionKind::Data if relocated => read_only += section.size(),
            SectionKind::Data | SectionKind::UninitializedData => other += section.size(),
            _ => {}
        }
    }
    (read_only, other)
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn a_feature_is_its_table_and_nothing_else() {
    const TABLES: [&str; 4] = ["ex2-approx-f16", "ex2-approx-ftz-bf16", "tanh-approx-f16", "tanh-approx-bf16"];
    const TABLE: u64 = 128 * 1024;
    // The data of a device: differences of four dumps, coefficients, provenance.
    const DEVICE: u64 = 32 * 1024;
    // Messages of panics and the like.
    const REST: u64 = 8 * 1024;
    // A pointer for the unwinder.
    const OTHER: u64 = 64;
    let (none, _) = data("");
    let devices = Model::available().iter().filter(|model| **model != Model::Reference).count() as u64;
    assert!(none < REST + devices * DEVICE, "{none} bytes without a feature, {devices} devices");
    for feature in TABLES {
        let (read_only, other) = data(feature);
        println!("{feature}: {read_only} bytes read-only, {other} other");
        assert!((TABLE..TABLE + REST).contains(&(read_only - none)), "{feature}: {read_only} bytes, {none} without it");
        assert!(other < OTHER, "{feature}: {other} bytes that can be written to");
    }
    let (all, other) = data(&TABLES.join(" "));
    assert!((4 * TABLE..4 * TABLE + REST).contains(&(all - none)), "{all} bytes with every feature");
    assert!(other < OTHER, "{other} bytes that can be written to");
}
