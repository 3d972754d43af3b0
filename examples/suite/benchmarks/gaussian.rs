//! Solves Ax = b by Gaussian elimination.
//!
//! Each column takes two launches: its multipliers, then the rest of the matrix. Each launch begins
//! one element after the previous one, so every other launch begins at an odd element.
#![expect(unsafe_code, reason = "threads write elements of a matrix that begin further on than they do")]

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::pairs::{self, packed, unpacked};
use crate::real::{rounded, zeros};

include!("../kernels/gaussian.rs");

pub struct Gaussian {
    n: usize,
    steps: usize,
    a: Vec<f32>,
    b: Vec<f32>,
}

impl Gaussian {
    pub fn new(size: Size) -> Self {
        let n = size.square(4, size.pick(64, 64, 33));
        let a = (0..n * n).map(|i| 10.0 * f32::exp(-0.01 * (i % n).abs_diff(i / n) as f32)).collect();
        Self { n, steps: size.launches(n - 1), a, b: vec![1.0; n] }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let n = self.n;
        let (mut a, mut b, mut m) = (rounded::<E>(&self.a), rounded::<E>(&self.b), zeros::<E>(n * n));
        let time = launch.time(|| {
            for step in 0..self.steps {
                E::multipliers(launch, launch.grid(n - 1 - step), n, step, &a, &mut m);
                let grid = launch.grid([n - 1 - step, n - step]);
                E::eliminate(launch, grid, n, step, &m, &mut a, &mut b);
            }
        });
        Output::new(time).floats("m", &m).floats("a", &a).floats("b", &b)
    }
}

impl Benchmark for Gaussian {
    fn name(&self) -> &'static str {
        "gaussian"
    }

    fn metric(&self) -> &'static str {
        "‖Ax − b‖ / ‖b‖"
    }

    fn score(&self, output: &Output) -> Score {
        let n = self.n;
        let x = substitute(n, output.values("a"), output.values("b"));
        let residual = |row: usize| {
            let ax: f64 = (0..n).map(|column| f64::from(self.a[row + n * column]) * x[column]).sum();
            (ax - f64::from(self.b[row])).powi(2)
        };
        let norm: f64 = self.b.iter().map(|&b| f64::from(b).powi(2)).sum();
        let residual: f64 = (0..n).map(residual).sum();
        let pivot = (0..n).map(|i| output.values("a")[i + n * i]).fold(f64::INFINITY, f64::min);
        Score { error: f64::sqrt(residual / norm), also: format!("smallest pivot {pivot:.3}") }
    }

    fn plain(&self) -> Output {
        let n = self.n;
        let (mut a, mut b, mut m) = (self.a.clone(), self.b.clone(), vec![0.0; n * n]);
        let time = plain(|| {
            for step in 0..n - 1 {
                let pivot = a[n * step + step];
                for row in step + 1..n {
                    m[row + n * step] = a[row + n * step] / pivot;
                }
                for column in step..n {
                    let above = a[step + n * column];
                    for row in step + 1..n {
                        a[row + n * column] -= m[row + n * step] * above;
                    }
                }
                for row in step + 1..n {
                    b[row] -= m[row + n * step] * b[step];
                }
            }
        });
        Output::new(time).floats("m", &m).floats("a", &a).floats("b", &b)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let (n, pitch) = (self.n, pairs::pitch(self.n));
        let (mut a, mut b) = (packed(&self.a, n), packed(&self.b, n));
        let (mut m, mut row) = (pairs::zeros(n * pitch), zeros(n + 1));
        let time = launch.time(|| {
            for step in 0..n - 1 {
                by_hand::gaussian::multipliers(launch, launch.grid(n + 1), n, pitch, step, &a, &b, &mut m, &mut row);
                let grid = launch.grid([pitch - step.div_ceil(2), n - step]);
                by_hand::gaussian::eliminate(launch, grid, n, pitch, step, &m, &row, &mut a, &mut b);
            }
        });
        let [m, a, b] = [m, a, b].map(|x| unpacked(&x, n));
        Some(Output::new(time).floats("m", &m).floats("a", &a).floats("b", &b))
    }
}

/// Returns x of the triangular system in f64, so that only the elimination causes errors.
fn substitute(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| a[row + n * column] * x[column]).sum();
        x[row] = (b[row] - known) / a[row + n * row];
    }
    x
}
