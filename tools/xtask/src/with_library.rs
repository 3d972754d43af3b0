//! Commands that compare with the library or generate kernels, forwarded to a build with both.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::shell;

/// The forwarded arguments.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Arguments of that build's command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs it.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let name = std::env::args_os().nth(1).context("a command was run")?;
    let manifest = shell::root().join("Cargo.toml");
    let mut cargo = shell::command(
        "cargo",
        &["run", "--quiet", "--profile", "checks", "--package", "xtask", "--no-default-features"],
    );
    match number(&args.arguments, "--generated") {
        // Generated kernels are compiled for one thread with the command.
        Some(count) => {
            let seed = number(&args.arguments, "--seed").unwrap_or(1);
            cargo.args(["--features", "generated"]).env("PTXF_KERNELS", format!("{seed}:0:{count}"));
        }
        None => _ = cargo.args(["--features", if name == "kernels" { "kernels" } else { "library" }]),
    }
    cargo.arg("--manifest-path").arg(manifest).arg("--").arg(name).args(&args.arguments);
    // Paths among the arguments are relative to where the user is.
    let status = cargo.current_dir(std::env::current_dir()?).status().with_context(|| shell::shown(&cargo))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Returns the number of an option, which is an argument of its own or follows `=`. The build with
/// the library refuses other values.
fn number(arguments: &[OsString], option: &str) -> Option<u64> {
    let mut arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix(option) {
            Some("") => return arguments.next()?.parse().ok(),
            Some(rest) if rest.starts_with('=') => return rest[1..].parse().ok(),
            _ => {}
        }
    }
    None
}
