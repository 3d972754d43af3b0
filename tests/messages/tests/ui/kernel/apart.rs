//! Errors about the body of a kernel without `pair`.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel]
fn expansion(t: ThreadX, out: &mut [u64]) {
    let grid = __grid;
    let at = __at;
    out[t] = 0;
}

#[deprecated]
const OLD: f32 = 1.0;

#[deny(deprecated)]
#[deprecated]
#[ptx_kernel]
fn plain(t: ThreadX, out: &mut [f32]) {
    out[t] = OLD;
}

#[deny(deprecated)]
#[ptx_fn]
fn function(x: f32) -> f32 {
    x + OLD
}

#[deny(deprecated)]
#[deprecated]
#[ptx_kernel(pair = F16x2)]
fn paired(t: ThreadX, out: &mut [f32]) {
    out[t] = OLD;
}

fn main() {}
