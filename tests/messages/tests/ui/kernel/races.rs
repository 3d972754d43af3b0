//! Two threads may not access an element that one of them writes.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn same_element(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[0] = x[t];
}

#[ptx_kernel(pair = F16x2)]
fn neighbour(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t ^ 1] = x[t];
}

#[ptx_kernel(pair = F16x2)]
fn two_axes(t: ThreadX, r: ThreadY, x: &[f32], out: &mut [f32]) {
    out[t] = x[r];
}

#[ptx_kernel(pair = F16x2)]
fn reads(t: ThreadX, out: &mut [f32]) {
    out[t] = out[t + 1];
}

#[ptx_kernel(pair = F16x2)]
fn input(t: ThreadX, x: &[f32]) {
    x[t] = 1.0;
}

fn main() {}
