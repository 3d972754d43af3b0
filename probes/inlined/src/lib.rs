//! Kernels whose size after inlining `cargo xtask ir` compares with a bound.
//!
//! IR that later passes remove again is what makes kernels slow to compile.

#![no_std]
#![expect(unsafe_code, reason = "cfd writes five elements for each thread")]

/// Compiles a kernel in f16 with variables that stay f32; its helpers come first.
macro_rules! kernels {
    (
        $of:ident:
        $(helper keep($($kept_by_helper:ident),*) fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
        kernel keep($($kept:ident),*) fn $kernel:ident $parameters:tt $body:tt
    ) => {
        $(#[ptxf::ptx_fn(keep($($kept_by_helper),*))] fn $helper $helper_parameters -> f32 $helper_body)*
        #[ptxf::ptx_kernel(pair = F16x2, keep($($kept),*))]
        pub fn $kernel $parameters $body
    };
}

mod cfd {
    include!("../../../examples/suite/kernels/cfd.rs");
}

mod short {
    #[ptxf::ptx_kernel(pair = F16x2)]
    pub fn saxpy(t: ThreadX, n: usize, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = a * x[t] + y[t];
        }
    }

    #[ptxf::ptx_kernel(pair = F16x2)]
    pub fn horner(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let x = x[t];
            out[t] = ((((((0.125 * x + 0.25) * x - 0.5) * x + 0.75) * x - 1.0) * x + 0.375) * x + 1.25) * x - 0.625;
        }
    }
}

macro_rules! versions {
    ($($version:ident $element:ty;)*) => {$(
        /// Runs the kernels in this version, so that it is compiled.
        pub mod $version {
            #[allow(unused_imports, reason = "one version computes in f32")]
            use ptxf::F16;

            use crate::{cfd, short};

            pub fn flux(n: usize, near: &[i32], [normal, far, v]: [&[$element]; 3], out: &mut [$element]) {
                cfd::flux::$version(n, n, near, normal, far, v, out);
            }

            pub fn saxpy(n: usize, a: f32, x: &[$element], y: &[$element], out: &mut [$element]) {
                short::saxpy::$version(n, n, a, x, y, out);
            }

            pub fn horner(n: usize, x: &[$element], out: &mut [$element]) {
                short::horner::$version(n, n, x, out);
            }
        }
    )*};
}

versions! {
    f32 f32;
    scalar F16;
    pair F16;
    wide F16;
}
