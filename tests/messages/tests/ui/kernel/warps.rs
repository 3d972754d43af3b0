//! Wrong uses of a warp.

use ptxf::ptx_kernel;
use ptxf::{Bf16, F16};

#[ptx_kernel]
fn index_of_a_lane(w: Warp, t: ThreadX, out: &mut [f32]) {}

#[ptx_kernel]
fn two_warps(w: Warp, v: Warp) {}

#[ptx_kernel(pair = F16x2)]
fn converted(w: Warp, out: &mut [f32]) {}

#[ptx_kernel]
fn no_instruction(w: Warp, a: &[F16], b: &[Bf16]) {
    let (a, b) = (w.load_a(a.matrix(16, 16), 0, 0), w.load_b(b.matrix(16, 8), 0, 0));
    w.mma(a, b, ptxf::kernel::FragmentC::<f32>::ZERO);
}

#[ptx_kernel]
fn store_without_unsafe(w: Warp, x: &[f32], out: &mut [f32]) {
    w.store(w.load_c(x.matrix(16, 8), 0, 0), &mut out.matrix(16, 8), 0, 0);
}

fn main() {}
