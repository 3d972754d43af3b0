//! Lengths of arrays.

#![forbid(unsafe_code)]

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn unsafe_length(t: ThreadX, out: &mut [f32]) {
    let a = [1.0; { unsafe { 3 } }];
    out[t] = a[0];
}

#[ptx_kernel(pair = F16x2)]
fn unsafe_shared(t: ThreadX, l: LocalX, out: &mut [f32]) {
    let mut a = shared::<f32, { unsafe { 64 } }>();
    a[l] = 1.0;
    out[t] = a[l] + const { unsafe { 1.0 } };
}

#[ptx_kernel(pair = F16x2)]
fn negative(t: ThreadX, out: &mut [f32]) {
    let a = [1.0; -1];
    let b = [1.0; 2.5];
    out[t] = a[0] + b[0];
}

#[ptx_kernel(pair = F16x2)]
fn unknown(t: ThreadX, l: LocalX, out: &mut [f32]) {
    let a = [1.0; NONE];
    let mut b = shared::<f32, NOTHING>();
    b[l] = a[0];
    out[t] = b[l];
}

fn main() {}
