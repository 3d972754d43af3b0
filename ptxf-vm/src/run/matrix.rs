//! Runs instructions on fragments of matrices, which the 32 lanes of a warp execute together.

use super::SHARED_WINDOW;
use ptxf::{F16, ptx};

use super::access::{Size, is_in};
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{Matrix, Multiply, Rows, Space, Sparse};
use crate::exec::fragment::Fragment;
use crate::exec::registers::{LANES, Word, lanes};
use crate::exec::{Mask, Reg, Registers};

/// The rows of up to four matrices of 8 × 8 elements.
type Table = [[u16; 8]; LANES];

impl Warp<'_> {
    /// Runs an instruction when all lanes of the warp have come to it.
    pub(crate) fn matrix(
        &mut self,
        group: &Group,
        matrix: &Matrix,
        mask: Mask,
        shared: &mut Shared,
    ) -> Result<Next, Wrong> {
        self.require_all(group, mask)?;
        if mask != !0 {
            self.wait(group, mask, State::ForWarp);
            return Ok(Next::Waits);
        }
        match matrix {
            Matrix::Load(rows) => {
                let addresses = self.rows(group.frame, rows, "read", shared)?;
                let mut table: Table = [[0; 8]; LANES];
                for lane in lanes(rows.lanes()) {
                    let bytes = &shared.bytes[addresses[lane] as usize..][..Rows::BYTES as usize];
                    table[lane] = std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]));
                }
                for (i, reg) in rows.registers.iter().enumerate() {
                    self.set_fragment(group.frame, *reg, &fragments(&table[8 * i..8 * i + 8], rows.transposed));
                }
            }
            Matrix::Store(rows) => {
                let addresses = self.rows(group.frame, rows, "write", shared)?;
                for (i, reg) in rows.registers.iter().enumerate() {
                    let table = matrix_of(&self.fragment(group.frame, *reg), rows.transposed);
                    for (row, at) in table.iter().zip(&addresses[8 * i..]) {
                        let bytes = &mut shared.bytes[*at as usize..][..Rows::BYTES as usize];
                        bytes.chunks_exact_mut(2).zip(row).for_each(|(to, x)| to.copy_from_slice(&x.to_le_bytes()));
                    }
                }
            }
            Matrix::Move { result, operand } => {
                let table = matrix_of(&self.fragment(group.frame, *operand), false);
                self.set_fragment(group.frame, *result, &fragments(&table, true));
            }
            Matrix::LoadTile(tile) => {
                let elements = self.tile(group.frame, tile, shared, None)?;
                for (i, reg) in tile.registers.iter().enumerate() {
                    let values = tile.fragment.register(&elements, i % tile.fragment.registers());
                    self.frames[group.frame].registers.set_column(*reg, !0, &values);
                }
            }
            Matrix::StoreTile(tile) => {
                let registers = &self.frames[group.frame].registers;
                let elements = tile.fragment.matrix(|i| registers.column(tile.registers[i]));
                self.tile(group.frame, tile, shared, Some(&elements))?;
            }
            Matrix::Group(_) => {}
            Matrix::Wide(wide) => self.wide(group.frame, wide, shared)?,
            Matrix::Multiply(multiply) => {
                multiply.run(&mut self.frames[group.frame].registers);
            }
        }
        Ok(Next::On)
    }

    /// Returns a fault if a lane of the warp can never come to the instruction.
    fn require_all(&self, group: &Group, mask: Mask) -> Result<(), Wrong> {
        let lane = mask.trailing_zeros();
        let wrong = |what: String| {
            let what = format!("all 32 lanes of the warp have to execute this instruction, and {what}");
            Err(Wrong { lane, kind: FaultKind::Synchronization, what, buffer: None })
        };
        let threads = self.launch.threads() - 32 * self.index;
        if threads < 32 {
            return wrong(format!("warp {} has {threads} threads: launch blocks of a multiple of 32", self.index));
        }
        if self.live != !0 {
            return wrong(format!("lane {} has exited", self.live.trailing_ones()));
        }
        match group.mask & !mask {
            0 => Ok(()),
            others => wrong(format!("the guard of lane {} is false", others.trailing_zeros())),
        }
    }

    /// Returns the checked shared addresses of rows.
    fn rows(&self, frame: usize, rows: &Rows, verb: &'static str, shared: &Shared) -> Result<[u64; LANES], Wrong> {
        let mut addresses = self.addresses(frame, &rows.address);
        let size = Size { verb, bytes: Rows::BYTES };
        let mask = rows.lanes();
        size.aligned(&addresses, mask)?;
        if rows.space == Space::Generic {
            let outside = lanes(mask).find(|&lane| !is_in(Space::Shared, addresses[lane]));
            if let Some(lane) = outside {
                let what = "which is not an address of shared memory";
                return Err(size.wrong(lane as u32, FaultKind::OutOfBounds, addresses[lane], what));
            }
            lanes(mask).for_each(|lane| addresses[lane] -= SHARED_WINDOW);
        }
        size.within(&addresses, mask, shared.bytes.len() as u64, "shared memory")?;
        Ok(addresses)
    }

    fn fragment(&self, frame: usize, reg: Reg) -> [u32; LANES] {
        u32::read(&self.frames[frame].registers, reg.at)
    }

    fn set_fragment(&mut self, frame: usize, reg: Reg, values: &[u32; LANES]) {
        u32::write(&mut self.frames[frame].registers, reg.at, !0, values);
    }
}

/// Returns the place of the lower half of a lane's fragment, and that of the upper half.
const fn places(lane: usize, transposed: bool) -> [[usize; 2]; 2] {
    let (group, pair) = (lane / 4, 2 * (lane % 4));
    if transposed { [[pair, group], [pair + 1, group]] } else { [[group, pair], [group, pair + 1]] }
}

/// Returns the fragments of a matrix, or of the transposed one.
fn fragments(table: &[[u16; 8]], transposed: bool) -> [u32; LANES] {
    std::array::from_fn(|lane| {
        let [low, high] = places(lane, transposed).map(|[row, column]| u32::from(table[row][column]));
        low | high << 16
    })
}

/// Returns the matrix of fragments, or the transposed one.
fn matrix_of(fragments: &[u32; LANES], transposed: bool) -> [[u16; 8]; 8] {
    let mut table = [[0; 8]; 8];
    for (lane, bits) in fragments.iter().enumerate() {
        let [low, high] = places(lane, transposed);
        table[low[0]][low[1]] = *bits as u16;
        table[high[0]][high[1]] = (bits >> 16) as u16;
    }
    table
}

impl Multiply {
    /// Computes the product.
    fn run(&self, registers: &mut Registers) {
        let Self { unit, formats, a, b, c, d, sparse } = self;
        let matrix = |(fragment, all): &(Fragment, Vec<Reg>)| fragment.matrix(|i| registers.column(all[i]));
        let (a_elements, b_elements, mut total) = (matrix(a), matrix(b), matrix(c));
        let (n, k) = (b.0.columns, b.0.rows);
        if c.0.bits < formats.total.bits() {
            total.iter_mut().for_each(|x| *x = ptx::cvt_f32_f16(F16::from_bits(*x as u16)).to_bits().into());
        }
        match sparse {
            None => formats.add(*unit, &a_elements, &b_elements, &mut total, n, k),
            Some(sparse) => {
                let metadata = registers.column(sparse.metadata);
                for (row, (a, total)) in a_elements.chunks_exact(k / 2).zip(total.chunks_exact_mut(n)).enumerate() {
                    let chosen: Vec<usize> =
                        (0..k / 2).map(|i| sparse.column(&metadata, row, i, formats.a.bits())).collect();
                    let b: Vec<u64> = b_elements.chunks_exact(k).flat_map(|b| chosen.iter().map(|k| b[*k])).collect();
                    formats.add(*unit, a, &b, total, n, k / 2);
                }
            }
        }
        if d.0.bits < formats.total.bits() {
            total.iter_mut().for_each(|x| *x = ptx::cvt_rn_f16_f32(f32::from_bits(*x as u32)).to_bits().into());
        }
        for (i, reg) in d.1.iter().enumerate() {
            registers.set_column(*reg, !0, &d.0.register(&total, i));
        }
    }
}

impl Sparse {
    /// Returns the column of element `i` of a row of A.
    fn column(&self, metadata: &[u64; LANES], row: usize, i: usize, bits: u32) -> usize {
        // Two bits for each 16 bits of the row choose among four.
        let halves = bits as usize / 16;
        let half = i * halves;
        let lane = 4 * (row % 8) + self.first + half / 8;
        let word = metadata[lane] >> (16 * (row / 8));
        let index = (word >> (2 * (half % 8)) & 3) as usize;
        (half / 2 * 4 + index) / halves
    }
}
