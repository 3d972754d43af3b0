//! Loops through the elements of slices, arrays and constants.

use ptxf::ptx_fn;

use crate::functions::{STEPS, WEIGHTS};
use crate::harness::kernel;

#[ptx_fn]
fn largest(of: &[i32], least: i32) -> i32 {
    let mut largest = least;
    for &i in of {
        if i > largest {
            largest = i;
        }
    }
    largest
}

kernel! {
    /// Loops over an input, a local array and constants, with jumps, by value and by reference,
    /// counted and not.
    all(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let (mut s, mut k, mut c) = (0.0, 0.0, 0);
            for &e in x {
                if e > y[t] {
                    break;
                }
                s += e;
            }
            'rows: for (j, &weight) in WEIGHTS.iter().enumerate() {
                for step in STEPS {
                    if step == i[t + j] {
                        continue 'rows;
                    }
                    c += step;
                }
                k += weight * x[t + j];
            }
            let near = [x[t], a, y[t]];
            for near in near {
                s = s.max(near);
            }
            for (_, &near) in (&near).iter().enumerate() {
                k -= near;
            }
            out[t] = s;
            w[t] = k;
            v[t] = c + largest(i, i[t]) * 100000;
        }
    }
}
