//! Multiplies matrices by tiles of 16 × 16 in shared memory.
//!
//! A block of threads loads a tile of each matrix, waits, and multiplies the tiles. The sums are
//! equal to those without tiles, term by term.
#![expect(unsafe_code, reason = "threads read each other's elements of a tile")]

use super::{Matmul, Size};
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::Launch;
use crate::real::{rounded, zeros};

include!("../../kernels/matmul_tiled.rs");

/// Rows and columns of a tile, as in the kernel.
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
        // The grid has whole blocks, because all threads of a block load elements.
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
