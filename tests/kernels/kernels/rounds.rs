// Loops whose counter moves the indices; a device checks the bounds once before the loop.
#[ptx_module]
mod rounds {
    /// In range in all iterations: rows in a thread's own column, and uniform indices.
    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn within(t: ThreadX, n: usize, m: usize, x: &[f32], y: &[f32], out: &mut [f32], sums: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            for k in 0..m.min(3) {
                let at = k * n + t;
                let width = n;
                out[k * width + t] = x[at] - y[k];
                sum += x[at] * y[2 * k + 1];
            }
            sums[t] = cvt_rn(sum);
        }
    }

    /// Out of range in iterations that no thread reaches, or that access another element.
    #[ptx_kernel(pair = F16x2)]
    fn left(t: ThreadX, n: usize, m: usize, x: &[f32], i: &[i32], out: &mut [f32], at: &mut [u32]) {
        if t < n {
            let mut sum = 0.0;
            let mut count = 0;
            for k in 0..x.len() {
                sum += x[k * n + t];
                count += 1;
                if (k + 1) * n + t >= x.len() || k > m {
                    break;
                }
            }
            for k in (0..m + 2).rev() {
                let old = if k < 2 { x[n - 1 - k % n] } else { x[k] };
                sum = sum * 0.5 + old;
                if i[t + k] > 6 {
                    break;
                }
                count += 100;
            }
            out[t] = sum;
            at[t] = count;
        }
    }

    /// Rows and columns of arrays, each moved by a counter; a counter that begins beyond its end.
    #[ptx_kernel(pair = F16x2)]
    fn cells(t: ThreadX, n: usize, m: usize, x: &[[f32; 3]], out: &mut [[f32; 3]]) {
        if t < n {
            for c in m % 3..3 {
                out[t][c] = x[t][c] + x[c][1];
            }
            for c in 0..m % 3 {
                out[t][c] = x[t + 1][2 - c] * x[c + m][c];
            }
            for c in n..m {
                out[t][0] = x[c - n + 1][0];
            }
        }
    }
}
