//! Handwritten packed kernels: pairs in every slice, padded rows, shared memory without bounds
//! checks.
//!
//! The operations are those of the kernels' texts, one by one.
// Invariant: a pair of an output belongs to one thread; between two barriers a tile is only written, each pair by one thread, or only read.
#![allow(unsafe_code, reason = "threads write at more than their own index, share memory, and instructions are named")]

#[path = "../../../examples/suite/kernels/by_hand/lanes.rs"]
mod lanes;

use core::arch::asm;
use core::arch::nvptx::{
    _block_dim_x, _block_dim_y, _block_idx_x, _block_idx_y, _syncthreads, _thread_idx_x, _thread_idx_y,
};

use lanes::{both, each, pair, twice};
use ptxf::kernel::Element;
use ptxf::{F16, F16x2, ptx};

#[ptxf::ptx_kernel(prefix = hand)]
fn layernorm(t: ThreadX, n: usize, width: usize, x: &[F16x2], gain: &[F16], bias: &[F16], y: &mut [F16x2]) {
    if t < n {
        let mut mean = F16x2::ZERO;
        for j in 0..width {
            mean += x[j * n + t.get()];
        }
        let count = twice(F16::cvt_rn(width as f32));
        let mean = both(mean, count, ptx::div_rn_f32);
        let mut variance = F16x2::ZERO;
        for j in 0..width {
            let d = x[j * n + t.get()] - mean;
            variance += d * d;
        }
        let variance = both(variance, count, ptx::div_rn_f32);
        for j in 0..width {
            let d = x[j * n + t.get()] - mean;
            // 1e-5, rounded to f16.
            let scale = each(variance + pair(0x00A8), ptx::rsqrt_approx_f32);
            // SAFETY: each thread has a column of pairs of its own, so no other thread reads or
            // writes this one.
            unsafe { y.set(j * n + t.get(), d * scale * twice(gain[j]) + twice(bias[j])) };
        }
    }
}

/// Expands to the address of an array of bytes in shared memory.
macro_rules! array {
    ($bytes:literal) => {{
        let address: u32;
        // SAFETY: the instruction only computes an address.
        unsafe {
            asm!(
                concat!("{{ .shared .align 16 .b8 tile[", $bytes, "]; mov.u32 {d}, tile; }}"),
                d = lateout(reg32) address,
                options(nomem, nostack)
            );
        }
        address
    }};
}

/// # Safety
///
/// The address is of an f16 in shared memory that was written.
#[inline(always)]
unsafe fn half(address: u32) -> F16 {
    let x: u16;
    // SAFETY: the caller's.
    unsafe {
        asm!("ld.shared.b16 {x}, [{a}];", x = lateout(reg16) x, a = in(reg32) address, options(pure, readonly, nostack))
    };
    F16::from_bits(x)
}

/// # Safety
///
/// The address is of a pair in shared memory that was written.
#[inline(always)]
unsafe fn word(address: u32) -> F16x2 {
    let x: u32;
    // SAFETY: the caller's.
    unsafe {
        asm!("ld.shared.b32 {x}, [{a}];", x = lateout(reg32) x, a = in(reg32) address, options(pure, readonly, nostack))
    };
    F16x2::from_bits(x)
}

/// # Safety
///
/// The address is of a pair in shared memory.
#[inline(always)]
unsafe fn set_word(address: u32, x: F16x2) {
    // SAFETY: the caller's.
    unsafe { asm!("st.shared.b32 [{a}], {x};", a = in(reg32) address, x = in(reg32) x.to_bits(), options(nostack)) };
}

/// Multiplies `a` and `b` by tiles of 16 × 16, in blocks of 8 × 16 threads. `width` is the number
/// of pairs in a row of `b` and `c`.
///
/// # Safety
///
/// The matrices have as many elements, and begin at pairs; `depth` is a multiple of 16, and blocks
/// are whole.
#[unsafe(export_name = "hand_tiles")]
unsafe extern "ptx-kernel" fn tiles(
    width: usize,
    depth: usize,
    a: Option<&[F16x2; 0]>,
    b: Option<&[F16x2; 0]>,
    c: *mut F16x2,
) {
    let (at, bt) = (array!("512"), array!("512"));
    let (Some(a), Some(b)) = (a, b) else { return };
    let (a, b) = (a.as_ptr(), b.as_ptr());
    // SAFETY: the caller's, and the invariant.
    unsafe {
        let (lx, ly) = (_thread_idx_x(), _thread_idx_y());
        let (col, row) =
            ((_block_idx_x() * _block_dim_x() + lx) as usize, (_block_idx_y() * _block_dim_y() + ly) as usize);
        let mut s = F16x2::ZERO;
        for tile in 0..depth / 16 {
            set_word(at + ly * 32 + lx * 4, a.add(row * (depth / 2) + tile * 8 + lx as usize).read());
            set_word(bt + ly * 32 + lx * 4, b.add((tile * 16 + ly as usize) * width + col).read());
            _syncthreads();
            for k in 0..16 {
                s += twice(half(at + ly * 32 + k * 2)) * word(bt + k * 32 + lx * 4);
            }
            _syncthreads();
        }
        if col < width {
            c.add(row * width + col).write(s);
        }
    }
}

/// Computes the acceleration of two bodies by all bodies, in blocks of 32 threads.
///
/// # Safety
///
/// The arrays begin at pairs and have `n` bodies, rounded up to a multiple of 64.
#[unsafe(export_name = "hand_accelerate")]
unsafe extern "ptx-kernel" fn accelerate(
    n: usize,
    x: Option<&[F16x2; 0]>,
    y: Option<&[F16x2; 0]>,
    z: Option<&[F16x2; 0]>,
    mass: Option<&[F16x2; 0]>,
    fx: *mut F16x2,
    fy: *mut F16x2,
    fz: *mut F16x2,
) {
    let (xs, ys, zs, masses) = (array!("128"), array!("128"), array!("128"), array!("128"));
    let (Some(x), Some(y), Some(z), Some(mass)) = (x, y, z, mass) else { return };
    let (x, y, z, mass) = (x.as_ptr(), y.as_ptr(), z.as_ptr(), mass.as_ptr());
    // SAFETY: the caller's, and the invariant.
    unsafe {
        let l = _thread_idx_x();
        let t = (_block_idx_x() * _block_dim_x() + l) as usize;
        let (x0, y0, z0) = (x.add(t).read(), y.add(t).read(), z.add(t).read());
        let (mut ax, mut ay, mut az) = (F16x2::ZERO, F16x2::ZERO, F16x2::ZERO);
        for tile in 0..n.div_ceil(64) {
            let (there, other) = (l * 4, tile * 32 + l as usize);
            set_word(xs + there, x.add(other).read());
            set_word(ys + there, y.add(other).read());
            set_word(zs + there, z.add(other).read());
            set_word(masses + there, mass.add(other).read());
            _syncthreads();
            for k in 0..(n - tile * 64).min(64) {
                let there = k as u32 * 2;
                let dx = twice(half(xs + there)) - x0;
                let dy = twice(half(ys + there)) - y0;
                let dz = twice(half(zs + there)) - z0;
                let r2 = dx * dx + dy * dy + dz * dz + pair(0x3400);
                let near = each(r2, ptx::rsqrt_approx_f32);
                let f = twice(half(masses + there)) * (near * (near * near));
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            _syncthreads();
        }
        fx.add(t).write(ax);
        fy.add(t).write(ay);
        fz.add(t).write(az);
    }
}
