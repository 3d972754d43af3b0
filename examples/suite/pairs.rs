//! Arrays for handwritten packed kernels: every row begins with a whole word.

use ptxf::{F16, F16x2};

use crate::real::rounded;

/// Returns the words of a row of `width` elements.
pub const fn pitch(width: usize) -> usize {
    width.div_ceil(2)
}

/// Packs rows of `width` values. A zero follows the last element of an odd row.
pub fn packed(x: &[f32], width: usize) -> Vec<F16x2> {
    let pack = |pair: &[F16]| F16x2::from_lo_hi(pair[0], pair.get(1).copied().unwrap_or(F16::ZERO));
    x.chunks(width).flat_map(|row| rounded::<F16>(row).chunks(2).map(pack).collect::<Vec<_>>()).collect()
}

/// Returns `words` words of zeros.
pub fn zeros(words: usize) -> Vec<F16x2> {
    vec![F16x2::ZERO; words]
}

/// Unpacks rows of `width` elements.
pub fn unpacked(x: &[F16x2], width: usize) -> Vec<F16> {
    x.chunks(pitch(width)).flat_map(|row| row.iter().flat_map(|x| [x.lo(), x.hi()]).take(width)).collect()
}
