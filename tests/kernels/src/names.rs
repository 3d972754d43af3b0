//! Names: of every kind of variable, hidden by every other kind, and inputs that functions rename.

use ptxf::ptx_fn;

use crate::harness::kernel;

kernel! {
    /// Parameters, locals, arrays and counters, in values, blocks and loops, with one spelling or
    /// another.
    hidden(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let a = [a, 2.0 * a];
            let x = { let x = x[t]; let y = [x, y[t]]; y[0] + y[1] };
            let r#n = n + 1;
            let mut s = 0.0;
            for a in 0..3 {
                let i = a + 1;
                let a = i as f32 + x;
                s += { let mut s = a; s += 1.0; s };
                let s = 5.0;
                { let s = s + 1.0; out[t] = s; }
            }
            let r#type = if s > x { let s = s * 2.0; s } else { s };
            let mut k = 0;
            while k < 2 {
                let k_0 = k;
                let t = t + k_0;
                if z[t] > 1.0 { break; }
                k += 1;
            }
            let k = k * 2 + n;
            out[t] = out[t] + r#type + a[0] + a[1];
            r#v[t] = k as i32;
        }
    }
}

#[ptx_fn]
fn between(x: &[f32], i: usize, w: f32) -> f32 {
    x[i] * (1.0 - w) + x[i + 1] * w
}

#[ptx_fn]
fn inside(from: &[f32], i: usize) -> f32 {
    if i < from.len() { from[i] } else { -1.0 }
}

#[ptx_fn]
fn first(y: &[f32], count: i32) -> f32 {
    let mut s = 0.0;
    for j in 0..count {
        if j == 5 {
            return s;
        }
        s += inside(y, j as usize);
    }
    s
}

#[ptx_fn(keep(wide))]
fn half_of(wide: &[f32], i: usize) -> f32 {
    cvt_rn(wide[i] * 0.5)
}

#[ptx_fn]
fn integers(i: &[i32], u: &[u32], k: usize) -> i32 {
    i[k] + u[0] as i32 - i[0]
}

kernel! {
    /// Inputs that are passed on, read at uniform and at varying indices, by some threads.
    inputs(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            out[t] = between(x, t, 0.25) + first(y, 3);
            if x[t] > 0.5 {
                out[t] = out[t] + half_of(z, t) + inside(x, u[t] as usize) - inside(y, x.len()) + first((y), i[t]);
                v[t] = integers(i, u, t + 1) + integers(i, u, 2usize);
            }
        }
    }
}

kernel! {
    /// The thread's own index by other names.
    own_index(t: ThreadX; n m a x y z i u out w v) keep() {
        let here = t as usize;
        if here < n {
            let (same, next) = (here, here + 1);
            out[same] = x[here] + y[next];
            v[here] += (same & 3) as i32;
            w[t] = z[same];
        }
    }
}
