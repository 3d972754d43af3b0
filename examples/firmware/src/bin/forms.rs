//! Prints the checksum of every form and conversion. `cargo xtask firmware` compares them with the
//! host's.

#![no_std]
#![no_main]

#[path = "../grid.rs"]
mod grid;

use firmware::board::entry;
use firmware::part;
use semihosting::{println, process};

firmware::tell_panics!();

#[entry]
fn main() -> ! {
    grid::each(|_| true, |name, checksum| println!("{name} {checksum:016x}"));
    process::exit(0)
}
