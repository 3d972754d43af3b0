//! An error about a missing end stands on the last token, not on the whole macro.

use ptxf::{ptx, ptx_fn, ptx_kernel};

#[ptx_kernel(pair =)]
fn pair(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, keep)]
fn keep(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(crate =)]
fn path(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(prefix = größe)]
fn prefix(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_fn(keep(x), explain)]
fn function(x: f32) -> f32 {
    x
}

fn main() {
    let (a, b) = (1.0_f32, 2.0_f32);
    let x = ptx!(add.rn.f32(a, b + ));
    ptx! {
        add.rn.f32 d, a, -;
        mul.rn.f32 e, a, b
    }
}
