//! `cargo xtask wasm`: slices in WebAssembly's vectors, against this machine's.
//!
//! `probes/slices` prints a checksum of each slice function's results. It is built for this
//! machine, where it compares the CPU's levels, and for `wasm32-wasip1` with `simd128`. Both have
//! to print the same. The runtime is the package `wasmtime` of PyPI, a library for Python.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{probe, pypi, shell};

const TARGET: &str = "wasm32-wasip1";
/// Time limit of a download of some 30 MiB.
const LIMIT: Duration = Duration::from_secs(300);

/// Run every slice function in WebAssembly, and compare the results with this machine's.
///
/// Exits with status 3 if the target's library or the runtime is missing; with PTXF_STRICT=1 with
/// status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what is missing: Rust's target by rustup, the runtime from PyPI into target/wasmtime
    #[arg(long)]
    install: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let runtime = shell::target().join("wasmtime");
    if args.install {
        install(&runtime);
    }
    let missing: Vec<_> = [(TARGET, has_target()), ("wasmtime", has_runtime(&runtime))]
        .into_iter()
        .filter_map(|(name, here)| (!here).then_some(name))
        .collect();
    if !missing.is_empty() {
        let why = format!("missing: {}; get it with\n  cargo xtask wasm --install", missing.join(", "));
        if shell::is_strict() {
            bail!(why);
        }
        println!("SKIPPED: no slice was computed in WebAssembly: {why}");
        return Ok(ExitCode::from(3));
    }
    let mut cargo = shell::command("cargo", &[]);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128");
    let module = probe::build(cargo, Some(TARGET))?.with_extension("wasm");
    let mut python = shell::command("python3", &["-c", RUN]);
    probe::compare(python.env("PYTHONPATH", &runtime).arg(module), "WebAssembly")?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a module whose imports are WASI's.
const RUN: &str = "
import sys
import wasmtime
engine = wasmtime.Engine()
linker = wasmtime.Linker(engine)
linker.define_wasi()
store = wasmtime.Store(engine)
wasi = wasmtime.WasiConfig()
wasi.inherit_stdout()
wasi.inherit_stderr()
store.set_wasi(wasi)
module = wasmtime.Module.from_file(engine, sys.argv[1])
linker.instantiate(store, module).exports(store)['_start'](store)
";

/// Installs missing tools, and prints errors.
fn install(runtime: &Path) {
    let library = || shell::run_for(LIMIT, &mut shell::command("rustup", &["target", "add", TARGET]));
    let program = || pypi::unpack(LIMIT, &["wasmtime~=50.0"], runtime);
    let target = if has_target() { Ok(()) } else { library() };
    let wasmtime = if has_runtime(runtime) { Ok(()) } else { program() };
    [target, wasmtime].into_iter().filter_map(Result::err).for_each(|error| println!("{error:#}"));
}

fn has_target() -> bool {
    let folder = shell::output(&mut shell::command("rustc", &["--print", "target-libdir", "--target", TARGET]));
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

fn has_runtime(runtime: &Path) -> bool {
    let mut python = shell::command("python3", &["-c", "import wasmtime"]);
    shell::output(python.env("PYTHONPATH", runtime)).is_some()
}
