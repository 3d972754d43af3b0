//! `fuse`: which products are one instruction with their sum, in what precision, and in what order
//! of computation.

use ptxf::ptx_fn;

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// Either operand may be a product, and a difference negates an operand.
    sums_of_one_product(t: ThreadX; n m a x y z i u out w v) keep() fuse {
        if t < n {
            let (p, q, r) = (x[t], y[t], x[t + 1]);
            out[t] = match i[t] {
                ..=-2 => p * q + r,
                -1 => r + p * q,
                0 => p * q - r,
                1 => r - p * q,
                2 => -(p * q) + r,
                3 => -p * q - r,
                4 => r - -(p * q),
                5 => (r) + (((p) * q)),
                6 => -(p * q + r),
                _ => -(-(p * q)) - r,
            };
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (p, q, r) = (s.x[t], s.y[t], s.x[t + 1]);
            s.out[t] = match s.i[t] {
                ..=-1 | 4 | 5 => p.mul_add(q, r),
                0 | 7.. => p.mul_add(q, -r),
                1 | 2 => (-p).mul_add(q, r),
                3 => (-p).mul_add(q, -r),
                6 => -p.mul_add(q, r),
            };
        }
    }
}

kernel! {
    /// The first of two products is fused, and a chain is summed from the left.
    sums_of_products(t: ThreadX; n m a x y z i u out w v) keep() fuse {
        if t < n {
            let (p, q, r, k, l) = (x[t], y[t], x[t + 1], y[t + 1], x[t + 2]);
            out[t] = match i[t] {
                ..=-2 => p * q + r * k,
                -1 => p * q - r * k,
                0 => -(p * q) + r * k,
                1 => p * q + r * k + l,
                2 => l + p * q + r * k,
                3 => p * q + r * k + l * p,
                4 => p * q + (r * k + l * p),
                5 => p * q * r + k,
                6 => (p * q + r) * k - l,
                _ => l - p * q - r * k,
            };
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (p, q, r, k, l) = (s.x[t], s.y[t], s.x[t + 1], s.y[t + 1], s.x[t + 2]);
            let both = p.mul_add(q, r * k);
            s.out[t] = match s.i[t] {
                ..=-2 => both,
                -1 => p.mul_add(q, -(r * k)),
                0 => (-p).mul_add(q, r * k),
                1 => both + l,
                2 => r.mul_add(k, p.mul_add(q, l)),
                3 => l.mul_add(p, both),
                4 => p.mul_add(q, r.mul_add(k, l * p)),
                5 => (p * q).mul_add(r, k),
                6 => p.mul_add(q, r).mul_add(k, -l),
                7.. => (-r).mul_add(k, (-p).mul_add(q, l)),
            };
        }
    }
}

#[ptx_fn]
fn times(a: f32, b: f32) -> f32 {
    a * b
}

#[ptx_fn]
fn apart(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}

#[ptx_fn(fuse)]
fn together(a: f32, b: f32, c: f32) -> f32 {
    a * b + c
}

kernel! {
    /// A product that has a name, or that a function, a block or a choice returns, is rounded. Each
    /// function has its own option.
    rounded_products(t: ThreadX; n m a x y z i u out w v) keep() fuse {
        if t < n {
            let (p, q, r) = (x[t], y[t], x[t + 1]);
            out[t] = match i[t] {
                ..=-2 => {
                    let product = p * q;
                    product + r
                }
                -1 => times(p, q) + r,
                0 => ({ p * q }) + r,
                1 => (if r > 0.0 { p * q } else { p }) - r,
                2 => cvt_rn(p * q) + r,
                3 => (p * q, r).0 + r,
                4 => apart(p, q, r),
                5 => together(p, q, r),
                6 => p.mul_add(q, r) + r,
                _ => p.powi(2) - r,
            };
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (p, q, r) = (s.x[t], s.y[t], s.x[t + 1]);
            let product = p * q;
            s.out[t] = match s.i[t] {
                ..=0 | 2 | 3 | 4 => product + r,
                1 => (if r > P::of(0.0) { product } else { p }) - r,
                5 => p.mul_add(q, r),
                6 => p.mul_add(q, r) + r,
                7.. => p * p - r,
            };
        }
    }
}

const SCALE: f32 = 0.1;
const OFFSET: f32 = 1.7;

kernel! {
    /// Literals and constants are factors and addends as any other value. Integers are not fused.
    constants(t: ThreadX; n m a x y z i u out w v) keep() fuse {
        if t < n {
            let p = x[t];
            out[t] = match i[t] {
                ..=-1 => p * 0.1 + 1.7,
                0 => SCALE * p - OFFSET,
                1 => 1.7 - p * 0.1,
                2 => SCALE * OFFSET + p,
                3 => 0.1 * 1.7 - 0.17,
                4 => a * p + a,
                5 => f32::MAX * p - f32::MAX,
                _ => i[t] as f32 * p + 0.1,
            };
            v[t] = i[t] * i[t + 1] + i[t + 2] - i[t] * 3;
            v[t] -= i[t] * 7;
        }
    }
    by hand(s) {
        let [scale, offset] = [0.1, 1.7].map(P::of);
        for t in 0..s.n {
            let p = s.x[t];
            s.out[t] = match s.i[t] {
                ..=-1 => p.mul_add(scale, offset),
                0 => scale.mul_add(p, -offset),
                1 => (-p).mul_add(scale, offset),
                2 => scale.mul_add(offset, p),
                3 => scale.mul_add(offset, -P::of(0.17)),
                4 => s.a.mul_add(p, s.a),
                5 => P(E::MAX).mul_add(p, -P(E::MAX)),
                6.. => P::of(s.i[t] as f32).mul_add(p, scale),
            };
            let [i, j, k] = [s.i[t], s.i[t + 1], s.i[t + 2]];
            s.v[t] = i * j + k - i * 10;
        }
    }
}

kernel! {
    /// `+=` and `-=` of a product, for variables and elements. Values and indices are computed
    /// once.
    compound(t: ThreadX; n m a x y z i u out w v) keep() fuse {
        if t < n {
            let mut s = x[t];
            s += x[t + 1] * y[t];
            s -= y[t] * y[t + 1];
            s += -(x[t] * y[t]);
            s += x[t] * y[t] + s;
            let mut b = [s, x[t], y[t]];
            let mut k = 0;
            b[(i[t] & 1) as usize] -= s * {
                k += 1;
                x[t + k]
            };
            b[k] += y[t] * b[0];
            out[t] = b[1];
            out[t] += b[0] * b[2];
            s *= x[t] * y[t] + 1.0;
            w[t] = s;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (x, y) = (s.x[t], s.y[t]);
            let mut of = s.x[t + 1].mul_add(y, x);
            of = (-y).mul_add(s.y[t + 1], of);
            of = (-x).mul_add(y, of);
            of = of + x.mul_add(y, of);
            let mut b = [of, x, y];
            let k = (s.i[t] & 1) as usize;
            b[k] = (-of).mul_add(s.x[t + 1], b[k]);
            b[1] = y.mul_add(b[0], b[1]);
            s.out[t] = b[0].mul_add(b[2], b[1]);
            s.w[t] = (of * x.mul_add(y, P::of(1.0))).keep();
        }
    }
}

kernel! {
    /// The `fma` is in f32 if one of its three operands is, and in the element's format otherwise.
    /// Other products that are operands of an f32 operation are exact, as without `fuse`.
    mixed(t: ThreadX; n m a x y z i u out w v) keep(acc, k) fuse {
        if t < n {
            let (p, q) = (x[t], y[t]);
            let mut acc = z[t];
            acc += p * q;
            acc -= 0.1 * q;
            acc += (p * q) * x[t + 1];
            let k = p * q + x[t + 1];
            w[t] = match i[t] {
                ..=-2 => acc,
                -1 => acc * p + q,
                0 => acc * p - q * x[t + 1],
                1 => p * q - acc,
                2 => p * q - acc * 0.1,
                3 => acc * q - -(p * q),
                4 => acc * q - (if p > q { p * q } else { q }),
                5 => k,
                6 => z[t] * z[t + 1] + k,
                _ => q - z[t] * p,
            };
            out[t] = cvt_rn(acc - k * p) + cvt_rn(acc) * p;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (p, q, r) = (s.x[t], s.y[t], s.x[t + 1]);
            let (exact, kp, kq) = (p.keep() * q.keep(), p.keep(), q.keep());
            let mut acc = kp.mul_add(kq, s.z[t]);
            acc = (-P::of(0.1)).mul_add(kq, acc);
            // The first product is an operand of an f32 operation.
            acc = exact.mul_add(r.keep(), acc);
            let k = p.mul_add(q, r).keep();
            s.w[t] = match s.i[t] {
                ..=-2 => acc,
                -1 => acc.mul_add(kp, kq),
                0 => acc.mul_add(kp, -(kq * r.keep())),
                1 => kp.mul_add(kq, -acc),
                2 => kp.mul_add(kq, -(acc * P::of(0.1))),
                // A negated product is rounded unless it is fused.
                3 => acc.mul_add(kq, -(-(p * q)).keep()),
                4 => acc.mul_add(kq, -(if p > q { exact } else { kq })),
                5 => k,
                6 => s.z[t].mul_add(s.z[t + 1], k),
                7.. => (-s.z[t]).mul_add(kp, kq),
            };
            s.out[t] = acc.cvt_rn::<E>().mul_add(p, (-k).mul_add(kp, acc).cvt_rn());
        }
    }
}

kernel! {
    /// Operands are computed in the order of the source, also if the product is the second.
    order(t: ThreadX; n m a x y z i u out w v) keep(acc) fuse {
        if t < n {
            let mut s = x[t];
            let mut acc = z[t];
            out[t] = s + {
                s += 1.0;
                s
            } * {
                s = s * y[t];
                s
            };
            w[t] = acc - {
                acc = acc + 0.5;
                x[t + 1]
            } * y[t] + acc;
            out[t] = {
                s += 0.25;
                s
            } + s * out[t];
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let (x, one) = (s.x[t], P::of(1.0));
            let second = (x + one) * s.y[t];
            let first = (x + one).mul_add(second, x);
            let acc = s.z[t];
            s.w[t] = (-s.x[t + 1].keep()).mul_add(s.y[t].keep(), acc) + (acc + P::of(0.5));
            let third = second + P::of(0.25);
            s.out[t] = third.mul_add(first, third);
        }
    }
}
