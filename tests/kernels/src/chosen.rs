//! Elements that a condition chooses: one load at the chosen index. The other index may be out of
//! range.

use crate::harness::kernel;

kernel! {
    /// Neighbours along a row, where the row's ends have none. All threads read their own element.
    row(t: ThreadX; n m a x y z i u out w v) keep(before) {
        if t < n {
            let west = if t == 0 { x[t] } else { x[t - 1] };
            let east = if t + 1 < x.len() { x[t + 1] } else { x[t] };
            let before = if t > m { z[t + m - 1] } else { z[t + m] };
            out[t] = west - 2.0 * x[t] + east;
            w[t] = z[t + m] - before;
        }
    }
}

kernel! {
    /// The same, where the threads that choose are in the middle of a row.
    steps(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let c = t + 2;
            let p = if u[t] % 3 == 0 { x[c] } else { x[c - 1] };
            let odd = t & 1 == 1;
            let q = if odd { y[c + 1] } else { y[c] };
            let r = if !odd { y[t] } else { y[t + 1] };
            let j = if t & 3 == 2 { i[c] } else { i[c - 1] };
            out[t] = p * x[c] + q * y[c] + r * y[t];
            v[t] = j - i[c];
        }
    }
}

kernel! {
    /// All threads choose alike: in a loop, at both of its ends, with chosen elements far away.
    layers(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = 0.0;
            for k in 0..4 {
                let c = t + k;
                let below = if k == 0 { x[c] } else { x[c - 1] };
                let above = if k == 3 { y[c] } else if m > 2 { y[c + 1] } else { y[t] };
                let here = if m < 1000 { x[t + m] } else { x[t + 1000 * m] };
                s += below * above - here;
            }
            out[t] = s;
        }
    }
}

kernel! {
    /// Chains of conditions, of which some differ between threads and others do not.
    chains(t: ThreadX; n m a x y z i u out w v) keep(r) {
        if t < n {
            let p = if t & 7 == 0 { x[t] } else if t & 3 == 0 { x[t + 1] } else if m > 1 { x[t + m] } else { x[2] };
            let q = if m > 3 { if t & 1 == 0 { y[t] } else { y[m] } } else { y[2 * t] };
            let r = if t == 0 { z[3] } else { if t > 4 { z[t - 4] } else { z[t] } };
            out[t] = p + q;
            w[t] = r;
        }
    }
}

kernel! {
    /// Only some threads run the choice, and only their elements are read.
    masked(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = 0.0;
            if t & 3 != 1 {
                let west = if t == 0 { x[t] } else { x[t - 1] };
                let far = if t & 1 == 0 { y[t + m] } else { y[t] };
                s = west * x[t] + far;
            }
            out[t] = s;
        }
    }
}

kernel! {
    /// Elements that are widened after the choice.
    widened(t: ThreadX; n m a x y z i u out w v) keep(west, sum) {
        if t < n {
            let west = if t == 0 { x[t] } else { x[t - 1] };
            let mut sum = if m > 2 { x[t + 1] } else { x[t] };
            sum += west;
            w[t] = sum;
        }
    }
}

kernel! {
    /// The index of the element that all threads read changes before they do.
    moved(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut c = t + 3;
            let west = if t & 1 == 0 { x[c] } else { x[c - 1] };
            c = t;
            out[t] = west - x[c];
        }
    }
}
