//! Elements that several threads change at the same time.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// A histogram in the grid's memory, of varying and of uniform values.
    histogram(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            atomic_add(&mut v[u[t] as usize % 7], i[t] * 3);
            if i[t] > 2 {
                atomic_sub(&mut v[m % 3], 1 << m);
            }
            for k in 0..(t + m) % 4 {
                atomic_add(&mut v[t + k], k as i32);
            }
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let mut add = |at: usize, x: i32| s.v[at] = s.v[at].wrapping_add(x);
            add(s.u[t] as usize % 7, s.i[t] * 3);
            if s.i[t] > 2 {
                add(s.m % 3, -(1 << s.m));
            }
            for k in 0..(t + s.m) % 4 {
                add(t + k, k as i32);
            }
        }
    }
}

kernel! {
    /// Operations whose result does not depend on the order.
    extremes(t: ThreadX; n m a x y z i u out w v) keep() {
        let own = x[t] > y[t];
        if own {
            atomic_max(&mut v[u[t] as usize % 5], i[t] - i[t + 1])
        } else {
            atomic_max(&mut v[(t ^ 1) % 9 + m], i[t])
        }
        out[t] = if own { 1.0 } else { 0.0 };
    }
    by hand(s) {
        for t in 0..s.n {
            let own = s.x[t] > s.y[t];
            let (at, x) = match own {
                true => (s.u[t] as usize % 5, s.i[t] - s.i[t + 1]),
                false => ((t ^ 1) % 9 + s.m, s.i[t]),
            };
            s.v[at] = s.v[at].max(x);
            s.out[t] = P::of(if own { 1.0 } else { 0.0 });
        }
    }
}

kernel! {
    /// A histogram of each block in its own memory, and their sum; no block sees another's.
    in_blocks(t: ThreadX, l: LocalX, k: BlockDimX; n m a x y z i u out w v) keep() {
        let mut hist = shared::<u32, 8>();
        let mut least = shared::<i32, 1>();
        for j in (l..8).step_by(k) {
            hist[j] = j as u32;
        }
        sync_threads();
        for j in 0..m {
            if i[t] != j as i32 {
                atomic_add(&mut hist[(i[t + j] + 4) as usize % 8], 1);
            }
        }
        atomic_min(&mut least[0], i[t]);
        sync_threads();
        for j in (l..8).step_by(k) {
            atomic_add(&mut v[j], hist[j] as i32);
        }
        if l == 0 {
            // All changes are done.
            atomic_add(&mut v[8], least[l]);
        }
    }
    by hand(s) {
        let across = s.block[0];
        for block in 0..s.n.div_ceil(across) {
            let threads = block * across..s.n.min((block + 1) * across);
            // The block's threads go through it in steps of a whole block.
            let mut hist: [i32; 8] = core::array::from_fn(|j| if j % across < threads.len() { j as i32 } else { 0 });
            for (t, j) in threads.clone().flat_map(|t| (0..s.m).map(move |j| (t, j))) {
                if s.i[t] != j as i32 {
                    hist[(s.i[t + j] + 4) as usize % 8] += 1;
                }
            }
            for j in (0..8).filter(|j| j % across < threads.len()) {
                s.v[j] += hist[j];
            }
            s.v[8] += threads.map(|t| s.i[t]).min().unwrap_or(0).min(0);
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "what a thread finds depends on the order of threads, and what is left does not")]
    /// Each thread of a block draws a number, and all numbers are drawn once.
    tickets(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut count = shared::<u32, 1>();
        let mut drawn = shared::<i32, 256>();
        let mut sum = shared::<i32, 2>();
        // SAFETY: each number is drawn once, in any order.
        let ticket = unsafe { atomic_add(&mut count[0], 1) } as usize;
        atomic_add(&mut drawn[ticket], 1 + m as i32);
        if i[t] > 0 {
            // SAFETY: the final value and the values found on the way are all that were put there.
            let before = unsafe { atomic_exch(&mut sum[0], i[t]) };
            atomic_add(&mut sum[1], before);
        }
        sync_threads();
        // SAFETY: all changes are done.
        v[t] = unsafe { drawn[l] + 100 * count[0] as i32 + 10000 * (sum[0] + sum[1]) };
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let block = t / across * across..s.n.min((t / across + 1) * across);
            let sum: i32 = block.clone().map(|t| s.i[t].max(0)).sum();
            s.v[t] = 1 + s.m as i32 + 100 * block.len() as i32 + 10000 * sum;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "what a thread finds depends on the order of threads, and what is left does not")]
    /// An operation without an atomic of its own, as a compare-and-swap loop.
    until_nobody_came(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let at = u[t] as usize % 3;
            let mut old = m as i32;
            loop {
                // SAFETY: in any order, the result is the exclusive or, and the sum, of all
                // changes.
                let seen = unsafe { atomic_cas(&mut v[at], old, (old ^ i[t]) & 0xff | ((old & !0xff) + (i[t] << 8)) & !0xff) };
                if seen == old {
                    break;
                }
                old = seen;
            }
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (at, x) = (s.u[t] as usize % 3, s.i[t]);
            let old = s.v[at];
            s.v[at] = (old ^ x) & 0xff | ((old & !0xff) + (x << 8)) & !0xff;
        }
    }
}
