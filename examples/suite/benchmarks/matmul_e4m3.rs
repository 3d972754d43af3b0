//! Multiplies two matrices in e4m3, with sums in f16 or f32.
//!
//! An e4m3 has four significant bits, so rounding the elements loses more than the sums do. The
//! score has both errors.

use ptxf::E4m3;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::{Launch, plain};
use crate::random::Random;
use crate::real::{self, zeros};

include!("../kernels/matmul_e4m3.rs");

pub struct MatmulE4m3 {
    width: usize,
    height: usize,
    depth: usize,
    a: Vec<E4m3>,
    b: Vec<E4m3>,
    /// The product of the unrounded elements, and of the rounded ones.
    reference: Vec<f64>,
    of_rounded: Vec<f64>,
}

impl MatmulE4m3 {
    /// Returns matrices of numbers in `[-1, 1)`. With an odd width every other row begins at an odd
    /// element.
    pub fn new(size: Size) -> Self {
        let depth = 512;
        let [width, height] = size.rows(0, 2048, [size.pick(1025, 257, 65), size.pick(512, 64, 5)]);
        let mut random = Random::new(8);
        let (a, b) = (random.vector(height * depth, -1.0, 1.0), random.vector(depth * width, -1.0, 1.0));
        let reference = size.reference(|| real::product(width, depth, &a, &b));
        let rounded = |x: &[f32]| x.iter().map(|&x| E4m3::from_f32(x)).collect::<Vec<_>>();
        let widened = |x: &[E4m3]| x.iter().map(|x| x.to_f32()).collect::<Vec<_>>();
        let (a, b) = (rounded(&a), rounded(&b));
        let of_rounded = size.reference(|| real::product(width, depth, &widened(&a), &widened(&b)));
        Self { width, height, depth, a, b, reference, of_rounded }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let (width, height) = (self.width, self.height);
        let mut c = zeros::<E>(width * height);
        let grid = launch.grid([width, height]);
        let time = launch.time(|| E::matmul_e4m3(launch, grid, width, height, self.depth, &self.a, &self.b, &mut c));
        Output::new(time).floats("c", &c)
    }
}

impl Benchmark for MatmulE4m3 {
    fn name(&self) -> &'static str {
        "matmul e4m3"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        Score::by_the_sums(output.values("c"), &self.reference, &self.of_rounded)
    }

    /// Computes the product with elements in f32.
    fn plain(&self) -> Output {
        let [a, b] = [&self.a, &self.b].map(|x| x.iter().map(|x| x.to_f32()).collect::<Vec<_>>());
        let mut c = vec![0.0; self.width * self.height];
        let time = plain(|| real::plain_product(self.width, self.depth, &a, &b, &mut c));
        Output::new(time).floats("c", &c)
    }
}
