//! A program that uses the parts of the library that its features select.
//!
//! `cargo xtask firmware --size` measures its size. The program prints nothing, because formatting
//! would be most of the size.

#![no_std]
#![no_main]

#[cfg(any(feature = "size-add", feature = "size-stack"))]
use core::hint::black_box;

use firmware::board::entry;

#[cfg(feature = "size-table")]
ptxf::unary_table!(static TANH: F16 -> F16 = |x| tanh(x), range = -5.0..=5.0, symmetry = odd);

/// A silent panic handler. The check would find a panic's text in the file.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[entry]
fn main() -> ! {
    loop {
        round();
        #[cfg(feature = "size-stack")]
        if black_box(true) {
            semihosting::process::exit(firmware::board::stack_used().map_or(0, |bytes| bytes as i32 / 4));
        }
    }
}

/// Calls the function with operands that are opaque to the optimizer, and uses the result.
#[inline(always)]
fn round() {
    #[cfg(feature = "size-add")]
    {
        let [a, b] = black_box([ptxf::F16x2::ZERO; 2]);
        let d = ptxf::ptx::add_rn_f16x2(a, b);
        #[cfg(feature = "size-fma")]
        let d = ptxf::ptx::fma_rn_f16x2(black_box(a), black_box(b), black_box(d));
        black_box(d);
    }
    #[cfg(feature = "size-f32")]
    {
        let [a, b, c] = black_box([0.0_f32; 3]);
        black_box(ptxf::ptx::fma_rn_f32(a, b, c));
    }
    #[cfg(feature = "size-table")]
    black_box(TANH.get(black_box(ptxf::F16::ZERO)));
}
