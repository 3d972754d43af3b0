//! Users cannot name the parts of an expansion.
#![forbid(unsafe_code)]

use ptxf::kernel::__expansion::{At, Body, Ctx, Exec};
use ptxf::F16;

#[derive(Clone, Copy)]
struct Mine;

impl Body for Mine {
    type Elem = F16;
    const NAME: &'static str = "mine";
    const AXES: usize = 1;
    fn one(&self, _: At) {}
    fn guard<C: Ctx<Elem = F16>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::Mask {
        x.mask(cx)
    }
    fn run<C: Ctx<Elem = F16>, X: Exec<C>>(&self, _: C, _: At, _: X) {}
    fn aligned(&self) -> bool {
        true
    }
}

impl<C: Ctx> Exec<C> for Mine {
    const ALL: bool = true;
    fn mask(self, cx: C) -> C::Mask {
        cx.mask(true)
    }
}

fn main() {}
