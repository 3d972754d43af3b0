// Invariant: the row of the step, which threads read, is written by none.
// Element (row, column) of a matrix is at row + n · column.
kernels! { Gaussian:
    kernel keep()
    fn multipliers(x: ThreadX, n: usize, step: usize, a: &[f32], m: &mut [f32]) {
        if x < n - 1 - step {
            m[x + step + 1 + n * step] = a[x + step + 1 + n * step] / a[n * step + step];
        }
    }

    kernel keep(pivot)
    fn eliminate(x: ThreadX, y: ThreadY, n: usize, step: usize, m: &[f32], a: &mut [f32], b: &mut [f32]) {
        if x < n - 1 - step && y < n - step {
            // A thread changes its own element of `a`, and one of `b` in the first column. The row
            // `step`, which other threads read, does not change.
            let row = x + 1 + step;
            let pivot = unsafe { a[step + n * (y + step)] };
            a[row + n * (y + step)] = cvt_rn(a[row + n * (y + step)] - m[row + n * step] * pivot);
            if y == 0 {
                let pivot = unsafe { b[step] };
                b[row] = cvt_rn(b[row] - m[row + n * step] * pivot);
            }
        }
    }
}
