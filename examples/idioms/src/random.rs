//! Pseudo-random data that are equal on every machine and exact in every format.

use ptxf::{Bf16, F16};

#[path = "../../suite/random.rs"]
mod generator;

pub struct Data(generator::Random);

impl Data {
    pub const fn new(seed: u64) -> Self {
        Self(generator::Random::new(seed))
    }

    /// Returns `n` numbers in `[low, high]` that are exact in f16 and bf16.
    pub fn vector(&mut self, n: usize, low: f32, high: f32) -> Vec<f32> {
        let common = |x| F16::from_f32(Bf16::from_f32(x).to_f32()).to_f32();
        self.0.vector(n, low, high).into_iter().map(common).collect()
    }

    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }
}
