//! The parts of a matrix that the lanes of a warp have in their registers.
//!
//! All shapes of `mma` follow one rule. With g = lane / 4 and t = lane % 4, a register of A has
//! adjacent elements of row g from column t · n on, where n is the number of elements in it. The
//! next register is eight rows below, and after 16 rows 4n columns to the right. B is the same
//! with columns for rows, in blocks of eight columns. C and D have elements 2t and 2t + 1 of row g
//! in blocks of eight columns.

use super::registers::LANES;

/// A matrix of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    A,
    B,
    /// C or D.
    C,
}

/// A matrix in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) role: Role,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The bits of an element.
    pub(crate) bits: u32,
}

impl Fragment {
    /// Returns the bits of a register.
    pub(crate) fn register_bits(self) -> u32 {
        self.bits.max(32)
    }

    /// Returns the number of elements in a register.
    fn each(self) -> usize {
        (self.register_bits() / self.bits) as usize
    }

    /// Returns the number of registers that have different elements.
    pub(crate) fn registers(self) -> usize {
        self.rows * self.columns / self.each() / LANES
    }

    /// Returns the row and the column of an element.
    fn place(self, lane: usize, register: usize, i: usize) -> [usize; 2] {
        let (g, t, each) = (lane / 4, lane % 4, self.each());
        match self.role {
            Role::A => {
                let tall = self.rows.min(16);
                let high = tall / 8;
                let across = self.columns / (4 * each);
                let (block, within) = (register / (high * across), register % (high * across));
                [tall * block + 8 * (within % high) + g, 4 * each * (within / high) + each * t + i]
            }
            Role::B => {
                let down = self.rows / (4 * each);
                [4 * each * (register % down) + each * t + i, 8 * (register / down) + g]
            }
            Role::C => {
                let tall = self.rows.min(16);
                let (e, high) = (register * each + i, tall / 8);
                let (pair, block) = (e / 2 % high, e / (2 * high));
                let across = self.columns / 8;
                [tall * (block / across) + 8 * pair + g, 8 * (block % across) + 2 * t + e % 2]
            }
        }
    }

    /// Returns the number of the element in [`Fragment::matrix`].
    fn at(self, [row, column]: [usize; 2]) -> usize {
        if self.role == Role::B { column * self.rows + row } else { row * self.columns + column }
    }

    /// Returns the elements of the matrix: row by row, or B column by column.
    pub(crate) fn matrix(self, register: impl Fn(usize) -> [u64; LANES]) -> Vec<u64> {
        let mut all = vec![0; self.rows * self.columns];
        for r in 0..self.registers() {
            for (lane, bits) in register(r).into_iter().enumerate() {
                for i in 0..self.each() {
                    let element = bits >> (i as u32 * self.bits) & u64::MAX >> (64 - self.bits);
                    all[self.at(self.place(lane, r, i))] = element;
                }
            }
        }
        all
    }

    /// Returns the lanes of a register of the matrix.
    pub(crate) fn register(self, matrix: &[u64], register: usize) -> [u64; LANES] {
        std::array::from_fn(|lane| {
            let element = |i: usize| matrix[self.at(self.place(lane, register, i))] << (i as u32 * self.bits);
            (0..self.each()).fold(0, |all, i| all | element(i))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_one_place() {
        for (role, rows, columns, bits, registers) in [
            (Role::A, 16, 16, 16, 4),
            (Role::A, 16, 8, 16, 2),
            (Role::A, 16, 8, 32, 4),
            (Role::A, 16, 4, 32, 2),
            (Role::A, 16, 32, 8, 4),
            (Role::A, 8, 16, 8, 1),
            (Role::A, 32, 16, 16, 8),
            (Role::A, 16, 64, 4, 4),
            (Role::A, 16, 256, 1, 4),
            (Role::A, 8, 128, 1, 1),
            (Role::A, 16, 16, 64, 8),
            (Role::A, 8, 4, 64, 1),
            (Role::B, 16, 8, 16, 2),
            (Role::B, 16, 32, 16, 8),
            (Role::B, 64, 8, 4, 2),
            (Role::B, 4, 8, 64, 1),
            (Role::C, 16, 8, 32, 4),
            (Role::C, 16, 8, 16, 2),
            (Role::C, 8, 8, 32, 2),
            (Role::C, 8, 8, 64, 2),
            (Role::C, 32, 8, 32, 8),
            (Role::C, 8, 32, 16, 4),
            (Role::C, 16, 16, 32, 8),
        ] {
            let fragment = Fragment { role, rows, columns, bits };
            assert_eq!(fragment.registers(), registers, "{fragment:?}");
            let most = u64::MAX >> (64 - bits);
            let matrix: Vec<u64> = (0..rows * columns).map(|i| (i as u64 * 0x9e37_79b9) & most).collect();
            assert_eq!(fragment.matrix(|r| fragment.register(&matrix, r)), matrix, "{fragment:?}");
        }
        let a = Fragment { role: Role::A, rows: 16, columns: 16, bits: 16 };
        assert_eq!([1, 2, 3].map(|r| a.place(13, r, 1)), [[11, 3], [3, 11], [11, 11]]);
        let c = Fragment { role: Role::C, rows: 16, columns: 16, bits: 32 };
        assert_eq!([1, 2, 4].map(|r| c.place(13, r, 0)), [[3, 3], [11, 2], [3, 10]]);
    }
}
