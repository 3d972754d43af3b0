//! `cargo xtask miri`: the library's memory accesses under Miri.
//!
//! Miri finds undefined behaviour in executed code, and is some thousand times slower than the
//! test. So it runs the kernels' unit tests except for those that it ignores, and the tests of
//! `ptxf-core` whose first line marks them as small enough: slices, views and kernels of few
//! elements. As no other step has a nightly compiler, it also tests conversions of `f16`.

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};

use crate::rustup::Toolchain;
use crate::shell;

/// Run slices, views and kernels under Miri, at the portable level.
///
/// Exits with status 3 if there is no nightly toolchain with Miri; with PTXF_STRICT=1 with status
/// 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let rustup get a nightly with Miri, into target/rustup
    #[arg(long)]
    install: bool,
    /// Run only part I of N of the unit tests, such as 0/3
    #[arg(long, value_name = "I/N")]
    part: Option<String>,
}

/// The modules whose unit tests run.
const UNITS: [&str; 2] = ["kernel::", "impl_f16::"];

/// The flags by which the library has conversions of the language's `f16`.
const F16: &str = "--cfg ptxf_f16";

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(toolchain) = Toolchain::find("nightly", &["miri", "rust-src"], args.install) else {
        let why = "there is no nightly toolchain with Miri and rust-src; get one with\n  cargo xtask miri --install";
        if shell::is_strict() {
            bail!("{why}");
        }
        println!("SKIPPED: no memory access was looked at: {why}");
        return Ok(ExitCode::from(3));
    };
    println!("{}", toolchain.version().unwrap_or_default());
    let features = ["--features", "std,half,rayon,kernel-trace"];
    let test = [&["miri", "test", "--quiet", "--package", "ptxf-core"], &features[..]].concat();
    let small = small()?;
    let integration: Vec<&str> = small.iter().flat_map(|name| ["--test", name]).collect();
    let names = args.part.as_deref().map(|part| part_of_tests(&toolchain, &features, part)).transpose()?;
    let mut unit = vec!["--lib", "--"];
    match &names {
        Some(names) => unit.extend(["--exact"].into_iter().chain(names.iter().map(String::as_str))),
        None => unit.extend(UNITS),
    }
    for selection in [&unit[..], &integration] {
        let mut cargo = toolchain.cargo(&[&test, selection].concat());
        // rayon's threads never end. Its queues are sound under tree borrows only, and make
        // pointers of integers.
        let flags = "-Zmiri-ignore-leaks -Zmiri-tree-borrows -Zmiri-permissive-provenance";
        // A nightly compiler has `f16`.
        cargo.env("MIRIFLAGS", flags).env("RUSTFLAGS", F16);
        // Miri's own standard library. Another toolchain may be using the user's folder for it.
        cargo.env("XDG_CACHE_HOME", shell::target().join("miri-library"));
        shell::run(&mut cargo)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the names of every N-th unit test of kernels, from the I-th on.
fn part_of_tests(toolchain: &Toolchain, features: &[&str], part: &str) -> Result<Vec<String>> {
    let numbers = part.split_once('/').and_then(|(i, n)| Some((i.parse::<usize>().ok()?, n.parse::<usize>().ok()?)));
    let Some((index, count)) = numbers.filter(|(index, count)| index < count) else {
        bail!("--part is `{part}`: write I/N with I below N, such as 0/3");
    };
    // Miri's `cfg` decides which tests exist.
    let list =
        [&["miri", "test", "--quiet", "--package", "ptxf-core"], features, &["--lib", "--"], &UNITS, &["--list"]];
    let mut list = toolchain.cargo(&list.concat());
    list.env("RUSTFLAGS", F16).env("XDG_CACHE_HOME", shell::target().join("miri-library"));
    let text = shell::output(&mut list).context("the tests cannot be listed")?;
    let names = text.lines().filter_map(|line| line.strip_suffix(": test")).skip(index).step_by(count);
    let names: Vec<_> = names.map(str::to_owned).collect();
    println!("SAMPLED: part {part} of the unit tests, {} of them", names.len());
    ensure!(!names.is_empty(), "no unit test of kernels is in part {part}");
    Ok(names)
}

/// Returns the integration tests of `ptxf-core` whose first line marks them as small enough.
fn small() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in shell::root().join("ptxf-core/tests").read_dir()? {
        let file = entry?.path();
        let is_small = |text: String| text.lines().next().is_some_and(|line| line.contains("small enough for Miri"));
        if file.is_file() && is_small(std::fs::read_to_string(&file)?) {
            names.extend(file.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    ensure!(names.contains(&"memory".to_owned()), "no test says that it is small enough for Miri: {names:?}");
    Ok(names)
}
