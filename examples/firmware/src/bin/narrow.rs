//! Reads handwritten digits with weights of 16, 8 or 4 bits, which the features `weights-e4m3` and
//! `weights-mxfp4` select.
//!
//! It compares accuracy and checksum with the desktop's. With `weights-alone` it classifies one
//! image again and again and prints nothing, so that the size is that of code and weights.

#![no_std]
#![no_main]

#[allow(dead_code, reason = "the program has one of three formats, and the desktop rounds to it")]
#[path = "../../../digits/narrow.rs"]
mod narrow;
#[expect(dead_code, reason = "the desktop rounds the weights, and compares other arithmetics")]
#[path = "../../../digits/network.rs"]
mod network;

use firmware::board::entry;
use narrow::{Layer, Network};
use ptxf::F16x2;

#[cfg(not(any(feature = "weights-e4m3", feature = "weights-mxfp4")))]
use narrow::Half as Weights;
#[cfg(feature = "weights-e4m3")]
use {narrow::E4m3 as Weights, ptxf::E4m3x2};
#[cfg(feature = "weights-mxfp4")]
use {
    narrow::Mxfp4 as Weights,
    ptxf::{E2m1x2, Ue8m0x2},
};

// NETWORK
#[cfg(feature = "weights-e4m3")]
include!(concat!(env!("OUT_DIR"), "/e4m3.rs"));
#[cfg(not(any(feature = "weights-e4m3", feature = "weights-mxfp4")))]
include!(concat!(env!("OUT_DIR"), "/half.rs"));
#[cfg(feature = "weights-mxfp4")]
include!(concat!(env!("OUT_DIR"), "/mxfp4.rs"));

#[cfg(feature = "weights-alone")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

#[cfg(feature = "weights-alone")]
#[entry]
fn main() -> ! {
    use core::hint::black_box;
    loop {
        black_box(NETWORK.logits(&black_box([8; network::PIXELS])));
    }
}

#[cfg(not(feature = "weights-alone"))]
firmware::tell_panics!();

#[cfg(not(feature = "weights-alone"))]
mod images {
    use super::network::PIXELS;

    // IMAGES, LABELS
    include!(concat!(env!("OUT_DIR"), "/images.rs"));
}

#[cfg(not(feature = "weights-alone"))]
#[entry]
fn main() -> ! {
    use firmware::board;
    use narrow::Store as _;
    use network::{Checksum, decision};
    use semihosting::{println, process};

    let (mut right, mut sum) = (0, Checksum::START);
    for (pixels, &label) in images::IMAGES.iter().zip(&images::LABELS) {
        let logits = NETWORK.logits(pixels);
        right += usize::from(decision(&logits) == usize::from(label));
        sum = sum.with(&logits);
    }
    println!("{right} right, checksum {:016x}", sum.0);
    if let Some(stack) = board::stack_used() {
        println!("{stack} bytes of stack");
    }
    process::exit(i32::from((right, sum.0) != Weights::PINNED))
}
