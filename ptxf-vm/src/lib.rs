//! PTX text executed on the CPU, with the bits that the instructions define.
//!
//! A module is parsed, loaded into a machine, and its entries are launched over grids of threads, as a GPU's driver does it. Floating
//! point is computed by [`ptxf`], bit for bit as its table of forms says; integers, memory, control flow, calls and barriers by the
//! machine. Blocks run on all cores, each warp of 32 threads in lockstep where its threads agree.
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
//! # What is checked
//!
//! A text that is wrong is an [`Error`] with the line. An entry that contains an instruction that is not supported is an error when it
//! is asked for, not before, so that others of the same module run. What a thread does wrong is a [`Fault`] with the line, the block, the
//! thread and the values of the registers: an access outside of every buffer, a misaligned one, one of what was freed, a write to constant
//! memory, `trap`, a false `assert`, threads that wait for each other without end.
//!
//! [`Machine::check`] asks for more: reads of what nobody wrote, and races. These leave the result as it is, so that the launch goes on, and
//! [`Machine::reports`] has them. [`Machine::count`], [`births`](Machine::births), [`trace`](Machine::trace) and [`record`](Machine::record) run
//! an entry and say what it executes, where numbers are lost, what threads do, and where two launches part. Where nothing of it is asked
//! for, it costs nothing.
//!
//! # Order
//!
//! The result is that of one interleaving of the threads in which every access is in order. With [`Machine::threads`] set to 1 blocks
//! run one after the other, and all results are reproducible; with more they are where blocks do not race. [`Machine::set_schedule`] asks for
//! other orders.

#![forbid(unsafe_code)]

mod code;
mod exec;
#[doc(hidden)]
pub mod fuzz;
#[doc(hidden)]
pub mod json;
mod lower;
mod number;
mod run;

pub use ptxf::tables::device::Model;
pub use ptxf_text::Error;
pub use run::{
    Arg, Buffer, Check, Comparison, Counts, Difference, Element, Entry, Extent, Fault, FaultKind, Filter, LineCount,
    LineDifference, Machine, Module, Program, Recording, Report, ReportKind, Step, Value,
};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Those of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../docs/vm.md")]
struct Guide;
