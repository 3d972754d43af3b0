//! PTX distinguishes upper and lower case.

use ptxf::ptx;

fn main() {
    let _ = ptx!(min.nan.f32(1.0, 2.0));
    let _ = ptx!(add.rn.FTZ.f32(1.0, 2.0));
    let _ = ptx!(add.rn.F32(1.0, 2.0));
    let _ = ptx!(ADD.rn.f32(1.0, 2.0));
}
