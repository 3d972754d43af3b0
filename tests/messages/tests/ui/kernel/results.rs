//! The types of functions and constants, which a kernel does not see.

use ptxf::{ptx_fn, ptx_kernel};

const ODD: u128 = 3;
const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];

#[ptx_fn]
fn count(x: f32) -> u32 {
    if x > 2.0 { 2 } else { 1 }
}

#[ptx_kernel(pair = F16x2)]
fn taken(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let c = count(x[t]);
    let d = if !count(x[t]) { count(x[t]) + 1 } else { 0 };
    out[t] = c + d as f32 + ODD as f32;
}

#[ptx_kernel(pair = F16x2)]
fn of_an_array(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let b = WEIGHTS[1.0];
    let c = weights[0];
    out[t] = c;
}

#[ptx_kernel(pair = F16x2)]
fn as_a_number(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = WEIGHTS;
}

fn main() {}
