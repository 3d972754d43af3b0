//! Prices European calls by a binomial tree, folded from its leaves to its root.
//!
//! A level of the tree is a local array with a uniform index. With 256 steps, f16 represents the
//! highest leaves of these options.

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/binomial.rs");

/// Steps of the tree, as in the kernel.
const STEPS: usize = 256;
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

pub struct Binomial {
    /// Stock prices, strike prices, and times to expiry.
    stock: Vec<f32>,
    strike: Vec<f32>,
    years: Vec<f32>,
    reference: Vec<f64>,
}

impl Binomial {
    pub fn new(size: Size) -> Self {
        let n = size.elements(0, size.pick(8193, 129, 33));
        let mut random = Random::new(10);
        let stock = random.vector(n, 5.0, 30.0);
        let strike = random.vector(n, 5.0, 30.0);
        let years = random.vector(n, 0.25, 2.0);
        let price = |i: usize| price(stock[i].into(), strike[i].into(), years[i].into());
        let reference = size.reference(|| (0..n).map(price).collect());
        Self { stock, strike, years, reference }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let n = self.stock.len();
        let [stock, strike, years] = [&self.stock, &self.strike, &self.years].map(|x| rounded::<E>(x));
        let mut out = zeros::<E>(n);
        let grid = launch.grid(n);
        let time = launch.time(|| E::fold(launch, grid, n, RATE, VOLATILITY, &stock, &strike, &years, &mut out));
        Output::new(time).floats("out", &out)
    }
}

/// Returns the price in f64, as the sum of the leaves with their probabilities.
fn price(stock: f64, strike: f64, years: f64) -> f64 {
    let dt = years / STEPS as f64;
    let log_step = f64::from(VOLATILITY) * dt.sqrt();
    let interest = (f64::from(RATE) * dt).exp();
    let chance = (interest - (-log_step).exp()) / (log_step.exp() - (-log_step).exp());
    let mut weight = (1.0 - chance).powi(STEPS as i32);
    let mut sum = 0.0;
    for i in 0..=STEPS {
        sum += weight * (stock * (log_step * (2.0 * i as f64 - STEPS as f64)).exp() - strike).max(0.0);
        weight *= chance / (1.0 - chance) * (STEPS - i) as f64 / (i + 1) as f64;
    }
    sum * interest.powi(-(STEPS as i32))
}

impl Benchmark for Binomial {
    fn name(&self) -> &'static str {
        "binomialOptions"
    }

    fn metric(&self) -> &'static str {
        "relative L1"
    }

    fn score(&self, output: &Output) -> Score {
        let out = output.values("out");
        let error = metric::relative_l1(out, &self.reference);
        Score { error, also: format!("largest {:.2e}", metric::largest(out, &self.reference)) }
    }

    fn approximates(&self) -> bool {
        true
    }

    fn plain(&self) -> Output {
        let mut out = vec![0.0; self.stock.len()];
        let time = plain(|| {
            for (((out, stock), strike), years) in out.iter_mut().zip(&self.stock).zip(&self.strike).zip(&self.years) {
                let dt = years / STEPS as f32;
                let log_step = VOLATILITY * dt.sqrt();
                let (u, d) = (log_step.exp(), (-log_step).exp());
                let discount = (-RATE * dt).exp();
                let up = (1.0 - discount * d) / (u - d);
                let down = discount - up;
                let price = |i: usize| stock * (log_step * ((2 * i) as f32 - STEPS as f32)).exp();
                let mut level: [f32; STEPS + 1] = std::array::from_fn(|i| (price(i) - strike).max(0.0));
                for step in 0..STEPS {
                    for i in 0..STEPS - step {
                        level[i] = up * level[i + 1] + down * level[i];
                    }
                }
                *out = level[0];
            }
        });
        Output::new(time).floats("out", &out)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let n = self.stock.len();
        let [stock, strike, years] = [&self.stock, &self.strike, &self.years].map(|x| packed(x, n));
        let words = pairs::pitch(n);
        let mut out = pairs::zeros(words);
        let grid = launch.grid(words);
        let time = launch.time(|| {
            by_hand::fold::fold(launch, grid, words, RATE, VOLATILITY, &stock, &strike, &years, &mut out);
        });
        Some(Output::new(time).floats("out", &unpacked(&out, n)))
    }
}
