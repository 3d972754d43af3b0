//! With the cumulative normal distribution by a polynomial of five terms.

use super::{Market, Price, Size, kernels_with};
use crate::benchmark::{Benchmark, Output, Score};
use crate::launch::Launch;

kernels_with! { BlackScholes:
    helper keep(z, k, w)
    fn cnd(d: f32) -> f32 {
        let z = d;
        let k = 1.0 / (1.0 + 0.2316419 * z.abs());
        let mut w = 0.3989422804 * (-0.5 * z * z).exp()
            * (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
        if d > 0.0 {
            w = 1.0 - w;
        }
        cvt_rn(w)
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
        "BlackScholes"
    }

    fn metric(&self) -> &'static str {
        "relative L1 of calls"
    }

    fn score(&self, output: &Output) -> Score {
        self.0.score(output)
    }
}
