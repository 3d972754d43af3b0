//! Computes the prefix sum of each block after Hillis and Steele, with distances that double.
// Invariant: between two barriers the block's sums are only written, each by the thread of its number, or only read.
#![expect(unsafe_code, reason = "threads read each other's sums")]

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Scan:
    kernel keep(sums, own)
    fn scan(l: LocalX, t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        let mut sums = shared::<f32, 256>();
        let mut own = 0.0;
        if t < n {
            own += x[t];
        }
        sums[l] = own;
        sync_threads();
        let mut distance = 1;
        while distance < 256 {
            if l >= distance {
                own += unsafe { sums[l - distance] };
            }
            sync_threads();
            sums[l] = own;
            sync_threads();
            distance *= 2;
        }
        if t < n {
            out[t] = cvt_rn(own);
        }
    }
    launch |data| {
        let mut out = zeros(LENGTH);
        let grid = Grid::from(LENGTH.next_multiple_of(BLOCK)).block([BLOCK, 1, 1]);
        scan(grid, LENGTH, &exact(&data.x), &mut out);
        out
    }
}

const BLOCK: usize = 256;
const LENGTH: usize = 4003;

pub struct Scan {
    x: Vec<f32>,
}

impl Scan {
    pub fn new() -> Self {
        Self { x: random::Data::new(5).vector(LENGTH, 0.0, 1.0) }
    }
}

impl Idiom for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        let sums = self.x.chunks(BLOCK).map(|block| {
            block.iter().scan(0.0, |sum, &x| {
                *sum += f64::from(x);
                Some(*sum)
            })
        });
        sums.flatten().collect()
    }
}
