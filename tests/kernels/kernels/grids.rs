// The number of threads, and results computed from it.
#[ptx_module]
mod grids {
    /// All elements, whatever the grid.
    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn strides(t: ThreadX, threads: ThreadsX, x: &[f32], y: &[f32], out: &mut [f32], sums: &mut [f32]) {
        let mut sum = 0.0;
        for j in (t..x.len()).step_by(threads) {
            out[j] = x[j] - y[j];
            sum += x[j] * y[j];
        }
        sums[t] = cvt_rn(sum);
    }

    /// The same for a block, including incomplete last blocks.
    #[ptx_kernel(pair = F16x2)]
    fn dims(t: ThreadX, l: LocalX, b: BlockX, dim: BlockDimX, threads: ThreadsX, n: usize, x: &[f32], out: &mut [f32], at: &mut [u32]) {
        if t < n {
            let last = l + 1 == dim || t + 1 == threads;
            out[t] = if last { x[b * dim] } else { x[(t + dim) % threads] };
            at[t] = (dim * 65536 + threads * 256 + b * dim + l - t) as u32;
        }
    }

    /// With barriers: each block has the numbers before its first barrier.
    #[ptx_kernel(pair = F16x2)]
    fn blocks(t: ThreadX, l: LocalX, dim: BlockDimX, threads: ThreadsX, x: &[f32], out: &mut [f32]) {
        let mut tile = shared::<f32, 64>();
        let of = if dim < threads { dim } else { threads };
        tile[l] = x[t];
        sync_threads();
        let first = unsafe { tile[0] };
        let mut most = first;
        for k in 1..of {
            if t - l + k < threads {
                most = most.max(unsafe { tile[k] });
            }
        }
        out[t] = most - first;
    }
}
