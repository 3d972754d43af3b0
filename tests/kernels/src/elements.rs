//! Loops through the elements of slices, arrays and constants.

use ptxf::ptx_fn;

use crate::float::P;
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
    by hand(s) {
        let most = s.i.iter().copied().max().unwrap_or(0);
        for t in 0..s.n {
            let (mut sum, mut k, mut c) = (P::of(0.0), P::of(0.0), 0_i32);
            for &e in &s.x {
                if e > s.y[t] {
                    break;
                }
                sum = sum + e;
            }
            'rows: for (j, &weight) in WEIGHTS.iter().enumerate() {
                for step in STEPS {
                    if step == s.i[t + j] {
                        continue 'rows;
                    }
                    c = c.wrapping_add(step);
                }
                // The name is that of an element.
                k = k + P::<E>::of(weight).keep() * s.x[t + j].keep();
            }
            for near in [s.x[t], s.a, s.y[t]] {
                sum = sum.max(near);
            }
            for near in [s.x[t], s.a, s.y[t]] {
                k = k - near.keep();
            }
            s.out[t] = sum;
            s.w[t] = k;
            s.v[t] = c.wrapping_add(most.wrapping_mul(100_000));
        }
    }
}
