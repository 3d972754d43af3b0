//! Habits of CUDA C++ and of plain Rust, and what to write instead.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn habits(t: ThreadX, x: &[f32], i: &[u32], out: &mut [f32]) {
    let a = f32::max(x[t], 1.0);
    let b = core::cmp::min(i[t] + 1, 3);
    let c = usize::from(i[t]);
    let d = __hfma2(x[t], x[t], a);
    let e = __clz(b);
    __syncthreads();
    let f = threadIdx.x + 1;
    let g = blockIdx.y * blockDim.y;
    let h = gridDim.x;
    out[t] = i32::abs(-1) as f32;
}

fn main() {}
