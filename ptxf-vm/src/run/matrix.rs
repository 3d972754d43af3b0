//! Runs instructions on fragments of matrices, which the 32 lanes of a warp execute together.

use ptxf::matrix::{Fragment, Operands, Place, Scale};

use super::SHARED_WINDOW;
use super::access::{Size, is_in};
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{Matrix, Multiply, Rows, Scaled, Space};
use crate::exec::fragment;
use crate::exec::registers::{LANES, lanes};
use crate::exec::{Mask, Reg, Registers};

/// The elements of rows, by the lane that has the address of each.
type Table = [[u16; 16]; LANES];

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
                let mut table: Table = [[0; 16]; LANES];
                for lane in lanes(rows.lanes()) {
                    let mut row = [0; Rows::BYTES as usize];
                    row.copy_from_slice(&shared.bytes[addresses[lane] as usize..][..Rows::BYTES as usize]);
                    let (row, mask) = (u128::from_le_bytes(row), u16::MAX >> (16 - rows.bits));
                    let elements = table[lane][..rows.fragment.columns()].iter_mut().enumerate();
                    elements.for_each(|(i, to)| *to = (row >> (i as u32 * rows.bits)) as u16 & mask);
                }
                let values = registers_of(&table, &rows.fragment, rows.registers.len());
                self.set_columns(group.frame, &rows.registers, &values);
            }
            Matrix::Store(rows) => {
                let addresses = self.rows(group.frame, rows, "write", shared)?;
                let table = table_of(&self.columns(group.frame, &rows.registers), &rows.fragment);
                for lane in lanes(rows.lanes()) {
                    let elements = table[lane][..rows.fragment.columns()].iter().enumerate();
                    let row = elements.fold(0, |row, (i, x)| row | u128::from(*x) << (i as u32 * rows.bits));
                    let to = &mut shared.bytes[addresses[lane] as usize..][..Rows::BYTES as usize];
                    to.copy_from_slice(&row.to_le_bytes());
                }
            }
            Matrix::Move { result, operand } => {
                let [plain, transposed] = [false, true].map(|of| Fragment::of_ldmatrix("m8n8", of));
                let [plain, transposed] = [plain, transposed].map(|of| of.expect("the table has both orders"));
                let table = table_of(&self.columns(group.frame, &[*operand]), &plain);
                self.set_columns(group.frame, &[*result], &registers_of(&table, &transposed, 1));
            }
            Matrix::LoadTile(tile) => {
                let elements = self.tile(group.frame, tile, shared, None)?;
                let values = fragment::registers(&tile.fragment, &elements);
                self.set_columns(group.frame, &tile.registers, &values);
            }
            Matrix::StoreTile(tile) => {
                let elements = fragment::elements(&tile.fragment, &self.columns(group.frame, &tile.registers));
                self.tile(group.frame, tile, shared, Some(&elements))?;
            }
            Matrix::Group(_) => {}
            Matrix::Wide(wide) => self.wide(group.frame, wide, shared)?,
            Matrix::Multiply(multiply) => {
                multiply.run(&mut self.frames[group.frame].registers)?;
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

    pub(super) fn columns(&self, frame: usize, all: &[Reg]) -> Vec<[u64; LANES]> {
        all.iter().map(|reg| self.frames[frame].registers.column(*reg)).collect()
    }

    fn set_columns(&mut self, frame: usize, all: &[Reg], values: &[[u64; LANES]]) {
        let registers = &mut self.frames[frame].registers;
        all.iter().zip(values).for_each(|(reg, values)| registers.set_column(*reg, !0, values));
    }
}

/// Calls `f` with each element of so many registers: its register, its lane, its first bit there,
/// and the row and the column in the table.
fn each_element(fragment: &Fragment, registers: usize, mut f: impl FnMut(usize, usize, usize, usize, usize)) {
    let (layout, each) = (fragment.layout(), 32 / fragment.element_bits());
    for (element, lane) in (0..registers * each).flat_map(|element| (0..LANES).map(move |lane| (element, lane))) {
        let Place { row, column, matrix } = layout.place(lane, element);
        f(element / each, lane, element % each * fragment.element_bits(), fragment.rows() * matrix + row, column);
    }
}

/// Returns the first registers of matrices.
fn registers_of(table: &Table, fragment: &Fragment, count: usize) -> Vec<[u64; LANES]> {
    let mut registers = vec![[0; LANES]; count];
    each_element(fragment, count, |i, lane, bit, row, column| {
        registers[i][lane] |= u64::from(table[row][column]) << bit
    });
    registers
}

/// Returns the rows of matrices in their first registers.
fn table_of(registers: &[[u64; LANES]], fragment: &Fragment) -> Table {
    let (mut table, mask) = ([[0; 16]; LANES], u16::MAX >> (16 - fragment.element_bits()));
    each_element(fragment, registers.len(), |i, lane, bit, row, column| {
        table[row][column] = (registers[i][lane] >> bit) as u16 & mask;
    });
    table
}

impl Multiply {
    /// Computes the product. Returns a fault if a place of scales does not exist, or if it differs
    /// among the lanes.
    fn run(&self, registers: &mut Registers) -> Result<(), Wrong> {
        let columns = |all: &[Reg]| all.iter().map(|reg| registers.column(*reg)).collect::<Vec<_>>();
        let (a, b, c) = (columns(&self.a), columns(&self.b), columns(&self.c));
        let metadata = self.sparse.map(|(reg, selector)| (registers.column(reg), selector));
        let scales = match &self.scales {
            None => None,
            Some([a, b]) => Some([a.find(registers)?, b.find(registers)?]),
        };
        let mut operands = Operands::new(&a, &b, &c);
        if let Some((metadata, selector)) = &metadata {
            operands = operands.sparse(metadata, *selector);
        }
        if let Some([a, b]) = &scales {
            let [a, b] = [a, b].map(|(register, [byte, thread])| Scale { register, byte: *byte, thread: *thread });
            operands = operands.scaled(a, b);
        }
        let mut d = vec![[0; LANES]; self.d.len()];
        let done = self.instruction.execute(self.unit, &operands, &mut d);
        done.expect("the unit was asked when the instruction was lowered");
        for (reg, values) in self.d.iter().zip(&d) {
            registers.set_column(*reg, !0, values);
        }
        Ok(())
    }
}

impl Scaled {
    /// Returns the lanes of the scales' register, the first byte, and the lanes that have scales.
    fn find(&self, registers: &Registers) -> Result<([u64; LANES], [usize; 2]), Wrong> {
        let mut place = [0; 2];
        for (i, name) in ["byte-id", "thread-id"].into_iter().enumerate() {
            let (numbers, allowed) = (registers.column(self.place[i]), self.allowed[i]);
            let wrong = |lane: usize, what: String| {
                Err(Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None })
            };
            if let Some(lane) = numbers.iter().position(|number| *number != numbers[0]) {
                let what = format!(
                    "the {name} of scales is {} in lane 0 and {} here: all lanes need the same one",
                    numbers[0], numbers[lane]
                );
                return wrong(lane, what);
            }
            if !allowed.has(numbers[0]) {
                return wrong(0, format!("the {name} of scales is {}: {allowed}", numbers[0]));
            }
            place[i] = numbers[0] as usize;
        }
        Ok((registers.column(self.register), place))
    }
}
