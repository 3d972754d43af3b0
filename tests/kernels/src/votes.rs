//! Votes of a block at a barrier.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// Votes on varying and uniform values, and on values that live across barriers.
    asked(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let above = x[t] > a;
        let any = sync_threads_or(above);
        let all = sync_threads_and(above | (l < 2));
        let mut count = sync_threads_count(above && i[t] > 0);
        let few = sync_threads_or(m > 3);
        count += 1;
        if any {
            let again = sync_threads_count(i[t] == l as i32);
            count += again * 1000;
        }
        out[t] = if few { 1.0 } else { 2.0 };
        v[t] = count as i32 * 4 + all as i32 * 2 + any as i32;
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let block = t / across * across..s.n.min((t / across + 1) * across);
            let above = |t: usize| s.x[t] > s.a;
            let any = block.clone().any(above);
            let all = block.clone().all(|t| above(t) || t % across < 2);
            let mut count = block.clone().filter(|&t| above(t) && s.i[t] > 0).count() + 1;
            if any {
                count += 1000 * block.filter(|&t| s.i[t] == (t % across) as i32).count();
            }
            s.out[t] = P::of(if s.m > 3 { 1.0 } else { 2.0 });
            s.v[t] = count as i32 * 4 + i32::from(all) * 2 + i32::from(any);
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// A block iterates until no thread changes anything: the largest value moves by one place an
    /// iteration.
    until_nothing_changes(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut most = shared::<i32, 256>();
        most[l] = i[t];
        let mut rounds = 0;
        loop {
            sync_threads();
            // SAFETY: no thread writes until the next barrier.
            let before = if l > 0 { unsafe { most[l - 1] } } else { -9 };
            let more = before > most[l];
            let any = sync_threads_or(more);
            if !any {
                break;
            }
            if more {
                most[l] = before;
            }
            rounds += 1;
        }
        v[t] = most[l] + 100 * rounds;
    }
    by hand(s) {
        let across = s.block[0];
        for first in (0..s.n).step_by(across) {
            let block = first..s.n.min(first + across);
            let mut most: Vec<i32> = s.i[block.clone()].to_vec();
            let mut rounds = 0;
            while most.windows(2).any(|pair| pair[0] > pair[1]) {
                let before = most.clone();
                for l in 1..most.len() {
                    most[l] = most[l].max(before[l - 1]);
                }
                rounds += 1;
            }
            for (t, most) in block.zip(most) {
                s.v[t] = most + 100 * rounds;
            }
        }
    }
}
