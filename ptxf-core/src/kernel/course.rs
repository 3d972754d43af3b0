//! Bounds checks of a whole loop, done once before it.
//!
//! An index that is linear in a loop counter, such as `row * n + k`, rises from its first value to
//! its last, if nothing wraps. Then all of its values are in range if the last is, and the loop
//! needs no bounds check. If the check fails, a loop with a check in each iteration runs. So the
//! launch traps at the first index that is out of range, after the writes of earlier iterations.
//!
//! Indices are computed modulo 2^64, and so is the step of an iteration. Both equal their true
//! values if the product of the step and the number of iterations does not wrap.
#![cfg_attr(not(target_arch = "nvptx64"), expect(unreachable_pub, reason = "only expansions for a device use it"))]

use super::row::{Rows, begin};

/// The values of an index that is linear in a loop's counter, from the first iteration to the last.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    last: usize,
    /// `true` if the values never decrease.
    rises: bool,
}

#[inline_in_release]
impl Course {
    /// Computes the values of `at` in a loop from `start` to `end`, which has at least one
    /// iteration.
    #[must_use]
    pub fn new(start: usize, end: usize, at: impl Fn(usize) -> usize) -> Self {
        let steps = end.wrapping_sub(start).wrapping_sub(1);
        let (first, last) = (at(start), at(end.wrapping_sub(1)));
        let step = at(start.wrapping_add(1)).wrapping_sub(first);
        // A negative step is at least 2^63 as an unsigned number. If the product fits, the sum
        // wraps at most once, and then the last value is less than the first.
        let product_fits = step <= 1 || (step | steps) >> (usize::BITS / 2) == 0;
        Self { last, rises: product_fits && first <= last }
    }

    /// Returns `true` if each value, and the `lanes - 1` values after it, is less than `len`.
    #[must_use]
    pub fn is_within(self, len: usize, lanes: usize) -> bool {
        self.rises && self.last < len.saturating_sub(lanes - 1)
    }

    /// Returns `true` if in every iteration the column, with the `lanes - 1` columns after it, is
    /// in the row, and the row is in a slice of `len` elements.
    #[must_use]
    pub fn is_in_rows(self, of: Rows, row: Self, len: usize, lanes: usize) -> bool {
        let Rows { rows, width, .. } = of;
        // If the last row does not wrap, no row before it wraps.
        let place = |begin: usize| Self { last: begin.wrapping_add(self.last), rises: self.rises && row.rises };
        self.is_within(width, lanes)
            && begin(row.last, rows, width).is_some_and(|begin| place(begin).is_within(len, lanes))
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Returns numbers at which something wraps, and small ones.
    fn edges() -> Vec<usize> {
        let mut edges: Vec<usize> = (0..6).chain([7, 8, 9, 31, 32, 33]).collect();
        edges.extend([31, 32, 33, 62, 63].map(|bit| 1 << bit));
        let below: Vec<usize> = edges.iter().map(|x| 0_usize.wrapping_sub(*x)).collect();
        edges.extend(below);
        edges
    }

    /// Numbers of iterations, few enough to check every index.
    const ROUNDS: [usize; 5] = [1, 2, 3, 5, 40];

    #[test]
    #[cfg_attr(miri, ignore = "it accesses no memory")]
    fn what_is_said_to_be_within_is_in_every_round_and_what_rises_in_a_slice_is_said_to_be() {
        let (mut yes, mut no) = (0, 0);
        for &base in &edges() {
            for &step in &edges() {
                for start in [0, 3, 1 << 40] {
                    for rounds in ROUNDS {
                        let at = |k: usize| base.wrapping_add(step.wrapping_mul(k));
                        let course = Course::new(start, start + rounds, at);
                        for (len, lanes) in
                            [(0, 1), (1, 1), (1, 2), (9, 1), (9, 2), (200, 2), (1 << 41, 2), (1 << 61, 1)]
                        {
                            let inside = |k: usize| at(k).checked_add(lanes).is_some_and(|end| end <= len);
                            let all = (start..start + rounds).all(inside);
                            if course.is_within(len, lanes) {
                                assert!(all, "{base} + {step} k from {start}, {rounds} rounds, of {len}");
                                yes += 1;
                            } else {
                                no += 1;
                                assert!(
                                    !all || step >= 1 << 32,
                                    "{base} + {step} k from {start}, {rounds} rounds, of {len}"
                                );
                            }
                        }
                    }
                }
            }
        }
        assert!(yes > 500 && no > 500, "{yes} {no}");
    }

    #[test]
    fn many_rounds_whose_first_and_last_index_are_in_range_are_no_proof() {
        // 2^60 steps of 16 return to the first value.
        let course = Course::new(0, (1 << 60) + 1, |k| 5_usize.wrapping_add(k.wrapping_mul(16)));
        assert_eq!(course.last, 5);
        assert!(!course.is_within(100, 1));
        assert!(!Course::new(0, usize::MAX, |k| k.wrapping_add(1)).is_within(usize::MAX, 1));
        assert!(Course::new(0, 1 << 40, |k| k).is_within(1 << 40, 1));
    }

    #[test]
    #[cfg_attr(miri, ignore = "it accesses no memory")]
    fn rows_hold_each_of_their_rounds_places() {
        let (mut yes, mut no) = (0, 0);
        let edges = edges();
        for &width in &edges {
            for &row in &edges {
                for (row_step, column, column_step) in [
                    (1, 0, 0),
                    (1, 3, 0),
                    (0, 0, 1),
                    (1, 0, 1),
                    (usize::MAX, 1, 0),
                    (1 << 32, 0, 0),
                    (0, usize::MAX, 1),
                ] {
                    for rounds in ROUNDS {
                        for (rows, len) in [(None, 300), (Some(8), width.wrapping_mul(8)), (Some(0), 0)] {
                            // The number of elements of an array is at most 2^60.
                            if rows.is_some_and(|rows: usize| rows.checked_mul(width).is_none_or(|n| n > 1 << 60)) {
                                continue;
                            }
                            let row_of = |k: usize| row.wrapping_add(k.wrapping_mul(row_step));
                            let column_of = |k: usize| column.wrapping_add(k.wrapping_mul(column_step));
                            let (of_row, of_column) =
                                (Course::new(0, rounds, row_of), Course::new(0, rounds, column_of));
                            let lanes = 2;
                            if !of_column.is_in_rows(Rows::new(rows, width), of_row, len, lanes) {
                                no += 1;
                                continue;
                            }
                            yes += 1;
                            for k in 0..rounds {
                                let (r, c) = (row_of(k), column_of(k));
                                let last = r as u128 * width as u128 + c as u128 + 1;
                                assert!(c.checked_add(1).is_some_and(|c| c < width), "{width} {row} {k}");
                                assert!(rows.is_none_or(|rows| r < rows) && last < len as u128, "{width} {row} {k}");
                            }
                        }
                    }
                }
            }
        }
        assert!(yes > 50 && no > 500, "{yes} {no}");
    }
}
