//! Modifiers that no form has together.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(fma.rn.sat.relu.f16(a, a, a));
    let _ = ptx!(fma.rn.ftz.oob.f16(a, a, a));
    let _ = ptx!(add.rn.rz.f32(1.0, 2.0));
    let _ = ptx!(rcp.rn.ftz.f64(3.0));
}
