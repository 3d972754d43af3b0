//! A kernel is launched by a version, and calls functions with `#[ptx_fn]`.

use ptxf::{ptx_fn, ptx_kernel, ptx_module};

#[ptx_kernel(pair = F16x2)]
fn scale(t: ThreadX, a: f32, x: &[f32], out: &mut [f32]) {
    out[t] = a * x[t];
}

#[ptx_kernel]
fn copy(t: ThreadX, x: &[u32], out: &mut [u32]) {
    out[t] = x[t];
}

#[ptx_fn]
fn twice(x: f32) -> f32 {
    x + x
}

fn half(x: f32) -> f32 {
    0.5 * x
}

#[ptx_kernel(pair = F16x2)]
fn calls(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = twice(x[t]) + half(x[t]);
}

#[ptx_module]
mod module {
    fn third(x: f32) -> f32 {
        x / 3.0
    }

    #[ptx_kernel(pair = F16x2)]
    fn calls(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = third(x[t]);
    }
}

fn main() {
    let (x, mut out) = ([1.0; 4], [0.0; 4]);
    scale(4, 2.0, &x, &mut out);
    scale(2.0, &x, &mut out);
    copy(4, &[1; 4], &mut [0; 4]);
    let y = twice(x[0]);
}
