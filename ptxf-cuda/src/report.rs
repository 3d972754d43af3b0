//! What is said on the standard error, and in the file that `PTXF_REPORT` names.

use std::fmt::Write as _;
use std::io::Write as _;

use ptxf_vm::Fault;

use crate::failure::Code;
use crate::settings;

/// Says something on the standard error; if it is closed, nobody hears it.
pub(crate) fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "ptxf-vm: {what}");
}

/// A kernel's fault, in words and as a line of the report.
pub(crate) fn fault(fault: &Fault, code: Code) {
    say(&format!("{}: {fault}", code.name().to_string_lossy()));
    line(&json(fault, code));
}

/// What a context left behind.
pub(crate) fn left(device: usize, allocations: usize, bytes: u64, events: usize, streams: usize) {
    say(&format!(
        "a context of device {device} ended: {allocations} allocations ({bytes} bytes), {events} events and {streams} streams left"
    ));
    line(&format!(
        "{{\"event\":\"context ended\",\"device\":{device},\"allocations\":{allocations},\"bytes\":{bytes},\"events\":{events},\"streams\":{streams}}}"
    ));
}

/// Appends a line to the report, if there is one.
fn line(text: &str) {
    let Some(path) = settings::get().and_then(|s| s.report.as_ref()) else { return };
    let append = || writeln!(std::fs::OpenOptions::new().create(true).append(true).open(path)?, "{text}");
    if let Err(error) = append() {
        say(&format!("PTXF_REPORT={}: {error}", path.display()));
    }
}

fn json(fault: &Fault, code: Code) -> String {
    let mut out = "{\"event\":\"fault\"".to_owned();
    let mut text = |key: &str, value: &str| _ = write!(out, ",\"{key}\":{}", quoted(value));
    text("code", &code.name().to_string_lossy());
    text("kind", &format!("{:?}", fault.kind()));
    text("what", fault.what());
    if let Some(kernel) = fault.kernel() {
        text("kernel", kernel);
        text("instruction", fault.instruction().unwrap_or_default());
    }
    if let Some((file, _)) = fault.source() {
        text("file", file);
    }
    let list = |[x, y, z]: [u32; 3]| format!("[{x},{y},{z}]");
    if let (Some(block), Some(thread)) = (fault.block(), fault.thread()) {
        let _ = write!(out, ",\"block\":{},\"thread\":{},\"ptx_line\":{}", list(block), list(thread), fault.line());
    }
    if let Some((_, line)) = fault.source() {
        let _ = write!(out, ",\"line\":{line}");
    }
    out + "}"
}

/// As JSON has a text.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_json_has_them() {
        assert_eq!(quoted("a\"b\\c\nd\té"), "\"a\\\"b\\\\c\\u000ad\\u0009é\"");
    }
}
