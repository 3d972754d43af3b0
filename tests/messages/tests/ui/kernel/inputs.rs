//! Arguments for a parameter of type `&[f32]`.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_fn]
fn element(x: &[f32], i: usize) -> f32 {
    x[i]
}

#[ptx_fn(keep(z))]
fn single(z: &[f32], i: usize) -> f32 {
    cvt_rn(z[i])
}

#[ptx_fn]
fn writes(x: &mut [f32], i: usize) -> f32 {
    x[i]
}

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    let array = [1.0; 4];
    tile[l] = 1.0;
    out[t] = element(out, t);
    out[t] = element(tile, l);
    out[t] = element((array), 0);
    out[t] = x.abs() + cvt_rn(x);
    x[t] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn of_integers(t: ThreadX, i: &[i32], out: &mut [f32]) {
    out[t] = element(i, t);
}

#[ptx_kernel(pair = F16x2, keep(z))]
fn kept(t: ThreadX, z: &[f32], out: &mut [f32]) {
    out[t] = element(z, t);
}

#[ptx_kernel(pair = F16x2)]
fn not_kept(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = single(x, t);
}

#[ptx_kernel(pair = F16x2)]
fn no_input(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = element(x[t], t);
}

fn main() {}
