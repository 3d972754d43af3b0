//! One error for each wrong line, none for what uses their destinations.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    ptx! {
        mul.rn.sat.rn.f16 t, a, a;
        add.rm.f16 u, t, a;
        fma.f16 v, t, u, a;
    }
    let _: u16 = ptx!(neg.f61(v)).to_bits();
    let _: F16 = ptx! {
        neg.relu.f16 w, v;
        add.rn.f16(w)
    };
}
