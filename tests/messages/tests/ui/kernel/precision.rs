//! A kept value is rounded only where the kernel says so.

use ptxf::tables::UnaryTable;
use ptxf::{F16, ptx_fn, ptx_kernel};

static TABLE: UnaryTable<F16, F16> = UnaryTable::from_le_bytes([0; 131_072]);

#[ptx_fn]
fn half(x: f32) -> f32 {
    x * 0.5
}

#[ptx_kernel(pair = F16x2, keep(acc))]
fn demoted(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let acc = x[t] * x[t];
    let mut y = x[t];
    y = acc + 1.0;
    let z = if x[t] > 0.0 { acc } else { 1.0 };
    let f = half(acc);
    let g = TABLE.get(-acc);
    out[t] = acc * y;
}

#[ptx_fn(keep(s))]
fn returned(x: f32) -> f32 {
    let s = x;
    s
}

fn main() {}
