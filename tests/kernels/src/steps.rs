//! Loops that count in steps, or without a named counter.

use crate::float::P;
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
    by hand(s) {
        for t in 0..s.n {
            let (mut sum, mut c) = (P::of(0.0), 0);
            for j in 0..s.m {
                sum = sum + s.x[t + 3 * j];
            }
            let mut j = 9;
            while j >= 0 && j != s.i[t] {
                c = c * 3 + j;
                j -= s.m as i32 + 1;
            }
            s.out[t] = sum;
            s.v[t] = c + 1000 * s.m as i32;
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
    by hand(s) {
        for t in 0..s.n {
            let (step, i) = (s.u[t] as usize % 4 + 1, s.i[t]);
            let mut c = (i..7).step_by(step).filter(|j| *j != 3).fold(0, |c, j| c * 3 + j);
            let mut j = i;
            while j >= -3 {
                c = c * 5 + j;
                j -= 2;
                if c > 10000 {
                    break;
                }
            }
            c += (0..5).rev().step_by(step).sum::<usize>() as i32;
            let most = s.u[t] as i32 % 9;
            c += 7 * (0..=most).step_by(step).map(|j| most - j).sum::<i32>();
            c += (0..i.max(0)).rev().step_by(3).sum::<i32>();
            c += 100_000 * if i < 0 { i32::from(i < -1) } else { 2 };
            c += 1_000_000 * i32::from(i >= 0);
            s.v[t] = c;
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
    by hand(s) {
        for t in 0..s.n {
            let (mut sum, mut c) = (P::of(0.0), 0_i32);
            for j in (t..s.n).step_by(16) {
                sum = sum + s.x[j] * s.y[j + 1];
            }
            'outer: for j in (t % s.block[0] + s.m..s.n + 3).step_by(s.m + 7) {
                c = c.wrapping_add(s.i[j]);
                if c > 30 {
                    break;
                }
                for k in j..s.m + 5 {
                    if s.i[k] == 4 {
                        continue 'outer;
                    }
                    c = c.wrapping_mul(3).wrapping_add(k as i32);
                }
                c = c.wrapping_add(1);
            }
            let step = usize::MAX - 1 - s.m;
            c = c.wrapping_add(t as i32);
            if t < s.m + 1 {
                c = c.wrapping_add((t + step) as i32);
            }
            s.out[t] = sum;
            s.v[t] = c;
        }
    }
}
