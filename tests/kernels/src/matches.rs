//! `match` with arms that diverge within a group.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// As a statement: jumps out of arms, arms within arms. A change in one arm does not affect the
    /// choice of the next.
    statements(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        let mut k = i[t];
        let mut s = x[t];
        match k {
            i32::MIN..=-1 => s = -s,
            0 | 2 => {
                k = 5;
                s += 1.0;
            }
            1 => match u[t] % 4 {
                0 => k = 100,
                1..3 => s *= y[t],
                _ => return,
            },
            i32::MAX | 3 => {}
            _ => {
                for j in 0..k as usize {
                    match j {
                        2 => continue,
                        5.. => break,
                        _ => s += x[t + j],
                    }
                }
            }
        }
        out[t] = s;
        v[t] = k;
    }
    by hand(s) {
        for t in 0..s.n {
            let mut k = s.i[t];
            let mut sum = s.x[t];
            if k < 0 {
                sum = -sum;
            } else if k == 0 || k == 2 {
                k = 5;
                sum = sum + P::of(1.0);
            } else if k == 1 {
                let r = s.u[t] % 4;
                if r == 3 {
                    continue;
                }
                if r == 0 {
                    k = 100;
                } else {
                    sum = sum * s.y[t];
                }
            } else if k > 3 {
                for j in (0..k.min(5) as usize).filter(|j| *j != 2) {
                    sum = sum + s.x[t + j];
                }
            }
            s.out[t] = sum;
            s.v[t] = k;
        }
    }
}

kernel! {
    /// As a value, of every type, at the end of a block and in the middle of one; a uniform value
    /// is tested once.
    values(t: ThreadX; n m a x y z i u out w v) keep(q) {
        if t < n {
            let by = match m {
                0 => 0.25,
                1..=8 => 0.5,
                _ => 4.0,
            };
            let q = match u[t] & 7 {
                0 => z[t],
                1 | 4 => x[t] * y[t],
                2..=3 => 0.1,
                _ => z[t + 1],
            };
            let k = 2 * match t { 0 => 7, 1 | 3 | 5 => { let j = i[t]; j * j } _ => -1 } + 1;
            let even = match i[t] & 1 { 0 => true, _ => false };
            w[t] = q + by;
            out[t] = if even { x[match k { -1 => t, _ => t + 1 }] } else { by };
            v[t] = k;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let by = if s.m == 0 { 0.25 } else if s.m <= 8 { 0.5 } else { 4.0 };
            let q = match s.u[t] & 7 {
                0 => s.z[t],
                1 | 4 => s.x[t].keep() * s.y[t].keep(),
                2 | 3 => P(0.1),
                _ => s.z[t + 1],
            };
            let k = if t == 0 { 15 } else if matches!(t, 1 | 3 | 5) { 2 * s.i[t] * s.i[t] + 1 } else { -1 };
            s.w[t] = q + P(by);
            s.out[t] = if s.i[t] & 1 == 0 { s.x[if k == -1 { t } else { t + 1 }] } else { P::of(by) };
            s.v[t] = k;
        }
    }
}

kernel! {
    /// Barriers in arms that all threads of a block take, and a varying value between them.
    barriers(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut tile = shared::<f32, 256>();
        let mut k = i[t];
        match m % 3 {
            0 => {
                tile[l] = x[t];
                sync_threads();
                k += 1;
            }
            1 => k -= 1,
            _ => {
                let (before, by) = (k, 2);
                sync_threads();
                k = before * by;
                sync_threads();
            }
        }
        match k { 3..=9 => v[t] = k, _ => v[t] = -k }
        out[t] = x[t];
    }
    by hand(s) {
        for t in 0..s.n {
            let k = [s.i[t] + 1, s.i[t] - 1, 2 * s.i[t]][s.m % 3];
            s.v[t] = if (3..=9).contains(&k) { k } else { -k };
            s.out[t] = s.x[t];
        }
    }
}
