//! Standard streams that fail: full disks, and readers that close a pipe.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::support::command;

/// The commands that print something.
const ANSWERS: [&[&str]; 11] = [
    &["eval", "abs.f16", "-1"],
    &["eval", "--batch"],
    &["forms"],
    &["forms", "--tsv"],
    &["forms", "add"],
    &["explain", "min.f32"],
    &["--help"],
    &["--version"],
    &["eval", "--help"],
    &["forms", "-h"],
    &["help", "explain"],
];

/// Runs the command with redirections of a shell, with a line for the batch. Returns its status and
/// its messages.
#[cfg(target_os = "linux")]
fn redirected(args: &[&str], redirections: &str) -> (Option<i32>, String) {
    let script = format!("printf 'abs.f16 0xbc00\\n' | {{ \"$@\" {redirections}; }}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_ptxf")]).args(args).stdin(Stdio::null());
    let output = shell.output().unwrap();
    assert_eq!(output.stdout, b"", "{args:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_goes_nowhere_is_an_error() {
    for args in ANSWERS {
        let (code, said) = redirected(args, ">/dev/full");
        assert!(
            code == Some(1) && said.starts_with("error: cannot write to standard output: No space"),
            "{args:?}: {said}"
        );
        assert_eq!(redirected(args, ">/dev/null"), (Some(0), String::new()), "{args:?}");
        assert_eq!(redirected(args, "1<>/dev/null"), (Some(0), String::new()), "{args:?}");
        // Without standard error, the status still reports it.
        assert_eq!(redirected(args, ">/dev/full 2>&-"), (Some(1), String::new()), "{args:?}");
    }
    // A wrong command line is reported first.
    assert_eq!(redirected(&["nonsense"], ">/dev/full").0, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn input_that_cannot_be_read_is_an_error() {
    let batch = &["eval", "--batch"];
    let (code, said) = redirected(batch, "< /");
    assert!(code == Some(1) && said.starts_with("error: cannot read standard input: Is a directory"), "{said}");
    assert_eq!(redirected(batch, "< /dev/null"), (Some(0), String::new()));
}

/// The command ends like a program that SIGPIPE ends: it prints nothing, and has the status that a
/// shell reports.
#[test]
fn a_closed_pipe_is_reported_by_the_status_only() {
    for args in ANSWERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = command(args).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // Writing fails, too, when the command has ended.
        let line = b"abs.f16 0xbc00\n".repeat(1000);
        while args.contains(&"--batch") && stdin.write_all(&line).is_ok() {}
        drop(stdin);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(141), ""), "{args:?}");
    }
}
