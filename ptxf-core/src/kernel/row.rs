//! Positions of elements in rows that follow each other in one slice.
//!
//! The position is `row * width + column`. A column outside of its row would be an element of
//! another row, which may belong to another thread, although the index is in range. So the column
//! is compared with the width, and the product must not wrap.

use super::ctx::{Ctx, Exec};
use super::index::Lin;
use super::int::IntOp;
use super::op::{Cmp, cmp};
use super::view::Checks;

#[cold]
#[inline(never)]
#[track_caller]
fn outside(row: usize, rows: Option<usize>, width: usize, column: usize) -> ! {
    #[cfg(not(target_arch = "nvptx64"))]
    match rows {
        _ if column >= width => panic!("thread accesses element {column} of a row of {width}"),
        Some(rows) => panic!("thread accesses row {row} of {rows}"),
        None => panic!("thread accesses row {row} of rows of {width}, which is beyond every slice"),
    }
    #[cfg(target_arch = "nvptx64")]
    {
        // As in `view`.
        let _ = (row, rows, width, column);
        crate::backend::nvptx::trap()
    }
}

/// Panics with the row and column of the first thread of `found`.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[inline(never)]
#[track_caller]
fn first_outside<C: Ctx>(
    cx: C,
    row: C::V<usize>,
    rows: Option<usize>,
    width: usize,
    column: C::V<usize>,
    found: C::Mask,
) -> ! {
    let one = |lane: usize| cx.and(found, cx.between(Lin(0), lane, lane + 1));
    let lane = (0..C::LANES).find(|&lane| cx.any(one(lane))).unwrap_or(0);
    // A context can only compare values, so each bit is found by a comparison.
    let value = |of: C::V<usize>| {
        (0..usize::BITS).rev().fold(0, |least, bit| {
            let more = least | 1 << bit;
            let reaches = cx.compare::<usize, _>(cmp::Ge, of, cx.splat::<usize>(more));
            if cx.any(cx.and(one(lane), reaches)) { more } else { least }
        })
    };
    outside(value(row), rows, width, value(column))
}

/// Returns `true` if memory can have such a row. Then neither `row * width` nor its sum with a
/// column wraps.
///
/// Nearly all rows pass the first comparison, which takes two instructions on a device. The exact
/// check whether a 64-bit product wraps takes a dozen. The rounded product is accurate to 22 bits,
/// which is enough to compare it with 2^62: no address reaches elements beyond.
#[cfg(any(test, target_arch = "nvptx64"))]
#[inline_in_release]
fn may_be_addressed(row: usize, width: usize) -> bool {
    const BEYOND: f32 = (1_u64 << 62) as f32;
    row | width < 1 << 31 || row as f32 * (width as f32) < BEYOND
}

/// Returns the index of the row's first element, or `None` if the row's end is out of range.
#[inline_in_release]
pub(super) fn begin(row: usize, rows: Option<usize>, width: usize) -> Option<usize> {
    match rows {
        Some(rows) => (row < rows).then(|| row.wrapping_mul(width)),
        #[cfg(target_arch = "nvptx64")]
        None => may_be_addressed(row, width).then(|| row.wrapping_mul(width)),
        #[cfg(not(target_arch = "nvptx64"))]
        None => row.checked_mul(width).filter(|begin| begin.checked_add(width).is_some()),
    }
}

/// Returns the number of threads by which the pairs of a row begin before the row, so that the
/// elements `column + row * width` of each pair are a word. `are_odd` is `true` if rows have an odd
/// length.
#[cfg(any(test, target_arch = "nvptx64"))]
#[inline_in_release]
pub(super) fn head(row: usize, are_odd: bool) -> usize {
    row & are_odd as usize
}

/// The shape of a two-dimensional access: the number of rows, if an array fixes it, and the number
/// of elements in a row.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    pub(super) rows: Option<usize>,
    pub(super) width: usize,
    pub(super) checks: Checks,
}

#[inline_in_release]
impl Rows {
    /// Returns the shape, for checks at each access.
    #[must_use]
    pub const fn new(rows: Option<usize>, width: usize) -> Self {
        Self { rows, width, checks: Checks::ALL }
    }

    /// Returns the index of a row's first element if places are not checked, and otherwise the
    /// result of [`begin`].
    fn begin(self, row: usize) -> Option<usize> {
        if self.checks.are_done() {
            return Some(row.wrapping_mul(self.width));
        }
        begin(row, self.rows, self.width)
    }

    /// Returns the position of an element.
    #[must_use]
    #[track_caller]
    pub fn place(self, row: usize, column: usize) -> usize {
        let Self { rows, width, checks } = self;
        match self.begin(row) {
            Some(begin) if !checks.fail(column >= width) => begin.wrapping_add(column),
            _ => outside(row, rows, width, column),
        }
    }

    /// Returns the positions of neighbouring elements of a row, for the threads of `x`.
    #[track_caller]
    pub fn along<C: Ctx, X: Exec<C>>(self, cx: C, row: usize, column: Lin, x: X) -> Lin {
        let Self { rows, width, checks } = self;
        let ends = checks.fail(if X::ALL {
            column.0 >= width.saturating_sub(C::LANES - 1)
        } else {
            cx.any(cx.and(x.mask(cx), cx.compare_indices(Cmp::Ge, column, width)))
        });
        match self.begin(row) {
            Some(begin) if !ends => column + begin,
            // At least one of the threads is at the end of the row or beyond.
            _ => outside(row, rows, width, if ends { column.0.max(width) } else { 0 }),
        }
    }

    /// Returns the positions of elements in one column of consecutive rows, for the threads of `x`;
    /// other threads get any position.
    #[track_caller]
    pub fn down<C: Ctx, X: Exec<C>>(self, cx: C, row: Lin, column: usize, x: X) -> C::V<usize> {
        let Self { rows, width, checks } = self;
        // The group's last row is the largest, even if the first threads are before the grid and
        // wrap.
        let last = row.0.wrapping_add(C::LANES - 1);
        let ends = match rows {
            Some(rows) => cx.any(cx.and(x.mask(cx), cx.compare_indices(Cmp::Ge, row, rows))),
            None => begin(last, None, width).is_none(),
        };
        if checks.fail(ends || column >= width) {
            outside(if ends { rows.map_or(last, |rows| row.0.max(rows)) } else { row.0 }, rows, width, column);
        }
        let all = cx.mask(true);
        let begin = cx.int_op::<usize>(IntOp::Mul, cx.indices(row), cx.splat::<usize>(width), all);
        cx.int_op::<usize>(IntOp::Add, begin, cx.splat::<usize>(column), all)
    }

    /// Returns the positions of arbitrary elements, for the threads of `x`; other threads get any
    /// position.
    #[track_caller]
    pub fn anywhere<C: Ctx, X: Exec<C>>(self, cx: C, row: C::V<usize>, column: C::V<usize>, x: X) -> C::V<usize> {
        let Self { rows, width, checks } = self;
        let (widths, all) = (cx.splat::<usize>(width), cx.mask(true));
        // Below this number of rows no product wraps.
        let most = rows.unwrap_or(usize::MAX / width.max(1));
        let outside_row = cx.compare::<usize, _>(cmp::Ge, column, widths);
        let outside_rows = cx.compare::<usize, _>(cmp::Ge, row, cx.splat::<usize>(most));
        let found = cx.and(x.mask(cx), cx.or(outside_row, outside_rows));
        if checks.fail(cx.any(found)) {
            #[cfg(not(target_arch = "nvptx64"))]
            first_outside(cx, row, rows, width, column, found);
            #[cfg(target_arch = "nvptx64")]
            outside(0, rows, width, width);
        }
        let begin = cx.int_op::<usize>(IntOp::Mul, row, widths, all);
        cx.int_op::<usize>(IntOp::Add, begin, column, all)
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{head, may_be_addressed};

    #[test]
    fn pairs_of_rows_are_words_and_have_each_thread_once() {
        for width in 1..20_usize {
            for row in 0..5 {
                let head = head(row, width % 2 == 1);
                let mut threads = std::vec::Vec::new();
                // A launch has that many pairs, wherever they begin.
                for pair in 0..width.div_ceil(2) {
                    let first = (2 * pair).wrapping_sub(head);
                    assert_eq!(first.wrapping_add(row * width) % 2, 0, "thread {first} of row {row} of {width}");
                    threads.extend([first, first.wrapping_add(1)].into_iter().filter(|thread| *thread < width));
                }
                assert!(threads.into_iter().eq(0..width), "row {row} of {width}");
            }
        }
    }

    #[test]
    fn a_row_that_wraps_is_never_taken_for_one_and_every_row_of_a_memory_is() {
        let mut edges: std::vec::Vec<usize> =
            (0..64).flat_map(|bit| [-1_isize, 0, 1].map(|d| (1_usize << bit).wrapping_add_signed(d))).collect();
        edges.extend([3 << 30, 0xB504_F333, 0xFFFF_FF80_0000, 3_037_000_499, usize::MAX]);
        for &row in &edges {
            for &width in &edges {
                // The end of the row, where the next row begins.
                let end = (row as u128 + 1) * width as u128;
                if may_be_addressed(row, width) {
                    assert!(end <= 1 << 64 || row == 0, "{row} {width}");
                }
                if end < 1 << 61 {
                    assert!(may_be_addressed(row, width), "{row} {width}");
                }
            }
        }
    }
}
