// Invariant: a row of `saved` belongs to one thread.
kernels! { Streamcluster:
    kernel keep(s, cost_there, change)
    fn gain(
        t: ThreadX, n: usize, dimensions: usize, centres: usize, candidate: usize,
        point: &[f32], weight: &[f32], cost: &[f32], assigned: &[i32], slot: &[i32],
        switches: &mut [i32], saved: &mut [f32],
    ) {
        if t < n {
            let mut s = 0.0;
            for i in 0..dimensions {
                let d = point[t + i * n] - point[candidate + i * n];
                s += d * d;
            }
            let cost_there = s * weight[t];
            let change = cost_there - cost[t];
            // A row of `saved` per thread, with an element for every centre and one for the
            // candidate.
            let row = t * (centres + 1);
            if cost_there < cost[t] {
                switches[t] = 1;
                unsafe { saved[row + centres] = cvt_rn(saved[row + centres] + change) };
            } else {
                let own = slot[assigned[t] as usize] as usize;
                unsafe { saved[row + own] = cvt_rn(saved[row + own] + change) };
            }
        }
    }
}
