//! As many threads as a vector of 16-bit lanes has.
//!
//! Everything is `inline(always)` and without closures, as the engines' operations are, and for the same reason.

mod dispatch;
mod memory;
pub(super) mod vector;

use core::marker::PhantomData;

pub(super) use dispatch::each_block;
pub use dispatch::launch_wide;
use memory as mem;
use vector::Vector;

use super::ctx::{Ctx, Exec, IntOp, LaneInt, Parity, Sealed, Unary, look_up};
use super::element::Element;
use super::index::Lin;
use super::op::{Cmp, Known, Op1, Op2};
use super::view::{In, Out};
use crate::backend::lanes::engine::{Ints as _, M16, Memory, V32, Vectors};

/// `N` threads on an engine.
pub(super) struct Wide<G, E, const N: usize> {
    g: G,
    of: PhantomData<E>,
}

impl<G: Copy, E, const N: usize> Clone for Wide<G, E, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Copy, E, const N: usize> Copy for Wide<G, E, N> {}

impl<G: Vectors, E: Element, const N: usize> Wide<G, E, N> {
    #[inline(always)]
    pub(super) fn new(g: G) -> Self {
        const { assert!(N == <G::U16 as Memory<u16>>::N && N <= u32::BITS as usize) };
        Self { g, of: PhantomData }
    }

    /// The first `n` threads.
    #[inline(always)]
    fn first(n: usize) -> u32 {
        if n < N { (1 << n) - 1 } else { u32::MAX >> (32 - N) }
    }

    /// The mask of truth values as words, all ones for true.
    #[inline(always)]
    fn of_words(self, words: &[u16; N]) -> M16<G> {
        let ones = self.g.u16().splat(!0);
        self.g.u16().eq(mem::from_words(self.g, words), ones)
    }

    /// The truth values as words, all ones for true.
    #[inline(always)]
    fn to_words(self, m: M16<G>) -> [u16; N] {
        let (ones, zeros) = (self.g.u16().splat(!0), self.g.u16().splat(0));
        mem::to_words(self.g, self.g.u16().select(m, ones, zeros))
    }
}

/// A loop over the threads' values.
macro_rules! each {
    ($i:ident in $n:ident: $body:expr) => {{
        let mut $i = 0;
        while $i < $n {
            $body;
            $i += 1;
        }
    }};
}

impl<G, E, const N: usize> Sealed for Wide<G, E, N> {}

impl<G: Vectors, E: Element, const N: usize> Ctx for Wide<G, E, N> {
    type Elem = E;
    const LANES: usize = N;
    type E = <E as Vector>::V<G>;
    type K = [V32<G>; 2];
    type Int<T: LaneInt> = [T; N];
    type M = M16<G>;

    #[inline(always)]
    fn mask(self, all: bool) -> M16<G> {
        self.g.mask_from_bits(if all { !0 } else { 0 })
    }
    #[inline(always)]
    fn and(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.mask_and(a, b)
    }
    #[inline(always)]
    fn or(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.u16().mask_or(a, b)
    }
    #[inline(always)]
    fn and_not(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.mask_and_not(a, b)
    }
    #[inline(always)]
    fn any(self, m: M16<G>) -> bool {
        self.g.u16().any(m)
    }
    #[inline(always)]
    fn all(self, m: M16<G>) -> bool {
        self.g.all(m)
    }
    #[inline(always)]
    fn between(self, first: Lin, start: usize, end: usize) -> M16<G> {
        let mut bits = 0;
        each!(l in N: {
            let i = (first + l).0;
            bits |= u32::from(start <= i && i < end) << l;
        });
        self.g.mask_from_bits(bits)
    }

    #[inline(always)]
    fn splat_e(self, x: E) -> Self::E {
        E::splat(self.g, x)
    }
    #[inline(always)]
    fn e1<O: Known<Op1>>(self, _: O, a: Self::E) -> Self::E {
        vector::op1::<O, E, G>(self.g, a)
    }
    #[inline(always)]
    fn e2<O: Known<Op2>>(self, _: O, a: Self::E, b: Self::E) -> Self::E {
        vector::op2::<O, E, G>(self.g, a, b)
    }
    #[inline(always)]
    fn e_fma(self, a: Self::E, b: Self::E, c: Self::E) -> Self::E {
        vector::fma::<E, G>(self.g, a, b, c)
    }
    #[inline(always)]
    fn e_cmp<O: Known<Cmp>>(self, _: O, a: Self::E, b: Self::E) -> M16<G> {
        vector::single_cmp::<O, G>(self.g, E::up_in_order(self.g, a), E::up_in_order(self.g, b))
    }
    #[inline(always)]
    fn e_select(self, m: M16<G>, yes: Self::E, no: Self::E) -> Self::E {
        E::select(self.g, m, yes, no)
    }
    #[inline(always)]
    fn widen(self, a: Self::E) -> Self::K {
        E::widened(self.g, a)
    }
    #[inline(always)]
    fn cvt_rn(self, a: Self::K) -> Self::E {
        E::rounded(self.g, a)
    }

    #[inline(always)]
    fn splat_k(self, x: f32) -> Self::K {
        f32::splat(self.g, x)
    }
    #[inline(always)]
    fn k1<O: Known<Op1>>(self, _: O, a: Self::K) -> Self::K {
        vector::single1::<O, G>(self.g, a)
    }
    #[inline(always)]
    fn k2<O: Known<Op2>>(self, _: O, a: Self::K, b: Self::K) -> Self::K {
        vector::op2::<O, f32, G>(self.g, a, b)
    }
    #[inline(always)]
    fn k_fma(self, a: Self::K, b: Self::K, c: Self::K) -> Self::K {
        vector::fma::<f32, G>(self.g, a, b, c)
    }
    #[inline(always)]
    fn k_cmp<O: Known<Cmp>>(self, _: O, a: Self::K, b: Self::K) -> M16<G> {
        vector::single_cmp::<O, G>(self.g, a, b)
    }
    #[inline(always)]
    fn k_select(self, m: M16<G>, yes: Self::K, no: Self::K) -> Self::K {
        f32::select(self.g, m, yes, no)
    }

    #[inline(always)]
    fn splat_int<T: LaneInt>(self, x: T) -> [T; N] {
        [x; N]
    }
    #[inline(always)]
    fn lanes(self, i: Lin) -> [usize; N] {
        let mut d = [0; N];
        each!(l in N: d[l] = (i + l).0);
        d
    }
    #[inline(always)]
    fn int2<T: LaneInt>(self, op: IntOp, a: [T; N], b: [T; N], m: M16<G>) -> [T; N] {
        let mut d = a;
        if matches!(op, IntOp::Div | IntOp::Rem) {
            let bits = self.g.mask_to_bits(m);
            each!(l in N: if bits >> l & 1 != 0 {
                d[l] = T::op2(op, a[l], b[l]);
            });
        } else {
            each!(l in N: d[l] = T::op2(op, a[l], b[l]));
        }
        d
    }
    #[inline(always)]
    fn int_cmp<T: LaneInt>(self, op: Cmp, a: [T; N], b: [T; N]) -> M16<G> {
        let mut d = [0; N];
        each!(l in N: d[l] = if T::cmp(op, a[l], b[l]) { !0 } else { 0 });
        self.of_words(&d)
    }
    #[inline(always)]
    fn int_select<T: LaneInt>(self, m: M16<G>, yes: [T; N], no: [T; N]) -> [T; N] {
        let m = self.to_words(m);
        let mut d = no;
        each!(l in N: d[l] = if m[l] != 0 { yes[l] } else { no[l] });
        d
    }
    #[inline(always)]
    fn int_as<T: LaneInt, U: LaneInt>(self, a: [T; N]) -> [U; N] {
        let mut d = [U::default(); N];
        each!(l in N: d[l] = U::wrap(a[l].to_i128()));
        d
    }
    #[inline(always)]
    fn int_to_e<T: LaneInt>(self, a: [T; N]) -> Self::E {
        let mut d = [0.0; N];
        each!(l in N: d[l] = if E::IS_HALF { a[l].to_f32_odd() } else { a[l].to_f32() });
        E::rounded(self.g, mem::from_array::<f32, G, N>(self.g, &d))
    }
    #[inline(always)]
    fn int_to_k<T: LaneInt>(self, a: [T; N]) -> Self::K {
        let mut d = [0.0; N];
        each!(l in N: d[l] = a[l].to_f32());
        mem::from_array::<f32, G, N>(self.g, &d)
    }
    #[inline(always)]
    fn k_to_int<T: LaneInt>(self, a: Self::K) -> [T; N] {
        let a = mem::to_array::<f32, G, N>(self.g, a);
        let mut d = [T::default(); N];
        each!(l in N: d[l] = T::from_f32(a[l]));
        d
    }
    #[inline(always)]
    fn lin_cmp(self, op: Cmp, a: Lin, b: usize) -> M16<G> {
        if a.0 > usize::MAX - N {
            // The indices wrap.
            return self.int_cmp(op, self.lanes(a), [b; N]);
        }
        let below = Self::first(b.saturating_sub(a.0));
        let up_to = Self::first(b.saturating_add(1).saturating_sub(a.0));
        self.g.mask_from_bits(match op {
            Cmp::Lt => below,
            Cmp::Le => up_to,
            Cmp::Gt => !up_to,
            Cmp::Ge => !below,
            Cmp::Eq => up_to & !below,
            Cmp::Ne => !up_to | below,
        })
    }

    #[inline(always)]
    fn load_e<X: Exec<Self>>(self, slice: In<'_, E>, i: Lin, _: Parity, x: X) -> Self::E {
        mem::load(self.g, slice, i, if X::ALL { None } else { Some(self.g.mask_to_bits(x.mask(self))) })
    }
    #[inline(always)]
    fn load_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: Lin, x: X) -> Self::K {
        mem::load(self.g, slice, i, if X::ALL { None } else { Some(self.g.mask_to_bits(x.mask(self))) })
    }
    #[inline(always)]
    fn load_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: Lin, x: X) -> [T; N] {
        if X::ALL { mem::load_array(slice, i) } else { self.gather_int(slice, self.lanes(i), x) }
    }
    #[inline(always)]
    fn gather_e<X: Exec<Self>>(self, slice: In<'_, E>, i: [usize; N], x: X) -> Self::E {
        mem::from_array::<E, G, N>(self.g, &mem::gather(slice, &i, self.g.mask_to_bits(x.mask(self))))
    }
    #[inline(always)]
    fn gather_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: [usize; N], x: X) -> Self::K {
        mem::from_array::<f32, G, N>(self.g, &mem::gather(slice, &i, self.g.mask_to_bits(x.mask(self))))
    }
    #[inline(always)]
    fn gather_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: [usize; N], x: X) -> [T; N] {
        mem::gather(slice, &i, self.g.mask_to_bits(x.mask(self)))
    }

    #[inline(always)]
    fn store_e<X: Exec<Self>>(self, slice: Out<'_, E>, i: Lin, _: Parity, x: X, value: Self::E) {
        mem::store(self.g, slice, i, if X::ALL { None } else { Some(self.g.mask_to_bits(x.mask(self))) }, value);
    }
    #[inline(always)]
    fn store_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: Lin, x: X, value: Self::K) {
        mem::store(self.g, slice, i, if X::ALL { None } else { Some(self.g.mask_to_bits(x.mask(self))) }, value);
    }
    #[inline(always)]
    fn store_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: Lin, x: X, value: [T; N]) {
        if X::ALL {
            mem::store_array(slice, i, value);
        } else {
            self.scatter_int(slice, self.lanes(i), x, value);
        }
    }
    #[inline(always)]
    fn scatter_e<X: Exec<Self>>(self, slice: Out<'_, E>, i: [usize; N], x: X, value: Self::E) {
        mem::scatter(slice, &i, self.g.mask_to_bits(x.mask(self)), &mem::to_array::<E, G, N>(self.g, value));
    }
    #[inline(always)]
    fn scatter_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: [usize; N], x: X, value: Self::K) {
        mem::scatter(slice, &i, self.g.mask_to_bits(x.mask(self)), &mem::to_array::<f32, G, N>(self.g, value));
    }
    #[inline(always)]
    fn scatter_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: [usize; N], x: X, value: [T; N]) {
        mem::scatter(slice, &i, self.g.mask_to_bits(x.mask(self)), &value);
    }

    #[inline(always)]
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: Self::E, x: X) -> Self::E {
        let a = mem::to_array::<E, G, N>(self.g, a);
        let bits = self.g.mask_to_bits(x.mask(self));
        let mut d = [E::default(); N];
        each!(l in N: if X::ALL || bits >> l & 1 != 0 {
            d[l] = look_up(table, a[l]);
        });
        mem::from_array::<E, G, N>(self.g, &d)
    }
}
