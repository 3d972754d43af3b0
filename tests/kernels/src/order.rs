//! Order of evaluation, and single evaluation: Rust's order where an operand changes a variable
//! that another one reads.

use crate::float::P;
use crate::harness::kernel;

kernel! {
    /// Compound assignments: the value is evaluated first, the index once.
    #[expect(unsafe_code, reason = "an index that is computed is no thread's own")]
    updates(t: ThreadX; n m a x y z i u out w v) keep(kept) {
        if t < n {
            let mut k = 0;
            let mut e = [1.0, 2.0, 3.0, 4.0];
            e[{ k += 1; k }] += x[t];
            e[k] *= { k += 1; 2.0 };
            e[{ k += 1; k }] -= { k = k - 1; y[t] };
            let mut j = i[t];
            j += { j = j * 2; 10 };
            if j > 12 {
                j -= { j = j + k as i32; if x[t] > 1.0 { j *= 3; } j + 1 };
            }
            let mut kept = z[t];
            kept += { k += 1; x[t] * y[t] };
            kept *= { k = k * 2; 0.5 };
            unsafe { out[{ k += 1; t }] += { k += 100; x[t] } };
            unsafe { w[{ k += 1; t }] += { k = k * 2; kept } };
            unsafe { v[{ k += 1; t }] -= j };
            out[t] = out[t] + e[1] + e[2] * 2.0 + e[3] + e[0];
            v[t] = v[t] + k as i32;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let of = P::<E>::of;
            let mut k = 0_usize;
            let mut e = [of(1.0), of(2.0), of(3.0), of(4.0)];
            k += 1;
            e[k] = e[k] + s.x[t];
            k += 1;
            e[k] = e[k] * of(2.0);
            // The value is evaluated before the index.
            k -= 1;
            let value = s.y[t];
            k += 1;
            e[k] = e[k] - value;
            let mut j = s.i[t];
            j = j * 2 + 10;
            if j > 12 {
                // The new value minus one more.
                j = -1;
            }
            k += 1;
            let mut kept = s.z[t] + s.x[t].keep() * s.y[t].keep();
            k *= 2;
            kept = kept * P::of(0.5);
            k += 100;
            s.out[t] = s.out[t] + s.x[t];
            k += 1;
            k *= 2;
            k += 1;
            s.w[t] = s.w[t] + kept;
            k += 1;
            s.v[t] -= j;
            s.out[t] = s.out[t] + e[1] + e[2] * of(2.0) + e[3] + e[0];
            s.v[t] += k as i32;
        }
    }
}

kernel! {
    /// Truth values: `&`, `|` and `^` evaluate both operands, for diverging threads too.
    both(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut c = 0;
            let p = i[t] > 2;
            let mut q = p & { c += 1; i[t] % 2 == 0 };
            q |= { c += 10; x[t] > 1.0 };
            let r = p | { c += 100; q } ^ { c += 1000; y[t] > 0.5 };
            if x[t] > 0.0 {
                q ^= { c = c * 3; r };
                q &= { c += 1; true };
                let f = false & { c += 7; q };
                if f | { c += 1; r } {
                    c += 100000;
                }
            }
            let short = p && { c = c - 5; r } || { c = c + 3; q };
            if short {
                c += 50000;
            }
            v[t] = c + if q { 1000000 } else { 0 };
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let of = P::<E>::of;
            let mut c = 0;
            let p = s.i[t] > 2;
            let even = s.i[t] % 2 == 0;
            c += 1111;
            let mut q = (p && even) || s.x[t] > of(1.0);
            let r = p || (q != (s.y[t] > of(0.5)));
            if s.x[t] > of(0.0) {
                q = q != r;
                c = c * 3 + 1 + 7 + 1;
                if r {
                    c += 100_000;
                }
            }
            let mut short = false;
            if p {
                c -= 5;
                short = r;
            }
            if !short {
                c += 3;
                short = q;
            }
            if short {
                c += 50_000;
            }
            s.v[t] = c + if q { 1_000_000 } else { 0 };
        }
    }
}

kernel! {
    /// Operands, arguments, indices and conditions.
    #[expect(unsafe_code, reason = "an index that is computed is no thread's own")]
    operands(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let mut k = 1;
            let f = k + { k += 1; k } * { k = k * 3; k };
            let g = t + k - { k += 1; k };
            let h = { k += 1; k } + t - k;
            let nan = ({ k += 1; x[t] } / 0.0 * 0.0).is_nan();
            let l = (k as i32).max({ k += 1; 2 }).min({ k += 1; k as i32 });
            let lazy = if { k += 1; x[t] > 0.0 } { k += 10; k } else { k += 20; k };
            while { k += 1; k < 40 + lazy } {
                k += i[t] as usize % 3;
            }
            unsafe { v[{ k += 1; t }] = { k = k * 2; k as i32 } };
            v[t] = v[t] + f as i32 + l + if nan { 1000 } else { 0 };
            v[t] = v[t] * 3 + (g as i32) - (h as i32);
        }
    }
    by hand(s) {
        for t in 0..s.n {
            // `k` is 1, 2 and 6; then 6 and 7; then 8; 9; and for the receiver 9, for the arguments
            // 10 and 11.
            let f = 1 + 2 * 6;
            let g = (t + 6).wrapping_sub(7);
            let h = t;
            let l = 9;
            let mut k = 12_usize;
            k += if s.x[t] > P::of(0.0) { 10 } else { 20 };
            let lazy = k;
            loop {
                k += 1;
                if k >= 40 + lazy {
                    break;
                }
                k += s.i[t] as usize % 3;
            }
            k *= 2;
            s.v[t] = k as i32;
            s.v[t] += f + l + 1000;
            s.v[t] = s.v[t] * 3 + g as i32 - h as i32;
        }
    }
}

kernel! {
    /// A condition's side effects are visible where it holds.
    guards(t: ThreadX; n m a x y z i u out w v) keep() {
        let mut k = 0;
        if { k += 2; t + k >= n + 2 } {
            return;
        }
        v[t] = k as i32;
    }
    by hand(s) {
        s.v[..s.n].fill(2);
    }
}
