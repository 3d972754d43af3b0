//! `ptxf-gpu`, in the repository `cargo gpu`: compares the library with a GPU, records what silicon
//! returns, and makes device models of the records. docs/device.md says how to run it.
//!
//! The program is copied to machines that have an NVIDIA driver and neither toolchain nor sources.
//!
//! ```text
//! command ─► compare ─ operands, tally ──┐
//!         ─► capture ─ samples, oob,     ├─► runner ─► device ─► cudarc   PTX: a kernel per form
//!         │            questions ────────┘      └────► store ─ manifest   a folder per device
//!         ─► kernels ─ launch                                             PTX: whole kernels
//!         ─► verify, adopt ─ evidence                                     the folder, read again
//!         ─► model ─ fit, sweep, source                                   adopted folders
//! ```

use std::process::ExitCode;

mod capture;
mod command;
mod compare;
mod deadline;
mod device;
mod evidence;
mod forms;
mod kernels;
mod manifest;
mod model;
mod operands;
mod probes;
mod ptx;
mod runner;
mod samples;
mod store;
mod table;
mod tally;

fn main() -> ExitCode {
    command::run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
