//! Local arrays: uniform indices, and elements that differ between threads.

use crate::harness::kernel;

kernel! {
    /// Elements assigned by some of the threads only, in a loop.
    masked(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let mut a = [0.0, x[t], 2.0, y[t]];
            let mut c = [1; 3];
            let mut k = [0.5; 2];
            for j in 0..4 {
                if x[t + j] > a[j] {
                    a[j] = x[t + j];
                    a[(j + 1) % 4] += 1.0;
                    c[j % 3] -= i[t];
                } else {
                    k[j % 2] += z[t + j];
                }
            }
            out[t] = a[0] + a[1] - (a[2] - a[3]);
            v[t] = c[0] * 100 + c[1] * 10 + c[2];
            w[t] = k[0] - k[1];
        }
    }
}

kernel! {
    /// Indices in arrays, of every class, and an array of truth values.
    indices(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let near = [t, t + 1, t + 2];
            let mixed = [t, m, 2 * t];
            let yes = [x[t] > 0.0, i[t] > 2];
            let mut s = 0.0;
            for j in 0..3 {
                s += x[near[j]] * y[mixed[j]];
            }
            if yes[0] && !yes[m % 2] {
                s = -s;
            }
            out[t] = s;
        }
    }
}
