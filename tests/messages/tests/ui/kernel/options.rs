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

#[ptx_kernel(pair = F16x2, per_thread = 3)]
fn three_threads(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, per_thread = many)]
fn many_threads(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(per_thread = 8)]
fn no_pair(t: ThreadX, out: &mut [f32]) {
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

#[ptx_fn(per_thread = 8)]
fn of_a_function(x: f32) -> f32 {
    x
}

fn main() {}
