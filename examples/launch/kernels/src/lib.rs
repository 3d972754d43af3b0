//! Kernels, compiled twice: as a library for the host, and by its build script for devices.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

use ptxf::ptx_kernel;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

/// How far every place is from one of them; the difference is kept in f32, where no square overflows.
#[ptx_kernel(pair = F16x2, keep(x0, y0, dx, dy))]
pub fn distance(t: ThreadX, n: usize, x: &[f32], y: &[f32], x0: f32, y0: f32, out: &mut [f32]) {
    if t < n {
        let dx = x[t] - x0;
        let dy = y[t] - y0;
        out[t] = cvt_rn((dx * dx + dy * dy).sqrt());
    }
}

/// The mean of each element and its neighbours, weighted; at odd elements as well as even ones.
#[ptx_kernel(pair = F16x2)]
pub fn smooth(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    if t < n {
        let before = if t == 0 { x[t] } else { x[t - 1] };
        let after = if t == n - 1 { x[t] } else { x[t + 1] };
        out[t] = 0.25 * before + 0.5 * x[t] + 0.25 * after;
    }
}
