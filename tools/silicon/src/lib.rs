//! A GPU asked: whether it returns what the library does, what it returns where the manual leaves that open, how fast it is.
//! docs/device.md says how to run it where there is one.
//!
//! It is a program of its own, `ptxf-gpu`, because it is carried to machines that have an NVIDIA driver and nothing else: no
//! toolchain, no sources. The library half of it is what else reads the folders of results: `model`, which makes device models
//! of them, back at the sources.
//!
//! ```text
//! command ─► compare ─ operands, judge ─┐
//!         ─► capture ─ plan, questions ─┼─► runner ─► device ─► driver        PTX: the probes, one kernel per form
//!         ─► bench ─────────────────────┘      └────► store ─ manifest, stamp     a folder per device
//!         ─► kernels ─ launch                                                     whole kernels
//!         ─► verify, adopt ─ evidence                                             the folder, read again
//! ```

mod answers;
mod bench;
pub mod capture;
mod command;
mod compare;
mod deadline;
mod device;
mod evidence;
pub mod forms;
mod judge;
mod kernels;
mod manifest;
mod operands;
mod ptx;
mod runner;
mod stamp;
pub mod store;

pub use answers::Answers;
pub use command::run;
pub use deadline::Deadline;
pub use device::Info;
pub use manifest::Row;
pub use ptx::Ptx;
pub use stamp::Stamp;
