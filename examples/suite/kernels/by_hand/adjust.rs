// Invariant: a word of the output belongs to one thread.
use ptxf::{F16, F16x2};

use super::lanes::{splat, twice};

by_hand! {
    fn adjust(
        x: ThreadX, y: ThreadY, units: usize, inputs: usize, eta: f32, momentum: f32, delta: &[F16x2], input: &[F16],
        weight: &mut [F16x2], last: &mut [F16x2],
    ) {
        let (eta, momentum) = (splat(eta), splat(momentum));
        // Words of a row.
        let pitch = units.div_ceil(2);
        if x < pitch && y < inputs {
            let i = y * pitch + x.get();
            // SAFETY: each thread has a word of its own, so no other thread reads or writes this
            // one.
            let old = unsafe { weight.get(i) };
            // SAFETY: the word is this thread's own, as above.
            let before = unsafe { last.get(i) };
            let change = (eta * delta[x]).mul_add(twice(input[y.get()]), momentum * before);
            // SAFETY: the word is this thread's own, as above.
            unsafe { weight.set(i, old + change) };
            // SAFETY: the word is this thread's own, as above.
            unsafe { last.set(i, change) };
        }
    }
}
