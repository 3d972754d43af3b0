//! The arguments of an entry, in the order in which `#[ptx_kernel]` has them.
//!
//! First the number of threads; for a pair, how many threads the first pair is short of; then the kernel's parameters without
//! indices, each slice as an address and a length.

use driver::{Arg, Buffer, Extent};

/// Threads of a block.
const BLOCK: u32 = 256;

/// Arguments, and how many of the device's threads they are for.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a> {
    pub(crate) list: Vec<Arg<'a>>,
    lanes: u32,
}

impl<'a> Arguments<'a> {
    /// The arguments of `NAME_pair`, which takes a thread of the device for every two threads.
    pub(crate) fn pair(threads: u32) -> Self {
        // The first pair is whole.
        let head = 0;
        Self { list: vec![Arg::U32(threads), Arg::U32(head)], lanes: (threads + head).div_ceil(2) }
    }

    /// Adds a slice of the device's memory.
    pub(crate) fn slice(mut self, memory: &'a Buffer, length: usize) -> Self {
        self.list.extend([Arg::Address(memory), Arg::U64(length as u64)]);
        self
    }

    /// Adds a `usize`.
    pub(crate) fn size(mut self, value: usize) -> Self {
        self.list.push(Arg::U64(value as u64));
        self
    }

    /// Adds an `f32`.
    pub(crate) fn float(mut self, value: f32) -> Self {
        self.list.push(Arg::F32(value));
        self
    }

    /// Blocks, and threads of each.
    pub(crate) const fn extent(&self) -> Extent {
        Extent::line(self.lanes, BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_are_one_of_the_device() {
        assert_eq!(Arguments::pair(512).extent(), Extent { blocks: [1, 1, 1], threads: [256, 1, 1] });
        assert_eq!(Arguments::pair(513).extent().blocks, [2, 1, 1]);
        let arguments = Arguments::pair(3).size(3).float(1.0);
        assert!(matches!(arguments.list[..], [Arg::U32(3), Arg::U32(0), Arg::U64(3), Arg::F32(1.0)]));
    }
}
