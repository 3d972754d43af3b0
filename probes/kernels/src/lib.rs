//! The kernels that `cargo xtask ptx --generated` writes.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch)]
#![allow(dead_code, unused_imports, unused_mut, unused_variables, unused_labels, deprecated, reason = "nobody wrote them")]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

include!("../../../target/kernels/device.rs");
