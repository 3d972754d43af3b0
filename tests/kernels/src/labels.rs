//! Jumps that leave several loops at once, at different times for the threads of a group.

use crate::harness::kernel;

kernel! {
    /// Jumps out of two loops and to the next iteration of the outer one, by threads that continue
    /// in the inner one, and by all together.
    both(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut c = 0;
            let mut s = 0.0;
            'outer: for j in 0..4 {
                let mut k = 0;
                'inner: while k < 5 {
                    k += 1;
                    if (i[t] + j) % 5 == k {
                        c += 1;
                        continue 'outer;
                    }
                    if x[t + k as usize] > 2.5 {
                        break 'outer;
                    }
                    if u[t] % 7 == k as u32 {
                        continue 'inner;
                    }
                    s += y[t + k as usize];
                    if u[t + 1] % 9 == j as u32 {
                        break 'inner;
                    }
                }
                c += 10;
                // All threads here continue together.
                for p in 0..3 {
                    c += 100;
                    if p as usize == m % 4 {
                        continue 'outer;
                    }
                }
                c += 1000;
            }
            out[t] = s;
            v[t] = c;
        }
    }
}

kernel! {
    /// Three loops of each kind with bounds of each thread's own; a label hides another, and a
    /// return leaves all of them.
    three(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        let mut c = 0;
        'a: loop {
            c += 1;
            'b: for j in (0..=i[t]).rev() {
                for k in 0..(u[t] % 4) as i32 {
                    c += 2;
                    if c > 60 {
                        v[t] = -c;
                        return;
                    }
                    if k + j == 4 {
                        continue 'a;
                    }
                    if k + j == c % 5 {
                        continue 'b;
                    }
                    if c > 40 + i[t] {
                        break 'a;
                    }
                }
                c += 3;
            }
            if c > 20 {
                break;
            }
        }
        v[t] = c;
    }
}

kernel! {
    /// All threads of a block leave loops with barriers together.
    barriers(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut tile = shared::<i32, 256>();
        let mut c = i[t];
        'rounds: for j in 0..4 {
            tile[l] = c;
            sync_threads();
            let mut k = 0;
            while k < 3 {
                k += 1;
                if j * 3 + k == m {
                    break 'rounds;
                }
                if (j + k) % 4 == 3 {
                    continue 'rounds;
                }
                sync_threads();
                c += tile[l] + k as i32;
            }
            c *= 2;
        }
        v[t] = c;
    }
}
