//! Computes a sum for each block.
//!
//! Each thread adds elements that are a block's width apart. A tree in shared memory adds these
//! sums.
// Invariant: a barrier is between the write of an element of `part` and its reads by other threads.
#![expect(unsafe_code, reason = "threads read each other's parts")]

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Reduction:
    kernel keep(part, own)
    fn reduction(l: LocalX, b: BlockX, n: usize, length: usize, x: &[f32], sums: &mut [f32]) {
        let mut part = shared::<f32, 128>();
        let mut own = 0.0;
        for k in 0..length / 128 {
            let i = b * length + k * 128 + l;
            if i < n {
                own += x[i];
            }
        }
        part[l] = own;
        sync_threads();
        let mut step = 64;
        while step > 0 {
            if l < step {
                unsafe { part[l] += part[l + step] };
            }
            sync_threads();
            step /= 2;
        }
        if l == 0 {
            sums[b] = cvt_rn(unsafe { part[0] });
        }
    }
    launch |data| {
        let blocks = ELEMENTS.div_ceil(LENGTH);
        let mut sums = zeros(blocks);
        let grid = Grid::from(128 * blocks).block([128, 1, 1]);
        reduction(grid, ELEMENTS, LENGTH, &exact(&data.x), &mut sums);
        sums
    }
}

const ELEMENTS: usize = 100_001;
/// Elements of a block.
const LENGTH: usize = 8192;

pub struct Reduction {
    x: Vec<f32>,
}

impl Reduction {
    pub fn new() -> Self {
        Self { x: random::Data::new(6).vector(ELEMENTS, 0.0, 1.0) }
    }
}

impl Idiom for Reduction {
    fn name(&self) -> &'static str {
        "reduction"
    }

    fn measure(&self) -> Measure {
        Measure::LargestRelative
    }

    fn reference(&self) -> Vec<f64> {
        self.x.chunks(LENGTH).map(|block| block.iter().map(|&x| f64::from(x)).sum()).collect()
    }
}
