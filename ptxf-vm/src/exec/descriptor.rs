//! Descriptors of matrices in shared memory, which `wgmma` reads.
//!
//! A matrix consists of pieces of 16 bytes. Along k (or, if it is transposed, along the other
//! dimension) a line has 1, 2, 4 or 8 adjacent pieces, and eight lines are adjacent. The swizzle
//! exchanges pieces of a line by the lowest bits of the line's number.

/// The bits of a number in a descriptor: units of 16 bytes.
const FIELD: u64 = 0x3fff;

/// A descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    start: u64,
    /// The distance of lines' parts, and that of groups of eight lines.
    leading: u64,
    stride: u64,
    /// The binary logarithm of the number of pieces in a line.
    swizzle: u32,
    transposed: bool,
    /// The bits of an element.
    bits: u32,
}

impl Descriptor {
    /// Reads a descriptor of lines of `k` elements. Returns an error if a field is unsupported.
    pub(crate) fn new(descriptor: u64, transposed: bool, bits: u32, k: usize) -> Result<Self, String> {
        let field = |at: u32| (descriptor >> at & FIELD) << 4;
        let base = descriptor >> 49 & 7;
        if base != 0 {
            return Err(format!(
                "the descriptor {descriptor:#018x} has the base offset {base}: put the matrix at a multiple of 1024 bytes"
            ));
        }
        let swizzle = [0, 3, 2, 1][(descriptor >> 62) as usize];
        // A sparse product has lines of 64 bytes of B.
        let (bytes, width) = (k as u64 * u64::from(bits) / 8, 16 << swizzle);
        if swizzle != 0 && !transposed && bytes > width {
            return Err(format!(
                "the descriptor {descriptor:#018x} has a swizzle of {width} bytes, and lines have {bytes}: use a swizzle of 64 or 128 bytes"
            ));
        }
        Ok(Self { start: field(0), leading: field(16), stride: field(32), swizzle, transposed, bits })
    }

    /// Returns the shared address of the piece with an element: of row or column `line`, and `k`.
    /// Also returns the element's first bit in the piece.
    pub(crate) fn place(self, line: usize, k: usize) -> (u64, u32) {
        // The number of bits along the adjacent elements, and of the other dimension.
        let (along, across) = if self.transposed { (line, k) } else { (k, line) };
        let bit = along as u64 * u64::from(self.bits);
        let (piece, within) = (bit / 128, (bit % 128) as u32);
        let (lines, group) = (across as u64 % 8, across as u64 / 8);
        let pieces = 1 << self.swizzle;
        let offset = match (self.swizzle, self.transposed) {
            (0, false) => 16 * lines + group * self.stride + piece * self.leading,
            (0, true) => 16 * lines + group * self.leading + piece * self.stride,
            (_, false) => 16 * (pieces * lines + piece) + group * self.stride,
            (_, true) => 16 * (pieces * lines + piece % pieces) + piece / pieces * self.leading + group * self.stride,
        };
        let address = self.start + offset;
        (address ^ (address >> 7 & (pieces - 1)) << 4, within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_where_the_swizzle_puts_them() {
        let descriptor = |start: u64, leading: u64, stride: u64, mode: u64| {
            start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62
        };
        let of = |bits, transposed| Descriptor::new(bits, transposed, 16, 16).unwrap();
        // Without a swizzle, a piece has eight rows of 16 bytes. The next eight are at the stride,
        // and the next piece at the leading distance.
        let plain = of(descriptor(256, 2048, 128, 0), false);
        assert_eq!([plain.place(1, 3), plain.place(9, 0), plain.place(0, 9)], [(272, 48), (400, 0), (2304, 16)]);
        // Rows of 128 bytes, whose pieces are exchanged by the number of the row.
        let wide = of(descriptor(1024, 16, 1024, 1), false);
        assert_eq!([wide.place(0, 8), wide.place(1, 0), wide.place(7, 8)], [(1040, 0), (1168, 0), (2016, 0)]);
        // The second product along k begins 32 bytes later.
        assert_eq!(of(descriptor(1056, 16, 1024, 1), false).place(5, 8), (1024 + 5 * 128 + (3 ^ 5) * 16, 0));
        let turned = of(descriptor(1024, 4096, 2048, 1), true);
        assert_eq!(turned.place(64, 0), (1024 + 4096, 0));
        assert_eq!(turned.place(9, 10), (1024 + 2048 + 2 * 128 + (1 ^ 2) * 16, 16));
        assert!(Descriptor::new(1 << 49, false, 16, 16).unwrap_err().contains("base offset 1"));
    }
}
