//! Two threads at a time in packed registers: what a GPU runs.

use core::marker::PhantomData;

use super::ctx::{Ctx, Exec, IntOp, LaneInt, Parity, Sealed, Unary, look_up};
use super::element::Element;
use super::index::Lin;
use super::op::{Cmp, Known, Op1, Op2};
use super::pair::{self, Pair};
use super::view::{In, Out};
use crate::types::F32x2;

/// Two threads; `ALIGNED` if the parities that the body knows hold.
pub(super) struct Two<E, const ALIGNED: bool>(PhantomData<E>);

impl<E, const ALIGNED: bool> Clone for Two<E, ALIGNED> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, const ALIGNED: bool> Copy for Two<E, ALIGNED> {}

impl<E: Element, const ALIGNED: bool> Two<E, ALIGNED> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }

    /// Whether an access is to a pair's address, if that is known.
    #[inline(always)]
    fn alignment(parity: Parity) -> Option<bool> {
        match parity {
            Parity::Even if ALIGNED => Some(true),
            Parity::Odd if ALIGNED => Some(false),
            _ => None,
        }
    }
}

/// The threads' indices.
#[inline(always)]
fn indices(i: Lin) -> [usize; 2] {
    [i.0, (i + 1).0]
}

/// `slice[i]` for the threads of `m`, zeros for the others.
#[inline(always)]
fn gather<T: Copy + Default>(slice: In<'_, T>, [i, j]: [usize; 2], m: u32) -> [T; 2] {
    [if m & 1 != 0 { slice.get(i) } else { T::default() }, if m >> 31 != 0 { slice.get(j) } else { T::default() }]
}

/// `slice[i] = value` for the threads of `m`.
#[inline(always)]
fn scatter<T: Copy>(slice: Out<'_, T>, [i, j]: [usize; 2], m: u32, [low, high]: [T; 2]) {
    if m & 1 != 0 {
        slice.set(i, low);
    }
    if m >> 31 != 0 {
        slice.set(j, high);
    }
}

impl<E, const ALIGNED: bool> Sealed for Two<E, ALIGNED> {}

impl<E: Element, const ALIGNED: bool> Ctx for Two<E, ALIGNED> {
    type Elem = E;
    const LANES: usize = 2;
    type E = E::Pair;
    type K = [f32; 2];
    type Int<T: LaneInt> = [T; 2];
    /// All ones or none in each half.
    type M = u32;

    #[inline(always)]
    fn mask(self, all: bool) -> u32 {
        if all { !0 } else { 0 }
    }
    #[inline(always)]
    fn and(self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    fn and_not(self, a: u32, b: u32) -> u32 {
        a & !b
    }
    #[inline(always)]
    fn any(self, m: u32) -> bool {
        m != 0
    }
    #[inline(always)]
    fn all(self, m: u32) -> bool {
        m == !0
    }
    #[inline(always)]
    fn between(self, first: Lin, start: usize, end: usize) -> u32 {
        let [i, j] = indices(first);
        pair::mask([start <= i && i < end, start <= j && j < end])
    }

    #[inline(always)]
    fn splat_e(self, x: E) -> E::Pair {
        Pair::splat(x)
    }
    #[inline(always)]
    fn e1<O: Known<Op1>>(self, _: O, a: E::Pair) -> E::Pair {
        E::Pair::op1(O::OP, a)
    }
    #[inline(always)]
    fn e2<O: Known<Op2>>(self, _: O, a: E::Pair, b: E::Pair) -> E::Pair {
        E::Pair::op2(O::OP, a, b)
    }
    #[inline(always)]
    fn e_fma(self, a: E::Pair, b: E::Pair, c: E::Pair) -> E::Pair {
        E::Pair::fma(a, b, c)
    }
    #[inline(always)]
    fn e_cmp<O: Known<Cmp>>(self, _: O, a: E::Pair, b: E::Pair) -> u32 {
        E::Pair::cmp(O::OP, a, b)
    }
    #[inline(always)]
    fn e_select(self, m: u32, yes: E::Pair, no: E::Pair) -> E::Pair {
        E::Pair::select(m, yes, no)
    }
    #[inline(always)]
    fn widen(self, a: E::Pair) -> [f32; 2] {
        let [a, b] = a.split();
        [a.widen(), b.widen()]
    }
    #[inline(always)]
    fn cvt_rn(self, a: [f32; 2]) -> E::Pair {
        Pair::cvt_rn(a)
    }

    #[inline(always)]
    fn splat_k(self, x: f32) -> [f32; 2] {
        [x; 2]
    }
    #[inline(always)]
    fn k1<O: Known<Op1>>(self, _: O, [a, b]: [f32; 2]) -> [f32; 2] {
        [f32::op1(O::OP, a), f32::op1(O::OP, b)]
    }
    #[inline(always)]
    fn k2<O: Known<Op2>>(self, _: O, a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
        F32x2::op2(O::OP, a.into(), b.into()).into()
    }
    #[inline(always)]
    fn k_fma(self, a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> [f32; 2] {
        F32x2::fma(a.into(), b.into(), c.into()).into()
    }
    #[inline(always)]
    fn k_cmp<O: Known<Cmp>>(self, _: O, a: [f32; 2], b: [f32; 2]) -> u32 {
        F32x2::cmp(O::OP, a.into(), b.into())
    }
    #[inline(always)]
    fn k_select(self, m: u32, yes: [f32; 2], no: [f32; 2]) -> [f32; 2] {
        pair::select(m, yes, no)
    }

    #[inline(always)]
    fn splat_int<T: LaneInt>(self, x: T) -> [T; 2] {
        [x; 2]
    }
    #[inline(always)]
    fn lanes(self, i: Lin) -> [usize; 2] {
        indices(i)
    }
    #[inline(always)]
    fn int2<T: LaneInt>(self, op: IntOp, a: [T; 2], b: [T; 2], m: u32) -> [T; 2] {
        let partial = matches!(op, IntOp::Div | IntOp::Rem);
        [
            if partial && m & 1 == 0 { a[0] } else { T::op2(op, a[0], b[0]) },
            if partial && m >> 31 == 0 { a[1] } else { T::op2(op, a[1], b[1]) },
        ]
    }
    #[inline(always)]
    fn int_cmp<T: LaneInt>(self, op: Cmp, a: [T; 2], b: [T; 2]) -> u32 {
        pair::mask([T::cmp(op, a[0], b[0]), T::cmp(op, a[1], b[1])])
    }
    #[inline(always)]
    fn int_select<T: LaneInt>(self, m: u32, yes: [T; 2], no: [T; 2]) -> [T; 2] {
        pair::select(m, yes, no)
    }
    #[inline(always)]
    fn int_as<T: LaneInt, U: LaneInt>(self, [a, b]: [T; 2]) -> [U; 2] {
        [U::wrap(a.to_i128()), U::wrap(b.to_i128())]
    }
    #[inline(always)]
    fn int_to_e<T: LaneInt>(self, [a, b]: [T; 2]) -> E::Pair {
        Pair::join([E::from_int(a), E::from_int(b)])
    }
    #[inline(always)]
    fn int_to_k<T: LaneInt>(self, [a, b]: [T; 2]) -> [f32; 2] {
        [a.to_f32(), b.to_f32()]
    }
    #[inline(always)]
    fn k_to_int<T: LaneInt>(self, [a, b]: [f32; 2]) -> [T; 2] {
        [T::from_f32(a), T::from_f32(b)]
    }
    #[inline(always)]
    fn lin_cmp(self, op: Cmp, a: Lin, b: usize) -> u32 {
        self.int_cmp(op, indices(a), [b; 2])
    }

    #[inline(always)]
    fn load_e<X: Exec<Self>>(self, slice: In<'_, E>, i: Lin, parity: Parity, x: X) -> E::Pair {
        if X::ALL {
            return slice.pair(i.0, Self::alignment(parity));
        }
        Pair::join(gather(slice, indices(i), x.mask(self)))
    }
    #[inline(always)]
    fn load_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: Lin, x: X) -> [f32; 2] {
        gather(slice, indices(i), x.mask(self))
    }
    #[inline(always)]
    fn load_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: Lin, x: X) -> [T; 2] {
        gather(slice, indices(i), x.mask(self))
    }
    #[inline(always)]
    fn gather_e<X: Exec<Self>>(self, slice: In<'_, E>, i: [usize; 2], x: X) -> E::Pair {
        Pair::join(gather(slice, i, x.mask(self)))
    }
    #[inline(always)]
    fn gather_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: [usize; 2], x: X) -> [f32; 2] {
        gather(slice, i, x.mask(self))
    }
    #[inline(always)]
    fn gather_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: [usize; 2], x: X) -> [T; 2] {
        gather(slice, i, x.mask(self))
    }

    #[inline(always)]
    fn store_e<X: Exec<Self>>(self, slice: Out<'_, E>, i: Lin, parity: Parity, x: X, value: E::Pair) {
        if X::ALL {
            slice.set_pair(i.0, Self::alignment(parity), value);
        } else {
            scatter(slice, indices(i), x.mask(self), value.split());
        }
    }
    #[inline(always)]
    fn store_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: Lin, x: X, value: [f32; 2]) {
        scatter(slice, indices(i), x.mask(self), value);
    }
    #[inline(always)]
    fn store_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: Lin, x: X, value: [T; 2]) {
        scatter(slice, indices(i), x.mask(self), value);
    }
    #[inline(always)]
    fn scatter_e<X: Exec<Self>>(self, slice: Out<'_, E>, i: [usize; 2], x: X, value: E::Pair) {
        scatter(slice, i, x.mask(self), value.split());
    }
    #[inline(always)]
    fn scatter_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: [usize; 2], x: X, value: [f32; 2]) {
        scatter(slice, i, x.mask(self), value);
    }
    #[inline(always)]
    fn scatter_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: [usize; 2], x: X, value: [T; 2]) {
        scatter(slice, i, x.mask(self), value);
    }

    #[inline(always)]
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: E::Pair, x: X) -> E::Pair {
        let ([a, b], m) = (a.split(), x.mask(self));
        Pair::join([
            if m & 1 != 0 { look_up(table, a) } else { E::default() },
            if m >> 31 != 0 { look_up(table, b) } else { E::default() },
        ])
    }
}
