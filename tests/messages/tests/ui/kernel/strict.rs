//! `strict` refuses accesses that the threads of a pair do one by one.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2, strict)]
fn gathers(t: ThreadX, m: usize, i: &[i32], x: &[f32], out: &mut [f32]) {
    let near = x[t + m] + x[2 * t] + x[m];
    out[t] = near + x[i[t] as usize] + x[t ^ 1];
}

fn main() {}
