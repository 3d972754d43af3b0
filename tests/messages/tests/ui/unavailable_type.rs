//! A type that the instruction does not have, or nobody has, or too many.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(sin.approx.f16(a));
    let _ = ptx!(add.rn.f8(a, a));
    let _ = ptx!(add.rn.f16.f32(a, a));
}
