//! Integers that differ between threads.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// All operations wrap, as on a device; shifts take the low bits of their distance.
    arithmetic(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let a = i[t] * 0x1234567 + i[t + 1];
            let b = u[t] * 0x9E3779B9 - u[t + 1];
            let c = (a << (i[t] & 3)) ^ (a >> i[t + 2]) | (a & !i[t]);
            let d = (b >> (u[t] % 40)) + (b << 3) ^ u[t];
            let e = (t * 0x123456789 + d as usize) >> 7;
            v[t] = c + d as i32 + e as i32 + a.min(c) - (d.max(b) as i32);
        }
    }
}

kernel! {
    /// A divisor that is 0 for threads that skip the division.
    division(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let q = i[t];
            let mut r = 5;
            if q != 0 {
                r = 100 / q + 1000 % q;
            }
            let k = if u[t] % 3 != 0 { u[t + 1] / (u[t] % 3) } else { 9 };
            let safe = q != 0 && 7 % q == 1;
            let j = t / (if q > 0 { q as usize } else { 3 });
            let least = if q == -1 { i32::MIN / q } else { 0 };
            v[t] = r + k as i32 + safe as i32 * 1000 + (j % 4) as i32 + least;
        }
    }
}

kernel! {
    /// Casts between all of the types; a float becomes an integer as in Rust, and an integer a
    /// float with one rounding.
    casts(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let a = x[t] as i32;
            let b = y[t] as u32;
            let c = z[t] as usize;
            let d = (u[t] * 0x10001) as f32;
            let k = (u[t] * 0x10001) as f32;
            let e = (i[t] * 0x3333333) as f32;
            v[t] = a ^ b as i32 ^ c as i32 ^ (i[t] as u32 >> 3) as i32 ^ (i[t] as usize >> 40) as i32;
            out[t] = if x[t] > 0.0 { d } else { e };
            w[t] = k;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (a, b, c) = (s.x[t].int(), s.y[t].0.single() as u32, s.z[t].0 as usize);
            let whole = s.u[t].wrapping_mul(0x10001);
            let (d, e) = (once(f64::from(whole)), once(f64::from(s.i[t].wrapping_mul(0x333_3333))));
            s.v[t] = a ^ b as i32 ^ c as i32 ^ (s.i[t] as u32 >> 3) as i32 ^ (s.i[t] as usize >> 40) as i32;
            s.out[t] = if s.x[t] > P::of(0.0) { d } else { e };
            s.w[t] = P(whole as f32);
        }
    }
}

/// Rounds an integer, which f64 holds, to the format: the nearest value, the even one of two, by
/// comparing both neighbours of a guess.
fn once<E: crate::float::Float>(x: f64) -> P<E> {
    let guess = E::of_single(x as f32).bits();
    let near = [guess.saturating_sub(1), guess, guess + 1].map(E::of_bits);
    let distance = |e: &E| {
        // Infinity follows the largest value and counts as the next power of two.
        let value = if e.single().is_infinite() { next_after_max::<E>().copysign(x) } else { f64::from(e.single()) };
        (value - x).abs()
    };
    let finite = near.into_iter().filter(|e| !e.single().is_nan());
    let best = finite.min_by(|a, b| distance(a).total_cmp(&distance(b)).then((a.bits() & 1).cmp(&(b.bits() & 1))));
    P(best.expect("one of them is a number"))
}

/// Returns the value that would follow the largest.
fn next_after_max<E: crate::float::Float>() -> f64 {
    let max = f64::from(E::MAX.single());
    max + (max - f64::from(E::of_bits(E::MAX.bits() - 1).single()))
}

kernel! {
    /// Truth values as variables, parameters of nothing, and compared.
    bools(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let a = x[t] == y[t];
            let b = x[t] != x[t];
            let c = i[t] >= 2;
            let mut d = a == c;
            if b != c {
                d = !d;
            }
            d = d ^ (m == 2);
            v[t] = d as i32 - (a && c) as i32 * 2 + if x[t].is_nan() == b { 100 } else { 0 };
        }
    }
}

kernel! {
    /// Distances of any type, of which the low bits count; the result has the type of the shifted
    /// operand.
    distances(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut s = i[t] << u[t];
            s ^= i[t + 1] >> t;
            let mut r = u[t] >> i[t];
            r <<= m;
            let one: usize = 1 << i[t];
            v[t] = s ^ r as i32 ^ (one >> u[t]) as i32;
        }
    }
}

kernel! {
    /// Functions of one integer. Some return another type.
    bits(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let a = i[t] * 0x1234567;
            let b = u[t] * 0x9E3779B9;
            let count = a.count_ones() + b.leading_zeros() + t.trailing_zeros();
            let sign = a.signum() * 3 + (a ^ i32::MIN).abs() - i32::MIN.abs();
            let turned = b.reverse_bits() ^ (t * 0x123456789ABCDEF).reverse_bits() as u32;
            v[t] = sign ^ turned as i32 ^ (count << 8) as i32;
        }
    }
}

kernel! {
    /// Functions of two integers. Some take a number of another type.
    pairs(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let a = i[t] * 0x7654321;
            let b = u[t] * 0x9E3779B9;
            let far = a.abs_diff(i[t + 1]) ^ b.abs_diff(u[t + 1]) ^ t.abs_diff(5) as u32;
            let end = a.saturating_add(a) ^ a.saturating_sub(i32::MAX) ^ (b.saturating_add(b) ^ u[t].saturating_sub(2)) as i32;
            let near = t.saturating_sub(2);
            let turned = b.rotate_left(u[t]) ^ b.rotate_right(7) ^ (t * 0x123456789).rotate_left(u[t]) as u32;
            let power = a.pow(3) ^ i[t].pow(u[t]) ^ (u[t].pow(2) as i32);
            v[t] = far as i32 ^ end ^ near as i32 ^ turned as i32 ^ power;
        }
    }
}
