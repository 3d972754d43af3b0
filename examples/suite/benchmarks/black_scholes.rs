//! Prices European options by the formula of Black and Scholes.
//!
//! The cumulative normal distribution branches on its argument.

pub mod formula;
pub mod table;

use super::Size;
use crate::benchmark::{Output, Score};
use crate::kernels::by_hand;
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{Real, rounded, zeros};

type Price<E> = fn(Launch<'_>, ptxf::kernel::Grid, usize, &[E], &[E], &[E], f32, f32, &mut [E], &mut [E]);

include!("../kernels/black_scholes.rs");

const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

/// The options and their prices.
struct Market {
    stock: Vec<f32>,
    strike: Vec<f32>,
    years: Vec<f32>,
    call: Vec<f64>,
    put: Vec<f64>,
}

impl Market {
    fn new(size: Size) -> Self {
        let n = size.elements(10, size.pick(1_000_001, 40_001, 2_001));
        let mut random = Random::new(3);
        let stock = random.vector(n, 5.0, 30.0);
        let strike = random.vector(n, 1.0, 100.0);
        let years = random.vector(n, 0.25, 10.0);
        let prices = |i: usize| prices(stock[i].into(), strike[i].into(), years[i].into());
        let (call, put) = size.reference(|| (0..n).map(prices).unzip());
        Self { stock, strike, years, call, put }
    }

    fn launch<E: Real>(&self, launch: Launch<'_>, kernel: Price<E>) -> Output {
        let n = self.stock.len();
        let (stock, strike, years) = (rounded::<E>(&self.stock), rounded::<E>(&self.strike), rounded::<E>(&self.years));
        let (mut call, mut put) = (zeros::<E>(n), zeros::<E>(n));
        let grid = launch.grid(n);
        let time =
            launch.time(|| kernel(launch, grid, n, &stock, &strike, &years, RATE, VOLATILITY, &mut call, &mut put));
        Output::new(time).floats("call", &call).floats("put", &put)
    }

    fn plain(&self) -> Output {
        let n = self.stock.len();
        let (mut call, mut put) = (vec![0.0; n], vec![0.0; n]);
        let time = plain(|| {
            for t in 0..n {
                let (s, x, y) = (self.stock[t], self.strike[t], self.years[t]);
                let d1 = ((s / x).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * y) / (VOLATILITY * y.sqrt());
                let d2 = d1 - VOLATILITY * y.sqrt();
                let (n1, n2) = (polynomial(d1), polynomial(d2));
                let discounted = x * (-RATE * y).exp();
                call[t] = s * n1 - discounted * n2;
                put[t] = discounted * (1.0 - n2) - s * (1.0 - n1);
            }
        });
        Output::new(time).floats("call", &call).floats("put", &put)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Output {
        let n = self.stock.len();
        let [stock, strike, years] = [&self.stock, &self.strike, &self.years].map(|x| packed(x, n));
        let words = pairs::pitch(n);
        let (mut call, mut put) = (pairs::zeros(words), pairs::zeros(words));
        let grid = launch.grid(words);
        let time = launch.time(|| {
            let price = by_hand::price::price;
            price(launch, grid, words, &stock, &strike, &years, RATE, VOLATILITY, &mut call, &mut put);
        });
        Output::new(time).floats("call", &unpacked(&call, n)).floats("put", &unpacked(&put, n))
    }

    fn score(&self, output: &Output) -> Score {
        let (call, put) = (output.values("call"), output.values("put"));
        let largest = f64::max(metric::largest(call, &self.call), metric::largest(put, &self.put));
        Score { error: metric::relative_l1(call, &self.call), also: format!("largest {largest:.2e}") }
    }
}

/// Returns the distribution by a polynomial of five terms, as in the kernel.
fn polynomial(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let terms = k * (0.319_381_53 + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_255_9 + k * 1.330_274_5))));
    let w = 0.398_942_3 * (-0.5 * d * d).exp() * terms;
    if d > 0.0 { 1.0 - w } else { w }
}

/// Returns call and put in f64, by the error function instead of the kernel's polynomial.
fn prices(s: f64, x: f64, y: f64) -> (f64, f64) {
    let (r, v) = (f64::from(RATE), f64::from(VOLATILITY));
    let d1 = ((s / x).ln() + (r + v * v / 2.0) * y) / (v * y.sqrt());
    let d2 = d1 - v * y.sqrt();
    let discounted = x * (-r * y).exp();
    (s * below(d1) - discounted * below(d2), discounted * below(-d2) - s * below(-d1))
}

/// Returns the normal distribution below `d`: 1/2 plus the integral from 0 to `d` by Simpson's
/// rule.
fn below(d: f64) -> f64 {
    const STEPS: usize = 200;
    let h = d / STEPS as f64;
    let density = |i: usize| (-0.5 * (i as f64 * h).powi(2)).exp();
    let inner: f64 = (1..STEPS).map(|i| density(i) * if i.is_multiple_of(2) { 2.0 } else { 4.0 }).sum();
    0.5 + (density(0) + inner + density(STEPS)) * h / 3.0 / f64::sqrt(std::f64::consts::TAU)
}
