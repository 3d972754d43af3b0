//! Grids of two and three axes, indices in blocks, and of blocks.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    #[expect(unsafe_code, reason = "an element of a row is no thread's own along x")]
    /// Rows of odd and even lengths: the parity of a row's first element changes from row to row.
    rows(t: ThreadX, r: ThreadY; n m a x y z i u out w v) keep() {
        let at = r * n + t;
        // SAFETY: each thread writes one element of its own.
        unsafe { out[at] = x[at + 1] * y[t] - x[r] };
        if i[at] > 2 {
            // SAFETY: each thread writes one element of its own.
            unsafe { v[at] = i[at] + r as i32 };
        }
    }
    by hand(s) {
        for r in 0..3 {
            for t in 0..s.n {
                let at = r * s.n + t;
                s.out[at] = s.x[at + 1] * s.y[t] - s.x[r];
                if s.i[at] > 2 {
                    s.v[at] = s.i[at] + r as i32;
                }
            }
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "an element of a row is no thread's own along x")]
    /// Every kind of index.
    blocks(t: ThreadX, p: LocalX, b: BlockX, r: ThreadY, q: LocalY, c: BlockY, l: ThreadZ, h: LocalZ, d: BlockZ; n m a x y z i u out w v) keep() {
        let at = (l * 3 + r) * n + t;
        let all = p + 10 * b + 100 * q + 1000 * c + 10000 * h + 100000 * d;
        // SAFETY: each thread writes one element of its own.
        unsafe {
            v[at] = all as i32;
            out[at] = x[p] + y[p + 1] + x[b + q];
        }
    }
    by hand(s) {
        let [_, rows, layers] = s.grid;
        for (l, r) in (0..layers).flat_map(|l| (0..rows).map(move |r| (l, r))) {
            for t in 0..s.n {
                let at = (l * rows + r) * s.n + t;
                let (index, block) = ([t, r, l], s.block);
                let local: [usize; 3] = std::array::from_fn(|k| index[k] % block[k]);
                let of: [usize; 3] = std::array::from_fn(|k| index[k] / block[k]);
                let all = local[0] + 10 * of[0] + 100 * local[1] + 1000 * of[1] + 10000 * local[2] + 100_000 * of[2];
                s.v[at] = all as i32;
                s.out[at] = s.x[local[0]] + s.y[local[0] + 1] + s.x[of[0] + local[1]];
            }
        }
    }
}

kernel! {
    /// More threads than there is work for, and a second bound on the thread index.
    guards(t: ThreadX; n m a x y z i u out w v) keep() {
        let half = n / 2;
        if t >= half {
            return;
        }
        out[t] = x[t] + y[n - half + t];
        if t + 3 >= half || t == 1 {
            return;
        }
        v[t] = (t * t) as i32;
        w[t] = t as f32;
    }
    by hand(s) {
        let half = s.n / 2;
        for t in 0..half {
            s.out[t] = s.x[t] + s.y[s.n - half + t];
            if t + 3 < half && t != 1 {
                s.v[t] = (t * t) as i32;
                // The literal has the precision of the assigned place: f32 here, as `w` is kept.
                s.w[t] = P(t as f32);
            }
        }
    }
}
