//! Functions that kernels call, and tables, for the threads that use them.

use std::cell::Cell;

use ptxf::kernel::Unary;
use ptxf::tables::unary_table;
use ptxf::{F16, ptx_fn};

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
}

unary_table!(static SIGMOID: F16 -> F16 = |x| sigmoid(x));

/// A table that counts its look-ups.
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

const SIZE: usize = 4099;
const MANY: u32 = 0xFFFF_FF00;
const DEBT: i32 = -33_554_431;
const PART: f32 = 2.5;

kernel! {
    /// A cast constant is rounded once, for every type.
    constants(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let k = DEBT as f32 + PART as f32;
            w[t] = k;
            out[t] = if u[t] % 2 == 0 { SIZE as f32 } else { DEBT as f32 * MANY as f32 };
            let low = u[t] & !MANY | MANY & 0x100 | (!MANY << u[t + 1]);
            v[t] = low as i32 ^ (MANY as i32 + (SIZE as u32 >> u[t]) as i32 + PART as i32 + (DEBT as usize >> 60) as i32);
        }
    }
}

kernel! {
    /// A function's result has the precision of its use.
    results(t: ThreadX; n m a x y z i u out w v) keep() {
        if t < n {
            let both = !positive(i[t], x[t]) & positive(i[t + 1], y[t]);
            let least = 1 + steps(u[t]);
            let mut s = 0;
            match steps(u[t + 1]) {
                0 => s = 1,
                1..=4 => s = steps(u[t]) * 3,
                _ => {}
            }
            out[t] = if both != positive(2, x[t]) { early(x[t], 2) } else { (steps(u[t]) << 2) as f32 };
            v[t] = least + s;
        }
    }
}

pub(crate) const WEIGHTS: [f32; 5] = [0.1, -2.5, 3.000_976_6, 65_536.0, 1e-9];
pub(crate) const STEPS: [i32; 4] = [3, -1, 0, 70_000];
pub(crate) const TABLEAU: [[f32; 3]; 2] = [[0.0, -1.0, 0.25], [1.0, 0.5, -2.0]];
const PLACES: [usize; 3] = [2, 0, 5];

kernel! {
    /// Elements of constants: rounded to the precision of their context, cast, and counted.
    constant_arrays(t: ThreadX; n m a x y z i u out w v) keep(k) {
        if t < n {
            let mut s = 0.0;
            let mut k = 0.0;
            for j in 0..WEIGHTS.len() {
                s += WEIGHTS[j] * x[t + j];
                k += WEIGHTS[j] * z[t + j];
            }
            for j in 0..PLACES.len() {
                k += x[t + PLACES[j]];
            }
            out[t] = s + STEPS[m % 4] as f32;
            w[t] = k;
            v[t] = STEPS[m % STEPS.len()] + PLACES[2] as i32 + WEIGHTS[1] as i32;
        }
    }
}
