//! Threads in pairs in packed registers, as on a GPU: one pair, or several on a device.
//!
//! A mask is a word per pair, whose halves are all ones or all zeros, as a device's comparison of
//! pairs returns it. So a selection is one `lop3`.
//!
//! A device's thread that runs 8 threads of the kernel loads 8 neighbouring 16-bit elements in one
//! access of 16 bytes. It also loads and splats each uniform value once for all of them. Each
//! operation computes the pairs one after another. The code for the pairs is straight: a loop over
//! an array would leave values in local memory if the compiler did not unroll it.
//!
//! `ALIGNED` means that the parities that the body states hold, and that slices begin at a pair;
//! for several pairs, that [`Body::aligned_by`](super::ctx::Body::aligned_by) holds. On a device an
//! access of a pair at an even index is then one instruction. A CPU does not use `ALIGNED`; debug
//! builds compare it with the addresses. `ROWS` means that on a device pairs are aligned along rows
//! of odd length. Their other accesses are two elements, without a test of the address.
#![cfg_attr(not(target_arch = "nvptx64"), expect(unreachable_pub, reason = "only expansions for a device use it"))]

use core::marker::PhantomData;

use super::atomic::{AtomicAccess, AtomicInt, Owner};
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

/// Computes an expression for each pair. The expression of a single pair is in no closure, because
/// a closure would hide the kernel's line from the message of a panic.
macro_rules! each {
    ($pairs:ident, |$n:ident| $value:expr) => {
        if $pairs::COUNT == 1 {
            let $n = 0_usize;
            let value = $value;
            $pairs::each(|_| value)
        } else {
            $pairs::each(|$n| $value)
        }
    };
}
pub(super) use each;

/// Computes an expression for the lanes of a pair's mask, the lower lane first, and zeros for the
/// other lanes.
macro_rules! lanes {
    ($m:expr, |$lane:ident| $value:expr) => {{
        let m = $m;
        [lanes!(m & 1 != 0, 0, $lane, $value), lanes!(m >> 31 != 0, 1, $lane, $value)]
    }};
    ($runs:expr, $number:literal, $lane:ident, $value:expr) => {
        if $runs {
            let $lane: usize = $number;
            $value
        } else {
            Default::default()
        }
    };
}

/// The alignment of an access to pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Aligned to 16 bytes, or to all of the pairs if they are smaller.
    Group,
    /// Each pair is aligned.
    Pair,
    /// No pair is aligned.
    Element,
    /// Decided at run time.
    Unknown,
}

#[inline_in_release]
impl Alignment {
    /// Returns `Some(true)` if each pair is aligned, `Some(false)` if none is, and `None` if this
    /// is unknown.
    pub(super) fn of_pairs(self) -> Option<bool> {
        match self {
            Self::Group | Self::Pair => Some(true),
            Self::Element => Some(false),
            Self::Unknown => None,
        }
    }
}

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
    /// Loads the pairs of the `2 * COUNT` elements from the `i`-th on.
    #[track_caller]
    fn load<P: Joined>(slice: In<'_, P::Lane>, i: usize, alignment: Alignment) -> Self::Of<P>;
    /// Stores the pairs of the `2 * COUNT` elements from the `i`-th on.
    #[track_caller]
    fn store<P: Joined>(slice: Out<'_, P::Lane>, i: usize, alignment: Alignment, value: Self::Of<P>);
}

/// One pair.
#[derive(Clone, Copy, Debug)]
pub struct Pairs1;

#[inline_in_release]
impl Pairs for Pairs1 {
    const COUNT: usize = 1;
    type Of<T: Copy> = T;

    fn each<T: Copy>(mut f: impl FnMut(usize) -> T) -> T {
        f(0)
    }
    fn get<T: Copy>(value: &T, _: usize) -> T {
        *value
    }
    fn load<P: Joined>(slice: In<'_, P::Lane>, i: usize, alignment: Alignment) -> P {
        slice.pair(i, alignment.of_pairs())
    }
    fn store<P: Joined>(slice: Out<'_, P::Lane>, i: usize, alignment: Alignment, value: P) {
        slice.set_pair(i, alignment.of_pairs(), value);
    }
}

/// Two values. The compiler would pass an array of two words as one integer, and shift the words
/// into it.
#[cfg(any(test, target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Both<T>(T, T);

#[cfg(any(test, target_arch = "nvptx64"))]
macro_rules! several {
    ($($name:ident $count:literal $doc:literal $of:ty: |$f:ident, $values:ident, $n:ident| $each:expr, $get:expr;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        #[inline_in_release]
        impl Pairs for $name {
            const COUNT: usize = $count;
            type Of<T: Copy> = $of;

            fn each<T: Copy>(mut $f: impl FnMut(usize) -> T) -> $of {
                $each
            }
            fn get<T: Copy>($values: &$of, $n: usize) -> T {
                $get
            }
            fn load<P: Joined>(slice: In<'_, P::Lane>, i: usize, alignment: Alignment) -> Self::Of<P> {
                slice.pairs::<Self, P>(i, alignment)
            }
            fn store<P: Joined>(slice: Out<'_, P::Lane>, i: usize, alignment: Alignment, value: Self::Of<P>) {
                slice.set_pairs::<Self, P>(i, alignment, value);
            }
        }
    )*};
}

#[cfg(any(test, target_arch = "nvptx64"))]
several! {
    Pairs2 2 "Two pairs." Both<T>: |f, both, n| Both(f(0), f(1)), if n == 0 { both.0 } else { both.1 };
    Pairs4 4 "Four pairs." [T; 4]: |f, all, n| [f(0), f(1), f(2), f(3)], all[n];
    Pairs8 8 "Eight pairs." [T; 8]: |f, all, n| [f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)], all[n];
}

/// A context of two threads.
pub(super) type Two<E, const ALIGNED: bool, const ROWS: bool = false> = Many<E, Pairs1, ALIGNED, ROWS>;

/// A context of `N` pairs of threads; `ALIGNED` if the alignments that the body states hold, and
/// `ROWS` if only [`Parity::Row`] does.
pub(super) struct Many<E, N, const ALIGNED: bool, const ROWS: bool = false>(PhantomData<(E, N)>);

#[inline_in_release]
impl<E, N, const ALIGNED: bool, const ROWS: bool> Clone for Many<E, N, ALIGNED, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, N, const ALIGNED: bool, const ROWS: bool> Copy for Many<E, N, ALIGNED, ROWS> {}

impl<E, N, const ALIGNED: bool, const ROWS: bool> Sealed for Many<E, N, ALIGNED, ROWS> {}

#[inline_in_release]
impl<E: Element, N: Pairs, const ALIGNED: bool, const ROWS: bool> Many<E, N, ALIGNED, ROWS> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns the alignment of an access.
    fn alignment(parity: Parity) -> Alignment {
        match parity {
            Parity::Row if ALIGNED || ROWS => Alignment::Pair,
            Parity::Multiple if ALIGNED => Alignment::Group,
            Parity::Even if ALIGNED => Alignment::Pair,
            Parity::Odd if ALIGNED => Alignment::Element,
            _ if ROWS => Alignment::Element,
            _ => Alignment::Unknown,
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

    /// Returns `true` if all threads run, and share accesses to values of type `K`. The mask is
    /// tested in shared memory alone: there a tree's threads nearly always run in pairs. At the
    /// edges of a grid, as in hotspot3D, the test costs more than it saves.
    fn share<K: Value<Self>, X: Exec<Self>>(space: Space, x: X) -> bool {
        let all = X::ALL || space.is_shared() && Self::new().all(x.mask(Self::new()));
        (K::IN_PAIRS || N::COUNT > 1) && all
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

#[inline_in_release]
impl<E: Element, N: Pairs, const ALIGNED: bool, const ROWS: bool> Ctx for Many<E, N, ALIGNED, ROWS> {
    type Elem = E;
    const LANES: usize = 2 * N::COUNT;
    const CHOOSES_INDICES: bool = N::COUNT == 1;
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
        N::COUNT > 1 && self.all(m)
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
        each!(N, |n| {
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
        if Self::share::<K, X>(slice.space(), x) {
            return N::load(slice, i.0, Self::alignment_of::<K>(slice.space(), parity));
        }
        self.gather::<K, X>(slice, self.indices(i), x)
    }
    fn gather<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: N::Of<[usize; 2]>,
        x: X,
    ) -> N::Of<K::Pair> {
        let m = x.mask(self);
        each!(N, |n| {
            let i = N::get(&i, n);
            K::Pair::join(lanes!(N::get(&m, n), |lane| slice.get(i[lane])))
        })
    }
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> N::Of<K::Pair> {
        let at = |lane: usize| i.first.wrapping_add(i.step.wrapping_mul(lane));
        self.gather::<K, X>(slice, N::each(|n| [at(2 * n), at(2 * n + 1)]), x)
    }
    fn load_beside<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: Lin,
        here: N::Of<K::Pair>,
        m: N::Of<u32>,
        side: Side,
        x: X,
    ) -> N::Of<K::Pair> {
        if X::ALL && N::COUNT == 1 {
            let one = slice.get(side.index(i, N::get(&m, 0)));
            return Self::zip(here, m, |here, m| side.join(here, one, m));
        }
        self.gather::<K, X>(slice, self.select::<usize>(m, self.indices(i), self.indices(side.of(i))), x)
    }
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
        value: N::Of<K::Pair>,
    ) {
        if Self::share::<K, X>(slice.space(), x) {
            N::store(slice, i.0, Self::alignment_of::<K>(slice.space(), parity), value);
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
        each!(N, |n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n).split());
            lanes!(N::get(&m, n), |lane| slice.set(i[lane], value[lane]))
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
        let m = x.mask(self);
        each!(N, |n| {
            let i = N::get(&i, n);
            K::Pair::of_stored::<S>(S::some(slice, lanes!(N::get(&m, n), |lane| Some(i[lane]))))
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
        each!(N, |n| {
            let (i, value) = (N::get(&i, n), N::get(&value, n).to_stored::<S>().split());
            lanes!(N::get(&m, n), |lane| slice.set(i[lane], value[lane]))
        });
    }

    fn atomic<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>, const COUNT: usize>(
        self,
        op: impl AtomicAccess<COUNT>,
        slice: Out<'_, T>,
        i: N::Of<[usize; 2]>,
        x: X,
        operands: [N::Of<[T; 2]>; COUNT],
    ) -> N::Of<[T; 2]> {
        let m = x.mask(self);
        each!(N, |n| {
            let (i, operands) = (N::get(&i, n), operands.map(|operand| N::get(&operand, n)));
            lanes!(N::get(&m, n), |lane| slice.atomic::<S, COUNT>(op, i[lane], operands.map(|operand| operand[lane])))
        })
    }

    fn array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &[N::Of<K::Pair>],
        i: N::Of<[usize; 2]>,
        x: X,
    ) -> N::Of<K::Pair> {
        let m = x.mask(self);
        each!(N, |n| {
            let i = N::get(&i, n);
            K::Pair::join(lanes!(N::get(&m, n), |lane| {
                let element = &array[view::in_array(i[lane], array.len())];
                N::get(element, n).split()[lane]
            }))
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
        each!(N, |n| {
            let (i, value, len) = (N::get(&i, n), N::get(&value, n).split(), array.len());
            lanes!(N::get(&m, n), |lane| {
                let element = &mut array[view::in_array(i[lane], len)];
                *element = N::each(|of| {
                    let mut lanes = N::get(element, of).split();
                    if of == n {
                        lanes[lane] = value[lane];
                    }
                    K::Pair::join(lanes)
                });
            })
        });
    }
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [N::Of<[usize; 2]>; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> N::Of<K::Pair> {
        let m = x.mask(self);
        each!(N, |n| K::Pair::join(lanes!(N::get(&m, n), |lane| of(at.map(|i| N::get(&i, n)[lane])))))
    }
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: N::Of<E::Pair>, x: X) -> N::Of<E::Pair> {
        let m = x.mask(self);
        each!(N, |n| {
            let a = N::get(&a, n).split();
            E::Pair::join(lanes!(N::get(&m, n), |lane| look_up(table, a[lane])))
        })
    }
}
