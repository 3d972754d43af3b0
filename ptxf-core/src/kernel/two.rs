//! Two threads at a time in packed registers, as on a GPU.
//!
//! A mask is a word whose halves are all ones or all zeros, as a device's comparison of pairs
//! returns it. So a selection is one `lop3`.
//!
//! `ALIGNED` means that the parities that the body states hold, and that slices begin at a pair. On
//! a device an access at an even index is then one instruction. A CPU does not use `ALIGNED`; debug
//! builds compare it with the addresses. `ROWS` means that on a device pairs are aligned along rows
//! of odd length. Their other accesses are two elements, without a test of the address.

use core::marker::PhantomData;

use super::atomic::{AtomicInt, AtomicOp, Owner};
use super::beside::Side;
use super::ctx::{Ctx, Exec, Parity, Sealed, Unary, look_up};
use super::element::Element;
use super::index::{Lin, Strided};
use super::int::{IntOp, IntOp1};
use super::op::{Cmp, Known, Op1, Op2};
use super::pair::{self, FloatPair, Joined, Pair};
use super::space::Space;
use super::stored::{Stored, StoredOut};
use super::value::{FloatValue, IntValue, Value};
use super::view::{self, In, Out};

/// A context of two threads; `ALIGNED` if the parities that the body states hold, and `ROWS` if
/// only [`Parity::Row`] does.
pub(super) struct Two<E, const ALIGNED: bool, const ROWS: bool = false>(PhantomData<E>);

#[inline_in_release]
impl<E, const ALIGNED: bool, const ROWS: bool> Clone for Two<E, ALIGNED, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, const ALIGNED: bool, const ROWS: bool> Copy for Two<E, ALIGNED, ROWS> {}

#[inline_in_release]
impl<E: Element, const ALIGNED: bool, const ROWS: bool> Two<E, ALIGNED, ROWS> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns `true` if an access is aligned to a pair, `false` if not, and `None` if this is
    /// unknown.
    fn alignment(parity: Parity) -> Option<bool> {
        match parity {
            Parity::Row if ALIGNED || ROWS => Some(true),
            Parity::Multiple | Parity::Even if ALIGNED => Some(true),
            Parity::Odd if ALIGNED => Some(false),
            _ if ROWS => Some(false),
            _ => None,
        }
    }

    /// Returns `true` if both threads run, and may therefore share one access. The mask is tested
    /// in shared memory alone: there a tree's threads nearly always run in pairs. At the edges of a
    /// grid, as in hotspot3D, the test costs more than it saves.
    fn both<X: Exec<Self>>(space: Space, x: X) -> bool {
        X::ALL || space.is_shared() && x.mask(Self::new()) == !0
    }
}

/// Returns the indices of both threads.
#[inline_in_release]
fn indices(i: Lin) -> [usize; 2] {
    [i.0, (i + 1).0]
}

/// Loads `slice[i]` for the threads of `m`, with zeros for the others.
#[inline_in_release]
#[track_caller]
fn gather<T: Copy + Default>(slice: In<'_, T>, [i, j]: [usize; 2], m: u32) -> [T; 2] {
    [if m & 1 != 0 { slice.get(i) } else { T::default() }, if m >> 31 != 0 { slice.get(j) } else { T::default() }]
}

/// Returns the indices at `a` for the threads of `m`, and those at `b` for the others.
#[inline_in_release]
fn pair_of(m: u32, a: Lin, b: Lin) -> [usize; 2] {
    <[usize; 2] as Pair>::select(m, indices(a), indices(b))
}

/// Stores to `slice[i]` for the threads of `m`.
#[inline_in_release]
#[track_caller]
fn scatter<T: Copy>(slice: Out<'_, T>, [i, j]: [usize; 2], m: u32, [low, high]: [T; 2]) {
    if m & 1 != 0 {
        slice.set(i, low);
    }
    if m >> 31 != 0 {
        slice.set(j, high);
    }
}

impl<E, const ALIGNED: bool, const ROWS: bool> Sealed for Two<E, ALIGNED, ROWS> {}

#[inline_in_release]
impl<E: Element, const ALIGNED: bool, const ROWS: bool> Ctx for Two<E, ALIGNED, ROWS> {
    type Elem = E;
    const LANES: usize = 2;
    const CHOOSES_INDICES: bool = true;
    type V<K: Value<Self>> = K::Pair;
    /// All ones or all zeros in each half.
    type Mask = u32;

    fn mask(self, all: bool) -> u32 {
        if all { !0 } else { 0 }
    }
    fn and(self, a: u32, b: u32) -> u32 {
        a & b
    }
    fn or(self, a: u32, b: u32) -> u32 {
        a | b
    }
    fn and_not(self, a: u32, b: u32) -> u32 {
        a & !b
    }
    fn any(self, m: u32) -> bool {
        m != 0
    }
    fn all(self, m: u32) -> bool {
        m == !0
    }
    fn count(self, m: u32) -> u32 {
        (m & 1) + (m >> 31)
    }
    fn between(self, first: Lin, start: usize, end: usize) -> u32 {
        let [i, j] = indices(first);
        pair::mask([start <= i && i < end, start <= j && j < end])
    }

    fn splat<K: Value<Self>>(self, x: K::Scalar) -> K::Pair {
        K::Pair::splat(x)
    }
    fn select<K: Value<Self>>(self, m: u32, yes: K::Pair, no: K::Pair) -> K::Pair {
        K::Pair::select(m, yes, no)
    }
    fn compare<K: Value<Self>, O: Known<Cmp>>(self, _: O, a: K::Pair, b: K::Pair) -> u32 {
        K::Pair::cmp(O::OP, a, b)
    }

    fn op1<K: FloatValue<Self>, O: Known<Op1>>(self, _: O, a: K::Pair) -> K::Pair {
        K::Pair::op1(O::OP, a)
    }
    fn op2<K: FloatValue<Self>, O: Known<Op2>>(self, _: O, a: K::Pair, b: K::Pair) -> K::Pair {
        K::Pair::op2(O::OP, a, b)
    }
    fn fma<K: FloatValue<Self>>(self, a: K::Pair, b: K::Pair, c: K::Pair) -> K::Pair {
        K::Pair::fma(a, b, c)
    }
    fn widen(self, a: E::Pair) -> [f32; 2] {
        let [a, b] = a.split();
        [a.widen(), b.widen()]
    }
    fn cvt_rn(self, a: [f32; 2]) -> E::Pair {
        E::Pair::cvt_rn(a)
    }
    fn int_to_float<K: FloatValue<Self>, T: IntValue<Self>>(self, [a, b]: [T; 2]) -> K::Pair {
        K::Pair::join([K::Scalar::from_int(a), K::Scalar::from_int(b)])
    }

    fn int_op<T: IntValue<Self>>(self, op: IntOp, a: [T; 2], b: [T; 2], m: u32) -> [T; 2] {
        let partial = op.divides();
        [
            if partial && m & 1 == 0 { a[0] } else { T::op2(op, a[0], b[0]) },
            if partial && m >> 31 == 0 { a[1] } else { T::op2(op, a[1], b[1]) },
        ]
    }
    fn int_op1<T: IntValue<Self>>(self, op: IntOp1, [a, b]: [T; 2]) -> [T; 2] {
        [T::op1(op, a), T::op1(op, b)]
    }
    fn int_cast<T: IntValue<Self>, U: IntValue<Self>>(self, [a, b]: [T; 2]) -> [U; 2] {
        [U::wrap(a.to_i128()), U::wrap(b.to_i128())]
    }
    fn float_to_int<T: IntValue<Self>>(self, [a, b]: [f32; 2]) -> [T; 2] {
        [T::from_f32(a), T::from_f32(b)]
    }
    fn indices(self, i: Lin) -> [usize; 2] {
        indices(i)
    }
    fn compare_indices(self, op: Cmp, a: Lin, b: usize) -> u32 {
        <[usize; 2] as Pair>::cmp(op, indices(a), [b; 2])
    }

    fn load<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Lin, parity: Parity, x: X) -> K::Pair {
        if K::IN_PAIRS && Self::both(slice.space(), x) {
            return slice.pair(i.0, Self::alignment(parity));
        }
        K::Pair::join(gather(slice, indices(i), x.mask(self)))
    }
    fn gather<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: [usize; 2], x: X) -> K::Pair {
        K::Pair::join(gather(slice, i, x.mask(self)))
    }
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> K::Pair {
        K::Pair::join(gather(slice, [i.first, i.first.wrapping_add(i.step)], x.mask(self)))
    }
    fn load_beside<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: Lin,
        here: K::Pair,
        m: u32,
        side: Side,
        x: X,
    ) -> K::Pair {
        if X::ALL {
            return side.join(here, slice.get(side.index(i, m)), m);
        }
        K::Pair::join(gather(slice, pair_of(m, i, side.of(i)), x.mask(self)))
    }
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
        value: K::Pair,
    ) {
        if K::IN_PAIRS && Self::both(slice.space(), x) {
            slice.set_pair(i.0, Self::alignment(parity), value);
        } else {
            scatter(slice, indices(i), x.mask(self), value.split());
        }
    }
    fn scatter<K: Value<Self>, X: Exec<Self>>(self, slice: Out<'_, K::Scalar>, i: [usize; 2], x: X, value: K::Pair) {
        scatter(slice, i, x.mask(self), value.split());
    }

    fn load_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> K::Pair {
        if X::ALL {
            return K::Pair::of_stored::<S>(S::two(slice, i.0, Self::alignment(parity)));
        }
        self.gather_as::<K, S, X>(slice, indices(i), x)
    }
    fn gather_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        [i, j]: [usize; 2],
        x: X,
    ) -> K::Pair {
        let m = x.mask(self);
        let asked = [(m & 1 != 0).then_some(i), (m >> 31 != 0).then_some(j)];
        K::Pair::of_stored::<S>(S::some(slice, asked))
    }
    fn store_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
        value: K::Pair,
    ) {
        let value = value.to_stored::<S>();
        if X::ALL {
            S::set_two(slice, i.0, Self::alignment(parity), value);
        } else {
            scatter(slice, indices(i), x.mask(self), value.split());
        }
    }
    fn scatter_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: [usize; 2],
        x: X,
        value: K::Pair,
    ) {
        scatter(slice, i, x.mask(self), value.to_stored::<S>().split());
    }

    fn reduce<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        [i, j]: [usize; 2],
        x: X,
        [low, high]: [T; 2],
    ) {
        let m = x.mask(self);
        if m & 1 != 0 {
            slice.reduce::<S>(op, i, low);
        }
        if m >> 31 != 0 {
            slice.reduce::<S>(op, j, high);
        }
    }
    fn fetch<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        [i, j]: [usize; 2],
        x: X,
        [low, high]: [T; 2],
    ) -> [T; 2] {
        let m = x.mask(self);
        [
            if m & 1 != 0 { slice.fetch::<S>(op, i, low) } else { T::default() },
            if m >> 31 != 0 { slice.fetch::<S>(op, j, high) } else { T::default() },
        ]
    }
    fn compare_exchange<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        slice: Out<'_, T>,
        [i, j]: [usize; 2],
        x: X,
        expected: [T; 2],
        new: [T; 2],
    ) -> [T; 2] {
        let m = x.mask(self);
        [
            if m & 1 != 0 { slice.compare_exchange::<S>(i, expected[0], new[0]) } else { T::default() },
            if m >> 31 != 0 { slice.compare_exchange::<S>(j, expected[1], new[1]) } else { T::default() },
        ]
    }

    fn array_element<K: Value<Self>, X: Exec<Self>>(self, array: &[K::Pair], [i, j]: [usize; 2], x: X) -> K::Pair {
        let m = x.mask(self);
        K::Pair::join([
            if m & 1 != 0 { array[view::in_array(i, array.len())].split()[0] } else { K::Scalar::default() },
            if m >> 31 != 0 { array[view::in_array(j, array.len())].split()[1] } else { K::Scalar::default() },
        ])
    }
    fn set_array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &mut [K::Pair],
        [i, j]: [usize; 2],
        x: X,
        value: K::Pair,
    ) {
        let (m, [low, high]) = (x.mask(self), value.split());
        if m & 1 != 0 {
            let element = &mut array[view::in_array(i, array.len())];
            *element = K::Pair::join([low, element.split()[1]]);
        }
        if m >> 31 != 0 {
            let element = &mut array[view::in_array(j, array.len())];
            *element = K::Pair::join([element.split()[0], high]);
        }
    }
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [[usize; 2]; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> K::Pair {
        let m = x.mask(self);
        K::Pair::join([
            if m & 1 != 0 { of(at.map(|[i, _]| i)) } else { K::Scalar::default() },
            if m >> 31 != 0 { of(at.map(|[_, j]| j)) } else { K::Scalar::default() },
        ])
    }
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: E::Pair, x: X) -> E::Pair {
        let ([a, b], m) = (a.split(), x.mask(self));
        E::Pair::join([
            if m & 1 != 0 { look_up(table, a) } else { E::default() },
            if m >> 31 != 0 { look_up(table, b) } else { E::default() },
        ])
    }
}
