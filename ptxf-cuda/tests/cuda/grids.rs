//! Functions of CUDA's device runtime: all blocks of a cooperative launch wait for each other.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::{self, CUresult};

use crate::raw::{SUCCESS, alloc, context, cu, function, load};
use crate::support::with_library;

/// Block b writes b + 1 to x[b], waits for the grid, and writes the sum of all to y[b]; twice.
const SUM: &str = "
.version 7.8
.target sm_75
.address_size 64
.extern .func (.param .b64 h) cudaCGGetIntrinsicHandle (.param .b32 scope);
.extern .func (.param .b32 e) cudaCGSynchronize (.param .b64 h, .param .b32 flags);
.visible .entry sum(.param .u64 x, .param .u64 y)
{
    .reg .pred %p; .reg .b32 %r<10>; .reg .b64 %l<9>;
    ld.param.u64 %l1, [x];
    ld.param.u64 %l2, [y];
    { .param .b32 a; .param .b64 b; st.param.b32 [a], 1;
      call.uni (b), cudaCGGetIntrinsicHandle, (a); ld.param.b64 %l3, [b]; }
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    mul.wide.u32 %l4, %r1, 4;
    add.u64 %l5, %l1, %l4;
    add.u64 %l6, %l2, %l4;
    mov.u32 %r7, 0;
$round:
    ld.global.u32 %r3, [%l5];
    add.u32 %r3, %r3, %r1;
    add.u32 %r3, %r3, 1;
    { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %l3; st.param.b32 [b], 0;
      call.uni (c), cudaCGSynchronize, (a, b); ld.param.b32 %r8, [c]; }
    st.global.u32 [%l5], %r3;
    { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %l3; st.param.b32 [b], 0;
      call.uni (c), cudaCGSynchronize, (a, b); ld.param.b32 %r8, [c]; }
    mov.u32 %r4, 0;
    mov.u32 %r5, 0;
    mov.u64 %l7, %l1;
$next:
    ld.global.u32 %r6, [%l7];
    add.u32 %r5, %r5, %r6;
    add.u64 %l7, %l7, 4;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p, %r4, %r2;
    @%p bra $next;
    st.global.u32 [%l6], %r5;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p, %r7, 2;
    @%p bra $round;
    ret;
}
";

#[test]
#[ignore = "has no driver by itself"]
fn in_a_grid() {
    context();
    let kernel = function(load(SUM), c"sum").unwrap();
    let (mut x, mut y) = (alloc(28), alloc(28));
    assert_eq!(cu!(cuMemsetD32_v2(x, 0, 7)), SUCCESS);
    let mut arguments: [*mut c_void; 2] = [(&raw mut x).cast(), (&raw mut y).cast()];
    let launched = cu!(cuLaunchCooperativeKernel(kernel, 7, 1, 1, 8, 2, 1, 0, null_mut(), arguments.as_mut_ptr()));
    let mut found = [0_u32; 7];
    assert_eq!((launched, cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), y, 28))), (SUCCESS, SUCCESS));
    assert_eq!(found, [56; 7]);
    // Another launch has no such group.
    assert_eq!(
        cu!(cuLaunchKernel(kernel, 7, 1, 1, 8, 1, 1, 0, null_mut(), arguments.as_mut_ptr(), null_mut())),
        SUCCESS
    );
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_LAUNCH_FAILED);
}

#[test]
fn blocks_of_a_cooperative_launch_wait_for_each_other() {
    let ran = with_library("grids::in_a_grid", &[("PTXF_VM_THREADS", "8")]);
    assert!(ran.err.contains("trap"), "{}", ran.err);
}
