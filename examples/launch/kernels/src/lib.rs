//! Kernels, compiled twice: as a library for the host, and by the host's build script for devices.
// Invariant: a barrier is between the write of an element of `part` and its reads by other threads.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
#![expect(unsafe_code, reason = "threads read each other's parts")]

use ptxf::ptx_kernel;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

/// Computes the distance of every point from one point. Differences stay f32, whose squares do not
/// overflow. A device's thread computes eight distances.
#[ptx_kernel(pair = F16x2, per_thread = 8, keep(x0, y0, dx, dy))]
pub fn distance(t: ThreadX, n: usize, x: &[f32], y: &[f32], x0: f32, y0: f32, out: &mut [f32]) {
    if t < n {
        let dx = x[t] - x0;
        let dy = y[t] - y0;
        out[t] = cvt_rn((dx * dx + dy * dy).sqrt());
    }
}

/// Computes a weighted mean of each element and its neighbours.
#[ptx_kernel(pair = F16x2)]
pub fn smooth(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    if t < n {
        let before = if t == 0 { x[t] } else { x[t - 1] };
        let after = if t == n - 1 { x[t] } else { x[t + 1] };
        out[t] = 0.25 * before + 0.5 * x[t] + 0.25 * after;
    }
}

/// Converts 8-bit codes to numbers, with a scale for each block of threads.
#[ptx_kernel(pair = F16x2)]
pub fn dequantize(
    t: ThreadX,
    b: BlockX,
    zero: i8,
    clamped: bool,
    range: (f32, f32),
    codes: &[i8],
    scales: &[f32],
    out: &mut [f32],
) {
    if t < codes.len() {
        let value = (codes[t] as i32 - zero as i32) as f32 * scales[b];
        out[t] = if clamped { value.clamp(range.0, range.1) } else { value };
    }
}

/// Computes the sum of each block of 64 elements.
#[ptx_kernel(pair = F16x2)]
pub fn sums(t: ThreadX, l: LocalX, b: BlockX, x: &[f32], out: &mut [f32]) {
    let mut part = shared::<f32, 64>();
    part[l] = if t < x.len() { x[t] } else { 0.0 };
    sync_threads();
    let mut step = 32;
    while step > 0 {
        if l < step {
            // SAFETY: the upper half was written before the barrier, and no thread writes it now.
            unsafe { part[l] += part[l + step] };
        }
        sync_threads();
        step /= 2;
    }
    if l == 0 {
        // SAFETY: the element was written before the last barrier.
        out[b] = unsafe { part[0] };
    }
}
