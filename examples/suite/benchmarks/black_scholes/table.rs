//! With the cumulative normal distribution as one table: no branch, no exponential, and each of its values rounded once.

use super::{Market, Price, Size, kernels_with};
use crate::benchmark::{Benchmark, Output, Score};
use crate::launch::Launch;

kernels_with! { BlackScholes:
    f16 {
        ptxf::unary_table!(static CND: F16 -> F16 = |d| 0.5 * (1 + erf(d / SQRT_2)));
    }
    bf16 {
        ptxf::unary_table!(static CND: Bf16 -> Bf16 = |d| 0.5 * (1 + erf(d / SQRT_2)));
    }
    helper keep()
    fn cnd(d: f32) -> f32 {
        CND.get(d)
    }
}

pub struct BlackScholes(Market);

impl BlackScholes {
    pub fn new(size: Size) -> Self {
        Self(Market::new(size))
    }

    fn launch<E: Kernels>(&self, launch: Launch) -> Output {
        self.0.launch(launch, E::price(launch))
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
}
