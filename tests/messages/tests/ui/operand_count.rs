//! Operands too many and too few.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(fma.rn.f16(a, a));
    let _ = ptx!(neg.f16(a, a));
    let _ = ptx!(abs.f16());
    let _ = ptx!(min.f16(a, a, a));
    let _ = ptx!(min.f32(1.0));
    let _ = ptx!(min.xorsign.abs.f32(1.0, 2.0, 3.0));
    ptx! {
        fma.rn.f16 d, a, a, a, a;
        fma.rn.f16 e, a;
    }
}
