//! A dump of 65,536 results as differences from the default model.
//!
//! A device and the default model agree on most operands of a 16-bit form and differ by one unit on
//! most others, so that a dump of 128 KiB becomes a few. A general compressor would be shorter
//! code, but a single result would need a buffer of 128 KiB, which a crate without an allocator
//! does not have. Numbers are little endian; varints have seven bits a byte, the lower ones first:
//!
//! ```text
//!    8  "ptxfdlt2"
//!    8  FNV-1a of the default model's results, u16 little endian in the order of the operands
//!    8  FNV-1a of the device's results
//! 1024  places of the 256 blocks, u32
//!       256 blocks of 256 results each, in runs:
//!       varint 2·(n − 1)      n equal differences, one varint: the difference as i16 in zigzag
//!       varint 2·(n − 1) + 1  n differences of −1, 0, 1: five a byte, Σ (d + 1)·3^i, 0 if unused
//! ```
//!
//! A difference is that of the bit patterns, modulo 2^16. The checksums detect a damaged file and a
//! changed default model. The blocks make a single result cheap: a few runs are read, and no memory
//! is needed.

use core::fmt;

const MAGIC: &[u8; 8] = b"ptxfdlt2";
/// Offset of the blocks' places.
const INDEX: usize = 24;
const HEADER: usize = INDEX + 4 * BLOCKS;
const RESULTS: usize = 1 << 16;
const BLOCK: usize = 256;
const BLOCKS: usize = RESULTS / BLOCK;

/// An error of bytes that are not a device's results.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::delta::{DeltaError, Deltas};
///
/// assert_eq!(Deltas::new(b"results").unwrap_err(), DeltaError::Magic);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaError {
    /// The first eight bytes are wrong.
    Magic,
    /// A run or the header is cut off or differs from the encoder's, or a block is not at the place
    /// in the header.
    Malformed {
        /// Offset of the run's first byte.
        at: usize,
    },
    /// A block does not have 256 results, or bytes follow the last block.
    Length,
    /// The differences are from another default model.
    Reference,
    /// The results are not the encoded ones.
    Checksum,
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not a file of differences"),
            Self::Malformed { at } => write!(f, "malformed run at byte {at}"),
            Self::Length => f.write_str("not 256 blocks of 256 results"),
            Self::Reference => f.write_str("the differences are from another default model: encode the dump again"),
            Self::Checksum => f.write_str("the checksum is not that of the results"),
        }
    }
}

impl core::error::Error for DeltaError {}

/// Encodes the differences of `device` from `reference`, and passes the bytes to `put`.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::delta::{Deltas, encode};
///
/// // A made-up device that is one unit above zero everywhere.
/// let mut bytes = Vec::new();
/// encode(|_| 0, |_| 1, |b| bytes.push(b));
/// assert_eq!(bytes.len(), 24 + 256 * (4 + 3));
/// assert_eq!(Deltas::new(&bytes)?.get(0x1234, 0), 1);
/// # Ok::<(), ptxf::tables::device::delta::DeltaError>(())
/// ```
pub fn encode(reference: impl Fn(u16) -> u16, device: impl Fn(u16) -> u16, mut put: impl FnMut(u8)) {
    let delta = |i: usize| device(i as u16).wrapping_sub(reference(i as u16)).cast_signed();
    MAGIC.iter().for_each(|&b| put(b));
    checksum(&reference).to_le_bytes().into_iter().for_each(&mut put);
    checksum(&device).to_le_bytes().into_iter().for_each(&mut put);
    let mut at = HEADER as u32;
    for block in 0..BLOCKS {
        at.to_le_bytes().into_iter().for_each(&mut put);
        encode_block(block * BLOCK, &delta, &mut |_| at += 1);
    }
    (0..BLOCKS).for_each(|block| encode_block(block * BLOCK, &delta, &mut put));
}

fn encode_block(first: usize, delta: &impl Fn(usize) -> i16, put: &mut impl FnMut(u8)) {
    let end = first + BLOCK;
    let equal = |i: usize| (i..end).take_while(|&j| delta(j) == delta(i)).count();
    let small = |i: usize| (-1..=1).contains(&delta(i));
    let mut i = first;
    while i < end {
        let n = equal(i);
        // A separate run takes as many bytes as about twenty packed differences.
        if n > PACKED_BREAK || !small(i) {
            varint(2 * (n as u32 - 1), put);
            let d = i32::from(delta(i));
            varint(((d << 1) ^ (d >> 31)).cast_unsigned(), put);
            i += n;
            continue;
        }
        let start = i;
        while i < end && small(i) {
            let n = equal(i);
            if n > PACKED_BREAK {
                break;
            }
            i += n;
        }
        varint(2 * ((i - start) as u32 - 1) + 1, put);
        for five in (start..i).step_by(5) {
            let digits = (five..i.min(five + 5)).rev();
            put(digits.fold(0, |sum, j| 3 * sum + (delta(j) + 1) as u8));
        }
    }
}

/// The longest run of equal differences that is packed with others.
const PACKED_BREAK: usize = 24;

fn varint(mut v: u32, put: &mut impl FnMut(u8)) {
    while v >= 0x80 {
        put(v as u8 | 0x80);
        v >>= 7;
    }
    put(v as u8);
}

/// Returns the 64-bit FNV-1a of a function's results.
fn checksum(f: impl Fn(u16) -> u16) -> u64 {
    (0..=u16::MAX).flat_map(|x| f(x).to_le_bytes()).fold(FNV, fnv)
}

const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(h: u64, b: u8) -> u64 {
    (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// A device's results, in the format of [`encode`].
///
/// # Examples
///
/// ```
/// use ptxf::F16;
/// use ptxf::tables::device::delta::{Deltas, encode};
///
/// // A made-up device whose tanh lacks the last bit.
/// let reference = |x| F16::from_bits(x).tanh_approx().to_bits();
/// let mut bytes = Vec::new();
/// encode(reference, |x| reference(x) & !1, |b| bytes.push(b));
/// assert!(bytes.len() < 16_000); // of 131,072
///
/// let device = Deltas::new(&bytes)?;
/// assert_eq!((reference(0x3c01), device.get(0x3c01, reference(0x3c01))), (0x3a19, 0x3a18));
/// # Ok::<(), ptxf::tables::device::delta::DeltaError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Deltas<'a> {
    bytes: &'a [u8],
}

impl<'a> Deltas<'a> {
    /// Checks all runs, so that later calls cannot fail.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::delta::{DeltaError, Deltas, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(|x| x, |x| x, |b| bytes.push(b));
    /// assert!(Deltas::new(&bytes).is_ok());
    /// bytes.push(0);
    /// assert_eq!(Deltas::new(&bytes).unwrap_err(), DeltaError::Length);
    /// ```
    ///
    /// # Errors
    ///
    /// The function returns an error if the bytes are not in the format of [`encode`].
    /// [`verify`](Self::verify) compares the checksums, which needs the default model.
    pub fn new(bytes: &'a [u8]) -> Result<Self, DeltaError> {
        if !bytes.starts_with(MAGIC) {
            return Err(DeltaError::Magic);
        }
        if bytes.len() < HEADER {
            return Err(DeltaError::Malformed { at: 0 });
        }
        let deltas = Self { bytes };
        let mut at = HEADER;
        for block in 0..BLOCKS {
            if deltas.place(block) != at {
                return Err(DeltaError::Malformed { at: INDEX + 4 * block });
            }
            let mut results = 0;
            while results < BLOCK {
                let run = Run::read(&bytes[at..]).filter(Run::is_proper).ok_or(DeltaError::Malformed { at })?;
                at += run.size;
                results += run.count;
            }
            if results > BLOCK {
                return Err(DeltaError::Length);
            }
        }
        if at == bytes.len() { Ok(deltas) } else { Err(DeltaError::Length) }
    }

    /// Takes bytes that `cargo gpu model` wrote without checking them; a test checks every file of
    /// the library.
    #[allow(dead_code, reason = "used by the measured devices, of which there is none as long as there is no data")]
    pub(super) const fn written(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    #[cfg(test)]
    pub(super) fn read_through(&self) -> Result<Self, DeltaError> {
        Self::new(self.bytes)
    }

    /// Checks that the results are the encoded ones, with this default model.
    ///
    /// # Errors
    ///
    /// The function returns [`DeltaError::Reference`] if the differences are from another default
    /// model, and [`DeltaError::Checksum`] if the results are not the device's.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::delta::{DeltaError, Deltas, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(|x| x, |x| x / 2, |b| bytes.push(b));
    /// let deltas = Deltas::new(&bytes)?;
    /// assert_eq!(deltas.verify(|x| x), Ok(()));
    /// assert_eq!(deltas.verify(|x| x / 3), Err(DeltaError::Reference));
    /// # Ok::<(), DeltaError>(())
    /// ```
    pub fn verify(&self, reference: impl Fn(u16) -> u16) -> Result<(), DeltaError> {
        let word = |i: usize| self.bytes[i..i + 8].iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
        if checksum(&reference) != word(8) {
            return Err(DeltaError::Reference);
        }
        let mut h = FNV;
        self.for_each(|x, d| {
            h = reference(x).wrapping_add_signed(d).to_le_bytes().into_iter().fold(h, fnv);
        });
        if h == word(16) { Ok(()) } else { Err(DeltaError::Checksum) }
    }

    /// Returns the device's result for one operand, given the default model's.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::delta::{Deltas, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(|x| x, |x| x ^ 1, |b| bytes.push(b));
    /// assert_eq!(Deltas::new(&bytes)?.get(0x3c00, 0x3c00), 0x3c01);
    /// # Ok::<(), ptxf::tables::device::delta::DeltaError>(())
    /// ```
    #[must_use]
    pub fn get(&self, x: u16, reference: u16) -> u16 {
        let mut i = usize::from(x) % BLOCK;
        let mut rest = &self.bytes[self.place(usize::from(x) / BLOCK)..];
        while let Some(run) = Run::read(rest) {
            if i < run.count {
                return reference.wrapping_add_signed(run.delta(i));
            }
            i -= run.count;
            rest = &rest[run.size..];
        }
        reference
    }

    /// Writes all of the device's results, in the order of the operands.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::delta::{Deltas, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(|x| x, |x| x / 2, |b| bytes.push(b));
    /// let mut results = [0; 1 << 16];
    /// Deltas::new(&bytes)?.decode(|x| x, &mut results);
    /// assert_eq!(results[1000], 500);
    /// # Ok::<(), ptxf::tables::device::delta::DeltaError>(())
    /// ```
    pub fn decode(&self, reference: impl Fn(u16) -> u16, results: &mut [u16; RESULTS]) {
        self.for_each(|x, d| results[usize::from(x)] = reference(x).wrapping_add_signed(d));
    }

    /// Returns the place of a block.
    fn place(&self, block: usize) -> usize {
        let at = INDEX + 4 * block;
        self.bytes[at..at + 4].iter().rev().fold(0, |place, &b| place << 8 | usize::from(b))
    }

    fn for_each(&self, mut f: impl FnMut(u16, i16)) {
        let (mut rest, mut first) = (&self.bytes[HEADER..], 0);
        while let Some(run) = Run::read(rest) {
            (0..run.count).for_each(|i| f((first + i) as u16, run.delta(i)));
            first += run.count;
            rest = &rest[run.size..];
        }
    }
}

/// One run.
struct Run<'a> {
    count: usize,
    /// Size in bytes.
    size: usize,
    deltas: Differences<'a>,
}

enum Differences<'a> {
    Equal(i16),
    Packed(&'a [u8]),
}

impl<'a> Run<'a> {
    /// Reads the run at the beginning of the bytes; `None` if there is none.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, n) = read_varint(bytes)?;
        let count = (head >> 1) as usize + 1;
        if head & 1 == 0 {
            let (zigzag, m) = read_varint(&bytes[n..])?;
            let d = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
            return Some(Self { count, size: n + m, deltas: Differences::Equal(d.try_into().ok()?) });
        }
        let packed = bytes[n..].get(..count.div_ceil(5))?;
        Some(Self { count, size: n + packed.len(), deltas: Differences::Packed(packed) })
    }

    /// Returns `true` if every byte of packed differences is one of the encoder's: five digits, the
    /// unused ones 0.
    fn is_proper(&self) -> bool {
        let Differences::Packed(packed) = self.deltas else { return true };
        let unused = 3_u32.pow(((5 - self.count % 5) % 5) as u32);
        let last = packed.last().is_some_and(|&b| u32::from(b) < 243 / unused);
        last && packed.iter().all(|&b| b < 243)
    }

    fn delta(&self, i: usize) -> i16 {
        match self.deltas {
            Differences::Equal(d) => d,
            Differences::Packed(bytes) => i16::from(bytes[i / 5]) / 3_i16.pow((i % 5) as u32) % 3 - 1,
        }
    }
}

/// Reads a number below 2^28, and returns it with its size.
fn read_varint(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut v = 0;
    for (i, &b) in bytes.iter().take(4).enumerate() {
        v |= u32::from(b & 0x7f) << (7 * i);
        if b < 0x80 {
            // Each number has one encoding.
            return (b != 0 || i == 0).then_some((v, i + 1));
        }
    }
    None
}
