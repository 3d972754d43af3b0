//! Lines that begin with their operands, or have none.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let b = a;
    ptx! {
        add.rn.f16 a, b;
        neg.f16 , a;
        neg.f16;
    }
}
