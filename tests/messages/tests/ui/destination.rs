//! Destinations that `let` cannot bind.

use ptxf::{F16, ptx};

fn main() {
    let a = F16::default();
    let mut x = [a];
    ptx! {
        neg.f16 x[0], a;
        neg.f16 mut d, a;
        neg.f16 _, a;
        neg.f16 %f1, a;
        neg.f16 = a;
        neg.f16 d, %f1;
    }
}
