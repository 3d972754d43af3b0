//! Nothing at all.

use ptxf::ptx;

fn main() {
    ptx!();
}
