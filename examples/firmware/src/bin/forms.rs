//! Prints the checksum of every form of the 16-bit types, for `cargo xtask firmware` to compare with the host's.

#![no_std]
#![no_main]

use firmware::board::entry;
use firmware::grid;
use semihosting::{println, process};

firmware::tell_panics!();

#[entry]
fn main() -> ! {
    grid::each(|form, checksum| println!("{form} {checksum:016x}"));
    process::exit(0)
}
