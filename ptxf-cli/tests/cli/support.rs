//! Runs of the command.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The result of a run of `ptxf`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns the command with arguments.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxf"));
    command.args(args).stdin(Stdio::null());
    // The variables of a test run, such as PTXF_STRICT, are unknown to the command.
    let variables = std::env::vars_os().map(|(name, _)| name);
    variables.filter(|name| name.to_string_lossy().starts_with("PTXF_")).for_each(|name| _ = command.env_remove(name));
    command
}

/// Runs the command without input.
pub(crate) fn ptxf(args: &[&str]) -> Ran {
    ran(command(args).output().unwrap())
}

/// Runs `ptxf eval --batch`. The input is written while the output is read.
pub(crate) fn batch(input: impl AsRef<[u8]> + Send) -> Ran {
    let mut child = command(&["eval", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_ref()).unwrap());
        ran(child.wait_with_output().unwrap())
    })
}

pub(crate) fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
