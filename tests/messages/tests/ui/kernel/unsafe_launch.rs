//! An `unsafe fn` without `pair` has an `unsafe` launch, and parts of an expansion are `unsafe`.

use core::marker::PhantomData;

use ptxf::kernel::__expansion::{Out, launch_wide};
use ptxf::{F16, ptx_kernel};

/// # Safety
///
/// `p` is valid for reading as many numbers as there are threads.
#[ptx_kernel]
unsafe fn through_a_pointer(t: ThreadX, p: usize, out: &mut [u64]) {
    let p = (p as *const u64).wrapping_add(t.get());
    // SAFETY: the caller's.
    out[t] = unsafe { p.read() };
}

#[ptx_kernel]
fn other_elements(t: ThreadX, out: &mut [u64]) {
    out.set(t + 1, out.get(0));
}

#[ptx_kernel(pair = F16x2)]
fn constant(t: ThreadX, out: &mut [f32]) {
    out[t] = 1.0;
}

fn main() {
    let mut out = [0; 3];
    through_a_pointer::launch(3, [1_u64, 2, 3].as_ptr() as usize, &mut out);
    let mut out = [F16::ZERO; 3];
    let out = Out::of_launch(&mut out);
    let arguments = __constantArguments::<'_, F16> { __lifetime: PhantomData, out };
    launch_wide([3, 3], arguments);
}
