//! Rust's spelling instead of PTX's.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let _ = ptx!(fma_rn_relu_f16(a, a, a));
    let _ = ptx!(max_nan_xorsign_abs_f16(a, a));
    let _ = ptx!(min3.f32(1.0, 2.0, 3.0));
    let _ = ptx!(fma_rn_relu.f16(a, a, a));
    let _ = ptx!(add_rn_f16(a, a));
    let _ = ptx!(add_rz_f16(a, a));
    let _ = ptx!(min.xorsign_abs.f16(a, a));
}
