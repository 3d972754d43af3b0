//! Functions of floats: rounding to integers, signs, bounds, powers, and classification.

use crate::float::{Float, P};
use crate::harness::kernel;

/// A function of Rust's that is exact in every format.
fn exactly<E: Float>(x: P<E>, function: impl Fn(f32) -> f32) -> P<E> {
    let x = x.0.single();
    if x.is_nan() { P(E::NAN) } else { P::of(function(x)) }
}

/// Returns the first number with the sign of the second, by their bits.
fn with_sign<E: Float>(x: P<E>, sign: P<E>) -> P<E> {
    let bit = E::MIN.bits() & !E::MAX.bits();
    P(E::of_bits(x.0.bits() & !bit | sign.0.bits() & bit))
}

kernel! {
    /// Rounding to integers, in all directions.
    integers(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let by = u[t] % 5;
            let q = if u[t] % 2 == 0 { x[t] } else { x[t] * 0.25 };
            out[t] = match by {
                0 => q.floor(),
                1 => q.ceil(),
                2 => q.trunc(),
                3 => q.round(),
                _ => q.round_ties_even(),
            };
            w[t] = (z[t] - 0.5).round() - z[t + 1].floor();
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let q = if s.u[t].is_multiple_of(2) { s.x[t] } else { s.x[t] * P::of(0.25) };
            let functions = [f32::floor, f32::ceil, f32::trunc, f32::round, f32::round_ties_even];
            s.out[t] = exactly(q, functions[s.u[t] as usize % 5]);
            s.w[t] = exactly(s.z[t] - P::of(0.5), f32::round) - exactly(s.z[t + 1], f32::floor);
        }
    }
}

kernel! {
    /// A sign is a bit, for a NaN and a zero too.
    signs(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            out[t] = x[t].copysign(y[t]) * x[t + 1].signum();
            let k = z[t].copysign(-1.0);
            w[t] = k.signum().copysign(z[t + 1]);
            v[t] = (x[t].is_finite() as i32) + 2 * (y[t] / 0.0).is_infinite() as i32 + 4 * z[t].is_nan() as i32
                + 8 * (k / 0.0).is_infinite() as i32;
        }
    }
    by hand(s) {
        fn one<E: Float>(x: P<E>) -> P<E> {
            if x.0.single().is_nan() { P(E::NAN) } else { with_sign(P::of(1.0), x) }
        }
        for t in 0..s.n {
            s.out[t] = with_sign(s.x[t], s.y[t]) * one(s.x[t + 1]);
            let k = with_sign(s.z[t], P::of(-1.0));
            s.w[t] = with_sign(one(k), s.z[t + 1]);
            let (x, y, z) = (s.x[t].0.single(), s.y[t].0.single(), s.z[t].0);
            let divides = |x: f32| !x.is_nan() && x != 0.0;
            s.v[t] = x.is_finite() as i32 + 2 * divides(y) as i32 + 4 * z.is_nan() as i32 + 8 * divides(z) as i32;
        }
    }
}

fn clamp<E: Float>(x: P<E>, least: P<E>, most: P<E>) -> P<E> {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

kernel! {
    /// A NaN stays NaN; bounds in reverse order are applied in order.
    bounds(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            out[t] = x[t].clamp(-1.5, y[t]);
            let k = z[t].clamp(z[t + 1], x[t + 1]);
            w[t] = k;
            v[t] = i[t].clamp(-2, 3) + (u[t].clamp(1, m as u32) as i32) * 16 + (t.clamp(2, n) as i32 & 15) * 1024;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            s.out[t] = clamp(s.x[t], P::of(-1.5), s.y[t]);
            s.w[t] = clamp(s.z[t], s.z[t + 1], P::of(s.x[t + 1].0.single()));
            let u = s.u[t].max(1).min(s.m as u32);
            s.v[t] = s.i[t].clamp(-2, 3) + u as i32 * 16 + (t.max(2).min(s.n) as i32 & 15) * 1024;
        }
    }
}

kernel! {
    /// Each product is rounded.
    powers(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let q = x[t].powi(5) + y[t].powi(2);
            let k = z[t].powi(0);
            out[t] = if u[t] % 3 == 0 { q } else { x[t].powi(-3) };
            w[t] = k + x[t].powi(3) * 0.5;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (x, y) = (s.x[t], s.y[t]);
            let square = x * x;
            let cube = x * square;
            s.out[t] = if s.u[t].is_multiple_of(3) { x * (square * square) + y * y } else { P::of(1.0) / cube };
            s.w[t] = P::of(1.0) + P::of(cube.0.single()) * P::of(0.5);
        }
    }
}
