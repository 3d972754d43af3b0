//! Barriers: values that live across them, values uniform over a block or a row, and uniform
//! control flow.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// Uniform values changed by a loop, an `if` and a block, once for each thread.
    compound(t: ThreadX; n m a x y z i u out w v) keep(k) {
        let mut c = 0.0;
        let mut k = 0.5;
        let mut q = 1;
        let mut g = [0, 2, 4];
        for j in 0..3 {
            c += x[j];
            g[j] += q;
        }
        if m > 1 {
            q += 2;
        }
        {
            k += z[1];
        }
        sync_threads();
        q *= 3;
        for j in 0..m {
            q += g[j % 3];
            sync_threads();
        }
        out[t] = c;
        w[t] = k;
        v[t] = q;
    }
    by hand(s) {
        let mut q = if s.m > 1 { 3 } else { 1 } * 3;
        for j in 0..s.m {
            q += [1, 3, 5][j % 3];
        }
        for t in 0..s.n {
            s.out[t] = P::of(0.0) + s.x[0] + s.x[1] + s.x[2];
            s.w[t] = P(0.5) + s.z[1];
            s.v[t] = q;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// A block in reverse, twice; each thread's values in between are its own.
    exchanged(t: ThreadX, l: LocalX, b: BlockX; n m a x y z i u out w v) keep() {
        let mut tile = shared::<f32, 256>();
        let mut ints = shared::<i32, 256>();
        let own = x[t];
        tile[l] = y[t];
        ints[l] = i[t];
        sync_threads();
        // SAFETY: no thread writes until the next barrier.
        let other = unsafe { tile[l ^ 1] };
        let first = unsafe { ints[0] };
        sync_threads();
        tile[l] = own;
        let count = first + l as i32;
        sync_threads();
        // SAFETY: no thread writes after the barrier.
        out[t] = if m > 2 { unsafe { tile[l ^ 1] } } else { other } - own;
        v[t] = count + 1000 * b as i32;
    }
    by hand(s) {
        let across = s.block[0];
        for t in 0..s.n {
            let (l, b) = (t % across, t / across);
            let other = b * across + (l ^ 1);
            // An element that no thread wrote is 0.
            let of = |a: &Vec<P<E>>| if other < s.n && l ^ 1 < across { a[other] } else { P::of(0.0) };
            s.out[t] = if s.m > 2 { of(&s.x) } else { of(&s.y) } - s.x[t];
            s.v[t] = s.i[b * across] + l as i32 + 1000 * b as i32;
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "an element of a row is no thread's own along x")]
    /// Values uniform over a row differ within the block.
    rows(t: ThreadX, ty: ThreadY, tz: ThreadZ, l: LocalX, ly: LocalY, lz: LocalZ; n m a x y z i u out w v) keep() {
        let mut tile = shared::<f32, 512>();
        let mut row = 0;
        if ly > 0 {
            row = 7;
        }
        let first = x[ty];
        let own = (lz * 2 + ly) * 256 / 2 + l;
        if l < 128 {
            // SAFETY: each thread writes one element of its own.
            unsafe { tile[own] = first };
        }
        sync_threads();
        let mut k = 1;
        for j in 0..ly + lz {
            k += j + 1;
        }
        sync_threads();
        let at = (tz * 3 + ty) * n + t;
        // SAFETY: each thread accesses one element of its own.
        unsafe {
            out[at] = if l < 128 { tile[own] } else { first };
            v[at] = (row + 10 * k) as i32;
        }
    }
    by hand(s) {
        for (tz, ty) in (0..2).flat_map(|z| (0..3).map(move |y| (z, y))) {
            let (ly, lz) = (ty % s.block[1], tz % s.block[2]);
            for t in 0..s.n {
                let at = (tz * 3 + ty) * s.n + t;
                let k = 1 + (0..ly + lz).map(|j| j + 1).sum::<usize>();
                s.out[at] = s.x[ty];
                s.v[at] = (if ly > 0 { 7 } else { 0 } + 10 * k) as i32;
            }
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "threads read what others have written")]
    /// Loops and an `if` around barriers, which all threads leave together.
    frames(t: ThreadX, l: LocalX; n m a x y z i u out w v) keep() {
        let mut tile = shared::<i32, 256>();
        let mut step = 4;
        let mut rounds = 0;
        while step > 0 {
            tile[l] += 1;
            sync_threads();
            // SAFETY: no thread writes until the next barrier.
            rounds += unsafe { tile[0] };
            if rounds > 4 {
                break;
            }
            if m == 3 {
                step -= 2;
                sync_threads();
                continue;
            }
            step -= 1;
            sync_threads();
        }
        v[t] = rounds;
        if m > 3 {
            return;
        }
        sync_threads();
        v[t] += 100 * step;
    }
    by hand(s) {
        // 1 + 2 + 3 in three iterations, or two iterations of two.
        let (rounds, step) = if s.m == 3 { (3, 0) } else { (6, 2) };
        for t in 0..s.n {
            s.v[t] = rounds + if s.m > 3 { 0 } else { 100 * step };
        }
    }
}

kernel! {
    #[expect(unsafe_code, reason = "an element of a row is no thread's own along x")]
    /// Phases for the first threads of each row alone, from none to all of them.
    firsts(t: ThreadX, ty: ThreadY, l: LocalX; n m a x y z i u out w v) keep() {
        let at = ty * n + t;
        // SAFETY: each thread writes one element of its own.
        unsafe { v[at] = 1 };
        sync_threads();
        let mut step = 64;
        while step > 0 {
            if l < step {
                // SAFETY: each thread writes one element of its own.
                unsafe { v[at] += step as i32 };
            }
            sync_threads();
            step /= 4;
        }
        if t <= 40 * m {
            // SAFETY: each thread writes one element of its own.
            unsafe { v[at] += 1000 };
        }
        sync_threads();
        if l == m {
            // SAFETY: each thread writes one element of its own.
            unsafe { v[at] += 10_000 };
        }
    }
    by hand(s) {
        for ty in 0..3 {
            for t in 0..s.n {
                let l = t % s.block[0];
                let steps: usize = [64, 16, 4, 1].into_iter().filter(|step| l < *step).sum();
                let first = if t <= 40 * s.m { 1000 } else { 0 };
                s.v[ty * s.n + t] = 1 + steps as i32 + first + if l == s.m { 10_000 } else { 0 };
            }
        }
    }
}
