//! The machine: memory, launches, blocks and warps.

mod access;
mod among;
mod argument;
mod atomic;
mod block;
mod buffer;
mod call;
mod compare;
mod copies;
mod fault;
mod frame;
mod launch;
mod local;
mod machine;
mod memory;
mod output;
mod printf;
mod program;
mod progress;
mod row;
mod schedule;
mod system;
mod warp;
mod watch;

pub use argument::{Arg, Extent};
pub use buffer::{Buffer, Element};
pub use compare::{Comparison, Difference, LineDifference, Recording};
pub use fault::{Fault, FaultKind};
pub use machine::Machine;
pub use program::{Entry, Module, Program};
pub use watch::{Check, Counts, Filter, LineCount, Report, ReportKind, Step, Value};

/// Generic addresses of shared memory begin here.
pub(crate) const SHARED_WINDOW: u64 = 0x7fff_0000_0000_0000;
/// Generic addresses of a thread's local memory begin here.
pub(crate) const LOCAL_WINDOW: u64 = 0x7fff_0001_0000_0000;
/// Generic addresses of a launch's arguments begin here.
pub(crate) const INPUT_WINDOW: u64 = 0x7fff_0002_0000_0000;
/// How large each of these windows is.
pub(crate) const WINDOW: u64 = 1 << 32;
/// What the address of dynamic shared memory is a multiple of.
pub(crate) const DYNAMIC_ALIGN: u64 = 128;
