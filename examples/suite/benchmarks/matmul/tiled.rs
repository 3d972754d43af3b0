//! By tiles of 16 × 16: a block of threads loads one of each matrix into shared memory, waits, and multiplies them.
//!
//! The sums are those of a thread per element without tiles, term by term.
#![expect(unsafe_code, reason = "threads read each other's elements of a tile")]

use super::{Matmul, Size};
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::Launch;
use crate::real::{rounded, zeros};

include!("../../kernels/matmul_tiled.rs");

/// As the kernel has it.
const TILE: usize = 16;

pub struct Tiled(Matmul);

impl Tiled {
    pub fn new(size: Size) -> Self {
        Self(Matmul::uniform(size))
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let &Matmul { width, height, depth, .. } = &self.0;
        let (a, b) = (rounded::<E>(&self.0.a), rounded::<E>(&self.0.b));
        let mut c = zeros::<E>(width * height);
        // Whole blocks, for all threads of one take part in loading.
        let grid = launch.grid([width, height].map(|n| n.next_multiple_of(TILE))).block([TILE, TILE, 1]);
        let time = launch.time(|| E::matmul_tiled(launch, grid, width, height, depth, &a, &b, &mut c));
        Output::new(time).floats("c", &c)
    }
}

impl Benchmark for Tiled {
    fn name(&self) -> &'static str {
        "matmul, tiles"
    }

    fn metric(&self) -> &'static str {
        self.0.metric()
    }

    fn score(&self, output: &Output) -> Score {
        self.0.score(output)
    }

    fn plain(&self) -> Output {
        self.0.plain()
    }
}
