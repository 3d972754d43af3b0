// Invariant: two elements of the output belong to one thread.
use ptxf::{F16, F16x2};

use super::lanes::{above, pair, select, twice};

by_hand! {
    fn assign(t: ThreadX, n: usize, k: usize, f: usize, x: &[F16x2], c: &[F16], member: &mut [i32]) {
        if t < n {
            let mut best = pair(F16::INFINITY.to_bits());
            let (mut low, mut high) = (0, 0);
            for i in 0..k {
                let mut s = F16x2::ZERO;
                for j in 0..f {
                    let centre = c[i * f + j];
                    let d = x[t + j * n] - twice(centre);
                    s = d.mul_add(d, s);
                }
                let nearer = above(best, s);
                best = select(nearer, s, best);
                if nearer & 1 != 0 {
                    low = i as i32;
                }
                if nearer >> 31 != 0 {
                    high = i as i32;
                }
            }
            // SAFETY: each thread has two elements of its own, so no other thread writes this one.
            unsafe { member.set(t * 2, low) };
            // SAFETY: the element is this thread's own, as above.
            unsafe { member.set(t * 2 + 1, high) };
        }
    }
}
