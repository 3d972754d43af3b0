// Indices that guards, loops and conditions bound; a device checks the bounds once before the body.
#[ptx_module]
mod ranges {
    /// Neighbours in a row, and in rows that a counter counts.
    #[ptx_kernel(pair = F16x2)]
    fn neighbours(t: ThreadX, n: usize, m: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            let rows = m.min(3);
            for j in 0..rows {
                let c = j * n + t;
                let west = if t == 0 { x[c] } else { x[c - 1] };
                let east = if t == n - 1 { x[c] } else { x[c + 1] };
                let north = if j == 0 { x[c] } else { x[c - n] };
                let south = if j + 1 == rows { x[c] } else { x[c + n] };
                sum += west * 0.25 + east * 0.5 + north - south;
            }
            out[t] = sum;
        }
    }

    /// A guard that returns, with a difference that wraps if there are few threads.
    #[ptx_kernel(pair = F16x2)]
    fn inner(t: ThreadX, n: usize, m: usize, x: &[f32], out: &mut [f32]) {
        if t >= n - 1 - m {
            return;
        }
        let mut sum = 0.0;
        for k in 0..m {
            sum += x[t + k + 1] - x[t];
        }
        out[t] = sum;
    }

    /// Slices that some parameters leave unread.
    #[ptx_kernel(pair = F16x2)]
    fn optional(t: ThreadX, n: usize, m: usize, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = x[t];
            for k in 0..3 {
                if m > 2 {
                    sum += y[t + m * k];
                }
                if !(m == 1 || m == 4) && n > 7 {
                    sum -= z[2 * t + k];
                }
            }
            out[t] = sum;
        }
    }

    /// A loop that a device unrolls, and that has no iteration where `n` exceeds `m`.
    #[ptx_kernel(pair = F16x2)]
    fn reversed(t: ThreadX, n: usize, m: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = x[t];
            let mut rest = 1.0;
            for k in n..m {
                sum += x[t + k] * y[t + k] + x[t + k] * 0.5;
                rest += y[t + k] * 0.25 - x[t + k] * y[t + k];
                sum += rest * 0.125 + x[t + k] * y[t + k];
            }
            out[t] = sum + rest;
        }
    }

    /// Indices without a guard, which each thread bounds by its own, and one that falls.
    #[ptx_kernel(pair = F16x2)]
    fn unguarded(t: ThreadX, n: usize, m: usize, x: &[f32], out: &mut [f32]) {
        let mut sum = 0.0;
        for k in 0..m + 1 {
            sum += x[2 * t + k] - x[n - 1 - t] * x[k];
        }
        out[t] = sum;
    }

    /// Counters that bound each other, and arrays.
    #[ptx_kernel(pair = F16x2)]
    fn triangle(t: ThreadX, n: usize, m: usize, x: &[f32], y: &[[f32; 3]], out: &mut [[f32; 3]]) {
        if t < n {
            for c in 0..3 {
                let mut sum = y[t][c];
                for i in 1..=m.min(3) {
                    for j in 0..i {
                        sum += x[i - j - 1] * x[i * j + t];
                    }
                }
                out[t][c] = sum + y[m][2 - c];
            }
        }
    }

    /// Loaded indices, whose checks stay, between others.
    #[ptx_kernel(pair = F16x2)]
    fn mixed(t: ThreadX, n: usize, m: usize, x: &[f32], i: &[i32], out: &mut [f32], at: &mut [u32]) {
        if t < n {
            let mut sum = 0.0;
            let mut last = 0;
            for j in 0..m.min(3) {
                let k = i[t + j];
                if k >= 0 {
                    sum += x[k as usize] * x[j * n + t];
                    last = k as u32;
                }
                if sum > 64.0 {
                    break;
                }
                sum += x[j * 2];
            }
            out[t] = sum;
            at[t] = last;
        }
    }
}
