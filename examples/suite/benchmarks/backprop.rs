//! The last step of backpropagation: every weight changes by its share of the error.
//!
//! The change is stored for the next step. A row has 17 weights, one for each hidden unit and one
//! for the bias, so every other row begins at an odd element.

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::rounded;

include!("../kernels/backprop.rs");

const ETA: f32 = 0.3;
const MOMENTUM: f32 = 0.3;

pub struct Backprop {
    units: usize,
    inputs: usize,
    rounds: usize,
    delta: Vec<f32>,
    input: Vec<f32>,
    weight: Vec<f32>,
    last: Vec<f32>,
    reference: Vec<f64>,
}

impl Backprop {
    pub fn new(size: Size) -> Self {
        let [units, inputs] = size.rows(8, 1024, [size.pick(17, 17, 17), size.pick(65_535, 4097, 65)]);
        let rounds = size.launches(4);
        let mut random = Random::new(9);
        let delta = random.vector(units, -0.1, 0.1);
        let input = random.vector(inputs, 0.0, 1.0);
        let weight = random.vector(inputs * units, -1.0, 1.0);
        let last = random.vector(inputs * units, -0.01, 0.01);
        let wide = |x: &[f32]| x.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
        let reference = size.reference(|| {
            let (mut reference, mut changes) = (wide(&weight), wide(&last));
            for _ in 0..rounds {
                for (i, (weight, change)) in reference.iter_mut().zip(&mut changes).enumerate() {
                    let share = f64::from(delta[i % units]) * f64::from(input[i / units]);
                    *change = f64::from(ETA) * share + f64::from(MOMENTUM) * *change;
                    *weight += *change;
                }
            }
            reference
        });
        Self { units, inputs, rounds, delta, input, weight, last, reference }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let (delta, input) = (rounded::<E>(&self.delta), rounded::<E>(&self.input));
        let (mut weight, mut last) = (rounded::<E>(&self.weight), rounded::<E>(&self.last));
        let grid = launch.grid([self.units, self.inputs]);
        let time = launch.time(|| {
            for _ in 0..self.rounds {
                E::adjust(launch, grid, self.units, self.inputs, ETA, MOMENTUM, &delta, &input, &mut weight, &mut last);
            }
        });
        Output::new(time).floats("weight", &weight).floats("last", &last)
    }
}

impl Benchmark for Backprop {
    fn name(&self) -> &'static str {
        "backprop"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        let weight = output.values("weight");
        let error = metric::relative_l2(weight, &self.reference);
        Score { error, also: format!("largest {:.2e}", metric::largest(weight, &self.reference)) }
    }

    fn plain(&self) -> Output {
        let (mut weight, mut last) = (self.weight.clone(), self.last.clone());
        let time = plain(|| {
            for _ in 0..self.rounds {
                let rows = weight.chunks_mut(self.units).zip(last.chunks_mut(self.units)).zip(&self.input);
                for ((weight, last), input) in rows {
                    for ((weight, last), delta) in weight.iter_mut().zip(last).zip(&self.delta) {
                        *last = ETA * delta * input + MOMENTUM * *last;
                        *weight += *last;
                    }
                }
            }
        });
        Output::new(time).floats("weight", &weight).floats("last", &last)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let (delta, input) = (packed(&self.delta, self.units), rounded(&self.input));
        let (mut weight, mut last) = (packed(&self.weight, self.units), packed(&self.last, self.units));
        let grid = launch.grid([pairs::pitch(self.units), self.inputs]);
        let time = launch.time(|| {
            for _ in 0..self.rounds {
                by_hand::adjust::adjust(
                    launch,
                    grid,
                    self.units,
                    self.inputs,
                    ETA,
                    MOMENTUM,
                    &delta,
                    &input,
                    &mut weight,
                    &mut last,
                );
            }
        });
        Some(
            Output::new(time)
                .floats("weight", &unpacked(&weight, self.units))
                .floats("last", &unpacked(&last, self.units)),
        )
    }
}
