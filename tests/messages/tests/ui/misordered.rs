//! The right names in the wrong order.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(add.rn.sat.ftz.f16(a, a));
    let _ = ptx!(add.f16.rn(a, a));
    let _ = ptx!(min.abs.xorsign.f16(a, a));
}
