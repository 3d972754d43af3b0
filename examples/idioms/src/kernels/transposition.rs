//! Transposes a matrix by tiles in shared memory, so that rows are read and rows are written.
//!
//! A row of the tile is padded by two elements. A pad of one element, usual against bank conflicts
//! in f32, would start every other row of 16-bit floats in the middle of a word.

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Transposition:
    kernel keep()
    fn transposition(
        l: LocalX, ly: LocalY, bx: BlockX, by: BlockY, w: usize, h: usize, x: &[f32], y: &mut [f32],
    ) {
        let mut tile = shared::<f32, 16, 18>();
        if bx * 16 + l < w && by * 16 + ly < h {
            tile[ly][l] = x[(by * 16 + ly) * w + bx * 16 + l];
        }
        sync_threads();
        if by * 16 + l < h && bx * 16 + ly < w {
            y[(bx * 16 + ly) * h + by * 16 + l] = tile[l][ly];
        }
    }
    launch |data| {
        let mut y = zeros(data.x.len());
        let grid = Grid::from([WIDTH, HEIGHT].map(|n| n.next_multiple_of(16))).block([16, 16, 1]);
        transposition(grid, WIDTH, HEIGHT, &exact(&data.x), &mut y);
        y
    }
}

const WIDTH: usize = 70;
const HEIGHT: usize = 45;

pub struct Transposition {
    x: Vec<f32>,
}

impl Transposition {
    pub fn new() -> Self {
        Self { x: random::Data::new(7).vector(WIDTH * HEIGHT, -1.0, 1.0) }
    }
}

impl Idiom for Transposition {
    fn name(&self) -> &'static str {
        "transposition"
    }

    fn measure(&self) -> Measure {
        Measure::Exact
    }

    fn reference(&self) -> Vec<f64> {
        let columns = (0..WIDTH).map(|column| self.x.iter().skip(column).step_by(WIDTH));
        columns.flatten().map(|&x| x.into()).collect()
    }
}
