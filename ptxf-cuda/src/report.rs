//! What is said on the standard error, and in the file that `PTXF_REPORT` names.

use std::fmt::Display;
use std::io::Write as _;

use ptxf_vm::json::Object;
use ptxf_vm::{Fault, Report};

use crate::failure::Code;
use crate::faults::Faults;
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

/// That nobody shall believe the device.
pub(crate) fn faults(faults: &Faults) {
    say(&format!("the device is wrong on purpose: PTXF_VM_FAULTS={faults}"));
    line(&Object::default().text("event", "faults").text("faults", &faults.to_string()));
}

/// What a context left behind.
pub(crate) fn left(device: usize, allocations: usize, bytes: u64, events: usize, streams: usize) {
    say(&format!(
        "a context of device {device} ended: {allocations} allocations ({bytes} bytes), {events} events and {streams} streams left"
    ));
    let object = Object::default().text("event", "context ended").plain("device", device);
    let object = object.plain("allocations", allocations).plain("bytes", bytes);
    line(&object.plain("events", events).plain("streams", streams));
}

/// Appends a line to the report, if there is one.
fn line(text: &impl Display) {
    let Some(path) = settings::get().and_then(|s| s.report.as_ref()) else { return };
    let append = || writeln!(std::fs::OpenOptions::new().create(true).append(true).open(path)?, "{text}");
    if let Err(error) = append() {
        say(&format!("PTXF_REPORT={}: {error}", path.display()));
    }
}

/// What a check found, in words and as a line of the report.
pub(crate) fn found(report: &Report) {
    let kind = report.kind().name();
    say(&format!("{}: {report}", if report.is_remark() { "remark" } else { kind }));
    let object = Object::default().text("event", "report").text("kind", kind).text("what", report.what());
    let object = object.plain("count", report.count()).list("block", report.block()).list("thread", report.thread());
    line(&object.plain("ptx_line", report.line()).source(report.source()));
}

fn json(fault: &Fault, code: Code) -> Object {
    let mut object = Object::default().text("event", "fault").text("code", &code.name().to_string_lossy());
    object = object.text("kind", &format!("{:?}", fault.kind())).text("what", fault.what());
    if let Some(kernel) = fault.kernel() {
        object = object.text("kernel", kernel).text("instruction", fault.instruction().unwrap_or_default());
    }
    if let (Some(block), Some(thread)) = (fault.block(), fault.thread()) {
        object = object.list("block", block).list("thread", thread).plain("ptx_line", fault.line());
    }
    object.source(fault.source())
}
