//! Integers and floats in one operation, floats as floats, and indices that are no thread's.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn mixed(t: ThreadX, n: usize, i: &[i32], x: &[f32], out: &mut [f32]) {
    let a = t * 2.0;
    let b = 2.5 * n;
    let c = x[t] * i[t];
    let d = x[t] * 2;
    let e = 2 * x[t];
    let f = t < 1.5;
    let g = i[t].max(x[t]);
    let h: usize = 2.0;
    let j: usize = x[t];
    let k = x[2.0];
    let mut sum = 0.0;
    sum += t;
    let mut count = 0_u32;
    count += 1.0;
    let l = (t + 1) * x[t];
    let m = i[t] << 1.0;
}

#[ptx_kernel(pair = F16x2, keep(sum))]
fn floats(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let a = x[t] as f32;
    let sum = 1.0 + x[t];
    let b = sum as f32;
    let c = (x[t] + 1.0) as f32;
    let d = 1.0 as f32;
}

#[ptx_kernel(pair = F16x2)]
fn one_number(t: usize, x: &[f32], out: &mut [f32]) {
    out[t] = x[t];
}

#[ptx_kernel(pair = F16x2)]
fn in_block(l: LocalX, x: &[f32], out: &mut [f32]) {
    out[l] = x[l];
}

#[ptx_kernel(pair = F16x2)]
fn of_block(t: ThreadX, b: BlockX, x: &[f32], out: &mut [f32]) {
    if x[t] > 0.0 {
        out[b] = x[t];
    }
}

fn main() {}
