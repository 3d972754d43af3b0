//! Polynomials and quotients of polynomials through a function's values at Chebyshev points, in
//! 640-bit numbers.

use std::vec;
use std::vec::Vec;

use oracle::Ty;
use oracle::layout::Layout;
use oracle::real::{Number, Real};

pub(super) fn nearest_f64(x: &Real) -> f64 {
    f64::from_bits(x.round(Layout::of(Ty::F64), false))
}

pub(super) fn dec(text: &str) -> Real {
    Real::dec(text)
}

/// Returns `n` Chebyshev points of the interval.
pub(super) fn points([from, to]: [&str; 2], n: usize) -> Vec<Real> {
    points_between(dec(from), dec(to), n)
}

pub(super) fn points_between(a: Real, b: Real, n: usize) -> Vec<Real> {
    let two = dec("2");
    let (middle, half) = ((a.clone() + b.clone()) / two.clone(), (b - a) / two);
    let angle = |j: usize| Real::pi() * Real::from_f64((2 * j + 1) as f64) / Real::from_f64((2 * n) as f64);
    (0..n).map(|j| middle.clone() + half.clone() * angle(j).cos()).collect()
}

/// The polynomial through the function's values at some points, that of the highest power first:
/// Newton's divided differences, multiplied out.
pub(super) fn interpolate(f: impl Fn(Real) -> Real, x: &[Real]) -> Vec<f64> {
    let mut differences: Vec<Real> = x.iter().cloned().map(f).collect();
    for k in 1..x.len() {
        for j in (k..x.len()).rev() {
            let rise = differences[j].clone() - differences[j - 1].clone();
            differences[j] = rise / (x[j].clone() - x[j - k].clone());
        }
    }
    let mut sum: Vec<Real> = Vec::new();
    for (x, difference) in x.iter().zip(differences).rev() {
        // sum · (t − x) + difference
        let mut next = vec![dec("0"); sum.len() + 1];
        for (i, c) in sum.into_iter().enumerate() {
            next[i] = next[i].clone() + c.clone();
            next[i + 1] = next[i + 1].clone() - c * x.clone();
        }
        let last = next.len() - 1;
        next[last] = next[last].clone() + difference;
        sum = next;
    }
    sum.iter().map(nearest_f64).collect()
}

/// `p` and `q`, that of the highest power first and `q(0) = 1`, with `p/q` through as many of the
/// function's values as there are coefficients left.
pub(super) fn interpolate_quotient(f: impl Fn(Real) -> Real, x: &[Real], degree: usize) -> [Vec<f64>; 2] {
    let n = x.len();
    let power = |x: &Real, k: usize| (0..k).fold(dec("1"), |p, _| p * x.clone());
    // p(x) − f(x) · (q(x) − 1) = f(x), a row for each x.
    let mut rows: Vec<Vec<Real>> = x
        .iter()
        .map(|x| {
            let value = f(x.clone());
            let p = (0..=degree).map(|k| power(x, k));
            let q = (1..n - degree).map(|k| -(value.clone() * power(x, k)));
            p.chain(q).chain([value.clone()]).collect()
        })
        .collect();
    // Gauss and Jordan; 640 bits need no pivots.
    for k in 0..n {
        let pivot = rows[k].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor =
                if i == k { dec("1") - dec("1") / pivot[k].clone() } else { row[k].clone() / pivot[k].clone() };
            for (x, pivot) in row.iter_mut().zip(&pivot) {
                *x = x.clone() - factor.clone() * pivot.clone();
            }
        }
    }
    let solution: Vec<f64> = rows.iter().map(|row| nearest_f64(&row[n])).collect();
    let (p, q) = solution.split_at(degree + 1);
    [p.iter().rev().copied().collect(), q.iter().rev().copied().chain([1.0]).collect()]
}
