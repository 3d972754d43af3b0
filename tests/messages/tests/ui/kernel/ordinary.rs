//! An ordinary function in a module, which cannot run for two threads.

use ptxf::ptx_kernel;

fn ordinary(x: f32) -> f32 {
    x
}

#[ptx_kernel(pair = F16x2)]
fn calls_no_ptx_fn(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = ordinary(x[t]);
}

fn main() {}
