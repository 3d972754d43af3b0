//! Builds the README's program as a user would publish it: packaged, and unpacked elsewhere. The
//! build writes only to its target directory.
//!
//! Cargo finds packages that write into their sources, or that lack files, only when it verifies
//! them against a registry. The libraries are in no registry, so that a patch replaces them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use oracle::outside;
use ptxf_build::Toolchain;

const README: &str = include_str!("../README.md");
const CRATES: [(&str, &str); 7] = [
    ("ptxf", ""),
    ("ptxf-build", "ptxf-build"),
    ("ptxf-core", "ptxf-core"),
    ("ptxf-macros", "ptxf-macros"),
    ("ptxf-spec", "ptxf-spec"),
    ("ptxf-tables", "ptxf-tables"),
    ("ptxf-text", "ptxf-text"),
];

/// Returns the README's files. A block of code begins with the name of its file.
fn files() -> BTreeMap<&'static str, &'static str> {
    let blocks = README.split("\n```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    blocks.filter_map(|(_, text)| Some((text.lines().next()?.trim_start_matches(['/', '#', ' ']), text))).collect()
}

/// Returns the contents of a directory.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in directory.read_dir().unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(contents(&entry.path()));
        } else {
            found.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Runs a command and returns its output.
fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}\n{said}");
    format!("{}{said}", String::from_utf8_lossy(&stdout))
}

#[test]
#[ignore = "compiles other crates: `.ci/run crates`"]
fn the_readmes_program_is_built_from_its_package() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxf-build-publish");
    let _ = fs::remove_dir_all(place.join("my-program"));
    let _ = fs::remove_dir_all(place.join("my-program-0.1.0"));
    let program = place.join("my-program");
    let files = files();
    assert_eq!(files.keys().collect::<Vec<_>>(), [&"Cargo.toml", &"build.rs", &"src/kernels.rs", &"src/main.rs"]);
    fs::create_dir_all(program.join("src")).unwrap();
    for (name, text) in files {
        // A workspace of its own, since a manifest is above this directory.
        let root = if name == "Cargo.toml" { "\n[workspace]\n" } else { "" };
        fs::write(program.join(name), format!("{text}{root}")).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let patch = CRATES.map(|(name, directory)| format!("{name} = {{ path = {:?} }}\n", root.join(directory))).concat();
    fs::create_dir_all(place.join(".cargo")).unwrap();
    fs::write(place.join(".cargo/config.toml"), format!("[patch.crates-io]\n{patch}")).unwrap();
    // The versions of this build, which are downloaded already.
    fs::copy(root.join("Cargo.lock"), program.join("Cargo.lock")).unwrap();

    succeed(&mut outside::cargo(&program, "package --quiet --allow-dirty --no-verify --exclude-lockfile --offline"));
    let package = outside::target().join("package/my-program-0.1.0.crate");
    succeed(Command::new("tar").arg("-xmzf").arg(&package).current_dir(&place));
    let unpacked = place.join("my-program-0.1.0");
    assert!(unpacked.join("src/kernels.rs").is_file(), "{:?}", contents(&unpacked).keys());

    // Cargo leaves the `[workspace]` line out of a package.
    let manifest = fs::read_to_string(unpacked.join("Cargo.toml")).unwrap();
    fs::write(unpacked.join("Cargo.toml"), manifest + "\n[workspace]\n").unwrap();

    // An installation has a lock of its own, and uses neither the network nor other versions.
    fs::copy(root.join("Cargo.lock"), unpacked.join("Cargo.lock")).unwrap();
    succeed(&mut outside::cargo(&unpacked, "update --quiet --workspace --offline"));
    let before = contents(&unpacked);
    let said = succeed(&mut outside::cargo(&unpacked, "run --quiet --locked --offline"));
    assert!(contents(&unpacked) == before, "the build changed its sources");
    assert!(said.contains("\n2.5"), "{said}");
    match Toolchain::find() {
        Ok(_) => assert!(said.contains("PTX for sm_75: [\"axpy_f32\", \"axpy_pair\", \"axpy_scalar\"]"), "{said}"),
        Err(none) => {
            assert!(env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {none}");
            assert!(said.contains("no kernels for a device: no compiler for nvptx64"), "{said}");
            eprintln!("skipped: the kernels of the package were not compiled for a device: {none}");
        }
    }
}
