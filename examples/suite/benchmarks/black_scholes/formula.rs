//! BlackScholes with the cumulative normal distribution by a polynomial of five terms.

use super::{Market, Size, kernels_with};
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::Launch;

include!("../../kernels/black_scholes/formula.rs");

pub struct BlackScholes(Market);

impl BlackScholes {
    pub fn new(size: Size) -> Self {
        Self(Market::new(size))
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        self.0.launch(launch, E::price)
    }
}

impl Benchmark for BlackScholes {
    fn name(&self) -> &'static str {
        "BlackScholes"
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

    fn plain(&self) -> Output {
        self.0.plain()
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        Some(self.0.by_hand(launch))
    }
}
