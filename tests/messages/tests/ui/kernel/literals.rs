//! Literals that the element type has no number for.
#![deny(deprecated)]

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2, keep(k))]
fn lost(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let k = x[t] * 65536.0;
    let y = if x[t] > 1e-9 { x[t] / -65536.0 } else { 0.0 };
    out[t] = y + cvt_rn(k * 1e-9);
}

#[ptx_kernel(pair = Bf16x2)]
fn wide_enough(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = x[t] * 1e-9 + 65536.0;
}

#[ptx_kernel(pair = Bf16x2)]
fn beyond(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = x[t] * 3.4e38;
}

#[ptx_kernel(pair = F16x2)]
#[allow(deprecated)]
fn meant(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = if x[t] < 65536.0 { x[t] } else { 0.0 };
}

fn main() {}
