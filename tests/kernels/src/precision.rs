//! Rounding: its places and its formats.

use crate::float::{Kept, P};
use crate::harness::kernel;

kernel! {
    /// A kept variable is f32 for each thread: products into it are exact, and only `cvt_rn`
    /// rounds.
    kept(t: ThreadX; n m a x y z i u out w v) keep(acc, big) {
        if t < n {
            let mut acc = 0.0;
            for j in 0..m + 1 {
                acc += x[t + j] * y[t + j];
            }
            let big = x[t] + acc * a;
            let small = x[t] * y[t];
            if big > 1.0 {
                acc -= small;
            }
            out[t] = cvt_rn(acc);
            w[t] = acc + big * z[t];
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let mut acc: Kept = P::of(0.0);
            for j in 0..=s.m {
                acc = acc + s.x[t + j].keep() * s.y[t + j].keep();
            }
            let big = s.x[t].keep() + acc * s.a.keep();
            let small = s.x[t] * s.y[t];
            if big > P::of(1.0) {
                acc = acc - small.keep();
            }
            s.out[t] = acc.cvt_rn();
            s.w[t] = acc + big * s.z[t];
        }
    }
}

kernel! {
    /// One rounding per operation: `mul_add` has one, a product and a sum have two.
    roundings(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let fused = x[t].mul_add(y[t], x[t + 1]);
            let two = x[t] * y[t] + x[t + 1];
            out[t] = if i[t] > 2 { fused } else { two / y[t + 1] };
            w[t] = z[t].mul_add(z[t + 1], 1.0) - z[t] * z[t + 1];
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let fused = s.x[t].mul_add(s.y[t], s.x[t + 1]);
            let two = s.x[t] * s.y[t] + s.x[t + 1];
            s.out[t] = if s.i[t] > 2 { fused } else { two / s.y[t + 1] };
            s.w[t] = s.z[t].mul_add(s.z[t + 1], P::of(1.0)) - s.z[t] * s.z[t + 1];
        }
    }
}

kernel! {
    /// A block and a choice have the precision of their final values: all alternatives share one,
    /// which depends on the context.
    choices(t: ThreadX; n m a x y z i u out w v) keep(k, chosen) {
        if t < n {
            let k = if i[t] < 0 { x[t] * y[t] } else if i[t] < 4 { 0.1 } else { x[t] + y[t] };
            let chosen = match i[t] {
                ..=0 => x[t] * y[t],
                1 | 2 => {
                    let d = y[t + 1];
                    if d > 0.0 { x[t] * d } else { 1.7 }
                }
                _ => z[t],
            } + {
                let e = x[t + 1];
                e * y[t]
            };
            w[t] = k - chosen;
            out[t] = -(if i[t] > 2 { x[t] * y[t] } else { 0.1 });
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (x, y) = (s.x[t], s.y[t]);
            let product: Kept = x.keep() * y.keep();
            let k = match s.i[t] {
                ..0 => product,
                0..4 => P::of(0.1),
                _ => (x + y).keep(),
            };
            let d = s.y[t + 1];
            let chosen: Kept = match s.i[t] {
                ..=0 => product,
                1 | 2 if d > P::of(0.0) => x.keep() * d.keep(),
                1 | 2 => P::of(1.7),
                _ => s.z[t],
            };
            s.w[t] = k - (chosen + s.x[t + 1].keep() * y.keep());
            s.out[t] = -(if s.i[t] > 2 { x * y } else { P::of(0.1) });
        }
    }
}

kernel! {
    /// The functions of floats, of special values, too.
    functions(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let least = x[t].min(y[t]).max(-1.5);
            let root = x[t].abs().sqrt();
            let other = if i[t] > 0 { -root } else { (x[t] * 0.125).exp2() };
            out[t] = least + other;
            w[t] = z[t].min(0.0).abs();
            v[t] = (x[t] < y[t]) as i32
                + 2 * (x[t] <= y[t]) as i32
                + 4 * (x[t] > y[t]) as i32
                + 8 * (x[t] >= y[t]) as i32
                + 16 * (x[t] == y[t]) as i32
                + 32 * (x[t] != y[t]) as i32;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (x, y) = (s.x[t], s.y[t]);
            let least = x.min(y).max(P::of(-1.5));
            let root = x.abs().sqrt();
            let other = if s.i[t] > 0 { -root } else { (x * P::of(0.125)).exp2() };
            s.out[t] = least + other;
            s.w[t] = s.z[t].min(P::of(0.0)).abs();
            let answers = [x < y, x <= y, x > y, x >= y, x == y, x != y];
            s.v[t] = answers.iter().enumerate().map(|(k, &yes)| i32::from(yes) << k).sum();
        }
    }
}

kernel! {
    /// Literals are rounded once, from the decimal: these are a little more than a tie of each
    /// format.
    literals(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let k = 1.0000000596046448;
            w[t] = k;
            out[t] = if i[t] < 0 {
                1.00048828125000000000000000001
            } else if i[t] < 4 {
                1.00390625000000000000000000001
            } else {
                f32::MIN_POSITIVE
            };
        }
    }
    by hand(s) {
        use oracle::form::Ty;
        // The neighbours above 1 in the first format's and the second's units, where these exist.
        let above = match E::TY {
            Ty::F16 => [1.0 + 1.0 / 1024.0, 1.0 + 4.0 / 1024.0],
            Ty::Bf16 => [1.0, 1.0 + 1.0 / 128.0],
            _ => [1.0 + 1.0 / 2048.0, 1.0 + 1.0 / 256.0],
        };
        for t in 0..s.n {
            s.w[t] = P(f32::from_bits(0x3F80_0001));
            s.out[t] = match s.i[t] {
                ..0 => P::of(above[0]),
                0..4 => P::of(above[1]),
                _ => P(E::MIN_POSITIVE),
            };
        }
    }
}
