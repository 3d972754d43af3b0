// Invariant: an element of the output belongs to one thread.
use ptxf::{F16, F16x2};

use super::lanes::twice;

by_hand! {
    fn matmul(
        col: ThreadX, row: ThreadY, width: usize, height: usize, depth: usize, a: &[F16], b: &[F16x2], c: &mut [F16x2],
    ) {
        if col < width && row < height {
            let mut s = F16x2::ZERO;
            for k in 0..depth {
                let x = a[row * depth + k];
                s = twice(x).mul_add(b[col + k * width], s);
            }
            // SAFETY: each thread has an element of its own, so no other thread reads or writes
            // this one.
            unsafe { c.set(row * width + col.get(), s) };
        }
    }
}
