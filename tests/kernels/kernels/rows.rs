// Most accesses are at `t + r * w`. On a device, pairs are words in rows of odd length too.
#[ptx_module]
mod rows {
    #[ptx_kernel(pair = F16x2)]
    fn along_rows(t: ThreadX, r: ThreadY, w: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < w {
            let at = r * w + t;
            let west = if t == 0 { x[at] } else { x[at - 1] };
            let east = if t + 1 == w { x[at] } else { x[at + 1] };
            out[at] = x[at] * y[at] + (west - east) + y[t];
        }
    }

    /// The guard stops some threads of a row, and a loop moves by two rows.
    #[ptx_kernel(pair = F16x2)]
    fn along_other_rows(t: ThreadX, r: ThreadY, w: usize, x: &[f32], out: &mut [f32], sums: &mut [f32]) {
        if t + 1 < w {
            let mut sum = 0.0;
            for l in 0..2 {
                sum += x[t + (r + l * 2) * w] - x[t + r * w];
            }
            out[r * w + t] = sum;
            sums[r * w + t] = sum + x[r];
        }
    }
}
