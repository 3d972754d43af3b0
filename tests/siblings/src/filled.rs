//! Shared arrays that a block's threads fill before they read them, or not quite.
//!
//! Blocks of 256 threads fill an array of 256 elements; smaller ones, and the last of a launch, leave zeros in it.

use crate::float::P;
use crate::harness::kernel;

/// What thread `l` of the block around `t` wrote, which is `x` of its place in the grid; or 0.
fn of<T: Copy>(x: &[T], zero: T, t: usize, l: usize, n: usize, across: usize) -> T {
    let place = t / across * across + l;
    if l < across && place < n { x[place] } else { zero }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// In one round after another, of which there may be none.
    rounds(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut tile = shared::<f32, 256>();
        let mut sum = y[t];
        for k in 0..m {
            let own = l;
            tile[own] = x[t] + y[k];
            sync_threads();
            // SAFETY: nobody writes until the next barrier.
            sum = sum - unsafe { tile[255 - l] };
            sync_threads();
        }
        out[t] = sum;
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let l = t % across;
            let place = t / across * across + 255 - l;
            let mut sum = s.y[t];
            for k in 0..s.m {
                let there = 255 - l < across && place < s.n;
                sum = sum - if there { s.x[place] + s.y[k] } else { P::of(0.0) };
            }
            s.out[t] = sum;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// Not filled: read in front of that, in the same phase, behind the loop that may have no rounds, and where not all write.
    not_filled(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut before = shared::<i32, 256>();
        let mut within = shared::<i32, 256>();
        let mut behind = shared::<i32, 256>();
        let mut some = shared::<i32, 256>();
        within[l] = i[t];
        within[l] += 1;
        // SAFETY: nobody writes until the next barrier.
        let mut sum = unsafe { before[255 - l] };
        sync_threads();
        before[l] = i[t];
        for k in 0..m / 3 {
            behind[l] = i[t] + k as i32;
            sync_threads();
        }
        if l % 3 != 1 {
            some[l] = i[t];
        }
        sync_threads();
        // SAFETY: nobody writes any more.
        unsafe {
            sum += 2 * before[255 - l] + 30 * within[255 - l] + 500 * behind[255 - l] + 7000 * some[255 - l];
        }
        v[t] = sum;
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let other = 255 - t % across;
            let there = other < across && t / across * across + other < s.n;
            let i = of(&s.i, 0, t, other, s.n, across);
            let behind = if s.m < 3 || !there { 0 } else { i + s.m as i32 / 3 - 1 };
            let some = if other % 3 == 1 { 0 } else { i };
            s.v[t] = 2 * i + 30 * (i + there as i32) + 500 * behind + 7000 * some;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// Filled behind a first phase, with what another array holds, by atomic operations afterwards.
    one_of_another(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut first = shared::<f32, 256>();
        let mut second = shared::<f32, 256>();
        let mut counts = shared::<u32, 256>();
        first[l] = x[t];
        counts[l] = u[t];
        sync_threads();
        // SAFETY: nobody writes it until the next barrier.
        second[l] = unsafe { first[l ^ 3] } - y[t];
        atomic_add(&mut counts[l / 2], 1);
        sync_threads();
        // SAFETY: nobody writes any more.
        out[t] = unsafe { second[255 - l] };
        v[t] = unsafe { counts[255 - l] } as i32;
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let (start, other) = (t / across * across, 255 - t % across);
            let block = across.min(s.n - start);
            let zero = P::of(0.0);
            s.out[t] = if other < block {
                of(&s.x, zero, t, other ^ 3, s.n, across) - s.y[start + other]
            } else {
                zero
            };
            let adds = (0..block).filter(|l| l / 2 == other).count() as u32;
            s.v[t] = of(&s.u, 0, t, other, s.n, across).wrapping_add(adds) as i32;
        }
    }
}
