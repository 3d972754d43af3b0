// Array literals at their uses, with indices that differ between threads; parameters that change; a
// sine with its cosine.
#[ptx_module]
mod literals {
    const FACTOR: f32 = 0.75;
    const ORDER: [usize; 4] = [2, 0, 3, 1];
    const WEIGHTS: [[f32; 3]; 4] = [[0.1, 0.25, -3.0], [1e-7, 70000.0, 0.5], [2.5, 1.0, 1.0009766], [-0.0, 8.0, 0.333]];
    const CODES: [u8; 5] = [7, 255, 0, 128, 3];
    const SIGNS: [bool; 3] = [true, false, true];

    #[ptx_fn]
    fn next(x: &mut f32) -> f32 {
        *x += 0.5;
        *x
    }

    /// Rows of outputs, of shared memory and of local arrays; all elements are evaluated before the
    /// first is written.
    #[ptx_kernel(pair = F16x2, keep(own))]
    fn whole_rows(t: ThreadX, l: LocalX, n: usize, i: &[u8], x: &[[f32; 3]], out: &mut [[f32; 3]], bytes: &mut [[u8; 4]], at: &mut [u32]) {
        let mut tile = shared::<f32, 64, 2>();
        let mut own = [[0.0; 2]; 3];
        let mut state = 0.25;
        if t < n {
            own[1] = [x[t][0], x[t + 1][1] * FACTOR];
            out[t] = x[t];
            out[t] = [out[t][2], out[t][0] - x[t][1], out[t][1]];
            own[2] = own[1];
            bytes[t] = [i[t], i[t] / 2, (t % 256) as u8, 255];
            at[t] = own[1][1] as u32;
        }
        tile[l] = [next(&mut state), next(&mut state)];
        sync_threads();
        if t < n {
            out[t][1] += cvt_rn(own[2][0]) + unsafe { tile[63 - l][1] - tile[63 - l][0] };
        }
    }

    /// Loops over numbers, with barriers in between, over floats, over references, and over one
    /// repeated value.
    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn through_arrays(t: ThreadX, l: LocalX, n: usize, m: usize, x: &[f32], out: &mut [f32], sums: &mut [f32]) {
        let mut part = shared::<f32, 64>();
        part[l] = x[t];
        sync_threads();
        for s in [32, 16, 8, 4, 2, 1] {
            if l < s {
                part[l] += unsafe { part[l + s] };
            }
            sync_threads();
        }
        let mut sum = 0.0;
        'all: for (k, &w) in [0.5, FACTOR, x[t], -1.0].iter().enumerate() {
            for &v in &[x[t + k], x[t]] {
                if v > 3.0 {
                    continue 'all;
                }
                sum += w * v;
            }
            if k == m {
                break;
            }
        }
        for v in [x[t]; 2] {
            sum -= v;
        }
        out[t] = unsafe { part[0] };
        sums[t] = cvt_rn(sum);
    }

    /// Kept elements are not rounded on their way.
    #[ptx_kernel(pair = F16x2, keep(sum, w, far))]
    fn through_singles(t: ThreadX, n: usize, x: &[f32], far: f32, out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            for w in [0.1, far, 3.0] {
                sum += w * x[t];
            }
            for v in [0.1, x[t + 1]] {
                sum += v;
            }
            out[t] = cvt_rn(sum);
        }
    }

    /// Constants at an index that differs between threads, under a mask, in every type, and in f32.
    #[ptx_kernel(pair = F16x2, keep(far))]
    fn constants_anywhere(t: ThreadX, n: usize, i: &[u8], x: &[f32], out: &mut [f32], at: &mut [u32]) {
        if t < n {
            let k = i[t] as usize % 4;
            let far = WEIGHTS[t % 4][k % 3];
            out[t] = x[ORDER[k]] * WEIGHTS[k][2] + WEIGHTS[3][t % 3];
            if i[t] > 2 {
                at[t] = CODES[k + 1] as u32 + (CODES[i[t] as usize % 5] >> 1) as u32;
                out[t] += CODES[k] as f32 - cvt_rn(far * WEIGHTS[k][1]);
            } else if SIGNS[i[t] as usize] {
                out[t] = -WEIGHTS[i[t] as usize][0];
            }
        }
    }

    #[ptx_fn]
    fn spread(mut v: u32, mut low: (u32, u32)) -> u32 {
        low.0 += low.1;
        v = (v | v << 8) & 0x00ff_00ff;
        v = (v | v << 4) & 0x0f0f_0f0f;
        v | low.0
    }

    /// Parameters that a thread changes for itself, and rows of its own arrays.
    #[ptx_kernel(pair = F16x2, keep(far))]
    fn changed(t: ThreadX, mut n: usize, mut m: usize, mut a: f32, mut far: f32, x: &[f32], i: &[u8], out: &mut [[f32; 2]], at: &mut [u32]) {
        let all = n;
        n -= 1;
        if t < n {
            m += i[t] as usize;
            a = a * x[t];
            far += x[t];
        }
        if t < all {
            let mut ends = [a, 0.5];
            ends[1] = cvt_rn(far);
            out[t] = ends;
            at[t] = spread(m as u32, (n as u32, 3)) + (n + m) as u32;
        }
    }

    /// A thread's own arrays at its own indices: read and written, in f32, of integers, of what is
    /// the same for all or an index, by rows, and across a barrier.
    #[ptx_kernel(pair = F16x2, keep(far))]
    fn own_arrays(t: ThreadX, l: LocalX, n: usize, m: usize, i: &[u8], x: &[f32], out: &mut [f32], at: &mut [u32]) {
        let mut bins = [0u32; 5];
        let mut far = [0.25, 1.0, -2.0];
        let same = [1.5, 2.5, 0.1, m as f32];
        let near = [t, t + 1, n];
        let mut rows = [[0.0; 2]; 3];
        let k = i[t] as usize;
        // All threads write the same number, each to a place of its own.
        let mut marks = [0u32; 3];
        marks[l % 3] = 4;
        if t < n {
            for j in 0..m {
                bins[(k + 3 * j + l) % 5] += 1;
                far[k % 3] = far[j % 3] * x[t] + far[(k + j) % 3];
            }
            rows[k % 3][l % 2] = x[near[k % 2]];
            if k < 5 {
                // The others have no such element.
                bins[k] += 2 + same[k.min(3)] as u32;
                far[k / 2] = rows[k / 2][k % 2];
            }
            if k > 2 {
                rows[near[k % 2] % 3] = [x[t], same[k % 4]];
                bins[k % 5] = 9;
                far[(k + 1) % 3] = 0.1;
            }
        }
        sync_threads();
        bins[l % 5] *= 3;
        if t < n {
            let mut sum = cvt_rn(far[k % 3]);
            for (j, &b) in bins.iter().enumerate() {
                at[t] += b << 5 * j as u32;
                sum += rows[(j + k) % 3][j % 2] * same[(k + j) % 4];
            }
            at[t] += marks[(l + 1) % 3] + 2 * marks[l % 3] + marks[1];
            out[t] = sum;
        }
    }

    /// A sine and its cosine are of one angle, which is computed once: in halves, kept, returned by
    /// a call that changes something, and as a part.
    #[ptx_kernel(pair = F16x2, keep(angle, far, near))]
    fn turned(t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32], other: &mut [f32]) {
        if t < n {
            let (s, c) = x[t].sin_cos();
            let angle = y[t] * 2.0;
            let (far, near) = (angle + 1.0).sin_cos();
            let mut state = 0.5;
            let (a, b) = next(&mut state).sin_cos();
            out[t] = s * c + a - b * state;
            other[t] = cvt_rn(far * near) - y[t].sin_cos().1;
        }
    }
}
