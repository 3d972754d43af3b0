//! European calls by a binomial tree, folded from its leaves to its root.
//!
//! A level of the tree is a local array; its index counts, the same for all threads. With 256 steps the highest leaves of
//! these options fit into f16.

use ptxf::kernel::Grid;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::Launch;
use crate::metric;
use crate::random::Random;
use crate::real::{rounded, zeros};

type Fold<E> = fn(Grid, usize, &[E], &[E], &[E], &[E], &[E], &mut [E]);

include!("../kernels/binomial.rs");

/// As the kernel has it.
const STEPS: usize = 256;
const RATE: f64 = 0.02;
const VOLATILITY: f64 = 0.3;

pub struct Binomial {
    /// Prices of the stock and of its purchase.
    stock: Vec<f32>,
    strike: Vec<f32>,
    /// The logarithm of a step up, and the discounted chances of a step up and down.
    log_step: Vec<f32>,
    up: Vec<f32>,
    down: Vec<f32>,
    reference: Vec<f64>,
}

impl Binomial {
    pub fn new(size: Size) -> Self {
        let n = size.pick(129, 33);
        let mut random = Random::new(10);
        let stock = random.vector(n, 5.0, 30.0);
        let strike = random.vector(n, 5.0, 30.0);
        let years = random.vector(n, 0.25, 2.0);
        let steps: Vec<[f64; 3]> = years.iter().map(|&years| step(years.into())).collect();
        let reference = (0..n).map(|i| fold(stock[i].into(), strike[i].into(), steps[i])).collect();
        let [log_step, up, down] = std::array::from_fn(|i| steps.iter().map(|step| step[i] as f32).collect());
        Self { stock, strike, log_step, up, down, reference }
    }

    fn launch<E: Kernels>(&self, launch: Launch) -> Output {
        let n = self.stock.len();
        let inputs = [&self.stock, &self.strike, &self.log_step, &self.up, &self.down];
        let [stock, strike, log_step, up, down] = inputs.map(|x| rounded::<E>(x));
        let mut out = zeros::<E>(n);
        let grid = launch.grid(n);
        let time = launch.time(|| E::fold(launch)(grid, n, &stock, &strike, &log_step, &up, &down, &mut out));
        Output::new(time).floats("out", &out)
    }
}

/// A step's logarithm, and its discounted chances.
fn step(years: f64) -> [f64; 3] {
    let dt = years / STEPS as f64;
    let log_step = VOLATILITY * dt.sqrt();
    let (up, down, discount) = (log_step.exp(), (-log_step).exp(), (-RATE * dt).exp());
    let chance = (1.0 / discount - down) / (up - down);
    [log_step, discount * chance, discount * (1.0 - chance)]
}

/// The root in f64: every leaf by its binomial weight, which is a product and no tree.
fn fold(stock: f64, strike: f64, [log_step, up, down]: [f64; 3]) -> f64 {
    let mut weight = down.powi(STEPS as i32);
    let mut sum = 0.0;
    for i in 0..=STEPS {
        sum += weight * (stock * (log_step * (2.0 * i as f64 - STEPS as f64)).exp() - strike).max(0.0);
        weight *= up / down * (STEPS - i) as f64 / (i + 1) as f64;
    }
    sum
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
}
