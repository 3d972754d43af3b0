//! Indices that are the thread's plus an offset: a pair that begins at an odd element spans two
//! pairs.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    odd(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            out[t] = x[t + 1] - y[t + 2] + x[t + 3];
        }
    }
    by hand(s) {
        for t in 0..s.n {
            s.out[t] = s.x[t + 1] - s.y[t + 2] + s.x[t + 3];
        }
    }
}

kernel! {
    /// Both the offset and the slice's parity are known at run time only.
    uniform(t: ThreadX; n m a x y z i u out w v) keep() {
        let k = 2 * m + 1;
        if t < n {
            out[t] = x[t + m] * y[t + k];
            v[t] = i[t + m] - i[m + 1 + t];
        }
    }
    by hand(s) {
        let k = 2 * s.m + 1;
        for t in 0..s.n {
            s.out[t] = s.x[t + s.m] * s.y[t + k];
            s.v[t] = s.i[t + s.m] - s.i[s.m + 1 + t];
        }
    }
}

kernel! {
    /// The neighbours of each thread; its own element replaces a missing neighbour.
    stencil(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        let west = if t == 0 { t } else { t - 1 };
        let east = if t == n - 1 { t } else { t + 1 };
        out[t] = x[west] + x[east] - 2.0 * x[t];
        w[t] = z[west] - z[east];
        v[t] = i[east] - i[west];
    }
    by hand(s) {
        for t in 0..s.n {
            let (west, east) = (t.saturating_sub(1), (t + 1).min(s.n - 1));
            s.out[t] = s.x[west] + s.x[east] - P::of(2.0) * s.x[t];
            s.w[t] = s.z[west] - s.z[east];
            s.v[t] = s.i[east] - s.i[west];
        }
    }
}

kernel! {
    /// The same, with the neighbours read under masks at ±1.
    edges(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = 0.0;
            if t > 0 {
                s += x[t - 1];
            }
            if t + 1 < n {
                s += x[t + 1];
            }
            out[t] = s;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let mut sum = P::of(0.0);
            if t > 0 {
                sum = sum + s.x[t - 1];
            }
            if t + 1 < s.n {
                sum = sum + s.x[t + 1];
            }
            s.out[t] = sum;
        }
    }
}

kernel! {
    /// One element for all threads, elements at a distance, and both.
    broadcast_and_stride(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let b = x[m] + x[2 * m + 1];
            let c = y[2 * t] - y[t * 3 + m];
            out[t] = b * c;
            v[t] = i[t + t] + i[3] - i[n];
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let b = s.x[s.m] + s.x[2 * s.m + 1];
            let c = s.y[2 * t] - s.y[t * 3 + s.m];
            s.out[t] = b * c;
            s.v[t] = s.i[t + t] + s.i[3] - s.i[s.n];
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "no thread writes at its own index")]
    /// Indices from memory, for reading and for writing; a thread writes where no other does.
    gather_and_scatter(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let j = u[t] as usize;
            let b = x[j] + y[u[t + 1] as usize];
            w[t] = z[j];
            // SAFETY: every thread has elements of its own.
            unsafe {
                out[2 * t + 1] = b;
                v[n + n - t] = i[j];
            }
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let j = s.u[t] as usize;
            s.out[2 * t + 1] = s.x[j] + s.y[s.u[t + 1] as usize];
            s.w[t] = s.z[j];
            s.v[2 * s.n - t] = s.i[j];
        }
    }
}

kernel! {
    /// Indices that wrap: the sum is in range, its parts are not.
    wrapped(t: ThreadX; n m a x y z i u out w v) keep() {
        let back = m - 9;
        let first = t + back;
        if t < n {
            out[t] = x[first + 9] + y[t - m + 5];
            v[t] = if first < 4 { 1 } else if first > n { 2 } else { 3 };
        }
    }
    by hand(s) {
        let back = s.m.wrapping_sub(9);
        for t in 0..s.n {
            let first = t.wrapping_add(back);
            s.out[t] = s.x[first.wrapping_add(9)] + s.y[t + 5 - s.m];
            s.v[t] = if first < 4 { 1 } else if first > s.n { 2 } else { 3 };
        }
    }
}

kernel! {
    /// An index that counts along, forwards from the thread's.
    moving(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut j = t;
            let mut s = x[j];
            for _k in 0..m {
                j += 1;
                s += x[j];
            }
            let mut k = 0;
            let mut d = 0.0;
            while k < m {
                let before = k;
                k += 1;
                d += y[t + 1 + before - k];
            }
            out[t] = s - d;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let mut sum = s.x[t];
            for k in 1..=s.m {
                sum = sum + s.x[t + k];
            }
            let mut d = P::of(0.0);
            for _ in 0..s.m {
                d = d + s.y[t];
            }
            s.out[t] = sum - d;
        }
    }
}
