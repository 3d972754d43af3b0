// A device checks no bounds of these kernels.
#[ptx_module]
mod unchecked {
    #[ptx_kernel(pair = F16x2, unchecked)]
    fn loaded(t: ThreadX, n: usize, m: usize, x: &[f32], i: &[u32], out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            for k in 0..m.min(3) {
                sum += x[i[t + k] as usize] * x[k * n + t];
            }
            out[t] = sum;
        }
    }

    #[ptx_kernel(pair = F16x2, unchecked)]
    fn unchecked_rows(t: ThreadX, n: usize, m: usize, x: &[[f32; 3]], out: &mut [[f32; 3]]) {
        if t < n {
            for c in 0..3 {
                out[t][c] = x[t][c] + x[m][2 - c];
            }
        }
    }
}
