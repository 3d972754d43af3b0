//! Loops that the threads of a pair leave at different times.

use crate::harness::kernel;

kernel! {
    /// `while` and `for` with bounds of each thread's own, inclusive and not, empty ones among
    /// them.
    trips(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = 0.0;
            let mut k = i[t];
            while k > 0 {
                s += x[t + k as usize];
                k -= 2;
            }
            for j in i[t]..i[t + 1] {
                s = s * 0.5 + j as f32;
            }
            let mut count = 0;
            for j in 0..=i[t] {
                count += j;
            }
            for j in (u[t] % 5) as usize..=(u[t + 1] % 7) as usize {
                s -= y[t + j];
            }
            out[t] = s;
            v[t] = count + k;
        }
    }
}

kernel! {
    /// Bounds at the ends of their types: the counter must not wrap for a thread whose range is
    /// empty or finished.
    ends(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut c = 0;
            for _j in t - 1..m {
                c += 1;
            }
            for j in i32::MAX - (i[t] & 1)..=i32::MAX {
                c += j - i32::MAX + 10;
            }
            for _j in (if i[t] > 3 { i32::MAX } else { 0 })..i[t] {
                c += 1000;
            }
            for _j in u32::MAX - u[t] % 3..u32::MAX {
                c += 100000;
            }
            v[t] = c;
        }
    }
}

kernel! {
    /// Down through bounds of each thread's own, at the ends of their types as well, with jumps,
    /// and through uniform ones.
    down(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut c = 0;
            for j in (i[t]..i[t + 1]).rev() {
                c = c * 3 + j;
            }
            for j in (i32::MIN..=i32::MIN + (i[t] & 3)).rev() {
                if j == i32::MIN + 1 {
                    continue;
                }
                c = c * 5 + (j - i32::MIN);
            }
            for j in ((u[t] % 3) as usize..t).rev() {
                if j < m {
                    break;
                }
                c += 1;
            }
            for _j in (0..u[t + 1] % 3).rev() {
                c += 1000;
            }
            let mut s = 0.0;
            for j in (0..m).rev() {
                s = s * 0.5 + x[t + j];
            }
            for j in (1..=m).rev() {
                if j as i32 == i[t] {
                    break;
                }
                s += y[t + j];
            }
            out[t] = s;
            v[t] = c;
        }
    }
}

kernel! {
    /// A thread may leave the last iteration of an inclusive range in the middle.
    last_of_inclusive(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            for j in 0..=i[t] & 3 {
                if i[t + 1] > 7 {
                    continue;
                }
                if i[t] > j + 3 {
                    break;
                }
                v[t] += j + 1;
            }
        }
    }
}

kernel! {
    /// `break` and `continue` of some threads in uniform loops, and nested.
    jumps(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        let mut s = 0.0;
        let mut c = 0;
        for j in 0..m + 2 {
            if x[t + j] < -1.0 {
                continue;
            }
            s += x[t + j];
            if y[t + j] > 4.0 {
                break;
            }
            c += 1;
            for k in 0..j {
                if i[t + k] == 3 {
                    continue;
                }
                if i[t + k] > 6 {
                    break;
                }
                c += 10;
                if c > 90 {
                    v[t] = -c;
                    return;
                }
            }
            c += 1;
        }
        out[t] = s;
        v[t] = c;
    }
}

kernel! {
    /// A `break` of all threads that did not `continue`; the others start another iteration.
    last_round(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut k = 0;
            loop {
                k += 1;
                if k < i[t] {
                    continue;
                }
                break;
            }
            let mut j = 0;
            while j < 20 {
                j += 1;
                if j % 4 != u[t] as i32 % 4 {
                    continue;
                }
                if m > 2 {
                    out[t] = x[t + k as usize];
                    break;
                }
            }
            v[t] = k + 100 * j;
        }
    }
}

kernel! {
    /// Loops in branches, with variables declared on every level.
    levels(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut total = 0;
            let mut outer = 0;
            while outer < i[t] {
                let mut inner = 0;
                let mut mine = 1;
                if outer % 2 == 0 {
                    while inner < m {
                        inner += 1;
                        if inner as i32 + outer > 5 {
                            break;
                        }
                        mine += inner as i32;
                    }
                } else {
                    loop {
                        mine *= 2;
                        if mine > i[t + 1] * 4 {
                            break;
                        }
                    }
                }
                total += mine;
                outer += 1;
            }
            v[t] = total;
            out[t] = total as f32 * x[t];
        }
    }
}

kernel! {
    /// A condition with statements of its own.
    condition(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut k = 0;
            let mut steps = 0;
            while {
                k += 1;
                k < i[t]
            } {
                steps += 1;
            }
            v[t] = k + 100 * steps;
        }
    }
}
