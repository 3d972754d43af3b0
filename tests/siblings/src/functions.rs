//! Functions that kernels call, and tables, for the threads that ask.

use std::cell::Cell;

use ptxf::kernel::Unary;
use ptxf::tables::unary_table;
use ptxf::{F16, ptx_fn};

use crate::float::P;
use crate::harness::kernel;

#[ptx_fn]
fn early(x: f32, limit: i32) -> f32 {
    if x < 0.0 {
        return -x;
    }
    let mut s = x;
    for j in 0..limit {
        if s > 10.0 {
            return s + j as f32;
        }
        s = s * 1.5 + 0.25;
    }
    if limit == 3 { s } else { s - 1.0 }
}

#[ptx_fn]
fn positive(k: i32, x: f32) -> bool {
    if k == 0 {
        return x > 1.0;
    }
    12 % k == 0
}

#[ptx_fn]
fn steps(k: u32) -> i32 {
    let mut k = k;
    let mut count = 0;
    while k > 1 {
        if k % 2 == 0 {
            k = k / 2;
        } else {
            k = 3 * k + 1;
        }
        count += 1;
        if count > 30 {
            return -1;
        }
    }
    count
}

fn early_by_hand<E: crate::float::Float>(x: P<E>, limit: i32) -> P<E> {
    if x < P::of(0.0) {
        return -x;
    }
    let mut s = x;
    for j in 0..limit {
        if s > P::of(10.0) {
            return s + P::of(j as f32);
        }
        s = s * P::of(1.5) + P::of(0.25);
    }
    if limit == 3 { s } else { s - P::of(1.0) }
}

fn steps_by_hand(mut k: u32) -> i32 {
    let mut count = 0;
    while k > 1 {
        k = if k.is_multiple_of(2) { k / 2 } else { 3 * k + 1 };
        count += 1;
        if count > 30 {
            return -1;
        }
    }
    count
}

kernel! {
    /// Functions that return early, called under masks and in conditions.
    calls(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            out[t] = early(x[t], i[t]);
            if positive(i[t], y[t]) || early(y[t], 2) > 3.0 {
                v[t] = steps(u[t] % 30);
                out[t] = out[t] - early(y[t], m as i32);
            }
        }
    }
    by hand(s) {
        for t in 0..s.n {
            s.out[t] = early_by_hand(s.x[t], s.i[t]);
            let yes = if s.i[t] == 0 { s.y[t] > P::of(1.0) } else { 12 % s.i[t] == 0 };
            if yes || early_by_hand(s.y[t], 2) > P::of(3.0) {
                s.v[t] = steps_by_hand(s.u[t] % 30);
                s.out[t] = s.out[t] - early_by_hand(s.y[t], s.m as i32);
            }
        }
    }
}

unary_table!(static SIGMOID: F16 -> F16 = |x| sigmoid(x));

/// A table that counts who asks.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

impl Unary for Counting {
    type Of = F16;
    fn unary(&self, x: F16) -> F16 {
        ASKED.set(ASKED.get() + 1);
        SIGMOID.get(x)
    }
}

static COUNTING: Counting = Counting;

#[ptxf::ptx_kernel(pair = F16x2)]
fn looks_up(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    if t < n {
        if x[t] > 0.5 {
            out[t] = COUNTING.get(x[t] * 2.0) + SIGMOID.get(x[t]);
        }
    }
}

#[test]
fn tables_answer_those_who_ask() {
    let n = 61;
    let x: Vec<F16> = (0..n).map(|i| F16::from_f32((i * 7 % 13) as f32 / 8.0)).collect();
    let asking = x.iter().filter(|x| x.to_f32() > 0.5).count();
    let mut want = vec![F16::ONE; n];
    for (x, want) in x.iter().zip(&mut want).filter(|(x, _)| x.to_f32() > 0.5) {
        *want = SIGMOID.get(*x * F16::from_f32(2.0)) + SIGMOID.get(*x);
    }
    for run in [looks_up::scalar, looks_up::pair, looks_up::wide] {
        let mut out = vec![F16::ONE; n];
        ASKED.set(0);
        run(n, n, &x, &mut out);
        assert_eq!(
            out.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            want.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        );
        assert_eq!(ASKED.get(), asking);
    }
}
