//! `match` with arms that diverge within a group.

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
}
