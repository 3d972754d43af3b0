//! A kernel that is private is shown where it is declared.

mod kernels {
    use ptxf::{ptx_fn, ptx_kernel};

    #[ptx_kernel(pair = F16x2)]
    fn copy(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = x[t];
    }

    #[ptx_fn]
    fn double(x: f32) -> f32 {
        x + x
    }
}

use kernels::double;
use ptxf::F16;

fn main() {
    kernels::copy::scalar(1, &[F16::ONE], &mut [F16::ONE]);
}
