// Invariant: two elements, or rows, of the output belong to one thread.
use ptxf::{F16, F16x2};

use super::lanes::{above, lane, twice};

by_hand! {
    fn gain(
        t: ThreadX, n: usize, dimensions: usize, centres: usize, candidate: usize,
        point: &[F16x2], weight: &[F16x2], cost: &[F16x2], assigned: &[i32], slot: &[i32],
        switches: &mut [i32], saved: &mut [F16],
    ) {
        // Words of a coordinate.
        let pitch = n.div_ceil(2);
        if t < pitch {
            let mut s = F16x2::ZERO;
            for i in 0..dimensions {
                let there = lane(point[candidate / 2 + i * pitch], candidate);
                let d = point[t + i * pitch] - twice(there);
                s = d.mul_add(d, s);
            }
            let cost_there = s * weight[t];
            let change = cost_there - cost[t];
            let moves = above(cost[t], cost_there);
            let mut note = |i: usize, moves: bool, change: F16| {
                let place = if moves {
                    // SAFETY: each thread has two elements of its own, so no other thread writes
                    // this one.
                    unsafe { switches.set(i, 1) };
                    centres
                } else {
                    slot[assigned[i] as usize] as usize
                };
                let at = i * (centres + 1) + place;
                // SAFETY: each thread has two rows of its own, so no other thread reads or writes
                // them.
                let old = unsafe { saved.get(at) };
                // SAFETY: the row is this thread's own, as above.
                unsafe { saved.set(at, old + change) };
            };
            note(t * 2, moves & 1 != 0, change.lo());
            if t * 2 + 1 < n {
                note(t * 2 + 1, moves >> 31 != 0, change.hi());
            }
        }
    }
}
