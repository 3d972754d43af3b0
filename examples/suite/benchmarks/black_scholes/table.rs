//! BlackScholes with the cumulative normal distribution as one table.
//!
//! The table needs no branch and no exponential, and each value is rounded once.

use super::{Market, Size, kernels_with};
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::Launch;

include!("../../kernels/black_scholes/table.rs");

pub struct BlackScholes(Market);

impl BlackScholes {
    pub fn new(size: Size) -> Self {
        Self(Market::new(size))
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        self.0.launch(launch, E::price_by_table)
    }
}

impl Benchmark for BlackScholes {
    fn name(&self) -> &'static str {
        "BlackScholes, table"
    }

    fn metric(&self) -> &'static str {
        "relative L1 of calls"
    }

    fn score(&self, output: &Output) -> Score {
        self.0.score(output)
    }

    fn approximates(&self) -> bool {
        true
    }

    /// Computes the results by the polynomial, because nobody writes a table for f32.
    fn plain(&self) -> Output {
        self.0.plain()
    }

    fn plain_differs_by(&self) -> f64 {
        // The table's inputs and results are 16-bit floats.
        2e-3
    }
}
