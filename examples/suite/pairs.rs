//! Arrays as a programmer lays them out who packs two elements by hand: every row begins with a whole word.

use ptxf::{F16, F16x2};

use crate::real::rounded;

/// The words of a row of so many elements.
pub const fn pitch(width: usize) -> usize {
    width.div_ceil(2)
}

/// Rows of `width` values, rounded; behind an odd row's last stands a zero.
pub fn packed(x: &[f32], width: usize) -> Vec<F16x2> {
    let pack = |pair: &[F16]| F16x2::from_lo_hi(pair[0], pair.get(1).copied().unwrap_or(F16::ZERO));
    x.chunks(width).flat_map(|row| rounded::<F16>(row).chunks(2).map(pack).collect::<Vec<_>>()).collect()
}

/// So many words of zeros.
pub fn zeros(words: usize) -> Vec<F16x2> {
    vec![F16x2::ZERO; words]
}

/// The elements of rows of `width`.
pub fn unpacked(x: &[F16x2], width: usize) -> Vec<F16> {
    x.chunks(pitch(width)).flat_map(|row| row.iter().flat_map(|x| [x.lo(), x.hi()]).take(width)).collect()
}
