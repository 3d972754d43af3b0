//! A gated layer of a neural network in half precision: two elements per thread,
//! `y = relu(w × x + b) × tanh(g)`.
// Invariant: an entry's arrays have `n` elements, and the output overlaps no input.

#![no_std]
#![feature(abi_gpu_kernel, abi_ptx, stdarch_nvptx)]

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

use ptxf::{Bf16x2, F16x2, ptx, spec};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

/// Returns the index of this thread.
fn thread() -> usize {
    // SAFETY: special registers are always readable.
    unsafe { (_block_idx_x() * _block_dim_x() + _thread_idx_x()) as usize }
}

/// # Safety
///
/// Every array has `n` elements; `y` overlaps none of the others.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn layer(
    y: *mut F16x2,
    w: *const F16x2,
    x: *const F16x2,
    b: *const F16x2,
    g: *const F16x2,
    n: usize,
) {
    let i = thread();
    if i < n {
        // SAFETY: `i < n`, the length of every array.
        let (w, x, b, g) = unsafe { (*w.add(i), *x.add(i), *b.add(i), *g.add(i)) };
        // The macro takes PTX; methods are the same forms; operators are the `.rn` forms.
        let open = ptx!(fma.rn.relu.f16x2(w, x, b));
        let gate = g.tanh_approx();
        // SAFETY: as above.
        unsafe { *y.add(i) = open * gate + b };
    }
}

/// Computes a form that is an instruction from `sm_90`. On an older target other instructions
/// compute the same bits. `gpu-kernel` is `ptx-kernel` under a name that other GPUs have, too.
///
/// # Safety
///
/// As for [`layer`].
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn gate(y: *mut Bf16x2, g: *const Bf16x2, n: usize) {
    let i = thread();
    if i < n {
        // SAFETY: `i < n`, the length of every array.
        unsafe { *y.add(i) = (*g.add(i)).tanh_approx() };
    }
}

/// Stores 1 if the form of `gate` is native on the target, otherwise 0.
///
/// # Safety
///
/// `y` has one element.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gate_is_native(y: *mut u32) {
    const NATIVE: bool = spec::native("tanh.approx.bf16x2");
    // SAFETY: the caller's promise.
    unsafe { *y = if NATIVE { 1 } else { 0 } };
}
