//! Elements that are a thread's own by the digits of their index, and arrays of several axes. None
//! of the stores here is `unsafe`.

use crate::functions::TABLEAU;
use crate::harness::kernel;

kernel! {
    /// Rows of a plane, under a name and written out, assigned and added to.
    plane(t: ThreadX, r: ThreadY; n m a x y z i u out w v) keep() {
        let width = n;
        let at = r * width + t;
        out[at] = x[at + 1] * y[t] - x[r];
        if i[at] > 2 {
            v[t + n * r] += i[at] + r as i32;
        }
        w[(r + 1) * n + t] -= z[at];
    }
}

kernel! {
    /// Three axes, nested and as a sum, and columns one after the other.
    volume(t: ThreadX, r: ThreadY, l: ThreadZ; n m a x y z i u out w v) keep() {
        let rows = 3;
        out[(l * rows + r) * n + t] = x[t] + y[r];
        v[l * n * 3 + r * n + t] = i[t] - l as i32;
        let column = t * 3 + r;
        w[column + l * (n * 3)] = z[t] - z[l];
    }
}

kernel! {
    /// Several elements per thread, adjacent or a row apart, some of them for some threads only.
    several(t: ThreadX; n m a x y z i u out w v) keep() {
        if t >= n {
            return;
        }
        let mut k = 0;
        while k < 3 {
            out[t * 3 + k] = x[t + k] - a;
            if i[t] > k as i32 {
                w[k * n + t] = z[t];
            }
            k += 1;
        }
        for j in 0..2 {
            let base = j * n;
            v[base + t] = i[t + j];
        }
        out[3 * t + 1] += y[t];
    }
}

kernel! {
    /// Elements at a constant distance from the thread's own on, some of them for some threads
    /// only.
    strides(t: ThreadX; n m a x y z i u out w v) keep() {
        let end = n + n / 2;
        for j in (t..end).step_by(n) {
            out[j] = x[j] * a - y[t];
            let further = j + m;
            if i[j] > 2 {
                v[further] += i[j] - j as i32;
            }
        }
        for j in (t..=2 * n).step_by(n + 1) {
            w[j] = z[j];
        }
    }
}

kernel! {
    /// From the end, from further on, and every other one, without rows.
    along(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            out[n - 1 - t] = x[t] * a;
            w[t + m] = z[t];
            let odd = 2 * t + 1;
            v[odd] = i[t];
        }
    }
}

kernel! {
    /// One thread for a block, and one for all.
    one_of_them(t: ThreadX, l: LocalX, b: BlockX; n m a x y z i u out w v) keep() {
        let first = l;
        if first == 0 && t < n {
            v[b] = i[t];
        }
        if t == m {
            out[0] = x[t];
            out[n + 1] = y[t];
        } else {
            w[t] = z[t];
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// Shared memory of two axes, filled along both by the block's threads, and read with the axes
    /// exchanged.
    tile(t: ThreadX, r: ThreadY, p: LocalX, q: LocalY; n m a x y z i u out w v) keep() {
        let mut tile = shared::<f32, 2, 256>();
        let mut whole = shared::<i32, 256, { 1 + 1 }>();
        tile[q][p] = x[t] + y[r];
        whole[p][q] = i[t];
        sync_threads();
        // SAFETY: no thread writes after the barrier.
        let (first, last) = unsafe { (tile[q][0], whole[0][1 - 1]) };
        out[r * n + t] = first + tile[q][p];
        v[r * n + t] = last + whole[p][q] + tile.len() as i32 * 100 + whole.len() as i32;
    }
}

kernel! {
    /// Local arrays and constants of two and three axes, some elements for some threads only.
    tables(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let mut c = [[0.0; 3]; 2];
            let k: [[f32; 2]; 2] = [[x[t], 0.5], [z[t], -1.0]];
            let mut count = [[[i[t]; 2]; 2]; 2];
            for j in 0..6 {
                if x[t + j] > TABLEAU[j % 2][j / 2] {
                    c[j % 2][j / 2] += x[t + j];
                    count[j % 2][j / 4][1] *= 3;
                }
            }
            out[t] = c[0][0] + c[0][1] - c[0][2] + (c[1][0] - c[1][1] + c[1][2]);
            w[t] = k[m % 2][0] - k[1][1] * TABLEAU[1][m % 3];
            v[t] = count[0][0][1] + count[1][0][1] - count[m % 2][1][1] + count.len() as i32 + TABLEAU.len() as i32;
        }
    }
}
