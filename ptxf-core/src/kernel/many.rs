//! Several pairs of threads at a time, for devices.
//!
//! A device's thread that runs 8 threads of the kernel loads 8 neighbouring 16-bit elements in one
//! access of 16 bytes. It also loads and splats each uniform value once for all of them.
//!
//! Each operation computes the pairs one after another, as [`Two`](super::two) does. The code for
//! the pairs is straight: a loop over an array would leave values in local memory if the compiler
//! did not unroll it.
//!
//! `ALIGNED` means that [`Body::aligned_by`](super::ctx::Body::aligned_by) holds.
#![cfg_attr(not(target_arch = "nvptx64"), expect(unreachable_pub, reason = "only expansions for a device use it"))]

use core::marker::PhantomData;

use super::atomic::{AtomicInt, AtomicOp, Owner};
use super::ctx::{Ctx, Exec, Parity, Sealed, Unary, look_up};
use super::element::Element;
use super::index::{Lin, Strided};
use super::int::{IntOp, IntOp1};
use super::op::{Cmp, Known, Op1, Op2};
use super::pair::{self, FloatPair, Joined, Pair};
use super::space::Space;
use super::stored::{Stored, StoredOut};
use super::value::{FloatValue, IntValue, Value};
use super::view::{self, Alignment, In, Out};

/// A number of pairs.
pub trait Pairs: Copy + Send + Sync + 'static {
    /// The number.
    const COUNT: usize;
    /// A value per pair, in memory like an array.
    type Of<T: Copy>: Copy;
    /// Returns `f` of each pair's number, in order.
    fn each<T: Copy>(f: impl FnMut(usize) -> T) -> Self::Of<T>;
    /// Returns the `n`-th pair's value.
    fn get<T: Copy>(values: &Self::Of<T>, n: usize) -> T;
}

/// Two pairs.
#[derive(Clone, Copy, Debug)]
pub struct Pairs2;

/// Two values. The compiler would pass an array of two words as one integer, and shift the words
/// into it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Both<T>(T, T);

#[inline_in_release]
impl Pairs for Pairs2 {
    const COUNT: usize = 2;
    type Of<T: Copy> = Both<T>;

    fn each<T: Copy>(mut f: impl FnMut(usize) -> T) -> Both<T> {
        Both(f(0), f(1))
    }
    fn get<T: Copy>(Both(low, high): &Both<T>, n: usize) -> T {
        if n == 0 { *low } else { *high }
    }
}

macro_rules! pairs {
    ($($name:ident $count:literal $doc:literal [$($i:literal)*];)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        #[inline_in_release]
        impl Pairs for $name {
            const COUNT: usize = $count;
            type Of<T: Copy> = [T; $count];

            fn each<T: Copy>(mut f: impl FnMut(usize) -> T) -> [T; $count] {
                [$(f($i)),*]
            }
            fn get<T: Copy>(values: &[T; $count], n: usize) -> T {
                values[n]
            }
        }
    )*};
}

pairs! {
    Pairs4 4 "Four pairs." [0 1 2 3];
    Pairs8 8 "Eight pairs." [0 1 2 3 4 5 6 7];
}

/// A context of `N` pairs of threads; `ALIGNED` if the alignments that the body states hold.
pub(super) struct Many<E, N, const ALIGNED: bool>(PhantomData<(E, N)>);

#[inline_in_release]
impl<E, N, const ALIGNED: bool> Clone for Many<E, N, ALIGNED> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, N, const ALIGNED: bool> Copy for Many<E, N, ALIGNED> {}

impl<E, N, const ALIGNED: bool> Sealed for Many<E, N, ALIGNED> {}

#[inline_in_release]
impl<E: Element, N: Pairs, const ALIGNED: bool> Many<E, N, ALIGNED> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns the alignment of an access.
    fn alignment(parity: Parity) -> Alignment {
        match parity {
            _ if !ALIGNED => Alignment::Unknown,
            Parity::Multiple => Alignment::Group,
            Parity::Even | Parity::Row => Alignment::Pair,
            Parity::Odd => Alignment::Element,
            Parity::Unknown => Alignment::Unknown,
        }
    }

    /// Returns the alignment of an access to values of type `K`, whose pairs may be two accesses.
    /// In shared memory a pair is the largest access.
    fn alignment_of<K: Value<Self>>(space: Space, parity: Parity) -> Alignment {
        match Self::alignment(parity) {
            Alignment::Group if !space.is_shared() => Alignment::Group,
            other if K::IN_PAIRS => other,
            _ => Alignment::Element,
        }
    }

    /// Returns `true` if all threads run, and may therefore share accesses. The mask is tested in
    /// shared memory alone, as in [`Two`](super::two).
    fn all_run<X: Exec<Self>>(space: Space, x: X) -> bool {
        X::ALL || space.is_shared() && Self::new().all(x.mask(Self::new()))
    }

    /// Computes `f` for each pair's indices and mask.
    fn each<T: Copy>(i: N::Of<[usize; 2]>, m: N::Of<u32>, mut f: impl FnMut([usize; 2], u32) -> T) -> N::Of<T> {
        N::each(|n| f(N::get(&i, n), N::get(&m, n)))
    }

    fn map<A: Copy, T: Copy>(a: N::Of<A>, mut f: impl FnMut(A) -> T) -> N::Of<T> {
        N::each(|n| f(N::get(&a, n)))
    }

    fn fold(m: N::Of<u32>, first: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
        let mut folded = first;
        N::each(|n| folded = f(folded, N::get(&m, n)));
        folded
    }

    fn zip<A: Copy, B: Copy, T: Copy>(a: N::Of<A>, b: N::Of<B>, mut f: impl FnMut(A, B) -> T) -> N::Of<T> {
        N::each(|n| f(N::get(&a, n), N::get(&b, n)))
    }
}

/// Returns the lower and the upper lane of each thread of `m`, as `f` computes it from the lane, or
/// zeros.
#[inline_in_release]
fn some<P: Joined<Lane: Default>>(m: u32, mut f: impl FnMut(usize) -> P::Lane) -> P {
    let low = if m & 1 != 0 { f(0) } else { P::Lane::default() };
    P::join([low, if m >> 31 != 0 { f(1) } else { P::Lane::default() }])
}

/// Calls `f` with the number of each lane of `m`.
#[inline_in_release]
fn for_each(m: u32, mut f: impl FnMut(usize)) {
    if m & 1 != 0 {
        f(0);
    }
    if m >> 31 != 0 {
        f(1);
    }
}

#[inline_in_release]
impl<E: Element, N: Pairs, const ALIGNED: bool> Ctx for Many<E, N, ALIGNED> {
    type Elem = E;
    const LANES: usize = 2 * N::COUNT;
    type V<K: Value<Self>> = N::Of<K::Pair>;
    /// Per pair, all ones or all zeros in each half.
    type Mask = N::Of<u32>;

    fn mask(self, all: bool) -> N::Of<u32> {
        N::each(|_| if all { !0 } else { 0 })
    }
    fn and(self, a: N::Of<u32>, b: N::Of<u32>) -> N::Of<u32> {
        Self::zip(a, b, |a, b| a & b)
    }
    fn or(self, a: N::Of<u32>, b: N::Of<u32>) -> N::Of<u32> {
        Self::zip(a, b, |a, b| a | b)
    }
    fn and_not(self, a: N::Of<u32>, b: N::Of<u32>) -> N::Of<u32> {
        Self::zip(a, b, |a, b| a & !b)
    }
    fn any(self, m: N::Of<u32>) -> bool {
        Self::fold(m, 0, |any, m| any | m) != 0
    }
    fn all(self, m: N::Of<u32>) -> bool {
        Self::fold(m, !0, |all, m| all & m) == !0
    }
    fn is_whole(self, m: N::Of<u32>) -> bool {
        self.all(m)
    }
    fn count(self, m: N::Of<u32>) -> u32 {
        Self::fold(m, 0, |count, m| count + (m & 1) + (m >> 31))
    }
    fn between(self, first: Lin, start: usize, end: usize) -> N::Of<u32> {
        Self::map(self.indices(first), |i| pair::mask(i.map(|i| start <= i && i < end)))
    }

    fn splat<K: Value<Self>>(self, x: K::Scalar) -> N::Of<K::Pair> {
        let x = K::Pair::splat(x);
        N::each(|_| x)
    }
    fn select<K: Value<Self>>(self, m: N::Of<u32>, yes: N::Of<K::Pair>, no: N::Of<K::Pair>) -> N::Of<K::Pair> {
        N::each(|n| K::Pair::select(N::get(&m, n), N::get(&yes, n), N::get(&no, n)))
    }
    fn compare<K: Value<Self>, O: Known<Cmp>>(self, _: O, a: N::Of<K::Pair>, b: N::Of<K::Pair>) -> N::Of<u32> {
        Self::zip(a, b, |a, b| K::Pair::cmp(O::OP, a, b))
    }

    fn op1<K: FloatValue<Self>, O: Known<Op1>>(self, _: O, a: N::Of<K::Pair>) -> N::Of<K::Pair> {
        Self::map(a, |a| K::Pair::op1(O::OP, a))
    }
    fn op2<K: FloatValue<Self>, O: Known<Op2>>(self, _: O, a: N::Of<K::Pair>, b: N::Of<K::Pair>) -> N::Of<K::Pair> {
        Self::zip(a, b, |a, b| K::Pair::op2(O::OP, a, b))
    }
    fn fma<K: FloatValue<Self>>(self, a: N::Of<K::Pair>, b: N::Of<K::Pair>, c: N::Of<K::Pair>) -> N::Of<K::Pair> {
        N::each(|n| K::Pair::fma(N::get(&a, n), N::get(&b, n), N::get(&c, n)))
    }
    fn widen(self, a: N::Of<E::Pair>) -> N::Of<[f32; 2]> {
        Self::map(a, |a| {
            let [a, b] = a.split();
            [a.widen(), b.widen()]
        })
    }
    fn cvt_rn(self, a: N::Of<[f32; 2]>) -> N::Of<E::Pair> {
        Self::map(a, E::Pair::cvt_rn)
    }
    fn int_to_float<K: FloatValue<Self>, T: IntValue<Self>>(self, a: N::Of<[T; 2]>) -> N::Of<K::Pair> {
        Self::map(a, |[a, b]| K::Pair::join([K::Scalar::from_int(a), K::Scalar::from_int(b)]))
    }

    fn int_op<T: IntValue<Self>>(self, op: IntOp, a: N::Of<[T; 2]>, b: N::Of<[T; 2]>, m: N::Of<u32>) -> N::Of<[T; 2]> {
        let partial = op.divides();
        N::each(|n| {
            let (a, b, m) = (N::get(&a, n), N::get(&b, n), N::get(&m, n));
            [
                if partial && m & 1 == 0 { a[0] } else { T::op2(op, a[0], b[0]) },
                if partial && m >> 31 == 0 { a[1] } else { T::op2(op, a[1], b[1]) },
            ]
        })
    }
    fn int_op1<T: IntValue<Self>>(self, op: IntOp1, a: N::Of<[T; 2]>) -> N::Of<[T; 2]> {
        Self::map(a, |[a, b]| [T::op1(op, a), T::op1(op, b)])
    }
    fn int_cast<T: IntValue<Self>, U: IntValue<Self>>(self, a: N::Of<[T; 2]>) -> N::Of<[U; 2]> {
        Self::map(a, |[a, b]| [U::wrap(a.to_i128()), U::wrap(b.to_i128())])
    }
    fn float_to_int<T: IntValue<Self>>(self, a: N::Of<[f32; 2]>) -> N::Of<[T; 2]> {
        Self::map(a, |[a, b]| [T::from_f32(a), T::from_f32(b)])
    }
    fn indices(self, i: Lin) -> N::Of<[usize; 2]> {
        N::each(|n| [(i + 2 * n).0, (i + (2 * n + 1)).0])
    }
    fn compare_indices(self, op: Cmp, a: Lin, b: usize) -> N::Of<u32> {
        Self::map(self.indices(a), |i| <[usize; 2] as Pair>::cmp(op, i, [b; 2]))
    }

    fn load<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> N::Of<K::Pair> {
        if Self::all_run(slice.space(), x) {
            return slice.pairs::<N, K::Pair>(i.0, Self::alignment_of::<K>(slice.space(), parity));
        }
        self.gather::<K, X>(slice, self.indices(i), x)
    }
    fn gather<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: N::Of<[usize; 2]>,
        x: X,
    ) -> N::Of<K::Pair> {
        Self::each(i, x.mask(self), |i, m| some(m, |lane| slice.get(i[lane])))
    }
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> N::Of<K::Pair> {
        let at = |lane: usize| i.first.wrapping_add(i.step.wrapping_mul(lane));
        self.gather::<K, X>(slice, N::each(|n| [at(2 * n), at(2 * n + 1)]), x)
    }
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        if Self::all_run(slice.space(), x) {
            slice.set_pairs::<N, K::Pair>(i.0, Self::alignment_of::<K>(slice.space(), parity), value);
        } else {
            self.scatter::<K, X>(slice, self.indices(i), x, value);
        }
    }
    fn scatter<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: N::Of<[usize; 2]>,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        let m = x.mask(self);
        N::each(|n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n).split());
            for_each(N::get(&m, n), |lane| slice.set(i[lane], value[lane]));
        });
    }

    fn load_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> N::Of<K::Pair> {
        if X::ALL {
            return Self::map(S::pairs::<N>(slice, i.0, Self::alignment(parity)), K::Pair::of_stored::<S>);
        }
        self.gather_as::<K, S, X>(slice, self.indices(i), x)
    }
    fn gather_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: N::Of<[usize; 2]>,
        x: X,
    ) -> N::Of<K::Pair> {
        Self::each(i, x.mask(self), |[i, j], m| {
            let asked = [(m & 1 != 0).then_some(i), (m >> 31 != 0).then_some(j)];
            K::Pair::of_stored::<S>(S::some(slice, asked))
        })
    }
    fn store_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        if X::ALL {
            let value = Self::map(value, K::Pair::to_stored::<S>);
            S::set_pairs::<N>(slice, i.0, Self::alignment(parity), value);
        } else {
            self.scatter_as::<K, S, X>(slice, self.indices(i), x, value);
        }
    }
    fn scatter_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: N::Of<[usize; 2]>,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        let m = x.mask(self);
        N::each(|n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n).to_stored::<S>().split());
            for_each(N::get(&m, n), |lane| slice.set(i[lane], value[lane]));
        });
    }

    fn reduce<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        i: N::Of<[usize; 2]>,
        x: X,
        value: N::Of<[T; 2]>,
    ) {
        let m = x.mask(self);
        N::each(|n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n));
            for_each(N::get(&m, n), |lane| slice.reduce::<S>(op, i[lane], value[lane]));
        });
    }
    fn fetch<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        i: N::Of<[usize; 2]>,
        x: X,
        value: N::Of<[T; 2]>,
    ) -> N::Of<[T; 2]> {
        let m = x.mask(self);
        N::each(|n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n));
            some(N::get(&m, n), |lane| slice.fetch::<S>(op, i[lane], value[lane]))
        })
    }
    fn compare_exchange<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        slice: Out<'_, T>,
        i: N::Of<[usize; 2]>,
        x: X,
        expected: N::Of<[T; 2]>,
        new: N::Of<[T; 2]>,
    ) -> N::Of<[T; 2]> {
        let m = x.mask(self);
        N::each(|n| {
            let (i, expected, new) = (N::get(&i, n), N::get(&expected, n), N::get(&new, n));
            some(N::get(&m, n), |lane| slice.compare_exchange::<S>(i[lane], expected[lane], new[lane]))
        })
    }

    fn array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &[N::Of<K::Pair>],
        i: N::Of<[usize; 2]>,
        x: X,
    ) -> N::Of<K::Pair> {
        let m = x.mask(self);
        N::each(|n| {
            let i = N::get(&i, n);
            some(N::get(&m, n), |lane| N::get(&array[view::in_array(i[lane], array.len())], n).split()[lane])
        })
    }
    fn set_array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &mut [N::Of<K::Pair>],
        i: N::Of<[usize; 2]>,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        let m = x.mask(self);
        N::each(|n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n).split());
            for_each(N::get(&m, n), |lane| {
                let len = array.len();
                let element = &mut array[view::in_array(i[lane], len)];
                *element = N::each(|of| {
                    let mut lanes = N::get(element, of).split();
                    if of == n {
                        lanes[lane] = value[lane];
                    }
                    K::Pair::join(lanes)
                });
            });
        });
    }
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [N::Of<[usize; 2]>; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> N::Of<K::Pair> {
        let m = x.mask(self);
        N::each(|n| some(N::get(&m, n), |lane| of(at.map(|i| N::get(&i, n)[lane]))))
    }
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: N::Of<E::Pair>, x: X) -> N::Of<E::Pair> {
        let m = x.mask(self);
        N::each(|n| {
            let a = N::get(&a, n).split();
            some(N::get(&m, n), |lane| look_up(table, a[lane]))
        })
    }
}
