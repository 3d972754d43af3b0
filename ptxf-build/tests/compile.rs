//! Compiles crates as a build script does. Without a compiler for devices, the tests are skipped
//! with a message.

use std::path::{Path, PathBuf};

use ptxf_build::{Error, Target, Toolchain, entries};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the directory of `cargo xtask ptx`, so that the core library is built once.
fn target_dir(toolchain: &Toolchain) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("nvptx").join(toolchain.number())
}

/// Returns the compiler. Returns `None` with a message if there is none.
fn toolchain() -> Option<Toolchain> {
    match Toolchain::find() {
        Ok(toolchain) => Some(toolchain),
        Err(none) => {
            assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {none}");
            eprintln!("skipped: {none}");
            None
        }
    }
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn a_crate_becomes_one_file_with_its_entries_and_sources() {
    let Some(toolchain) = toolchain() else { return };
    let krate = root().join("probes/user");
    let compiled = toolchain.compile(&krate, &Target::new("sm_75"), &[], &target_dir(&toolchain)).unwrap();
    let ptx = std::fs::read_to_string(&compiled.file).unwrap();
    assert!(ptx.contains(".target sm_75") && ptx.contains("mul.rn.f16x2"));
    let mut names = entries(&ptx).unwrap();
    names.sort();
    assert_eq!(names, ["gate", "gate_is_native", "layer"]);
    let has = |end: &str| compiled.sources.iter().any(|file| file.ends_with(end));
    assert!(has("user/src/lib.rs") && has("ptxf-core/src/lib.rs"), "{:?}", compiled.sources);

    // The crate is fresh, but the file is missing.
    std::fs::remove_file(&compiled.file).unwrap();
    toolchain.compile(&krate, &Target::new("sm_75"), &[], &target_dir(&toolchain)).unwrap();
    assert!(compiled.file.is_file());
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn a_lock_is_asked_for_and_the_compilers_words_are_in_the_error() {
    let Some(toolchain) = toolchain() else { return };
    let krate = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxf-build-broken");
    std::fs::create_dir_all(krate.join("src")).unwrap();
    let manifest = "[package]\nname = \"broken-kernels\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    std::fs::write(krate.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(krate.join("src/lib.rs"), "#![no_std]\npub fn kernel() -> u32 {\n    no_such_value\n}\n").unwrap();
    let lock = krate.join("Cargo.lock");
    let _ = std::fs::remove_file(&lock);
    let error = toolchain.compile(&krate, &Target::new("sm_75"), &[], &target_dir(&toolchain)).unwrap_err();
    assert!(matches!(error, Error::NoLock(_)), "{error}");
    assert!(error.to_string().contains("cargo generate-lockfile") && !lock.exists(), "{error}");

    std::fs::write(&lock, "version = 4\n\n[[package]]\nname = \"broken-kernels\"\nversion = \"0.0.0\"\n").unwrap();
    let error = toolchain.compile(&krate, &Target::new("sm_75"), &[], &target_dir(&toolchain)).unwrap_err();
    assert!(matches!(error, Error::Compile { .. }));
    // `main` of a build script prints this.
    let shown = format!("{error:?}");
    assert!(shown.contains("cannot find value `no_such_value`") && shown.contains("src/lib.rs:3"), "{shown}");
    assert!(shown.contains("does not compile for sm_75"), "{shown}");
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn a_target_that_nobody_has_is_refused_before_anything_is_compiled() {
    let Some(toolchain) = toolchain() else { return };
    let krate = root().join("probes/user");
    let error = toolchain.compile(&krate, &Target::new("sm_12345"), &[], &target_dir(&toolchain)).unwrap_err();
    let shown = error.to_string();
    assert!(shown.contains("offers no target `sm_12345`") && shown.contains("sm_90"), "{shown}");
}
