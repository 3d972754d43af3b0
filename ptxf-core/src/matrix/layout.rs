//! The places of a matrix's elements in the registers of a warp.

use core::fmt;

/// An element's place in a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The matrix, of instructions with several: `ldmatrix` has up to four, and Volta's `m8n8k4`
    /// multiplies four pairs.
    pub matrix: usize,
}

/// A map between the elements in the registers of 32 lanes and the elements of a matrix.
///
/// In all of NVIDIA's layouts, each bit of a lane's number, and each bit of an element's number in
/// its lane, is a bit of the row, of the column, or of the matrix's number. A layout is the list of
/// these bits, the lowest first: five of the lane, then those of the element.
///
/// # Examples
///
/// ```
/// use ptxf::matrix::{Instruction, Place};
///
/// let mma = Instruction::parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").unwrap();
/// let a = mma.a().layout();
/// assert_eq!(a.to_string(), "c1 c2 r0 r1 r2 | c0 r3 c3");
/// // Element 6 of lane 13: the bits of 13 are c1, r0 and r1, those of 6 are r3 and c3.
/// assert_eq!(a.place(13, 6), Place { row: 11, column: 10, matrix: 0 });
/// assert_eq!(a.find(Place { row: 11, column: 10, matrix: 0 }), (13, 6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    bits: [Bit; MOST],
    count: usize,
}

/// The bits of a lane's number.
const LANE_BITS: usize = 5;
const MOST: usize = LANE_BITS + 8;

/// The meaning of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bit {
    Row(u8),
    Column(u8),
    Matrix(u8),
    /// Elements that differ in it are copies of one.
    Copy,
}

impl Layout {
    /// Reads a layout of the table.
    pub(super) fn of(text: &str) -> Self {
        let mut layout = Self { bits: [Bit::Copy; MOST], count: 0 };
        for word in text.split_whitespace().filter(|word| *word != "|") {
            let number = word[1..].parse().unwrap_or(0);
            layout.bits[layout.count] = match word.as_bytes()[0] {
                b'r' => Bit::Row(number),
                b'c' => Bit::Column(number),
                b'm' => Bit::Matrix(number),
                _ => Bit::Copy,
            };
            layout.count += 1;
        }
        layout
    }

    /// Returns the place of element `element` of lane `lane`.
    #[must_use]
    pub fn place(&self, lane: usize, element: usize) -> Place {
        let (code, mut place) = (lane | element << LANE_BITS, Place::default());
        for (at, bit) in self.bits[..self.count].iter().enumerate() {
            let one = code >> at & 1;
            match *bit {
                Bit::Row(to) => place.row |= one << to,
                Bit::Column(to) => place.column |= one << to,
                Bit::Matrix(to) => place.matrix |= one << to,
                Bit::Copy => {}
            }
        }
        place
    }

    /// Returns the lane and the number of the element at a place, the first one of copies.
    #[must_use]
    pub fn find(&self, place: Place) -> (usize, usize) {
        let code = self.code(place);
        (code % (1 << LANE_BITS), code >> LANE_BITS)
    }

    /// Returns the number of copies of each element.
    pub(super) fn copies(&self) -> usize {
        1 << self.bits[..self.count].iter().filter(|bit| **bit == Bit::Copy).count()
    }

    /// Returns the lane and, above it, the element. The code of a place is the union of those of
    /// its row, its column and its matrix.
    pub(super) fn code(&self, place: Place) -> usize {
        let bit = |(at, bit): (usize, &Bit)| {
            let one = match *bit {
                Bit::Row(from) => place.row >> from,
                Bit::Column(from) => place.column >> from,
                Bit::Matrix(from) => place.matrix >> from,
                Bit::Copy => 0,
            };
            (one & 1) << at
        };
        self.bits[..self.count].iter().enumerate().map(bit).sum()
    }
}

impl fmt::Display for Layout {
    /// Writes the bits, the lowest first: of the lane, and after a bar of the element.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, bit) in self.bits[..self.count].iter().enumerate() {
            f.write_str(match at {
                0 => "",
                LANE_BITS => " | ",
                _ => " ",
            })?;
            match bit {
                Bit::Row(n) => write!(f, "r{n}")?,
                Bit::Column(n) => write!(f, "c{n}")?,
                Bit::Matrix(n) => write!(f, "m{n}")?,
                Bit::Copy => f.write_str("-")?,
            }
        }
        Ok(())
    }
}

/// A matrix as the registers of a warp hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) matrices: usize,
    pub(super) bits: usize,
    pub(super) registers: usize,
    pub(super) layout: Layout,
}

impl Fragment {
    /// Returns a matrix that is not in registers.
    pub(super) fn absent(rows: usize, columns: usize, bits: usize) -> Self {
        Self { rows, columns, matrices: 1, bits, registers: 0, layout: Layout::of("") }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of matrices: 4 for Volta's `m8n8k4`, otherwise 1.
    #[must_use]
    pub fn matrices(&self) -> usize {
        self.matrices
    }

    /// Returns the bits that an element takes in a register, which may be more than it has.
    #[must_use]
    pub fn element_bits(&self) -> usize {
        self.bits
    }

    /// Returns the bits of a register: 64 for f64, otherwise 32.
    #[must_use]
    pub fn register_bits(&self) -> usize {
        self.bits.max(32)
    }

    /// Returns the number of registers.
    #[must_use]
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Returns the map between registers and elements.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the bits of an element. `registers` has the lanes of each register.
    ///
    /// # Panics
    ///
    /// Panics if the place or one of the registers does not exist.
    #[must_use]
    #[track_caller]
    pub fn get(&self, registers: &[[u64; 32]], place: Place) -> u64 {
        self.at(registers, self.layout.code(place))
    }

    /// Writes the bits of an element, into all of its copies.
    ///
    /// # Panics
    ///
    /// Panics if the place or one of the registers does not exist.
    #[track_caller]
    pub fn set(&self, registers: &mut [[u64; 32]], place: Place, bits: u64) {
        let (lane, first) = self.layout.find(place);
        let each = self.register_bits() / self.bits;
        let mask = u64::MAX >> (64 - self.bits);
        for element in first..self.registers * each {
            if element == first || self.layout.place(lane, element) == place {
                let shift = element % each * self.bits;
                let register = &mut registers[element / each][lane];
                *register = *register & !(mask << shift) | (bits & mask) << shift;
            }
        }
    }

    /// Returns the element with a code of the layout.
    #[track_caller]
    pub(super) fn at(&self, registers: &[[u64; 32]], code: usize) -> u64 {
        let (lane, element) = (code % (1 << LANE_BITS), code >> LANE_BITS);
        let each = self.register_bits() / self.bits;
        registers[element / each][lane] >> (element % each * self.bits) & u64::MAX >> (64 - self.bits)
    }
}

impl fmt::Display for Fragment {
    /// Draws the first matrix: for each element its lane, and its number in the lane.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (lane, element) = self.layout.find(Place { row, column, matrix: 0 });
                let between = if column == 0 { "" } else { " " };
                write!(f, "{between}{lane:2}.{element:<2}")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
