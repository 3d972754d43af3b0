// Reads of other threads' elements of shared memory without `unsafe`, between two barriers.
#[ptx_module]
mod phases {
    #[ptx_fn]
    fn shifted(part: &[i32; 256], l: usize, by: usize) -> i32 {
        part[(l + by) % 256]
    }

    /// A sum of each block, as a tree: a phase that reads, and a phase that writes.
    #[ptx_kernel(pair = F16x2)]
    fn tree(t: ThreadX, l: LocalX, b: BlockX, n: usize, x: &[u32], sums: &mut [u32]) {
        let mut part = shared::<u32, 256>();
        part[l] = if t < n { x[t] } else { 0 };
        sync_threads();
        let mut step = 128;
        while step > 0 {
            let other = if l < step { part[l + step] } else { 0 };
            sync_threads();
            if l < step {
                part[l] += other;
            }
            sync_threads();
            step /= 2;
        }
        if l == 0 {
            sums[b] = part[0];
        }
    }

    /// Stores an element by a block's first thread, and reads it in all threads and in a loop's
    /// condition.
    #[ptx_kernel(pair = F16x2)]
    fn first(t: ThreadX, l: LocalX, n: usize, x: &[u32], y: &[f32], out: &mut [f32], rounds: &mut [u32]) {
        let mut left = shared::<u32, 256>();
        let mut values = shared::<f32, 256>();
        left[l] = if t < n { x[t] % 5 } else { 0 };
        values[l] = if t < n { y[t] } else { 0.0 };
        sync_threads();
        let mut round = 0;
        let mut sum = 0.0;
        while left[0] > 0 {
            sum += values[l ^ 1];
            sync_threads();
            if left[l] > 0 {
                left[l] -= 1;
            }
            values[l] *= 0.5;
            sync_threads();
            round += 1;
        }
        if t < n {
            out[t] = sum;
            rounds[t] = round;
        }
    }

    /// A transposed tile, and a table that is counted before it is read, through a function.
    #[ptx_kernel(pair = F16x2)]
    fn tiles(t: ThreadX, l: LocalX, n: usize, x: &[i32], y: &[f32], out: &mut [f32], counts: &mut [i32]) {
        let mut tile = shared::<f32, 256>();
        let mut bins = shared::<i32, 256>();
        for round in 0..3 {
            if l < 256 {
                bins[l] = 0;
            }
            sync_threads();
            if t < n {
                atomic_add(&mut bins[(x[t] & 7) as usize], 1);
            }
            sync_threads();
            let near = shifted(&bins, l, round);
            let mut all = 0;
            for k in 0..8 {
                all += bins[k] * (k as i32 + 1);
            }
            sync_threads();
            if t < n {
                counts[t] = counts[t] * 3 + near + all;
            }
        }
        tile[l] = if t < n { y[t] } else { 1.0 };
        sync_threads();
        let across = tile[l % 16 * 16 + l / 16 % 16];
        if t < n {
            out[t] = across - tile[0];
        }
    }
}
