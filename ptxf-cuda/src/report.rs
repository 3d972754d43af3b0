//! Messages on standard error, and lines of JSON in the file that `PTXF_REPORT` names.

use std::ffi::c_int;
use std::io::Write as _;

use ptxf_vm::{Exactness, Fault, Fidelity, FormCount, Report};
use serde::Serialize;

use crate::failure::{Code, Done, Failure};
use crate::faults::Faults;
use crate::settings;

/// A line of the report.
#[derive(Serialize)]
#[serde(tag = "event")]
enum Event<'a> {
    /// A fault of a kernel.
    #[serde(rename = "fault")]
    Fault {
        code: &'a str,
        kind: String,
        what: &'a str,
        #[serde(flatten)]
        kernel: Option<Kernel<'a>>,
        #[serde(flatten)]
        thread: Option<Thread>,
        #[serde(flatten)]
        source: Option<Source<'a>>,
    },
    /// The faults that `PTXF_VM_FAULTS` requests.
    #[serde(rename = "faults")]
    Faults { faults: String },
    /// The end of a context, with what it has not freed.
    #[serde(rename = "context ended")]
    ContextEnded(Left),
    /// The executed instructions of threads by exactness, when the process ends.
    #[serde(rename = "fidelity")]
    Fidelity { exact: u64, modelled: u64, bounded: u64, forms: Vec<Form> },
    /// A finding of a check.
    #[serde(rename = "report")]
    Report {
        kind: &'a str,
        what: &'a str,
        count: u64,
        #[serde(flatten)]
        thread: Thread,
        #[serde(flatten)]
        source: Option<Source<'a>>,
    },
}

#[derive(Serialize)]
struct Form {
    form: String,
    exactness: &'static str,
    lanes: u64,
}

#[derive(Serialize)]
struct Kernel<'a> {
    kernel: &'a str,
    instruction: &'a str,
}

#[derive(Serialize)]
struct Thread {
    block: [u32; 3],
    thread: [u32; 3],
    ptx_line: usize,
}

#[derive(Serialize)]
struct Source<'a> {
    source: &'a str,
    source_line: u32,
}

impl<'a> Source<'a> {
    fn of((source, source_line): (&'a str, u32)) -> Self {
        Self { source, source_line }
    }
}

/// The objects that a context has not freed.
#[derive(Debug, Serialize)]
pub(crate) struct Left {
    pub(crate) device: usize,
    pub(crate) allocations: usize,
    pub(crate) bytes: u64,
    pub(crate) events: usize,
    pub(crate) streams: usize,
}

/// Prints a message to standard error. An error there cannot be reported anywhere.
pub(crate) fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "ptxf-vm: {message}");
}

/// Runs the body of an exported function and returns its code. A failure's message is printed, and
/// a panic is caught.
pub(crate) fn code(function: &str, work: impl FnOnce() -> Done) -> c_int {
    let code = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(Ok(())) => Code::Success,
        Ok(Err(Failure { code, what })) => {
            if let Some(what) = what {
                say(&format!("{function}: {what}"));
            }
            code
        }
        Err(_) => {
            say(&format!("{function} panicked, which is an error in ptxf-vm"));
            Code::Unknown
        }
    };
    code as c_int
}

/// Reports a fault of a kernel.
pub(crate) fn fault(fault: &Fault, code: Code) {
    let code = code.name().to_string_lossy();
    say(&format!("{code}: {fault}"));
    let place = fault.block().zip(fault.thread());
    line(&Event::Fault {
        code: &code,
        kind: format!("{:?}", fault.kind()),
        what: fault.what(),
        kernel: fault.kernel().map(|kernel| Kernel { kernel, instruction: fault.instruction().unwrap_or_default() }),
        thread: place.map(|(block, thread)| Thread { block, thread, ptx_line: fault.line() }),
        source: fault.source().map(Source::of),
    });
}

/// Reports that the device is wrong on request, so that nobody relies on its results.
pub(crate) fn faults(faults: &Faults) {
    say(&format!("the device is wrong on purpose: PTXF_VM_FAULTS={faults}"));
    line(&Event::Faults { faults: faults.to_string() });
}

/// Reports what a context has not freed when it ends.
pub(crate) fn left(left: Left) {
    let Left { device, allocations, bytes, events, streams } = left;
    say(&format!(
        "a context of device {device} ended: {allocations} allocations ({bytes} bytes), {events} events and {streams} streams left"
    ));
    line(&Event::ContextEnded(left));
}

/// Reports the exactness of the executed instructions.
pub(crate) fn fidelity(fidelity: &Fidelity) {
    say(&format!("report: {fidelity}"));
    let form = |count: FormCount| Form { form: count.form, exactness: count.exactness.name(), lanes: count.lanes };
    line(&Event::Fidelity {
        exact: fidelity.lanes(Exactness::Exact),
        modelled: fidelity.lanes(Exactness::Modelled),
        bounded: fidelity.lanes(Exactness::Bounded),
        forms: fidelity.forms().map(form).collect(),
    });
}

/// Reports a finding of a check.
pub(crate) fn found(report: &Report) {
    let kind = report.kind().name();
    say(&format!("{}: {report}", if report.is_remark() { "remark" } else { kind }));
    line(&Event::Report {
        kind,
        what: report.what(),
        count: report.count(),
        thread: Thread { block: report.block(), thread: report.thread(), ptx_line: report.line() },
        source: report.source().map(Source::of),
    });
}

/// Appends a line to the report, if there is one.
fn line(event: &Event<'_>) {
    let Some(path) = settings::get().and_then(|s| s.report.as_ref()) else { return };
    let append = || {
        let line = serde_json::to_string(event)?;
        writeln!(std::fs::OpenOptions::new().create(true).append(true).open(path)?, "{line}")
    };
    if let Err(error) = append() {
        say(&format!("PTXF_REPORT={}: {error}", path.display()));
    }
}
