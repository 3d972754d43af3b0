//! Multiplies two matrices, with a thread per element of the product.
//!
//! A sum in f16 stops growing where its spacing is twice the term: 4000 times 0.1 · 0.1 stops at
//! 32.

pub mod tiled;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{self, rounded, zeros};

include!("../kernels/matmul.rs");

pub struct Matmul {
    name: &'static str,
    width: usize,
    height: usize,
    depth: usize,
    a: Vec<f32>,
    b: Vec<f32>,
    reference: Vec<f64>,
}

impl Matmul {
    /// Returns matrices of numbers in `[0, 1)`. With an odd width every other row begins at an odd
    /// element.
    pub fn uniform(size: Size) -> Self {
        let depth = 512;
        let [width, height] = size.rows(0, 2048, [size.pick(1025, 257, 65), size.pick(512, 64, 5)]);
        let mut random = Random::new(2);
        let (a, b) = (random.vector(height * depth, 0.0, 1.0), random.vector(depth * width, 0.0, 1.0));
        Self::new("matmul [0, 1)", size, [width, height, depth], a, b)
    }

    /// Returns matrices whose elements are all 0.1.
    pub fn tenths(size: Size) -> Self {
        let (width, height, depth) = (size.pick(1025, 257, 33), size.pick(64, 8, 2), 4000);
        Self::new("matmul 0.1", size, [width, height, depth], vec![0.1; height * depth], vec![0.1; depth * width])
    }

    fn new(name: &'static str, size: Size, [width, height, depth]: [usize; 3], a: Vec<f32>, b: Vec<f32>) -> Self {
        let reference = size.reference(|| real::product(width, depth, &a, &b));
        Self { name, width, height, depth, a, b, reference }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let (width, height) = (self.width, self.height);
        let (a, b) = (rounded::<E>(&self.a), rounded::<E>(&self.b));
        let mut c = zeros::<E>(width * height);
        let grid = launch.grid([width, height]);
        let time = launch.time(|| E::matmul(launch, grid, width, height, self.depth, &a, &b, &mut c));
        Output::new(time).floats("c", &c)
    }
}

impl Benchmark for Matmul {
    fn name(&self) -> &'static str {
        self.name
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        let c = output.values("c");
        let error = metric::relative_l2(c, &self.reference);
        Score { error, also: format!("largest {:.2e}", metric::largest(c, &self.reference)) }
    }

    fn plain(&self) -> Output {
        let mut c = vec![0.0; self.width * self.height];
        let time = plain(|| real::plain_product(self.width, self.depth, &self.a, &self.b, &mut c));
        Output::new(time).floats("c", &c)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let (words, height) = (pairs::pitch(self.width), self.height);
        let (a, b) = (rounded(&self.a), packed(&self.b, self.width));
        let mut c = pairs::zeros(words * height);
        let grid = launch.grid([words, height]);
        let time = launch.time(|| by_hand::matmul::matmul(launch, grid, words, height, self.depth, &a, &b, &mut c));
        Some(Output::new(time).floats("c", &unpacked(&c, self.width)))
    }
}
