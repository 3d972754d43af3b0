//! Indices that are the thread's plus an offset: a pair that begins at an odd element spans two
//! pairs.

use crate::harness::kernel;

kernel! {
    odd(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            out[t] = x[t + 1] - y[t + 2] + x[t + 3];
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
}
