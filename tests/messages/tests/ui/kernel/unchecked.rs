//! The option `unchecked`, and launches of its kernels without `unsafe`.

use ptxf::kernel::Device;
use ptxf::{F16, ptx_fn, ptx_kernel};

#[ptx_kernel(unchecked)]
fn nothing_to_convert(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_fn(unchecked)]
fn function(x: f32) -> f32 {
    x
}

#[ptx_kernel(pair = F16x2, unchecked)]
fn kernel(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

fn launched<D: Device, M: ptxf::kernel::Writes<D, F16>>(device: &D, mut out: M) -> Result<(), D::Error> {
    kernel::pair_on(device, 8, &mut out)
}

fn main() {}
