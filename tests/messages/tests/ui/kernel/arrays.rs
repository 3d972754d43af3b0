//! Arrays and indices.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn varying(t: ThreadX, n: usize, j: &[i32], x: &[f32], out: &mut [f32]) {
    let mut a = [false; 4];
    a[j[t] as usize] = true;
    let mut k = 0;
    if x[t] > 0.0 {
        k = 1;
    }
    out[t] = if a[k] { x[t] } else { 0.0 };
}

#[ptx_kernel(pair = F16x2)]
fn misused(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    let a: [f32; 3] = [0.0; 4];
    let b: [f32; 2] = 1.0;
    let c: f32 = [1.0, 2.0];
    let d = x;
    let e = n[0];
    let f = x[0..2];
    let h = (x)[t];
    let mut i = [0.0; 2];
    i = [1.0; 2];
    out = x;
}

#[ptx_kernel(pair = F16x2)]
fn rows(t: ThreadX, n: usize, x: &[[f32; 2]], y: &[f32], out: &mut [[f32; 3]], others: &mut [[f32; WIDTH]]) {
    out[t] = [1.0, 2.0];
    others[t] = [1.0, 2.0];
    x[t] = [1.0, 2.0];
    out[t][0] = [1.0];
    out[t] = [1.0, n, 2.0];
    out[t] += [1.0, 1.0, 2.0];
    out[t] = x[t];
}

const WIDTH: usize = 2;

fn main() {}
