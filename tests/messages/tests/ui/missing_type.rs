//! No type, in which case the instruction's are listed.

use ptxf::ptx;

fn main() {
    let _ = ptx!(add.rn(1.0, 2.0));
    let _ = ptx!(tanh(1.0));
}
