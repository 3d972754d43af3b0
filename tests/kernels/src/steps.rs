//! Loops that count in steps, or without a named counter.

use crate::harness::kernel;

kernel! {
    /// Uniform bounds.
    uniform(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let (mut s, mut c) = (0.0, 0);
            for j in (0..3 * m).step_by(3) {
                s += x[t + j];
            }
            for j in (0..=9).rev().step_by(m + 1) {
                if i[t] == j {
                    break;
                }
                c = c * 3 + j;
            }
            for _ in 0..m {
                c += 1000;
            }
            out[t] = s;
            v[t] = c;
        }
    }
}

kernel! {
    /// Bounds and steps of each thread's own, up and down, with jumps, to the ends of their types
    /// and beyond.
    own(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let step = (u[t] % 4) as usize + 1;
            let mut c = 0;
            for j in (i[t]..7).step_by(step) {
                if j == 3 {
                    continue;
                }
                c = c * 3 + j;
            }
            for j in (-3..=i[t]).rev().step_by(2) {
                c = c * 5 + j;
                if c > 10000 {
                    break;
                }
            }
            for j in (t..t + 5).rev().step_by(step) {
                c += (j - t) as i32;
            }
            for j in (u32::MAX - u[t] % 9..=u32::MAX).step_by(step) {
                c += 7 * (u32::MAX - j) as i32;
            }
            for j in (i32::MIN..i32::MIN + i[t].max(0)).rev().step_by(3) {
                c += j - i32::MIN;
            }
            for _ in (i32::MIN..i32::MAX - i[t]).step_by(1 << 31) {
                c += 100000;
            }
            for _ in (0..=i[t]).step_by(usize::MAX - step) {
                c += 1000000;
            }
            v[t] = c;
        }
    }
}

kernel! {
    /// From the thread's own index on, in uniform steps: neighbouring threads read neighbouring
    /// elements.
    along(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = 0.0;
            for j in (t..n).step_by(16) {
                s += x[j] * y[j + 1];
            }
            let mut c = 0;
            'outer: for j in (l + m..n + 3).step_by(m + 7) {
                c += i[j];
                if c > 30 {
                    break;
                }
                for k in j..m + 5 {
                    if i[k] == 4 {
                        continue 'outer;
                    }
                    c = c * 3 + k as i32;
                }
                c += 1;
            }
            for j in (t..usize::MAX).step_by(usize::MAX - 1 - m) {
                c += j as i32;
            }
            out[t] = s;
            v[t] = c;
        }
    }
}
