//! Reads and writes the matrices of `wmma` in memory.

use super::access::Size;
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use crate::code::{Space, Tile};
use crate::exec::registers::{LANES, lanes};
use crate::exec::{Mask, Reg};

impl Warp<'_> {
    /// Adds multiples of a distance to the addresses of the lanes.
    pub(crate) fn spread(&self, frame: usize, addresses: &mut [u64; LANES], stride: Reg, bits: u32) {
        let registers = &self.frames[frame].registers;
        for (lane, address) in addresses.iter_mut().enumerate() {
            let bits = (registers.get(stride, lane) * u64::from(bits)).wrapping_mul(lane as u64);
            *address = address.wrapping_add(bits / 8);
        }
    }

    /// Reads a matrix in memory, or writes its elements.
    pub(super) fn tile(
        &self,
        frame: usize,
        tile: &Tile,
        shared: &mut Shared,
        elements: Option<&[u64]>,
    ) -> Result<Vec<u64>, Wrong> {
        let first = self.addresses(frame, &tile.address);
        let strides = self.frames[frame].registers.column(tile.stride);
        if let Some(lane) = (1..LANES).find(|&lane| first[lane] != first[0] || strides[lane] != strides[0]) {
            let what = format!("lanes 0 and {lane} have different addresses or strides of one matrix");
            return Err(Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None });
        }
        let (lines, bytes) = tile.lines();
        let size = Size { verb: if elements.is_some() { "write" } else { "read" }, bytes };
        let wrong = |lane: usize, kind, what: &str| Err(size.wrong(lane as u32, kind, first[lane], what));
        let mut addresses = first;
        self.spread(frame, &mut addresses, tile.stride, tile.fragment.element_bits() as u32);
        let mask = Mask::MAX >> (LANES - lines);
        let align = bytes.min(16);
        if let Some(lane) = lanes(mask).find(|&lane| !addresses[lane].is_multiple_of(align)) {
            let what =
                format!("at {:#x}, a row or column of a matrix, which is no multiple of {align}", addresses[lane]);
            let what = format!("{} of {bytes} bytes {what}", size.verb);
            return Err(Wrong { lane: lane as u32, kind: FaultKind::Misaligned, what, buffer: None });
        }
        let (space, same) = Self::in_space(tile.space, &mut addresses, mask);
        if same != mask {
            return wrong(
                (mask & !same).trailing_zeros() as usize,
                FaultKind::OutOfBounds,
                "in another space than the first row",
            );
        }
        let (rows, columns, bits) = (tile.fragment.rows(), tile.fragment.columns(), tile.fragment.element_bits());
        let mut all = vec![0; rows * columns];
        for lane in lanes(mask) {
            let mut row = vec![0; bytes as usize];
            // The place of an element of the row among all elements, and its first bit in the row.
            let places = (0..if tile.by_rows { columns } else { rows }).map(|i| {
                let [row, column] = if tile.by_rows { [lane, i] } else { [i, lane] };
                (row * columns + column, i * bits)
            });
            let bytes_of = |bit: usize| bit / 8..(bit + bits).div_ceil(8);
            match elements {
                Some(elements) => {
                    for (at, bit) in places {
                        let element = (elements[at] << (bit % 8)).to_le_bytes();
                        row[bytes_of(bit)].iter_mut().zip(element).for_each(|(to, byte)| *to |= byte);
                    }
                    self.row(space, lane, addresses[lane], size, shared, Row::Write(&row))?;
                }
                None => {
                    self.row(space, lane, addresses[lane], size, shared, Row::Read(&mut row))?;
                    for (at, bit) in places {
                        let word = row[bytes_of(bit)].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                        all[at] = word >> (bit % 8) & u64::MAX >> (64 - bits);
                    }
                }
            }
        }
        Ok(all)
    }

    /// Reads or writes adjacent bytes.
    fn row(
        &self,
        space: Space,
        lane: usize,
        address: u64,
        size: Size,
        shared: &mut Shared,
        row: Row<'_>,
    ) -> Result<(), Wrong> {
        let addresses = [address; LANES];
        match space {
            Space::Shared => {
                size.within(&addresses, 1 << lane, shared.bytes.len() as u64, "shared memory")?;
                let bytes = &mut shared.bytes[address as usize..][..size.bytes as usize];
                match row {
                    Row::Read(to) => to.copy_from_slice(bytes),
                    Row::Write(from) => bytes.copy_from_slice(from),
                }
            }
            Space::Global | Space::Const | Space::Generic => {
                let (found, _) = self.allocation(&addresses, 1 << lane, size, matches!(row, Row::Write(_)))?;
                let words = (address..).step_by(4);
                match row {
                    Row::Read(to) => to.chunks_exact_mut(4).zip(words).for_each(|(to, at)| {
                        to.copy_from_slice(&(found.read(at, 4) as u32).to_le_bytes());
                    }),
                    Row::Write(from) => from.chunks_exact(4).zip(words).for_each(|(from, at)| {
                        found.write(at, 4, from.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)));
                    }),
                }
            }
            Space::Local | Space::Input => {
                let what = "which is neither global nor shared memory";
                return Err(size.wrong(lane as u32, FaultKind::OutOfBounds, address, what));
            }
        }
        Ok(())
    }
}

/// Adjacent bytes that are read or written.
enum Row<'a> {
    Read(&'a mut [u8]),
    Write(&'a [u8]),
}
