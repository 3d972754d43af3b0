//! Runs programs: memory, launches, blocks and warps.

mod access;
mod argument;
mod atomic;
mod block;
mod buffer;
mod bulk;
mod call;
mod cluster;
mod collective;
mod compare;
mod copies;
mod device;
mod fault;
mod frame;
mod heap;
mod launch;
mod local;
mod machine;
mod mapping;
mod matrix;
mod memory;
mod objects;
mod output;
mod printf;
mod program;
mod progress;
mod row;
mod schedule;
mod shared;
mod stack;
mod system;
mod team;
mod texture;
mod tile;
mod warp;
mod watch;
mod wide;

pub use argument::{Arg, Extent};
pub use buffer::{Buffer, Element};
pub use compare::{Comparison, Difference, LineDifference, Recording};
pub use device::Device;
pub use fault::{Fault, FaultKind};
pub use machine::Machine;
pub use mapping::{Permission, Storage};
pub use program::{Entry, Module, Program};
pub use watch::{Check, Counts, Exactness, Fidelity, Filter, FormCount, LineCount, Report, ReportKind, Step, Value};

/// The first generic address of shared memory.
pub(crate) const SHARED_WINDOW: u64 = 0x7fff_0000_0000_0000;
/// The first generic address of a thread's local memory.
pub(crate) const LOCAL_WINDOW: u64 = 0x7fff_0001_0000_0000;
/// The first generic address of a launch's arguments.
pub(crate) const INPUT_WINDOW: u64 = 0x7fff_0002_0000_0000;
/// The size of each of these windows in bytes.
pub(crate) const WINDOW: u64 = 1 << 32;
/// The alignment of dynamic shared memory in bytes.
pub(crate) const DYNAMIC_ALIGN: u64 = 128;
/// The size in bytes of shared memory that is reserved for the system.
pub(crate) const RESERVED: u32 = 1024;
/// The most threads of a block, as on every device.
pub(crate) const MOST_THREADS: u64 = 1024;
