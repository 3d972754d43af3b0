//! Standard streams that fail: closed ones, full disks, readers that leave.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::support::command;

/// Every way to get an answer.
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

/// Runs the binary under a shell's redirections, with a line for the batch; its status and what it said.
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
        let closed = "error: cannot write to standard output: it is closed\n";
        assert_eq!(redirected(args, ">&-"), (Some(1), closed.to_owned()), "{args:?}");
        let (code, said) = redirected(args, ">/dev/full");
        assert!(
            code == Some(1) && said.starts_with("error: cannot write to standard output: No space"),
            "{args:?}: {said}"
        );
        // Whoever asks for nothing gets it.
        assert_eq!(redirected(args, ">/dev/null"), (Some(0), String::new()), "{args:?}");
        assert_eq!(redirected(args, "1<>/dev/null"), (Some(0), String::new()), "{args:?}");
        // With nobody to tell, the status still does.
        assert_eq!(redirected(args, ">/dev/full 2>&-"), (Some(1), String::new()), "{args:?}");
    }
    // What is wrong with the command line comes first.
    assert_eq!(redirected(&["nonsense"], ">&-").0, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn input_that_cannot_be_read_is_an_error() {
    let batch = &["eval", "--batch"];
    let closed = "error: cannot read standard input: it is closed\n";
    assert_eq!(redirected(batch, "<&-"), (Some(1), closed.to_owned()));
    let (code, said) = redirected(batch, "< /");
    assert!(code == Some(1) && said.starts_with("error: cannot read standard input: Is a directory"), "{said}");
    assert_eq!(redirected(batch, "< /dev/null"), (Some(0), String::new()));
    // What does not read does not care.
    assert_eq!(redirected(&["forms"], "<&- >/dev/null"), (Some(0), String::new()));
}

/// As a program that SIGPIPE ends: without a word, and with the status that a shell gives those.
#[test]
fn a_reader_that_leaves_is_told_by_the_status_alone() {
    for args in ANSWERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = command(args).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The pipe breaks here too, once the command has gone.
        let line = b"abs.f16 0xbc00\n".repeat(1000);
        while args.contains(&"--batch") && stdin.write_all(&line).is_ok() {}
        drop(stdin);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(141), ""), "{args:?}");
    }
}
