//! Kernels where the expansion has little to lean on: no prelude, the library's and the primitive
//! types' names taken, no unsafe code, every lint an error, inside of functions and modules, and
//! named like what the expansion is made of.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused_qualifications)]
#![allow(dead_code, reason = "shadows are not used")]

/// Shadows `::core`.
mod core {}
/// Shadows `::std`.
mod std {}
/// Shadows the library.
mod ptxf {}
/// Shadows what the expansion names.
mod kernel {}

struct F16;
struct Element;
struct Grid;
struct In;
struct Out;
struct Lin;
struct Option;

/// Kernels for others.
pub mod public {
    #![allow(unreachable_pub, reason = "a program has nobody to reach it")]

    use ::ptxf::{ptx_fn, ptx_kernel};

    /// Doubles.
    #[ptx_fn]
    pub fn double(x: f32) -> f32 {
        x + x
    }

    /// Its documentation.
    #[ptx_kernel(pair = F16x2, keep(exec))]
    pub fn grid(t: ThreadX, n: usize, cx: f32, x: &[f32], body: &mut [f32]) {
        if t < n {
            let exec = cx * 2.0;
            body[t] = double(x[t]) + cvt_rn(exec);
        }
    }
}

/// Types that are imported because kernels name them. Nothing else does, and no import is reported
/// as unused.
pub mod imported {
    #![allow(unreachable_pub, reason = "a program has nobody to reach it")]

    use ::ptxf::kernel::{BlockDimX, BlockX, LocalX, ThreadX, ThreadsX};
    use ::ptxf::{Bf16x2, E2m1x2, E4m3, E5m2, F16x2, F32x2, ptx_fn, ptx_kernel};

    /// Narrow elements of a function.
    #[ptx_fn]
    pub fn first(x: &[E5m2]) -> f32 {
        x[0]
    }

    /// In f16.
    #[ptx_kernel(pair = F16x2)]
    pub fn f16(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = x[t] + 1.0;
    }

    /// In bf16.
    #[ptx_kernel(pair = Bf16x2)]
    pub fn bf16(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = x[t] + 1.0;
    }

    /// In f32.
    #[ptx_kernel(pair = F32x2)]
    pub fn f32(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = x[t] + 1.0;
    }

    /// Indices of the launch, and narrow elements.
    #[ptx_kernel(pair = F16x2)]
    pub fn supplied(
        b: BlockX,
        l: LocalX,
        m: BlockDimX,
        t: ThreadX,
        threads: ThreadsX,
        x: &[E4m3],
        y: &[E2m1x2],
        out: &mut [f32],
    ) {
        out[t] = x[t] * y[b * m + l] + threads as f32;
    }
}

/// One of the attributes is imported, and the module finds the other.
#[::ptxf::ptx_module]
pub mod told {
    #![allow(unreachable_pub, reason = "a program has nobody to reach it")]

    use ::ptxf::ptx_kernel;

    #[ptx_fn]
    fn double(x: f32) -> f32 {
        x + x
    }

    /// Doubles.
    #[ptx_kernel(pair = F16x2)]
    pub fn copy(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = double(x[t]);
    }
}

/// Other types with the names of a pair and of an index.
pub mod other {
    #![allow(unreachable_pub, reason = "a program has nobody to reach it")]

    use ::ptxf::ptx_kernel;

    struct F16x2;
    struct ThreadX;

    /// With the library's pair and index.
    #[ptx_kernel(pair = F16x2)]
    pub fn copy(t: ThreadX, x: &[f32], out: &mut [f32]) {
        out[t] = x[t];
    }
}

/// Kernels with the names of items around a body.
#[::ptxf::ptx_kernel(pair = Bf16x2)]
fn launch(at: ThreadX, threads: usize, mask: &[f32], element: &[i32], value: &mut [f32]) {
    let lanes = at + 1;
    let mut all = true;
    let any = element[at];
    if all && any > 0 && at < threads {
        let select = mask[lanes];
        let a = select > 0.0;
        let b = all == a;
        all = b;
        let i = if all { select } else { 1.0 };
        value[at] = i;
    }
}

/// A kernel and a function called `kernel` and `one`.
#[::ptxf::ptx_fn]
fn one(lanes: f32) -> f32 {
    if lanes > 1.0 {
        return 1.0;
    }
    lanes
}

#[::ptxf::ptx_kernel(pair = F32x2, strict)]
fn scalar(t: ThreadX, pair: f32, wide: &[f32], f32_: &mut [f32]) {
    let scalar = one(wide[t]);
    f32_[t] = scalar * pair;
}

/// Without a conversion.
#[::ptxf::ptx_kernel]
fn plain(thread: ThreadX, life: LocalX, run: f64, x: &[u64], out: &mut [u64]) {
    if thread < x.len() {
        out[thread] += x[thread] + x[life + 0] + (run as u64);
    }
}

/// In a block.
#[::ptxf::ptx_kernel(pair = F16x2)]
fn mirrored(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 4>();
    tile[l] = x[t];
    sync_threads();
    out[t] = tile[l];
}

fn main() {
    #[::ptxf::ptx_kernel(pair = F16x2, crate = ::ptxf)]
    fn inside(t: ThreadX, out: &mut [f32]) {
        out[t] = 1.5;
    }

    let mut out = [::ptxf::F16::ZERO; 5];
    inside::pair(5, &mut out);
    ::std::assert_eq!(out[4].to_f32(), 1.5);
    inside::wide(4, &mut out);
    let x = out;
    public::grid::scalar(5, 4, 0.25, &x, &mut out);
    ::std::assert_eq!((out[3].to_f32(), out[4].to_f32()), (3.5, 1.5));
    let mut out = [0.0_f32; 2];
    scalar::pair(2, 3.0, &[0.5, 2.0], &mut out);
    ::std::assert_eq!(out, [1.5, 3.0]);
    let mut out = [::ptxf::Bf16::ZERO; 2];
    launch::wide(2, 2, &[::ptxf::Bf16::ONE; 3], &[1, 0], &mut out);
    ::std::assert_eq!(out.map(|x| x.to_f32()), [1.0, 0.0]);
    let mut out = [1; 2];
    plain::launch(3, 2.5, &[5, 6], &mut out);
    ::std::assert_eq!(out, [13, 15]);
    let mut out = [::ptxf::F16::ZERO; 2];
    mirrored::pair(2, &[::ptxf::F16::ONE; 2], &mut out);
    ::std::assert_eq!(out.map(|x| x.to_f32()), [1.0; 2]);
}
