//! An operand of the wrong type: the compiler's own error, on the operand.

use ptxf::{F16, ptx};

fn main() {
    let _: F16 = ptx!(add.rn.f16(F16::default(), 1.0f32));
}
