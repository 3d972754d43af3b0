//! Semicolons forgotten, and one too many.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    ptx! {
        neg.f16 s, a
        abs.f16 t, s;
        add.rn.f16 u, s t;
        add.rn.f16 v, s, u
    }
    ptx!(neg.f16(v););
    let _ = ptx!(add.rn.f16(a a));
    let _ = ptx!(add.rn.f16(a, a) + a);
}
