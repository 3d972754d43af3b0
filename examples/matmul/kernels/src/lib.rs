//! Products of matrices by matrix instructions. Each warp computes 32 rows of 32 columns.
// Invariant: each warp writes the tile of its own index.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
#![expect(unsafe_code, reason = "each warp writes a tile of its own")]

use ptxf::kernel::{FragmentA, FragmentC, OutMatrix, Warp, WarpMma};
use ptxf::matrix::View;
use ptxf::{E4m3, F16, ptx_kernel};

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

/// Rows and columns of a warp's tile.
pub const TILE: usize = 32;

/// Computes the warp's tile of `a · b`: two fragments of A by four of B, so that a fragment that
/// was loaded takes part in several instructions.
#[inline(always)]
fn tile<T: WarpMma<T, f32>>(w: Warp, a: View<T>, b: View<T>) -> [[FragmentC<f32>; 4]; 2] {
    let (row, column) = (TILE * w.y(), TILE * w.x());
    let mut sums = [[FragmentC::ZERO; 4]; 2];
    let mut k = 0;
    while k < a.columns() {
        let (upper, lower) = (w.load_a(a, row, k), w.load_a(a, row + 16, k));
        // Without a loop, which the compiler would not unroll: sums are in registers.
        let load = |column| w.load_b(b, k, column);
        let (b0, b1, b2, b3) = (load(column), load(column + 8), load(column + 16), load(column + 24));
        let [[s0, s1, s2, s3], [s4, s5, s6, s7]] = sums;
        sums = [
            [w.mma(upper, b0, s0), w.mma(upper, b1, s1), w.mma(upper, b2, s2), w.mma(upper, b3, s3)],
            [w.mma(lower, b0, s4), w.mma(lower, b1, s5), w.mma(lower, b2, s6), w.mma(lower, b3, s7)],
        ];
        k += FragmentA::<T>::K;
    }
    sums
}

/// Writes a tile.
///
/// # Safety
///
/// No other warp of the launch has this warp's index along x and y.
#[inline(always)]
unsafe fn write(w: Warp, sums: [[FragmentC<f32>; 4]; 2], mut d: OutMatrix<f32>) {
    for (i, sums) in sums.into_iter().enumerate() {
        for (j, sum) in sums.into_iter().enumerate() {
            let (row, column) = (TILE * w.y() + 16 * i, TILE * w.x() + 8 * j);
            // SAFETY: tiles of different warps have no element in common.
            unsafe { w.store(sum, &mut d, row, column) };
        }
    }
}

/// Computes `a · bᵀ` in f16: `a` has m rows of k elements, and `b`, as the weights of a layer, n
/// rows of k.
#[ptx_kernel]
pub fn matmul_f16(w: Warp, m: usize, n: usize, k: usize, a: &[F16], b: &[F16], d: &mut [f32]) {
    let sums = tile(w, a.matrix(m, k), b.matrix(n, k).transposed());
    // SAFETY: the grid has one warp for each index along x and y.
    unsafe { write(w, sums, d.matrix(m, n)) };
}

/// Computes `scale · a · bᵀ` in e4m3.
#[ptx_kernel]
pub fn matmul_e4m3(w: Warp, m: usize, n: usize, k: usize, scale: f32, a: &[E4m3], b: &[E4m3], d: &mut [f32]) {
    let sums = tile(w, a.matrix(m, k), b.matrix(n, k).transposed());
    let scaled = sums.map(|sums| sums.map(|sum| sum.map(|x| x * scale)));
    // SAFETY: as above.
    unsafe { write(w, scaled, d.matrix(m, n)) };
}
