//! Local memory of a warp: 32-bit words, with those of all lanes side by side.

use crate::exec::Mask;
use crate::exec::registers::{LANES, lanes};

/// The contents of unwritten memory.
const UNDEFINED: u32 = 0xa5a5_a5a5;

/// Local memory of 32 threads.
#[derive(Debug, Default)]
pub(crate) struct Local {
    words: Vec<[u32; LANES]>,
}

impl Local {
    /// Makes bytes undefined before a call uses them in these lanes.
    pub(crate) fn reserve(&mut self, from: u32, bytes: u32, mask: Mask) {
        let (first, end) = (from as usize / 4, (from as usize + bytes as usize).div_ceil(4));
        if self.words.len() < end {
            self.words.resize(end, [UNDEFINED; LANES]);
        }
        for word in &mut self.words[first..end] {
            lanes(mask).for_each(|lane| word[lane] = UNDEFINED);
        }
    }

    /// Reads up to eight bytes, from an address that is a multiple of their number.
    pub(crate) fn read(&self, lane: usize, at: u32, bytes: u32) -> u64 {
        let word = |i: usize| self.words.get(at as usize / 4 + i).map_or(0, |word| u64::from(word[lane]));
        if bytes == 8 { word(1) << 32 | word(0) } else { word(0) >> (8 * (at % 4)) & u64::MAX >> (64 - 8 * bytes) }
    }

    /// Writes up to eight bytes, to an address that is a multiple of their number.
    pub(crate) fn write(&mut self, lane: usize, at: u32, bytes: u32, value: u64) {
        let first = at as usize / 4;
        let words = self.words.get_mut(first..).unwrap_or_default();
        match (bytes, words) {
            (8, [low, high, ..]) => (low[lane], high[lane]) = (value as u32, (value >> 32) as u32),
            (_, [word, ..]) => {
                let shift = 8 * (at % 4);
                let mask = u32::MAX >> (32 - 8 * bytes.min(4)) << shift;
                word[lane] = word[lane] & !mask | (value as u32) << shift & mask;
            }
            (_, []) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_bytes_of_their_own() {
        let mut local = Local::default();
        local.reserve(0, 24, !0);
        local.write(3, 8, 8, 0x0102_0304_0506_0708);
        local.write(3, 10, 2, 0xbeef);
        local.write(4, 13, 1, 0x7f);
        assert_eq!(local.read(3, 8, 8), 0x0102_0304_beef_0708);
        assert_eq!(local.read(4, 12, 4), 0xa5a5_7fa5);
        local.reserve(8, 4, 1 << 3);
        assert_eq!((local.read(3, 8, 4), local.read(3, 12, 4)), (0xa5a5_a5a5, 0x0102_0304));
    }
}
