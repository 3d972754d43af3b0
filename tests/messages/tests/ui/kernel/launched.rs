//! Launches on a device, of memory that a kernel does not take.

use cudarc::driver::CudaSlice;
use ptxf::ptx_kernel;
use ptxf_cudarc::{Error, Held, Kernels};

#[ptx_kernel(pair = F16x2)]
fn scale(t: ThreadX, a: f32, x: &[f32], out: &mut [f32]) {
    if t < x.len() {
        out[t] = a * x[t];
    }
}

fn singles(kernels: &Kernels, x: &CudaSlice<f32>, out: &mut CudaSlice<Held<ptxf::F16>>) -> Result<(), Error> {
    scale::pair_on(kernels, 4, 2.0, x, out)
}

fn bf16(kernels: &Kernels, x: &CudaSlice<Held<ptxf::F16>>, out: &mut CudaSlice<Held<ptxf::Bf16>>) -> Result<(), Error> {
    scale::pair_on(kernels, 4, 2.0, x, out)
}

fn host(kernels: &Kernels, x: &Vec<ptxf::F16>, out: &mut CudaSlice<Held<ptxf::F16>>) -> Result<(), Error> {
    scale::pair_on(kernels, 4, 2.0, x, out)
}

fn shared(kernels: &Kernels, x: &CudaSlice<f32>, out: &CudaSlice<f32>) -> Result<(), Error> {
    scale::f32_on(kernels, 4, 2.0, x, out)
}

fn main() {}
