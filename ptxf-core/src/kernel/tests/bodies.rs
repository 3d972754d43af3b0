//! Bodies as the macro would expand them.

use crate::kernel::__expansion::*;
use crate::kernel::*;

/// `if t < n { out[t] = sqrt((lat0 − lat[t])² + (lng0 − lng[t])²) }`
#[derive(Clone, Copy)]
pub(super) struct Nn<'a, E> {
    pub(super) out: Out<'a, E>,
    pub(super) lat: In<'a, E>,
    pub(super) lng: In<'a, E>,
    pub(super) at: [E; 2],
    pub(super) n: usize,
}

// SAFETY: a thread accesses and writes only elements at its own index; `aligned` checks every
// slice.
#[inline_in_release]
unsafe impl<E: Element> Body for Nn<'_, E> {
    type Elem = E;
    const NAME: &'static str = "nn";
    const AXES: usize = 1;

    fn one(&self, at: At) {
        let t = at.x.0;
        if t < self.n {
            let x = E::op2(Op2::Sub, self.at[0], self.lat.get(t));
            let y = E::op2(Op2::Sub, self.at[1], self.lng.get(t));
            let sum = E::op2(Op2::Add, E::op2(Op2::Mul, x, x), E::op2(Op2::Mul, y, y));
            self.out.set(t, E::op1(Op1::Sqrt, sum));
        }
    }
    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask {
        cx.and(x.mask(cx), cx.compare_indices(Cmp::Lt, at.x, self.n))
    }
    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let x = cx.op2::<InElement, _>(
            op2::Sub,
            cx.splat::<InElement>(self.at[0]),
            cx.load::<InElement, _>(self.lat, at.x, Parity::Even, m),
        );
        let y = cx.op2::<InElement, _>(
            op2::Sub,
            cx.splat::<InElement>(self.at[1]),
            cx.load::<InElement, _>(self.lng, at.x, Parity::Even, m),
        );
        let sum = cx.op2::<InElement, _>(
            op2::Add,
            cx.op2::<InElement, _>(op2::Mul, x, x),
            cx.op2::<InElement, _>(op2::Mul, y, y),
        );
        cx.store::<InElement, _>(self.out, at.x, Parity::Even, m, cx.op1::<InElement, _>(op1::Sqrt, sum));
    }
    fn aligned(&self) -> bool {
        self.out.begins_aligned_to::<E::Pair>()
            && self.lat.begins_aligned_to::<E::Pair>()
            && self.lng.begins_aligned_to::<E::Pair>()
    }
}
