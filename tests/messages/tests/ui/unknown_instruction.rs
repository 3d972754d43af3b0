//! An instruction that is not in the table: the nearest one, and the list.

use ptxf::ptx;

fn main() {
    let (a, b) = (1.0, 2.0);
    let _: f32 = ptx!(ad.rn.f32(a, b));
    let _: f32 = ptx!(cvt.rn.f32(a));
}
