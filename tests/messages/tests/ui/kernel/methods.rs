//! Methods that numbers do not have, and arguments that they do not take.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn floats(t: ThreadX, x: &[f32], i: &[i32], out: &mut [f32]) {
    let a = x[t].erf();
    let b = x[t].powi(i[t]);
    let c = x[t].floor(3.0);
    let d = x[t].clamp(1.0);
    let e = x[t].copysign(1);
    let f = x[t].count_ones();
    out[t] = x[t];
}

#[ptx_kernel(pair = F16x2)]
fn integers(t: ThreadX, i: &[i32], u: &[u32], v: &mut [i32]) {
    let a = u[t].abs();
    let b = i[t].sqrt();
    let c = i[t].abs_diff(u[t]);
    let d = i[t].pow(i[t]);
    let e = u[t].rotate_left(1.0);
    let f = (u[t] > 1).clamp(false, true);
    let g = (u[t] > 1).is_nan();
    let h = i[t].div_ceil(4);
    let (s, c) = i[t].sin_cos();
    v[t] = i[t] << 1.0;
}

fn main() {}
