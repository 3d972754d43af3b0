//! Diverging threads of a pair: a branch that a thread does not take must not show in memory.

use crate::harness::kernel;

kernel! {
    /// Branches with stores, nested; a thread in no branch leaves its elements unchanged.
    statements(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            if x[t] > y[t] {
                out[t] = x[t] - y[t];
                if i[t] > 2 {
                    w[t] = z[t];
                } else if i[t] < 0 {
                    v[t] = -i[t];
                }
            } else if x[t] < y[t] {
                v[t] = i[t] + 1;
            } else {
                out[t] = -x[t];
                w[t] = 0.5 - z[t];
            }
        }
    }
}

kernel! {
    /// Branches that read elements already read by the condition or by both branches, and branches
    /// whose index is another variable of the same name.
    read_before(t: ThreadX; n m a x y z i u out w v) keep(near) {
        if t < n {
            let mut next = t;
            let moved = if x[next] < {
                next += 1;
                y[t]
            } {
                x[next]
            } else {
                y[next]
            };
            out[t] = moved + if x[t] > y[t] {
                let t = t + 1;
                x[t] * y[t]
            } else {
                y[t + 1] - x[t]
            };
            w[t] = if i[t] > 0 {
                z[t] + 1.0
            } else {
                let near = z[t];
                near * 0.5
            };
            if y[t] > 0.0 && z[t] < 1.0 {
                if x[t] < y[t] {
                    v[t] = i[t];
                } else if z[t] > 0.5 {
                    v[t] = i[t] + 1;
                }
            } else if y[t + 1] > x[t] {
                v[t] = {
                    let t = n - 1 - t;
                    i[t] + 2
                };
            } else {
                v[t] = -1;
            }
        }
    }
}

kernel! {
    /// Branches that end with a write of the same element, and branches that only seem to.
    joined(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut sum = x[t];
            let mut j = i[t];
            if x[t] > y[t] {
                let most = x[t] * 0.5;
                sum += most;
                out[t] = most - y[t];
            } else {
                sum = y[t + 1];
                j += 1;
                out[t] = sum * 2.0;
            }
            if i[t] > 2 {
                let t = n - 1 - t;
                v[t] = 5;
            } else {
                v[n - 1 - t] = j;
            }
            if u[t] % 3 == 0 {
                w[t] = 0.5 - z[t];
                w[t] = w[t] - 1.0;
            } else if sum > 1.0 {
                w[t] = z[t];
            } else {
                if z[t] < 0.0 {
                    return;
                }
                w[t] = 1.0 - z[t];
            }
        }
    }
}

kernel! {
    /// An `if` as a value, with statements inside, of every type.
    values(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let big = if x[t] >= 1.0 { x[t] } else if i[t] == 3 { y[t + 1] } else { 1.0 };
            let j = if big > 2.0 {
                let k = i[t] * 3;
                k + 1
            } else {
                7
            };
            let yes = if j > 4 { x[t] < y[t] } else { i[t] > 0 };
            out[t] = big;
            v[t] = if yes { j } else { -j };
            w[t] = if yes { z[t] } else { z[t + 1] };
        }
    }
}

kernel! {
    /// The second operand of `&&` and `||` reads memory that only some threads may read.
    logic(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            // Without the first operand these indices are out of range.
            let a = t > 0 && x[t - 1] > 0.0;
            let b = i[t] < 0 || y[i[t] as usize] < 1.0;
            let c = m > 2 && i[t] != 1 && (x[t] > 0.0 || u[t] % 2 == 0);
            let d = !a && !(b || c) | (i[t + 1] == 2) ^ a;
            if a && b || c {
                out[t] = x[t];
            }
            v[t] = a as i32 + 2 * (b as i32) + 4 * (c as i32) + 8 * (d as i32);
        }
    }
}

kernel! {
    /// Returns in branches, one by one, and one for all remaining threads.
    returns(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        out[t] = x[t];
        if i[t] > 5 {
            v[t] = 100;
            return;
        }
        let k = if i[t] < 0 { y[t] } else { x[t + 1] };
        if k > 0.0 {
            if i[t] % 2 == 0 {
                return;
            }
            w[t] = z[t];
        }
        v[t] = 7;
        if m == 3 {
            return;
        }
        out[t] = k;
    }
}

kernel! {
    /// A variable assigned in some branches keeps its value for the other threads; so does `bool`.
    merged(t: ThreadX; n m a x y z i u out w v) keep(k) {
        let inside = t < n;
        let mut a = 1.5;
        let mut j = 4;
        let mut flag = false;
        let mut k = 0.25;
        if inside {
            if x[t] > 0.0 {
                a = x[t];
                flag = true;
            } else {
                j = i[t];
                k = z[t];
            }
            if flag && i[t] > 0 {
                a = a + 1.0;
                k += 1.0;
                flag = x[t] > 2.0;
            }
            out[t] = a;
            v[t] = if flag { j } else { j - 100 };
            w[t] = k;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "one thread writes for all")]
    /// One thread computes a uniform result; the others divide by nothing.
    one_thread(t: ThreadX; n m a x y z i u out w v) keep() {
        if t == 1 {
            // SAFETY: no other thread writes.
            unsafe {
                out[n] = x[0] + x[m];
                v[0] = i[m] / (t as i32);
            }
        }
    }
}
