//! `forbid(unsafe_code)` holds in a kernel, too, and not for the expansion's own blocks.
#![forbid(unsafe_code)]

use ptxf::ptx_kernel;

#[ptx_kernel]
unsafe fn launched_unsafely(t: ThreadX, out: &mut [u64]) {
    out[t] = 1;
}

#[ptx_kernel]
fn in_the_body(t: ThreadX, out: &mut [u64]) {
    unsafe { out.set(t + 1, 1) };
}

#[ptx_kernel(pair = F16x2)]
fn converted(t: ThreadX, out: &mut [f32]) {
    unsafe { out[t + 1] = 1.0 };
}

fn main() {}
