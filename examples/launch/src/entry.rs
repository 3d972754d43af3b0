//! The arguments of an entry, in the order in which `#[ptx_kernel]` has them.
//!
//! First the number of threads; for a pair, how many threads the first pair is short of; then the kernel's parameters without
//! indices, each slice as an address and a length.

/// Threads of a block.
const BLOCK: u32 = 256;

/// Arguments, and how many of the device's threads they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Each in the first bytes of a word, as the driver copies it from there.
    pub(crate) words: Vec<u64>,
    lanes: u32,
}

impl Arguments {
    /// Of `NAME_pair`: a thread of the device for every two.
    pub(crate) fn pair(threads: u32) -> Self {
        // The first pair is whole.
        let head = 0;
        Self { words: vec![threads.into(), head], lanes: (threads + head as u32).div_ceil(2) }
    }

    /// A slice of the device's memory.
    pub(crate) fn slice(mut self, address: u64, length: usize) -> Self {
        self.words.extend([address, length as u64]);
        self
    }

    /// A `usize`.
    pub(crate) fn size(mut self, value: usize) -> Self {
        self.words.push(value as u64);
        self
    }

    /// An `f32`.
    pub(crate) fn float(mut self, value: f32) -> Self {
        self.words.push(value.to_bits().into());
        self
    }

    /// Blocks, and threads of each.
    pub(crate) const fn grid(&self) -> (u32, u32) {
        (self.lanes.div_ceil(BLOCK), BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_are_one_of_the_device() {
        assert_eq!(Arguments::pair(512).grid(), (1, 256));
        assert_eq!(Arguments::pair(513).grid(), (2, 256));
        let arguments = Arguments::pair(3).size(3).slice(0x1000, 3).float(1.0);
        assert_eq!(arguments.words, [3, 0, 3, 0x1000, 3, 0x3F80_0000]);
    }
}
