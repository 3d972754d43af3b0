//! What users' builds get: a table of their own outside of this workspace, and no table that they did not ask for.
//!
//! Both run cargo, offline, in a target directory of their own.

use std::path::Path;
use std::process::Command;

use object::{Object, ObjectSection, SectionKind};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn cargo(arguments: &[&str], more: &[&str], directory: &Path, target: &Path) {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).args(["--offline", "--quiet"]).args(more);
    command.current_dir(directory).env("CARGO_TARGET_DIR", target);
    // What this build was told is no matter of that one.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let status = command.status().expect("cargo runs");
    assert!(status.success(), "{command:?}: {status}");
}

#[test]
fn a_crate_outside_has_its_own_table() {
    let custom = root().join("tests/crates/custom");
    // The versions that are here already.
    std::fs::copy(root().join("../Cargo.lock"), custom.join("Cargo.lock")).expect("the workspace's lock file");
    cargo(&["test"], &[], &custom, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside"));
}

/// Bytes of the crate's object file: read-only data, and data that is not.
fn data(features: &str) -> (u64, u64) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("size");
    let object = target.join(format!("tables {features}.o"));
    std::fs::create_dir_all(&target).expect("a target directory");
    let emit = format!("--emit=obj={}", object.display());
    cargo(&["rustc", "--lib", "--features", features], &["--", &emit, "-Ccodegen-units=1"], root(), &target);

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
fn a_feature_is_its_table_and_nothing_else() {
    const TABLES: [&str; 4] = ["ex2-approx-f16", "ex2-approx-ftz-bf16", "tanh-approx-f16", "tanh-approx-bf16"];
    const TABLE: u64 = 128 * 1024;
    // Messages of panics and the like.
    const REST: u64 = 8 * 1024;
    // A pointer for the unwinder.
    const OTHER: u64 = 64;
    let (none, _) = data("");
    assert!(none < REST, "{none} bytes without a feature");
    for feature in TABLES {
        let (read_only, other) = data(feature);
        println!("{feature}: {read_only} bytes read-only, {other} other");
        assert!((TABLE..TABLE + REST).contains(&read_only), "{feature}: {read_only} bytes");
        assert!(other < OTHER, "{feature}: {other} bytes that can be written to");
    }
    let (all, other) = data(&TABLES.join(" "));
    assert!((4 * TABLE..4 * TABLE + REST).contains(&all), "{all} bytes with every feature");
    assert!(other < OTHER, "{other} bytes that can be written to");
}
