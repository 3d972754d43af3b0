//! A body with all that takes masks: branches, a loop that threads leave at different times, indices of their own.

use core::marker::PhantomData;

use crate::kernel::*;

/// What [`Divergent::one`] does, for every thread.
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

/// The bits of a kind of table, which no arithmetic makes.
struct Halved<E>(PhantomData<E>);

impl<E: Element> Unary for Halved<E> {
    type Of = E;
    fn unary(&self, x: E) -> E {
        if E::cmp(Cmp::Lt, x, E::default()) { E::op1(Op1::Abs, x) } else { E::op2(Op2::Mul, x, E::cvt_rn(0.5)) }
    }
}

// SAFETY: a thread writes at its own index and, in `out`, at that of its mirror image; nothing is said of alignment.
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

    #[inline(always)]
    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::M {
        cx.and_not(x.mask(cx), cx.lin_cmp(Cmp::Ge, at.x, self.n))
    }

    #[inline(always)]
    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) {
        let (t, n, all) = (at.x, self.n, x.mask(cx));
        let mut kept = cx.splat_k(0.0);
        let mut steps = cx.splat_int(0_i32);
        let threads = cx.lanes(t);
        let index = cx.int_as::<u32, usize>(cx.load_int(self.index, t, x));
        let own = cx.gather_e(self.x, cx.int2(IntOp::Rem, index, cx.splat_int(n), all), x);
        let rest = cx.int2(IntOp::Rem, threads, cx.splat_int(3), all);
        let nonzero = cx.int_cmp(Cmp::Ne, rest, cx.splat_int(0));
        let yes = cx.and(all, cx.and(nonzero, cx.e_cmp(cmp::Gt, own, cx.splat_e(E::default()))));
        let reversed = cx.int2(IntOp::Sub, cx.splat_int(n - 1), threads, all);
        if cx.any(yes) {
            let edge = cx.lin_cmp(Cmp::Eq, t, 0);
            let left = cx.load_e(self.x, t - 1, Parity::Unknown, Masked(cx.and_not(yes, edge)));
            let left = cx.e_select(edge, own, left);
            let edge = cx.lin_cmp(Cmp::Eq, t, n - 1);
            let right = cx.load_e(self.x, t + 1, Parity::Unknown, Masked(cx.and_not(yes, edge)));
            let right = cx.e_select(edge, own, right);
            kept = cx.k_select(yes, cx.k_fma(cx.widen(left), cx.widen(right), kept), kept);
            let mut v = own;
            let mut m = yes;
            loop {
                m = cx.and(m, cx.e_cmp(cmp::Gt, v, cx.splat_e(E::cvt_rn(1.0))));
                if !cx.any(m) {
                    break;
                }
                v = cx.e_select(m, cx.e2(op2::Mul, v, cx.splat_e(E::cvt_rn(0.5))), v);
                steps = cx.int_select(m, cx.int2(IntOp::Add, steps, cx.splat_int(1), m), steps);
                m = cx.and_not(m, cx.int_cmp(Cmp::Eq, steps, cx.splat_int(9)));
                kept = cx.k_select(m, cx.k2(op2::Add, kept, cx.widen(v)), kept);
            }
            cx.scatter_e(self.out, reversed, Masked(yes), v);
            let hundred = cx.int2(IntOp::Div, cx.splat_int(100), rest, yes);
            cx.store_int(self.seen, t, Masked(yes), cx.int_as::<usize, u32>(hundred));
        }
        let no = cx.and_not(all, yes);
        if cx.any(no) {
            let sum = cx.e2(op2::Add, cx.table(&Halved::<E>(PhantomData), own, Masked(no)), cx.int_to_e(threads));
            cx.scatter_e(self.out, reversed, Masked(no), cx.e2(op2::Max, sum, cx.cvt_rn(kept)));
        }
        cx.store_k(self.kept, t, x, kept);
        cx.store_int(self.count, t, x, cx.int2(IntOp::Add, steps, cx.k_to_int(kept), all));
    }

    fn aligned(&self) -> bool {
        false
    }
}
