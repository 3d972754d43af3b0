// Shared arrays that a block's threads fill before they read them, or nearly so. Whole blocks with
// as many threads as elements fill all of them.
#[ptx_module]
mod filled {
    /// The array is filled in each iteration of a loop, which may have none; its index has a name.
    #[ptx_kernel(pair = F16x2)]
    fn filled_in_rounds(t: ThreadX, l: LocalX, m: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        let mut tile = shared::<f32, 64>();
        let mut sum = y[t];
        for k in 0..m {
            let own = l;
            tile[own] = x[t] + y[k];
            sync_threads();
            sum = sum * 0.5 - unsafe { tile[63 - l] };
            sync_threads();
        }
        out[t] = sum;
    }

    /// One array is filled from another, and one is changed by atomic operations afterwards.
    #[ptx_kernel(pair = F16x2, keep(second))]
    fn filled_from_another(t: ThreadX, l: LocalX, x: &[f32], i: &[u32], out: &mut [f32], counts: &mut [u32]) {
        let mut first = shared::<f32, 64>();
        let mut second = shared::<f32, 64>();
        let mut count = shared::<u32, 64>();
        first[l] = x[t];
        count[l] = i[t];
        sync_threads();
        second[l] = unsafe { first[l ^ 3] } - x[t];
        atomic_add(&mut count[l / 2], 1);
        sync_threads();
        out[t] = cvt_rn(unsafe { second[63 - l] });
        counts[t] = unsafe { count[63 - l] };
    }

    /// The rows of the block fill the rows of the array.
    #[ptx_kernel(pair = F16x2)]
    fn filled_in_rows(t: ThreadX, ty: ThreadY, l: LocalX, ly: LocalY, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
        let mut tile = shared::<f32, 4, 32>();
        let mut flat = shared::<f32, 128>();
        if ty < h {
            tile[ly][l] = x[ty * w + t];
        }
        flat[ly * 32 + l] = x[ty * w + t];
        sync_threads();
        out[ty * w + t] = unsafe { tile[3 - ly][31 - l] - flat[ly * 32 + (31 - l)] };
        sync_threads();
        tile[ly][l] = x[t];
        sync_threads();
        out[ty * w + t] += unsafe { tile[3 - ly][l] };
    }

    /// Arrays are read before they are filled, in the phase that fills them, or after a loop that
    /// may have no iterations. One array is not filled by all threads.
    #[ptx_kernel(pair = F16x2)]
    fn filled_too_late(t: ThreadX, l: LocalX, m: usize, i: &[i32], out: &mut [i32]) {
        let mut before = shared::<i32, 64>();
        let mut within = shared::<i32, 64>();
        let mut behind = shared::<i32, 64>();
        let mut some = shared::<i32, 64>();
        within[l] = i[t];
        within[l] += 1;
        let mut sum = unsafe { before[63 - l] };
        sync_threads();
        before[l] = i[t];
        for k in 0..m / 3 {
            behind[l] = i[t] + k as i32;
            sync_threads();
        }
        if l % 3 != 1 {
            some[l] = i[t];
        }
        sync_threads();
        unsafe {
            sum += 2 * before[63 - l] + 30 * within[63 - l] + 500 * behind[63 - l] + 7000 * some[63 - l];
        }
        out[t] = sum;
    }
}
