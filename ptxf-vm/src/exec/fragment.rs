//! The elements of a matrix in the registers of a warp, row by row.

use ptxf::matrix::{Fragment, Place};

use super::registers::LANES;

/// Returns the place of each element.
fn places(fragment: &Fragment) -> impl Iterator<Item = Place> {
    let (rows, columns) = (fragment.rows(), fragment.columns());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| Place { row, column, matrix: 0 }))
}

/// Returns the elements of a matrix in registers.
pub(crate) fn elements(fragment: &Fragment, registers: &[[u64; LANES]]) -> Vec<u64> {
    places(fragment).map(|place| fragment.get(registers, place)).collect()
}

/// Returns the registers of a matrix.
pub(crate) fn registers(fragment: &Fragment, elements: &[u64]) -> Vec<[u64; LANES]> {
    let mut all = vec![[0; LANES]; fragment.registers()];
    places(fragment).zip(elements).for_each(|(place, bits)| fragment.set(&mut all, place, *bits));
    all
}
