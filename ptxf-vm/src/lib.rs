//! PTX text executed on the CPU, with the bits that the instructions define.
//!
//! A program parses a module, loads it into a machine, and launches its entries over grids of
//! threads, as a driver of a GPU does. [`ptxf`] computes floating point, with the bits of its table
//! of forms. The machine executes integers, memory, control flow, calls and barriers. Blocks run on
//! all cores, and the 32 threads of a warp run in lockstep where they agree.
//!
//! ```
//! use ptxf_vm::{Arg, Machine, Module};
//!
//! let module = Module::parse(
//!     ".version 7.8
//!     .target sm_90
//!     .address_size 64
//!     .visible .entry twice(.param .u64 x, .param .u32 n)
//!     {
//!         .reg .pred %p;
//!         .reg .b32 %r<5>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [x];
//!         ld.param.u32 %r1, [n];
//!         mov.u32 %r2, %tid.x;
//!         setp.ge.u32 %p, %r2, %r1;
//!         @%p bra done;
//!         mul.wide.u32 %rd2, %r2, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         ld.global.b32 %r3, [%rd3];
//!         add.rn.f32 %r4, %r3, %r3;
//!         st.global.b32 [%rd3], %r4;
//!     done:
//!         ret;
//!     }",
//! )?;
//! let mut machine = Machine::new();
//! let entry = machine.load(&module)?.entry("twice")?;
//! let x = machine.buffer(&[1.5_f32, -0.0, f32::INFINITY]);
//! machine.launch(&entry, 1, 32, 0, &[Arg::from(x), Arg::from(3_u32)])?;
//! let bits = machine.values::<f32>(x)?.into_iter().map(f32::to_bits).collect::<Vec<_>>();
//! assert_eq!(bits, [0x4040_0000, 0x8000_0000, 0x7f80_0000]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Checks
//!
//! A wrong text is an [`Error`] with the line. An unsupported instruction is an error when its
//! entry is loaded, so that other entries of the module can run. A wrong action of a thread is a
//! [`Fault`] with the line, the block, the thread and its registers. Faults are accesses outside of
//! every buffer, misaligned accesses, accesses of freed memory, writes to constant memory, `trap`,
//! a false `assert`, and threads that wait for each other forever.
//!
//! [`Machine::check`] also finds reads of unwritten memory, and races. The launch then goes on with
//! the same result, and [`Machine::reports`] returns the reports. [`Machine::count`],
//! [`births`](Machine::births), [`trace`](Machine::trace) and [`record`](Machine::record) run an
//! entry and count its instructions, find lost numbers, trace its threads, or compare two launches.
//! Checks and tools cost nothing if they are not used.
//!
//! # Order
//!
//! The result is that of one interleaving of the threads in which all accesses are in order. With
//! [`Machine::threads`] set to 1, blocks run one after the other and all results are reproducible.
//! If a block waits for a later one, or runs for very long, further blocks start and take turns.
//! With more threads, results of blocks that do not race are reproducible.
//! [`Machine::set_schedule`] selects another order.

#![forbid(unsafe_code)]

mod code;
mod exec;
#[doc(hidden)]
pub mod fuzz;
mod lower;
mod number;
mod run;

pub use exec::tensor::TensorMap;
pub use exec::texture::{AddressMode, Channel, Filtering, Sampler, Texels, Texture};
pub use ptxf::tables::device::Model;
pub use ptxf_text::Error;
pub use run::{
    Arg, Buffer, Check, Comparison, Counts, Device, Difference, Element, Entry, Exactness, Extent, Fault, FaultKind,
    Fidelity, Filter, FormCount, LineCount, LineDifference, Machine, Module, Permission, Program, Recording, Report,
    ReportKind, Step, Storage, Value,
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../docs/vm.md")]
struct Guide;
