//! Sorts each block's elements in shared memory, by a bitonic sort.
//!
//! The sort direction differs between pairs of threads, and in the last steps within a pair.
// Invariant: between two barriers one thread of two reads and writes both of their elements, and nobody else does.
#![expect(unsafe_code, reason = "a thread exchanges its element with another one's")]

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Sort:
    kernel keep()
    fn sort(l: LocalX, t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        let mut block = shared::<f32, 256>();
        // Missing elements are sorted to the end.
        block[l] = if t < n { x[t] } else { f32::INFINITY };
        sync_threads();
        let mut length = 2;
        while length <= 256 {
            let mut distance = length / 2;
            while distance > 0 {
                let other = l ^ distance;
                if other > l {
                    let a = unsafe { block[l] };
                    let b = unsafe { block[other] };
                    let falling = l & length != 0;
                    if (a > b) ^ falling {
                        unsafe {
                            block[l] = b;
                            block[other] = a;
                        }
                    }
                }
                sync_threads();
                distance /= 2;
            }
            length *= 2;
        }
        if t < n {
            out[t] = block[l];
        }
    }
    launch |data| {
        let mut out = zeros(LENGTH);
        let grid = Grid::from(LENGTH.next_multiple_of(BLOCK)).block([BLOCK, 1, 1]);
        sort(grid, LENGTH, &exact(&data.x), &mut out);
        out
    }
}

const BLOCK: usize = 256;
const LENGTH: usize = 1003;

pub struct Sort {
    x: Vec<f32>,
}

impl Sort {
    pub fn new() -> Self {
        Self { x: random::Data::new(8).vector(LENGTH, -1.0, 1.0) }
    }
}

impl Idiom for Sort {
    fn name(&self) -> &'static str {
        "bitonic sort"
    }

    fn measure(&self) -> Measure {
        Measure::Exact
    }

    fn reference(&self) -> Vec<f64> {
        let mut out: Vec<f64> = self.x.iter().map(|&x| x.into()).collect();
        out.chunks_mut(BLOCK).for_each(|block| block.sort_by(f64::total_cmp));
        out
    }
}
