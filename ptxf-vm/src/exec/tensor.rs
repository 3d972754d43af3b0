//! Tensor maps: descriptions of tensors in global memory, from which boxes are copied.

/// The most dimensions of a tensor.
const DIMENSIONS: usize = 5;

/// The first bytes of a map of this machine. NVIDIA does not document those of its own.
const MAGIC: [u8; 8] = *b"ptxf-map";

/// A tensor in global memory, and the box of it that one copy moves.
///
/// Kernels get a map as its 128 [`bytes`](Self::bytes), in a parameter that is aligned to 64 bytes.
/// `cuTensorMapEncodeTiled` of `ptxf-cuda` makes one, too.
///
/// # Examples
///
/// ```
/// use ptxf_vm::{Machine, TensorMap};
///
/// let mut machine = Machine::new();
/// let x = machine.buffer(&[0_u16; 64 * 256]);
/// // 256 rows of 64 elements, in boxes of 16 rows, whose rows of 128 bytes are swizzled.
/// let map = TensorMap::new(2, x.address(), &[64, 256], &[128], &[64, 16], 128)?;
/// assert_eq!(map.bytes().len(), 128);
/// let error = TensorMap::new(2, x.address(), &[64, 256], &[120], &[64, 16], 128).unwrap_err();
/// assert_eq!(error, "the stride 120 of dimension 1 is no multiple of 16 bytes");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMap {
    /// The bytes of an element.
    pub(crate) size: u8,
    pub(crate) rank: u8,
    /// The binary logarithm of the number of pieces of 16 bytes that the swizzle exchanges.
    pub(crate) swizzle: u8,
    pub(crate) address: u64,
    /// Elements of each dimension, the innermost first.
    pub(crate) lengths: [u64; DIMENSIONS],
    /// Bytes between neighbours of each dimension.
    pub(crate) strides: [u64; DIMENSIONS],
    /// Elements of the box in each dimension.
    pub(crate) extent: [u16; DIMENSIONS],
}

impl TensorMap {
    /// Makes a map of a tensor at an address.
    ///
    /// `size` is the size of an element in bytes. `lengths` are the dimensions, the innermost
    /// first. `strides` are the bytes between neighbours in the dimensions after the innermost.
    /// `extent` is the number of elements of a box in each dimension. `swizzle` is the number of
    /// bytes in which pieces of 16 bytes are exchanged, 32, 64 or 128, or 0 for none.
    ///
    /// # Errors
    ///
    /// Returns a description of the first value that `cuTensorMapEncodeTiled` refuses.
    pub fn new(
        size: usize,
        address: u64,
        lengths: &[u64],
        strides: &[u64],
        extent: &[u32],
        swizzle: u32,
    ) -> Result<Self, String> {
        let rank = lengths.len();
        if !(1..=DIMENSIONS).contains(&rank) || strides.len() + 1 != rank || extent.len() != rank {
            return Err(format!("a tensor has 1 to {DIMENSIONS} dimensions, and a stride less than lengths"));
        }
        if !matches!(size, 1 | 2 | 4 | 8) {
            return Err(format!("elements have 1, 2, 4 or 8 bytes, and not {size}"));
        }
        if !address.is_multiple_of(16) {
            return Err(format!("the address {address:#x} is no multiple of 16 bytes"));
        }
        if let Some(i) = lengths.iter().position(|n| !(1..=1 << 32).contains(n)) {
            return Err(format!("the length {} of dimension {i} is not from 1 to 2^32", lengths[i]));
        }
        if let Some(i) = strides.iter().position(|n| !n.is_multiple_of(16) || *n >= 1 << 40) {
            return Err(if strides[i] >= 1 << 40 {
                format!("the stride {} of dimension {} is not below 2^40", strides[i], i + 1)
            } else {
                format!("the stride {} of dimension {} is no multiple of 16 bytes", strides[i], i + 1)
            });
        }
        if let Some(i) = extent.iter().position(|n| !(1..=256).contains(n)) {
            return Err(format!("the box has {} elements in dimension {i}, and 1 to 256 are possible", extent[i]));
        }
        let row = extent[0] as usize * size;
        if !row.is_multiple_of(16) {
            return Err(format!("a row of the box has {row} bytes, which is no multiple of 16"));
        }
        let bits = match swizzle {
            0 => 0,
            32 | 64 | 128 if row <= swizzle as usize => swizzle.trailing_zeros() as u8 - 4,
            32 | 64 | 128 => {
                return Err(format!("a row of the box has {row} bytes, more than the swizzle of {swizzle}"));
            }
            _ => return Err(format!("a swizzle has 32, 64 or 128 bytes, and not {swizzle}")),
        };
        let mut map = Self {
            size: size as u8,
            rank: rank as u8,
            swizzle: bits,
            address,
            lengths: [1; DIMENSIONS],
            strides: [0; DIMENSIONS],
            extent: [1; DIMENSIONS],
        };
        map.lengths[..rank].copy_from_slice(lengths);
        map.strides[0] = size as u64;
        map.strides[1..rank].copy_from_slice(strides);
        map.extent.iter_mut().zip(extent).for_each(|(to, from)| *to = *from as u16);
        Ok(map)
    }

    /// Returns the map for a kernel.
    #[must_use]
    pub fn bytes(&self) -> [u8; 128] {
        let mut bytes = [0; 128];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..11].copy_from_slice(&[self.size, self.rank, self.swizzle]);
        let words = [self.address].into_iter().chain(self.lengths).chain(self.strides);
        bytes[16..].chunks_exact_mut(8).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        bytes[104..].chunks_exact_mut(2).zip(self.extent).for_each(|(to, n)| to.copy_from_slice(&n.to_le_bytes()));
        bytes
    }

    /// Reads the bytes of a map. Returns `None` for other bytes.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != 128 || bytes[..8] != MAGIC {
            return None;
        }
        let mut words = [0; 2 * DIMENSIONS + 1];
        for (word, from) in words.iter_mut().zip(bytes[16..].chunks_exact(8)) {
            *word = u64::from_le_bytes(from.try_into().ok()?);
        }
        let rank = usize::from(bytes[9]).clamp(1, DIMENSIONS);
        let extents = bytes[104..].chunks_exact(2).map(|n| u16::from_le_bytes([n[0], n[1]]).into());
        let extent: Vec<u32> = extents.take(rank).collect();
        let swizzle = if bytes[10] == 0 { 0 } else { 16_u32.checked_shl(bytes[10].into())? };
        let strides = &words[2 + DIMENSIONS..][..rank - 1];
        Self::new(bytes[8].into(), words[0], &words[1..=rank], strides, &extent, swizzle).ok()
    }

    /// Returns the number of bytes of a box.
    pub(crate) fn box_bytes(&self) -> u64 {
        self.extent.iter().map(|n| u64::from(*n)).product::<u64>() * u64::from(self.size)
    }

    /// Returns the elements of the box at these coordinates: the offset in shared memory, and the
    /// address in global memory. The address is `None` outside of the tensor.
    pub(crate) fn elements(&self, coordinates: &[i32]) -> impl Iterator<Item = (u64, Option<u64>)> {
        let first: [i64; DIMENSIONS] = std::array::from_fn(|i| coordinates.get(i).map_or(0, |c| i64::from(*c)));
        let count = self.box_bytes() / u64::from(self.size);
        let map = *self;
        (0..count).map(move |number| {
            let (mut rest, mut address, mut is_inside) = (number, map.address, true);
            for (i, first) in first.iter().enumerate() {
                let n = u64::from(map.extent[i]);
                let at = first + (rest % n) as i64;
                rest /= n;
                is_inside &= (0..map.lengths[i] as i64).contains(&at);
                address = address.wrapping_add(map.strides[i].wrapping_mul(at as u64));
            }
            (number * u64::from(map.size), is_inside.then_some(address))
        })
    }

    /// Returns the address of a byte of a box in shared memory after the swizzle.
    pub(crate) fn swizzled(&self, address: u64) -> u64 {
        address ^ (address >> 7 & ((1 << self.swizzle) - 1)) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_read_as_it_was_written() {
        let map = TensorMap::new(2, 1 << 44, &[64, 100, 3], &[128, 12800], &[32, 8, 1], 64).unwrap();
        assert_eq!(TensorMap::read(&map.bytes()), Some(map));
        assert_eq!((map.box_bytes(), map.swizzle), (512, 2));
        let elements: Vec<_> = map.elements(&[40, -1, 2]).collect();
        assert_eq!(elements.len(), 256);
        assert_eq!(elements[32], (64, Some((1 << 44) + 80 + 25600)), "row 0 is the second of the box");
        assert_eq!((elements[0].1, elements[32 + 24].1), (None, None), "row -1, and column 64");
        assert_eq!([0, 256, 512 + 16, 384].map(|at| map.swizzled(at)), [0, 256 + 32, 512 + 16, 384 + 48]);
        for i in 0..128 {
            let mut bytes = map.bytes();
            bytes[i] ^= 0xff;
            // Other bytes are no map, or another map.
            let _ = TensorMap::read(&bytes).map(|map| map.elements(&[0; 3]).next());
        }
    }

    #[test]
    fn impossible_maps_are_refused() {
        let of = |size, address, row, extent, swizzle| {
            TensorMap::new(size, address, &[64, 64], &[row], &[extent, 8], swizzle).unwrap_err()
        };
        assert_eq!(of(3, 0, 128, 64, 0), "elements have 1, 2, 4 or 8 bytes, and not 3");
        assert_eq!(of(2, 8, 128, 64, 0), "the address 0x8 is no multiple of 16 bytes");
        assert_eq!(of(2, 0, 128, 300, 0), "the box has 300 elements in dimension 0, and 1 to 256 are possible");
        assert_eq!(of(2, 0, 128, 4, 0), "a row of the box has 8 bytes, which is no multiple of 16");
        assert_eq!(of(2, 0, 128, 64, 64), "a row of the box has 128 bytes, more than the swizzle of 64");
        assert_eq!(of(2, 0, 128, 8, 48), "a swizzle has 32, 64 or 128 bytes, and not 48");
    }
}
