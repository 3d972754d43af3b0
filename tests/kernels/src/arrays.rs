//! Local arrays: uniform indices, and elements that differ between threads.

use crate::float::P;
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
    by hand(s) {
        for t in 0..s.n {
            let mut a = [P::of(0.0), s.x[t], P::of(2.0), s.y[t]];
            let mut c = [1_i32; 3];
            let mut k = [P::of(0.5); 2];
            for j in 0..4 {
                if s.x[t + j] > a[j] {
                    a[j] = s.x[t + j];
                    a[(j + 1) % 4] = a[(j + 1) % 4] + P::of(1.0);
                    c[j % 3] -= s.i[t];
                } else {
                    k[j % 2] = k[j % 2] + s.z[t + j];
                }
            }
            s.out[t] = a[0] + a[1] - (a[2] - a[3]);
            s.v[t] = c[0] * 100 + c[1] * 10 + c[2];
            s.w[t] = k[0] - k[1];
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
    by hand(s) {
        for t in 0..s.n {
            let yes = [s.x[t] > P::of(0.0), s.i[t] > 2];
            let mut sum = P::of(0.0);
            for (a, b) in [(t, t), (t + 1, s.m), (t + 2, 2 * t)] {
                sum = sum + s.x[a] * s.y[b];
            }
            s.out[t] = if yes[0] && !yes[s.m % 2] { -sum } else { sum };
        }
    }
}
