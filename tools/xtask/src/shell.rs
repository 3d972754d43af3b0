//! Other programs as child processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

/// The workspace's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lies in the workspace")
}

/// Cargo's target directory. A relative one is taken from the workspace.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns a command in the workspace, without this run of Cargo's variables.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || matches!(&*name, "CARGO" | "CARGO_MANIFEST_DIR" | "CARGO_MANIFEST_PATH") {
            command.env_remove(&*name);
        }
    }
    command
}

/// Returns the command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let set = set.map(|(name, value)| format!("{}={}", name.display(), quoted(&value.to_string_lossy())));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    set.chain(words.map(|w| quoted(&w.to_string_lossy()))).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./,:+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

/// Runs a command with this process's output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().with_context(|| shown(command))?;
    ensure!(status.success(), "{}: {status}", shown(command));
    Ok(())
}

/// Returns a command's output. `None` if the command is missing or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command that may hang, such as a download, with a time limit.
pub(crate) fn run_for(limit: Duration, command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| shown(command))?;
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "{}: {status}", shown(command));
            return Ok(());
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("{}: not done after {} s", shown(command), limit.as_secs());
        }
        sleep(Duration::from_millis(50));
    }
}

/// Returns `true` if a skipped check is a failure.
pub(crate) fn is_strict() -> bool {
    std::env::var_os("PTXF_STRICT").is_some_and(|v| v == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let mut command = command("cargo", &["doc", "--cfg", "a b"]);
        command.env("RUSTDOCFLAGS", "-D warnings").env_remove("RUSTC");
        assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo doc --cfg 'a b'");
    }

    #[test]
    fn what_hangs_is_ended() {
        let error = run_for(Duration::from_millis(100), &mut command("sleep", &["60"])).unwrap_err();
        assert_eq!(error.to_string(), "sleep 60: not done after 0 s");
    }
}
