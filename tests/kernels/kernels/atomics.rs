// Elements that several threads change at the same time, of each type and by each operation;
// through functions, in rows. And votes.
#[ptx_module]
mod atomics {
    #[ptx_fn]
    fn count(bins: &mut [u32], x: u32) {
        atomic_add(&mut bins[x as usize % 8], x & 3);
    }

    #[ptx_fn]
    fn are_left(left: u32) -> bool {
        let any = sync_threads_or(left > 0);
        any
    }

    /// Long integers, which wrap where short ones would.
    #[ptx_kernel(pair = F16x2)]
    fn long(t: ThreadX, n: usize, x: &[u64], y: &[i64], sums: &mut [u64], least: &mut [i64], most: &mut [u64], bits: &mut [i64]) {
        if t < n {
            let at = (x[t] % 5) as usize;
            atomic_add(&mut sums[at], x[t] << 20);
            atomic_sub(&mut sums[at + 1], x[t + 1].rotate_left(3));
            atomic_min(&mut least[at], -y[t]);
            atomic_max(&mut most[t % 3], x[t]);
            if y[t] % 2 == 0 {
                atomic_xor(&mut bits[at], y[t] * 0x123456789);
            }
        }
    }

    /// Words, unsigned and signed.
    #[ptx_kernel(pair = F16x2)]
    fn words(t: ThreadX, n: usize, x: &[u32], y: &[i32], all: &mut [u32], some: &mut [u32], least: &mut [u32], most: &mut [i32]) {
        if t >= n {
            return;
        }
        let at = (x[t] >> 3) as usize % 6;
        atomic_and(&mut all[at], !(x[t] << 7));
        atomic_or(&mut some[at], 1 << (x[t] & 31));
        atomic_min(&mut least[at], x[t] * 77);
        for k in 0..x[t] as usize % 3 {
            atomic_max(&mut most[at + k], y[t + k]);
        }
    }

    /// A histogram of each block. Only barriers separate the accesses of its threads.
    #[ptx_kernel(pair = F16x2)]
    fn by_block(t: ThreadX, l: LocalX, n: usize, x: &[u32], sums: &mut [u32], out: &mut [u32]) {
        let mut bins = shared::<u32, 8>();
        for round in 0..3 {
            if l < 8 {
                bins[l] = round;
            }
            sync_threads();
            if t < n {
                count(&mut bins, x[t] + round);
            }
            sync_threads();
            if l < 8 {
                atomic_add(&mut sums[l], bins[l]);
            }
            sync_threads();
        }
        if t < n {
            out[t] = unsafe { bins[t % 8] };
        }
    }

    /// In rows, with the elements' old values.
    #[ptx_kernel(pair = F16x2)]
    fn rows(t: ThreadX, n: usize, x: &[u32], sums: &mut [[u32; 3]], out: &mut [u32]) {
        let mut seen = shared::<u32, 4, 2>();
        if t < n {
            atomic_add(&mut sums[t / 2][x[t] as usize % 3], x[t]);
            let mut tries = 0;
            // Each thread finds one less than the next.
            let found = unsafe { atomic_sub(&mut seen[x[t] as usize % 4][1], 1) } + unsafe { atomic_or(&mut seen[0][0], 0) };
            while tries < 1 + (found & 0) {
                tries += 1;
            }
            out[t] = tries;
        }
    }

    /// Votes of threads that differ, and of threads that do not.
    #[ptx_kernel(pair = F16x2)]
    fn votes(t: ThreadX, l: LocalX, n: usize, x: &[u32], y: &[f32], out: &mut [u32], rounds: &mut [u32]) {
        let mut left = if t < n { x[t] % 5 } else { 0 };
        let mut all = 0;
        loop {
            let any = are_left(left);
            if !any {
                break;
            }
            let more = sync_threads_count(left > 1 || l == 1 && t < n);
            all = all * 3 + more;
            left -= if left > 0 { 1 } else { 0 };
        }
        // A device runs whole blocks, so it may have more threads than the launch.
        let few = sync_threads_and(t >= n || y[t] < 1.0);
        let even = sync_threads_and(n % 2 == 0);
        if t < n {
            out[t] = all + if few { 1000000 } else { 0 };
            rounds[t] = even as u32 + left;
        }
    }
}
