//! The same modifier twice.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(add.ftz.sat.ftz.f16(a, a));
}
