//! A name that no instruction has.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(fma.rn.fzt.f16(a, a, a));
    let _ = ptx!(fma.rn.foo(a, a, a));
    let _ = ptx!(fma.rn.16(a, a, a));
}
