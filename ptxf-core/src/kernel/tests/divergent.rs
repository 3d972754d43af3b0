//! A body that needs masks everywhere: branches, a loop that threads leave at different times, and
//! an index per thread.

use core::marker::PhantomData;

use crate::kernel::__expansion::*;
use crate::kernel::*;

/// Computes [`Divergent::one`] for every thread.
#[derive(Clone, Copy)]
pub(super) struct Divergent<'a, E> {
    pub(super) x: In<'a, E>,
    pub(super) index: In<'a, u32>,
    pub(super) out: Out<'a, E>,
    pub(super) kept: Out<'a, f32>,
    pub(super) count: Out<'a, i32>,
    pub(super) seen: Out<'a, u32>,
    pub(super) n: usize,
}

/// A function that stands for a table: the absolute value of negative numbers, half of all others.
struct Halved<E>(PhantomData<E>);

impl<E: Element> Unary for Halved<E> {
    type Of = E;
    fn unary(&self, x: E) -> E {
        if E::cmp(Cmp::Lt, x, E::default()) { E::op1(Op1::Abs, x) } else { E::op2(Op2::Mul, x, E::cvt_rn(0.5)) }
    }
}

// SAFETY: a thread writes at its own index and, in `out`, at its mirror image; the body states no
// alignment.
unsafe impl<E: Element> Body for Divergent<'_, E> {
    type Elem = E;
    const NAME: &'static str = "divergent";
    const AXES: usize = 1;

    fn one(&self, at: At) {
        let (t, n) = (at.x.0, self.n);
        if t >= n {
            return;
        }
        let mut kept = 0.0;
        let mut steps = 0_i32;
        let own = self.x.get(self.index.get(t) as usize % n);
        let rest = t % 3;
        if rest != 0 && E::cmp(Cmp::Gt, own, E::default()) {
            let left = if t == 0 { own } else { self.x.get(t - 1) };
            let right = if t == n - 1 { own } else { self.x.get(t + 1) };
            kept = f32::fma(left.widen(), right.widen(), kept);
            let mut v = own;
            while E::cmp(Cmp::Gt, v, E::cvt_rn(1.0)) {
                v = E::op2(Op2::Mul, v, E::cvt_rn(0.5));
                steps += 1;
                if steps == 9 {
                    break;
                }
                kept = f32::op2(Op2::Add, kept, v.widen());
            }
            self.out.set(n - 1 - t, v);
            self.seen.set(t, (100 / rest) as u32);
        } else {
            let sum = E::op2(Op2::Add, Halved(PhantomData).unary(own), E::from_int(t));
            self.out.set(n - 1 - t, E::op2(Op2::Max, sum, E::cvt_rn(kept)));
        }
        self.kept.set(t, kept);
        self.count.set(t, steps.wrapping_add(i32::from_f32(kept)));
    }

    #[inline_in_release]
    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask {
        cx.and_not(x.mask(cx), cx.compare_indices(Cmp::Ge, at.x, self.n))
    }

    #[inline_in_release]
    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) {
        let (t, n, all) = (at.x, self.n, x.mask(cx));
        let mut kept = cx.splat::<InF32>(0.0);
        let mut steps = cx.splat::<i32>(0);
        let threads = cx.indices(t);
        let index = cx.int_cast::<u32, usize>(cx.load::<u32, _>(self.index, t, Parity::Unknown, x));
        let own =
            cx.gather::<InElement, _>(self.x, cx.int_op::<usize>(IntOp::Rem, index, cx.splat::<usize>(n), all), x);
        let rest = cx.int_op::<usize>(IntOp::Rem, threads, cx.splat::<usize>(3), all);
        let nonzero = cx.compare::<usize, _>(cmp::Ne, rest, cx.splat::<usize>(0));
        let yes =
            cx.and(all, cx.and(nonzero, cx.compare::<InElement, _>(cmp::Gt, own, cx.splat::<InElement>(E::default()))));
        let reversed = cx.int_op::<usize>(IntOp::Sub, cx.splat::<usize>(n - 1), threads, all);
        if cx.any(yes) {
            let edge = cx.compare_indices(Cmp::Eq, t, 0);
            let left = cx.load::<InElement, _>(self.x, t - 1, Parity::Unknown, Masked(cx.and_not(yes, edge)));
            let left = cx.select::<InElement>(edge, own, left);
            let edge = cx.compare_indices(Cmp::Eq, t, n - 1);
            let right = cx.load::<InElement, _>(self.x, t + 1, Parity::Unknown, Masked(cx.and_not(yes, edge)));
            let right = cx.select::<InElement>(edge, own, right);
            kept = cx.select::<InF32>(yes, cx.fma::<InF32>(cx.widen(left), cx.widen(right), kept), kept);
            let mut v = own;
            let mut m = yes;
            loop {
                m = cx.and(m, cx.compare::<InElement, _>(cmp::Gt, v, cx.splat::<InElement>(E::cvt_rn(1.0))));
                if !cx.any(m) {
                    break;
                }
                v = cx.select::<InElement>(
                    m,
                    cx.op2::<InElement, _>(op2::Mul, v, cx.splat::<InElement>(E::cvt_rn(0.5))),
                    v,
                );
                steps = cx.select::<i32>(m, cx.int_op::<i32>(IntOp::Add, steps, cx.splat::<i32>(1), m), steps);
                m = cx.and_not(m, cx.compare::<i32, _>(cmp::Eq, steps, cx.splat::<i32>(9)));
                kept = cx.select::<InF32>(m, cx.op2::<InF32, _>(op2::Add, kept, cx.widen(v)), kept);
            }
            cx.scatter::<InElement, _>(self.out, reversed, Masked(yes), v);
            let hundred = cx.int_op::<usize>(IntOp::Div, cx.splat::<usize>(100), rest, yes);
            cx.store::<u32, _>(self.seen, t, Parity::Unknown, Masked(yes), cx.int_cast::<usize, u32>(hundred));
        }
        let no = cx.and_not(all, yes);
        if cx.any(no) {
            let sum = cx.op2::<InElement, _>(
                op2::Add,
                cx.table(&Halved::<E>(PhantomData), own, Masked(no)),
                cx.int_to_float::<InElement, usize>(threads),
            );
            cx.scatter::<InElement, _>(
                self.out,
                reversed,
                Masked(no),
                cx.op2::<InElement, _>(op2::Max, sum, cx.cvt_rn(kept)),
            );
        }
        cx.store::<InF32, _>(self.kept, t, Parity::Unknown, x, kept);
        cx.store::<i32, _>(
            self.count,
            t,
            Parity::Unknown,
            x,
            cx.int_op::<i32>(IntOp::Add, steps, cx.float_to_int::<i32>(kept), all),
        );
    }

    fn aligned(&self) -> bool {
        false
    }
}
