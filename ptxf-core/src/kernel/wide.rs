//! As many threads at a time as a vector has 16-bit lanes, through the operations of slices.
//!
//! Masks are the engine's, with one truth value per 16-bit lane. A mask of binary32 lanes is made
//! where it is needed. Floats are vectors (`vector`), integers arrays (`lane`).
//!
//! All functions are `inline(always)` and use no closures, like the engines' operations. A function
//! that is not inlined into the one with the level's target features is compiled without them.

mod dispatch;
pub(super) mod lane;
mod memory;
pub(super) mod narrow;
pub(super) mod vector;

use core::marker::PhantomData;

pub(super) use dispatch::blocks;
pub use dispatch::launch_wide;
use lane::Lane;
use memory as mem;
use vector::FloatLane;

use super::atomic::{AtomicAccess, AtomicInt, Owner};
use super::ctx::{Ctx, Exec, Parity, Sealed, Unary, look_up};
use super::element::Element;
use super::index::{Lin, Strided};
use super::int::{IntOp, IntOp1};
use super::op::{Cmp, Known, Op1, Op2};
use super::stored::{Stored, StoredOut};
use super::value::{FloatValue, InElement, InF32, IntValue, Scalar, Value};
use super::view::{self, In, Out};
use crate::backend::lanes::engine::{Ints as _, M16, Memory, Vectors};
use crate::backend::lanes::op;

/// A context of `N` threads on an engine.
pub(super) struct Wide<G, E, const N: usize> {
    g: G,
    /// `true` if the launch runs on one thread of the CPU.
    alone: bool,
    of: PhantomData<E>,
}

#[inline_in_release]
impl<G: Copy, E, const N: usize> Clone for Wide<G, E, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Copy, E, const N: usize> Copy for Wide<G, E, N> {}

#[inline_in_release]
impl<G: Vectors, E: Element, const N: usize> Wide<G, E, N> {
    pub(super) fn new(g: G, alone: bool) -> Self {
        const { assert!(N == <G::U16 as Memory<u16>>::N && N <= u32::BITS as usize) };
        Self { g, alone, of: PhantomData }
    }

    /// Returns the bits of the first `n` threads.
    fn first(n: usize) -> u32 {
        if n < N { (1 << n) - 1 } else { u32::MAX >> (32 - N) }
    }

    /// Returns the mask of the threads of an access, or `None` for all threads.
    fn some<X: Exec<Self>>(self, x: X) -> Option<M16<G>> {
        if X::ALL { None } else { Some(x.mask(self)) }
    }

    /// Returns the bits of the threads of an access, or `None` for all threads.
    fn some_bits<X: Exec<Self>>(self, x: X) -> Option<u32> {
        if X::ALL { None } else { Some(self.g.mask_to_bits(x.mask(self))) }
    }
}

/// Loops over the threads' values.
macro_rules! each {
    ($i:ident in $n:ident: $body:expr) => {{
        let mut $i = 0;
        while $i < $n {
            $body;
            $i += 1;
        }
    }};
}

/// Computes a value for each running thread, one after the other; other threads get 0.
macro_rules! in_turn {
    ($cx:ident, $x:ident: $X:ident, |$l:ident| $value:expr) => {{
        let bits = $cx.g.mask_to_bits($x.mask($cx));
        let mut d = [Default::default(); N];
        each!($l in N: if $X::ALL || bits >> $l & 1 != 0 {
            d[$l] = $value;
        });
        Lane::from_array($cx.g, d)
    }};
}

impl<G, E, const N: usize> Sealed for Wide<G, E, N> {}

#[inline_in_release]
impl<G: Vectors, E: Element, const N: usize> Ctx for Wide<G, E, N> {
    type Elem = E;
    const LANES: usize = N;
    type V<K: Value<Self>> = <K::Scalar as Lane>::V<G, N>;
    type Mask = M16<G>;

    fn mask(self, all: bool) -> M16<G> {
        self.g.mask_from_bits(if all { !0 } else { 0 })
    }
    fn and(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.mask_and(a, b)
    }
    fn or(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.u16().mask_or(a, b)
    }
    fn and_not(self, a: M16<G>, b: M16<G>) -> M16<G> {
        self.g.mask_and_not(a, b)
    }
    fn any(self, m: M16<G>) -> bool {
        self.g.u16().any(m)
    }
    fn all(self, m: M16<G>) -> bool {
        self.g.all(m)
    }
    fn is_whole(self, m: Self::Mask) -> bool {
        self.all(m)
    }
    fn count(self, m: M16<G>) -> u32 {
        (self.g.mask_to_bits(m) & Self::first(N)).count_ones()
    }
    fn between(self, first: Lin, start: usize, end: usize) -> M16<G> {
        if first.0 > usize::MAX - N {
            // The indices wrap.
            let mut bits = 0;
            each!(l in N: {
                let i = (first + l).0;
                bits |= u32::from(start <= i && i < end) << l;
            });
            return self.g.mask_from_bits(bits);
        }
        let (before, up_to) = (start.saturating_sub(first.0), end.saturating_sub(first.0));
        self.g.mask_from_bits(Self::first(up_to) & !Self::first(before))
    }

    fn splat<K: Value<Self>>(self, x: K::Scalar) -> Self::V<K> {
        K::Scalar::splat(self.g, x)
    }
    fn select<K: Value<Self>>(self, m: M16<G>, yes: Self::V<K>, no: Self::V<K>) -> Self::V<K> {
        K::Scalar::select(self.g, m, yes, no)
    }
    fn compare<K: Value<Self>, O: Known<Cmp>>(self, _: O, a: Self::V<K>, b: Self::V<K>) -> M16<G> {
        K::Scalar::compare::<O, G, N>(self.g, a, b)
    }

    fn op1<K: FloatValue<Self>, O: Known<Op1>>(self, _: O, a: Self::V<K>) -> Self::V<K> {
        vector::op1::<O, K::Scalar, G, N>(self.g, a)
    }
    fn op2<K: FloatValue<Self>, O: Known<Op2>>(self, _: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K> {
        vector::op2::<O, K::Scalar, G, N>(self.g, a, b)
    }
    fn op2_any<K: FloatValue<Self>, O: Known<Op2>>(self, _: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K> {
        vector::op2_any::<O, K::Scalar, G, N>(self.g, a, b)
    }
    fn fma_any<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K> {
        K::Scalar::instruction_any::<op::Fma, G, N>(self.g, [a, b, c])
    }
    fn canonical<K: FloatValue<Self>>(self, a: Self::V<K>) -> Self::V<K> {
        K::Scalar::canonical::<G, N>(self.g, a)
    }
    fn fma<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K> {
        vector::fma::<K::Scalar, G, N>(self.g, a, b, c)
    }
    fn widen(self, a: Self::V<InElement>) -> Self::V<InF32> {
        E::widened(self.g, a)
    }
    fn cvt_rn(self, a: Self::V<InF32>) -> Self::V<InElement> {
        E::rounded(self.g, a)
    }
    fn int_to_float<K: FloatValue<Self>, T: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<K> {
        let a = T::to_array(self.g, a);
        let mut d = [0.0; N];
        each!(l in N: d[l] = if K::Scalar::IS_HALF { a[l].to_f32_odd() } else { a[l].to_f32() });
        K::Scalar::rounded(self.g, f32::from_array(self.g, d))
    }

    fn int_op<T: IntValue<Self>>(self, op: IntOp, a: Self::V<T>, b: Self::V<T>, m: M16<G>) -> Self::V<T> {
        let (a, b) = (T::to_array(self.g, a), T::to_array(self.g, b));
        let mut d = a;
        if op.divides() {
            let bits = self.g.mask_to_bits(m);
            each!(l in N: if bits >> l & 1 != 0 {
                d[l] = T::op2(op, a[l], b[l]);
            });
        } else {
            each!(l in N: d[l] = T::op2(op, a[l], b[l]));
        }
        T::from_array(self.g, d)
    }
    fn int_op1<T: IntValue<Self>>(self, op: IntOp1, a: Self::V<T>) -> Self::V<T> {
        let mut d = T::to_array(self.g, a);
        each!(l in N: d[l] = T::op1(op, d[l]));
        T::from_array(self.g, d)
    }
    fn int_cast<T: IntValue<Self>, U: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<U> {
        let a = T::to_array(self.g, a);
        let mut d = [U::default(); N];
        each!(l in N: d[l] = U::wrap(a[l].to_i128()));
        U::from_array(self.g, d)
    }
    fn float_to_int<T: IntValue<Self>>(self, a: Self::V<InF32>) -> Self::V<T> {
        let a = f32::to_array::<G, N>(self.g, a);
        let mut d = [T::default(); N];
        each!(l in N: d[l] = T::from_f32(a[l]));
        T::from_array(self.g, d)
    }
    fn indices(self, i: Lin) -> [usize; N] {
        let mut d = [0; N];
        each!(l in N: d[l] = (i + l).0);
        d
    }
    fn compare_indices(self, op: Cmp, a: Lin, b: usize) -> M16<G> {
        if a.0 > usize::MAX - N {
            // The indices wrap.
            let mut d = [0; N];
            each!(l in N: d[l] = if <usize as Scalar>::cmp(op, (a + l).0, b) { !0 } else { 0 });
            return mem::mask_of_words(self.g, &d);
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

    fn load<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Lin, _: Parity, x: X) -> Self::V<K> {
        mem::load(self.g, slice, i, self.some(x), self.alone)
    }
    fn gather<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: [usize; N], x: X) -> Self::V<K> {
        K::Scalar::from_array(self.g, mem::gather(slice, &i, self.g.mask_to_bits(x.mask(self))))
    }
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> Self::V<K> {
        mem::load_strided(self.g, slice, i, self.some(x), self.alone)
    }
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        _: Parity,
        x: X,
        value: Self::V<K>,
    ) {
        mem::store(self.g, slice, i, self.some(x), value, self.alone);
    }
    fn scatter<K: Value<Self>, X: Exec<Self>>(self, slice: Out<'_, K::Scalar>, i: [usize; N], x: X, value: Self::V<K>) {
        mem::scatter(slice, &i, self.g.mask_to_bits(x.mask(self)), &K::Scalar::to_array(self.g, value));
    }

    fn load_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Lin,
        _: Parity,
        x: X,
    ) -> Self::V<K> {
        if X::ALL {
            return narrow::numbers::<S::Format, K::Scalar, G, N>(self.g, &S::codes(slice, i.0));
        }
        self.gather_as::<K, S, X>(slice, self.indices(i), x)
    }
    fn gather_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: [usize; N],
        x: X,
    ) -> Self::V<K> {
        let bits = self.some_bits(x);
        let mut codes = [0; N];
        each!(l in N: if bits.is_none_or(|bits| bits >> l & 1 != 0) {
            codes[l] = S::code(slice, i[l]);
        });
        narrow::numbers::<S::Format, K::Scalar, G, N>(self.g, &codes)
    }
    fn store_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Lin,
        _: Parity,
        x: X,
        value: Self::V<K>,
    ) {
        let value = narrow::written::<S, K::Scalar, G, N>(self.g, value);
        match self.some_bits(x) {
            None => slice.set_array(i.0, value),
            Some(bits) => mem::scatter(slice, &self.indices(i), bits, &value),
        }
    }
    fn scatter_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: [usize; N],
        x: X,
        value: Self::V<K>,
    ) {
        let value = narrow::written::<S, K::Scalar, G, N>(self.g, value);
        mem::scatter(slice, &i, self.g.mask_to_bits(x.mask(self)), &value);
    }

    fn atomic<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>, const COUNT: usize>(
        self,
        op: impl AtomicAccess<COUNT>,
        slice: Out<'_, T>,
        i: [usize; N],
        x: X,
        operands: [Self::V<T>; COUNT],
    ) -> Self::V<T> {
        let mut values = [[T::default(); COUNT]; N];
        each!(k in COUNT: {
            let operand = T::to_array(self.g, operands[k]);
            each!(l in N: values[l][k] = operand[l]);
        });
        in_turn!(self, x: X, |l| slice.atomic::<S, COUNT>(op, i[l], values[l]))
    }

    fn array_element<K: Value<Self>, X: Exec<Self>>(self, array: &[Self::V<K>], at: [usize; N], x: X) -> Self::V<K> {
        in_turn!(self, x: X, |l| K::Scalar::to_array(self.g, array[view::in_array(at[l], array.len())])[l])
    }
    fn set_array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &mut [Self::V<K>],
        at: [usize; N],
        x: X,
        value: Self::V<K>,
    ) {
        let bits = self.g.mask_to_bits(x.mask(self));
        let value = K::Scalar::to_array(self.g, value);
        each!(l in N: if X::ALL || bits >> l & 1 != 0 {
            let element = &mut array[view::in_array(at[l], array.len())];
            let mut lanes = K::Scalar::to_array(self.g, *element);
            lanes[l] = value[l];
            *element = K::Scalar::from_array(self.g, lanes);
        });
    }
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [[usize; N]; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> Self::V<K> {
        in_turn!(self, x: X, |l| of(at.map(|i| i[l])))
    }
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: Self::V<InElement>, x: X) -> Self::V<InElement> {
        let a = E::to_array(self.g, a);
        in_turn!(self, x: X, |l| look_up(table, a[l]))
    }
}
