//! Parameters and results.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel(pair = F16x2)]
const unsafe fn qualified<T>(t: ThreadX, out: &mut [f32]) -> f32
where
    f32: Copy,
{
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2)]
fn parameters(&self, mut t: ThreadX, (a, b): (f32, f32), h: F16, d: f64, r: &f32, y: &[bool], s: String, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_fn]
fn nothing(x: f32) {
    x
}

#[ptx_fn]
fn no_value(x: f32) -> f32 {
    let y = x;
}

#[ptx_fn]
fn index(t: ThreadX, out: &mut [f32]) -> f32 {
    0.0
}

#[ptx_fn]
fn bare_return(x: f32) -> f32 {
    if x > 0.0 {
        return;
    }
    x
}

fn main() {}
