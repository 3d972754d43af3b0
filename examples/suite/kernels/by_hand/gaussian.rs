//! Gaussian elimination by hand. A column has `pitch` words.
//!
//! Threads start at the word that contains the row below the pivot's. In every other step that word
//! begins with the pivot's row, which does not change.
// Invariant: a word of the output belongs to one thread.

use ptxf::{F16, F16x2, ptx};

use super::lanes::{both, lane, pack, twice};

// The pivot's row, with its `b`, is stored separately: threads of the row below write its words.
by_hand! {
    fn multipliers(
        x: ThreadX, n: usize, pitch: usize, step: usize, a: &[F16x2], b: &[F16x2], m: &mut [F16x2], row: &mut [F16],
    ) {
        if x < n {
            row[x] = lane(a[step / 2 + pitch * x.get()], step);
        }
        if x == n {
            row[x] = lane(b[step / 2], step);
        }
        let word = x + step.div_ceil(2);
        if word < pitch {
            let pivot = lane(a[step / 2 + pitch * step], step);
            let at = word + pitch * step;
            let quotient = both(a[at], twice(pivot), ptx::div_rn_f32);
            // SAFETY: each thread has a word of its own, so no other thread reads or writes this
            // one.
            let old = unsafe { m.get(at) };
            let new = if word * 2 < step + 1 { pack(old.lo(), quotient.hi()) } else { quotient };
            // SAFETY: the word is this thread's own, as above.
            unsafe { m.set(at, new) };
        }
    }
}

by_hand! {
    fn eliminate(
        x: ThreadX, y: ThreadY, n: usize, pitch: usize, step: usize, m: &[F16x2], row: &[F16], a: &mut [F16x2],
        b: &mut [F16x2],
    ) {
        let word = x + step.div_ceil(2);
        if word < pitch && y < n - step {
            let multiplier = m[word + pitch * step];
            let without = |old: F16x2, pivot: F16| {
                let new = (-multiplier).mul_add(twice(pivot), old);
                if word * 2 < step + 1 { pack(old.lo(), new.hi()) } else { new }
            };
            let at = word + pitch * (y + step);
            // SAFETY: each thread has a word of its own, so no other thread reads or writes this
            // one.
            let old = unsafe { a.get(at) };
            // SAFETY: the word is this thread's own, as above.
            unsafe { a.set(at, without(old, row[y + step])) };
            if y == 0 {
                // SAFETY: each thread of the first column has a word of its own, and no other
                // column comes here.
                let old = unsafe { b.get(word) };
                // SAFETY: the word is this thread's own, as above.
                unsafe { b.set(word, without(old, row[n])) };
            }
        }
    }
}
