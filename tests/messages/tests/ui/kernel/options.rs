//! Options of the attributes.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel(pair = F16x4)]
fn pair(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, fast)]
fn unknown(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, pair = Bf16x2)]
fn twice(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(strict)]
fn nothing_to_convert(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, keep(acc, count))]
fn keeps(t: ThreadX, out: &mut [f32]) {
    let count = 1;
    out[t] = count as f32;
}

#[ptx_fn(pair = F16x2)]
fn function(x: f32) -> f32 {
    x
}

fn main() {}
