//! Instructions that the 32 lanes of a warp execute together, on fragments of matrices.

use std::fmt;

use ptxf::matrix::{Fragment, Instruction, Unit};

use super::{Address, Order, Space, Touched};
use crate::exec::form::Source;
use crate::exec::{Mask, Reg};

/// An instruction on fragments.
#[derive(Clone, Debug)]
pub(crate) enum Matrix {
    /// `ldmatrix`
    Load(Rows),
    /// `stmatrix`
    Store(Rows),
    /// `movmatrix`, which transposes.
    Move { result: Reg, operand: Reg },
    /// `wmma.load`
    LoadTile(Tile),
    /// `wmma.store`
    StoreTile(Tile),
    /// `mma` or `wmma.mma`
    Multiply(Box<Multiply>),
    /// `wgmma.mma_async`
    Wide(Box<Wide>),
    /// `wgmma.fence`, `.commit_group` and `.wait_group`
    Group(Group),
}

/// An instruction that orders the products of `wgmma`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Group {
    Fence,
    Commit,
    /// All but so many of the last groups are over.
    Wait(u64),
}

/// A factor of `wgmma`.
#[derive(Clone, Debug)]
pub(crate) enum Factor {
    Registers(Vec<Reg>),
    /// In shared memory. Transposed, elements with the same k are adjacent.
    Shared {
        descriptor: Reg,
        transposed: bool,
    },
}

/// D = A · B + D for four warps, each of which has 16 rows of A and D.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) unit: Unit,
    pub(crate) instruction: Instruction,
    pub(crate) a: Factor,
    pub(crate) b: Factor,
    pub(crate) d: Vec<Reg>,
    /// The metadata of a sparse A, and the selector of lanes that have it.
    pub(crate) sparse: Option<(Reg, usize)>,
    /// A predicate: if it is false, D has no old value.
    pub(crate) keeps: u32,
    /// `true` for A or B with the other sign.
    pub(crate) negates: [bool; 2],
}

/// A matrix in memory, whose rows or columns are at equal distances.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) space: Space,
    pub(crate) address: Address,
    /// The distance of rows or columns in elements.
    pub(crate) stride: Reg,
    /// `true` if the elements of a row are adjacent, `false` for those of a column.
    pub(crate) by_rows: bool,
    pub(crate) fragment: Fragment,
    pub(crate) registers: Vec<Reg>,
}

impl Tile {
    /// Returns the number of rows or columns, at most 32, and the bytes of each.
    pub(crate) fn lines(&self) -> (usize, u64) {
        let (rows, columns) = (self.fragment.rows(), self.fragment.columns());
        let (lines, elements) = if self.by_rows { (rows, columns) } else { (columns, rows) };
        (lines, (elements * self.fragment.element_bits() / 8) as u64)
    }
}

/// D = A · B + C
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    pub(crate) unit: Unit,
    pub(crate) instruction: Instruction,
    pub(crate) a: Vec<Reg>,
    pub(crate) b: Vec<Reg>,
    pub(crate) c: Vec<Reg>,
    pub(crate) d: Vec<Reg>,
    /// The metadata of a sparse A, and the selector of lanes that have it.
    pub(crate) sparse: Option<(Reg, usize)>,
    /// The scales of A and of B.
    pub(crate) scales: Option<[Scaled; 2]>,
}

/// The scales of a matrix: their register, and two registers of 16 bits with the first byte and the
/// lanes that have scales.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) register: Reg,
    pub(crate) place: [Reg; 2],
    /// The values that the first byte and the lanes can have.
    pub(crate) allowed: [Allowed; 2],
}

/// A multiple of a number, up to a largest one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    pub(crate) multiple: u64,
    pub(crate) most: u64,
}

impl Allowed {
    pub(crate) fn has(self, number: u64) -> bool {
        number <= self.most && number.is_multiple_of(self.multiple)
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { most: 0, .. } => f.write_str("0 is expected"),
            Self { multiple: 1, most } => write!(f, "a number from 0 to {most} is expected"),
            Self { multiple, most } => write!(f, "a multiple of {multiple} up to {most} is expected"),
        }
    }
}

/// Matrices whose rows have an address each.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) space: Space,
    pub(crate) address: Address,
    /// Four registers, of which the first are those of fewer matrices.
    pub(crate) fragment: Fragment,
    /// The bits of an element in memory. In registers it may have more.
    pub(crate) bits: u32,
    pub(crate) registers: Vec<Reg>,
}

impl Rows {
    /// The bytes of a row with its padding.
    pub(crate) const BYTES: u64 = 16;

    /// Returns the bytes of a row without its padding.
    pub(crate) fn bytes(&self) -> u64 {
        self.fragment.columns() as u64 * u64::from(self.bits) / 8
    }

    /// Returns the lanes that have the address of a row.
    pub(crate) fn lanes(&self) -> Mask {
        Mask::MAX >> (Mask::BITS - 8 * self.registers.len() as u32)
    }
}

impl Matrix {
    /// Returns the memory access. Returns `None` if the instruction accesses no memory.
    pub(super) fn touched(&self) -> Option<Touched<'_>> {
        let (rows, writes) = match self {
            Self::Load(rows) => (rows, false),
            Self::Store(rows) => (rows, true),
            Self::LoadTile(tile) | Self::StoreTile(tile) => {
                let (lines, bytes) = tile.lines();
                let reads = matches!(self, Self::LoadTile(_));
                return Some(Touched {
                    space: tile.space,
                    address: &tile.address,
                    bytes,
                    reads,
                    writes: !reads,
                    order: Order::default(),
                    lanes: Mask::MAX >> (Mask::BITS - lines as u32),
                    stride: Some((tile.stride, tile.fragment.element_bits() as u32)),
                    pieces: None,
                });
            }
            Self::Wide(wide) => {
                return Some(Touched {
                    space: Space::Shared,
                    address: &Address { base: None, offset: 0, in_frame: false },
                    bytes: 16,
                    reads: true,
                    writes: false,
                    order: Order::default(),
                    lanes: !0,
                    stride: None,
                    pieces: Some(wide),
                });
            }
            Self::Move { .. } | Self::Multiply(_) | Self::Group(_) => return None,
        };
        Some(Touched {
            space: rows.space,
            address: &rows.address,
            bytes: rows.bytes(),
            reads: !writes,
            writes,
            order: Order::default(),
            lanes: rows.lanes(),
            stride: None,
            pieces: None,
        })
    }

    /// Adds the registers that the instruction writes and reads.
    pub(super) fn operands(&self, results: &mut Vec<Source>, operands: &mut Vec<Source>) {
        let registers = |rows: &Rows| rows.registers.iter().copied().map(Source::Register).collect::<Vec<_>>();
        match self {
            Self::Load(rows) => {
                results.extend(registers(rows));
                operands.extend(rows.address.base.map(Source::Register));
            }
            Self::Store(rows) => {
                operands.extend(rows.address.base.map(Source::Register).into_iter().chain(registers(rows)))
            }
            Self::Move { result, operand } => {
                results.push(Source::Register(*result));
                operands.push(Source::Register(*operand));
            }
            Self::LoadTile(tile) => {
                results.extend(tile.registers.iter().copied().map(Source::Register));
                operands.extend(tile.address.base.into_iter().chain([tile.stride]).map(Source::Register));
            }
            Self::StoreTile(tile) => {
                let registers =
                    tile.address.base.into_iter().chain([tile.stride]).chain(tile.registers.iter().copied());
                operands.extend(registers.map(Source::Register));
            }
            Self::Group(_) => {}
            Self::Wide(wide) => {
                let Wide { a, b, d, sparse, keeps, .. } = &**wide;
                results.extend(d.iter().copied().map(Source::Register));
                for factor in [a, b] {
                    match factor {
                        Factor::Registers(all) => operands.extend(all.iter().copied().map(Source::Register)),
                        Factor::Shared { descriptor, .. } => operands.push(Source::Register(*descriptor)),
                    }
                }
                operands.extend(sparse.map(|(metadata, _)| Source::Register(metadata)));
                operands.push(Source::Predicate(*keeps));
                operands.extend(d.iter().copied().map(Source::Register));
            }
            Self::Multiply(multiply) => {
                let Multiply { a, b, c, d, sparse, scales, .. } = &**multiply;
                results.extend(d.iter().copied().map(Source::Register));
                operands.extend([a, b, c].into_iter().flatten().copied().map(Source::Register));
                operands.extend(sparse.map(|(metadata, _)| Source::Register(metadata)));
                let of_scale = |Scaled { register, place, .. }: &Scaled| [*register, place[0], place[1]];
                operands.extend(scales.iter().flatten().flat_map(of_scale).map(Source::Register));
            }
        }
    }
}
