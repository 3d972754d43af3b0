//! Reads handwritten digits on a microcontroller: the example `digits` in f16x2, with the same
//! bits.
//!
//! The network, 450 images and half of a table of tanh take 73 KiB of flash. There is no allocator.

#![no_std]
#![no_main]

#[expect(dead_code, reason = "the desktop compares eleven arithmetics, this uses one")]
#[path = "../../../digits/network.rs"]
mod network;
#[path = "../../../digits/pinned.rs"]
mod pinned;
#[path = "../../../digits/squash.rs"]
mod squash;

use firmware::board::{self, Clock, entry};
use network::{Checksum, F16, Layer, Network, PIXELS, decision};
use ptxf::F16x2;
use semihosting::{println, process};

// NETWORK; IMAGES, LABELS
include!(concat!(env!("OUT_DIR"), "/flash.rs"));
include!(concat!(env!("OUT_DIR"), "/images.rs"));

/// Number of instructions that calibrate a tick.
const SCALE: u32 = 1_000_000;

firmware::tell_panics!();

#[entry]
fn main() -> ! {
    let clock = Clock::start();
    let (scale, ()) = clock.time(|| board::instructions(SCALE));
    let (mut right, mut slowest, mut total) = (0, 0, 0_u64);
    let (mut plain, mut squashed) = (Checksum::START, Checksum::START);
    for (pixels, &label) in IMAGES.iter().zip(&LABELS) {
        let (ticks, logits) = clock.time(|| NETWORK.logits(pixels));
        (slowest, total) = (ticks.max(slowest), total + u64::from(ticks));
        right += usize::from(decision(&logits) == usize::from(label));
        plain = plain.with(&logits);
        squashed = squashed.with(&squash::squash(&logits));
    }
    let count = IMAGES.len();
    println!("{count} digits, {right} right");
    println!("f16x2 {:016x}", plain.0);
    println!("f16x2, tanh {:016x}", squashed.0);
    println!("{} {} per image, {slowest} at most", total / count as u64, board::UNIT);
    println!("{scale} {} per {SCALE} instructions of a loop", board::UNIT);
    if let Some(stack) = board::stack_used() {
        println!("{stack} bytes of stack");
    }

    let expected = [pinned::F16X2, pinned::F16X2_TANH];
    if [plain.0, squashed.0] == expected && right == pinned::F16X2_RIGHT {
        process::exit(0)
    }
    println!("the desktop has {} right, {:016x}, tanh {:016x}", pinned::F16X2_RIGHT, expected[0], expected[1]);
    process::exit(1)
}
