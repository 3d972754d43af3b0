//! Runs instructions on fragments of matrices, which the 32 lanes of a warp execute together.

use ptxf::matrix::{Layout, Operands, Scale, ldmatrix};

use super::SHARED_WINDOW;
use super::access::{Size, is_in};
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{Matrix, Multiply, Rows, Scaled, Space};
use crate::exec::fragment;
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
                    self.set_fragment(group.frame, *reg, &fragments(&table[8 * i..8 * i + 8], &rows.layout));
                }
            }
            Matrix::Store(rows) => {
                let addresses = self.rows(group.frame, rows, "write", shared)?;
                for (i, reg) in rows.registers.iter().enumerate() {
                    let table = matrix_of(&self.fragment(group.frame, *reg), &rows.layout);
                    for (row, at) in table.iter().zip(&addresses[8 * i..]) {
                        let bytes = &mut shared.bytes[*at as usize..][..Rows::BYTES as usize];
                        bytes.chunks_exact_mut(2).zip(row).for_each(|(to, x)| to.copy_from_slice(&x.to_le_bytes()));
                    }
                }
            }
            Matrix::Move { result, operand } => {
                let table = matrix_of(&self.fragment(group.frame, *operand), &ldmatrix(false));
                self.set_fragment(group.frame, *result, &fragments(&table, &ldmatrix(true)));
            }
            Matrix::LoadTile(tile) => {
                let elements = self.tile(group.frame, tile, shared, None)?;
                let values = fragment::registers(&tile.fragment, &elements);
                for (reg, values) in tile.registers.iter().zip(&values) {
                    self.frames[group.frame].registers.set_column(*reg, !0, values);
                }
            }
            Matrix::StoreTile(tile) => {
                let registers = &self.frames[group.frame].registers;
                let values: Vec<_> = tile.registers.iter().map(|reg| registers.column(*reg)).collect();
                let elements = fragment::elements(&tile.fragment, &values);
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

/// Returns the fragments of a matrix whose elements have these places.
fn fragments(table: &[[u16; 8]], layout: &Layout) -> [u32; LANES] {
    std::array::from_fn(|lane| {
        let [low, high] = [0, 1].map(|i| layout.place(lane, i)).map(|at| u32::from(table[at.row][at.column]));
        low | high << 16
    })
}

/// Returns the matrix of fragments whose elements have these places.
fn matrix_of(fragments: &[u32; LANES], layout: &Layout) -> [[u16; 8]; 8] {
    let mut table = [[0; 8]; 8];
    for (lane, bits) in fragments.iter().enumerate() {
        for (i, half) in [*bits as u16, (bits >> 16) as u16].into_iter().enumerate() {
            let at = layout.place(lane, i);
            table[at.row][at.column] = half;
        }
    }
    table
}

impl Multiply {
    /// Computes the product.
    fn run(&self, registers: &mut Registers) {
        let columns = |all: &[Reg]| all.iter().map(|reg| registers.column(*reg)).collect::<Vec<_>>();
        let (a, b, c) = (columns(&self.a), columns(&self.b), columns(&self.c));
        let metadata = self.sparse.map(|(reg, selector)| (registers.column(reg), selector));
        let scales = self.scales.map(|scales| scales.map(|scale| (registers.column(scale.register), scale)));
        let mut operands = Operands::new(&a, &b, &c);
        if let Some((metadata, selector)) = &metadata {
            operands = operands.sparse(metadata, *selector);
        }
        if let Some([a, b]) = &scales {
            let of = |(register, Scaled { byte, thread, .. })| Scale { register, byte, thread };
            operands = operands.scaled(of((&a.0, a.1)), of((&b.0, b.1)));
        }
        let mut d = vec![[0; LANES]; self.d.len()];
        let done = self.instruction.execute(self.unit, &operands, &mut d);
        done.expect("the unit was asked when the instruction was lowered");
        for (reg, values) in self.d.iter().zip(&d) {
            registers.set_column(*reg, !0, values);
        }
    }
}
