//! Spellings that PTX does not complete by itself.

use ptxf::{Bf16, F16, ptx};

fn main() {
    let (a, b) = (F16::default(), Bf16::default());
    let _ = ptx!(fma.f16(a, a, a));
    let _ = ptx!(fma.sat.f32(1.0, 2.0, 3.0));
    let _ = ptx!(div.f32(1.0, 3.0));
    let _ = ptx!(sin.f32(1.0));
    let _ = ptx!(testp.f32(1.0));
    let _ = ptx!(min.xorsign.f16(a, a));
    let _ = ptx!(ex2.approx.bf16(b));
}
