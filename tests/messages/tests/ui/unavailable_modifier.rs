//! A modifier that the instruction does not have for this type.

use ptxf::{Bf16, ptx};

fn main() {
    let a = Bf16::default();
    let _ = ptx!(add.rn.sat.bf16(a, a));
    let _ = ptx!(add.rz.f16x2(a, a));
    let _ = ptx!(max.relu.f32(a, a));
    let _ = ptx!(testp.approx.f32(a));
}
