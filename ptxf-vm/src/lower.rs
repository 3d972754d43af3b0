//! Lowers the tree of a function to instructions on places. Names, types and spellings are resolved
//! here, once per function.

mod arithmetic;
mod atomic;
mod barrier;
mod bulk;
mod call;
mod convert;
mod copy;
mod forms;
mod function;
mod hint;
mod matrix;
mod mbarrier;
mod memory;
mod mma;
mod moves;
mod names;
mod old;
mod operand;
mod shared;
mod special;
mod stack;
mod statics;
mod supported;
mod surface;
mod texture;
mod video;
mod warp;
mod wgmma;
mod wmma;

pub(crate) use forms::known as known_form;
pub(crate) use function::lower;
pub(crate) use names::{Addresses, Name, Shape, function_address, function_at, input, table};
pub(crate) use statics::{Static, Statics};
