//! Helpers of the tests.

/// The generator SplitMix64, with the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Returns all bit patterns of a 16-bit type.
pub(crate) fn all_bits() -> impl Iterator<Item = u16> {
    0..=u16::MAX
}

/// Returns edge operands of both 16-bit types: zeros, subnormals, ones, largest numbers,
/// infinities, NaNs.
pub(crate) fn edges() -> impl Iterator<Item = u16> + Clone {
    const MAGNITUDES: [u16; 22] = [
        0x0000, 0x0001, 0x0002, 0x007e, 0x007f, 0x0080, 0x0081, 0x03ff, 0x0400, 0x0401, 0x3bff, 0x3c00, 0x3c01, 0x3f80,
        0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fff,
    ];
    MAGNITUDES.into_iter().flat_map(|x| [x, x | 0x8000])
}
