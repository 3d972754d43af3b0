//! PTX instructions that `ptx!` does not have.

use ptxf::ptx;

fn main() {
    let p = true;
    ptx! {
        .reg .f32 d;
        @p add.rn.f32 d, 1.0, 2.0;
        @!p add.rn.f32 d, 1.0, 2.0;
        add.rn.f32 e, 0f3F800000, 0d3FF0000000000000;
        { add.rn.f32 d, 1.0, 2.0; }
    }
}
