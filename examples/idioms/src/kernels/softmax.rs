//! Softmax, with a block for each row, which reads the row three times.
//!
//! Trees in shared memory compute the largest element and the sum. The two threads of a pair have
//! adjacent elements.
// Invariant: a barrier is between the write of an element of `part` and its reads by other threads.
#![expect(unsafe_code, reason = "threads read each other's parts")]

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Softmax:
    kernel keep(part, largest, e, sum)
    fn softmax(l: LocalX, row: BlockX, columns: usize, x: &[f32], y: &mut [f32]) {
        let mut part = shared::<f32, 64>();
        let first = row * columns;

        let mut largest = f32::NEG_INFINITY;
        for j in (l..columns).step_by(64) {
            largest = largest.max(x[first + j]);
        }
        part[l] = largest;
        sync_threads();
        let mut step = 32;
        while step > 0 {
            if l < step {
                unsafe { part[l] = part[l].max(part[l + step]) };
            }
            sync_threads();
            step /= 2;
        }
        largest = unsafe { part[0] };
        sync_threads();

        let mut sum = 0.0;
        for j in (l..columns).step_by(64) {
            sum += (x[first + j] - largest).exp();
        }
        part[l] = sum;
        sync_threads();
        step = 32;
        while step > 0 {
            if l < step {
                unsafe { part[l] += part[l + step] };
            }
            sync_threads();
            step /= 2;
        }
        sum = unsafe { part[0] };

        for j in (l..columns).step_by(64) {
            let e = (x[first + j] - largest).exp();
            y[first + j] = cvt_rn(e / sum);
        }
    }
    launch |data| {
        let mut y = zeros(data.x.len());
        softmax(Grid::from(64 * ROWS).block([64, 1, 1]), COLUMNS, &exact(&data.x), &mut y);
        y
    }
}

const ROWS: usize = 8;
/// Columns of a row. The last iteration of a block has an odd number of threads.
const COLUMNS: usize = 1001;

pub struct Softmax {
    x: Vec<f32>,
}

impl Softmax {
    pub fn new() -> Self {
        Self { x: random::Data::new(1).vector(ROWS * COLUMNS, -4.0, 4.0) }
    }
}

impl Idiom for Softmax {
    fn name(&self) -> &'static str {
        "softmax"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        let rows = self.x.chunks(COLUMNS).map(|row| {
            let sum: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            row.iter().map(move |&x| f64::from(x).exp() / sum)
        });
        rows.flatten().collect()
    }
}
