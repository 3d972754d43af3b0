//! What an expanded body is written in: values of several threads at once, and the operations on them.
//!
//! A body is generic over a [`Ctx`]: [`Two`](super::two) threads in the registers of a pair, or as many as a CPU's vectors hold
//! ([`Wide`](super::wide)). Each operation says what values it works on (`value`), and which threads it is for; none loads, stores or
//! divides for a thread that it is not for. What each operation has to equal, one lane at a time, is `Element` and `LaneInt`.
//!
//! ```text
//! Body (one, guard, run) ─► launch_one            plan: groups, order, blocks ─► one
//!                        ├► launch_pair           ─► run::<Two<E, ALIGNED>>      packed methods, masks in halves of a word
//!                        ├► launch_wide, by level ─► run::<Wide<Engine, E, N>>   the slices' operations on vectors
//!                        └► device::{one, pair}   ─► one, run::<Two<E, ALIGNED>>
//! ```
//!
//! Who runs is a type, [`Exec`]: a body is compiled for [`All`], which has no mask, and for [`Masked`]; one loop calls both, once.
//!
//! A context's operations are always inlined into bodies, except where debug assertions are on. There a program's kernels share them as
//! functions, and take a quarter of the time to compile. Unoptimized code is as fast with them as without.
// Invariant: a body keeps its threads apart, as it promises, and is only launched over axes that it takes.
#![expect(unsafe_code, reason = "a body is trusted to keep its threads apart")]

use super::atomic::{AtomicInt, AtomicOp, Owner};
use super::element::Element;
use super::index::{Lin, Strided};
use super::int::{IntOp, IntOp1};
use super::op::{Cmp, Known, Op1, Op2, cmp, op1, op2};
use super::stored::{Stored, StoredOut};
use super::value::{FloatValue, InElement, InF32, IntValue, Value};
#[cfg(target_arch = "nvptx64")]
use super::view::InRange;
use super::view::{In, Out};

/// What the traits here are implemented by, which is not for users to add to.
pub(super) trait Sealed {}

/// What is known of the alignment of a pair of 16-bit elements, counted in elements from the slice's start, if the slices
/// are aligned to a pair and the parameters that [`Body::aligned`] looks at are even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// Aligned to a pair.
    Even,
    /// Between two pairs.
    Odd,
    /// Not before run time.
    Unknown,
}

/// Several threads that run together.
///
/// Every access insists on the elements that it is for, whatever index it is given.
#[allow(private_bounds, reason = "the contexts are `Two` and `Wide`")]
#[inline_in_release]
pub trait Ctx: Sealed + Copy {
    /// The element type.
    type Elem: Element;
    /// Threads.
    const LANES: usize;
    /// A value per thread.
    type V<K: Value<Self>>: Copy;
    /// Yes or no per thread.
    type Mask: Copy;

    /// The same for all.
    fn mask(self, all: bool) -> Self::Mask;
    /// `a & b`
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a | b`
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a & !b`
    fn and_not(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether one is set.
    fn any(self, m: Self::Mask) -> bool;
    /// Whether all are set.
    fn all(self, m: Self::Mask) -> bool;
    /// [`all`](Self::all) where code without a mask is worth having beside that with one, as it is not for two threads.
    fn is_whole(self, _: Self::Mask) -> bool {
        false
    }
    /// How many are set.
    fn count(self, m: Self::Mask) -> u32;
    /// The threads whose first thread has index `first` and that are below `end` and not below `start`.
    fn between(self, first: Lin, start: usize, end: usize) -> Self::Mask;

    /// One value for all.
    fn splat<K: Value<Self>>(self, x: K::Scalar) -> Self::V<K>;
    /// `yes` where `m` is set.
    fn select<K: Value<Self>>(self, m: Self::Mask, yes: Self::V<K>, no: Self::V<K>) -> Self::V<K>;
    /// A comparison.
    fn compare<K: Value<Self>, O: Known<Cmp>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::Mask;
    /// [`Scalar::clamp`](super::Scalar::clamp)
    fn clamp<K: Value<Self>>(self, x: Self::V<K>, least: Self::V<K>, most: Self::V<K>) -> Self::V<K> {
        let x = self.select::<K>(self.compare::<K, _>(cmp::Lt, x, least), least, x);
        self.select::<K>(self.compare::<K, _>(cmp::Gt, x, most), most, x)
    }

    /// An operation on one float.
    fn op1<K: FloatValue<Self>, O: Known<Op1>>(self, op: O, a: Self::V<K>) -> Self::V<K>;
    /// An operation on two.
    fn op2<K: FloatValue<Self>, O: Known<Op2>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K>;
    /// [`op2`](Self::op2) for an operand of another operation, whose NaN may be any: no operation but those on signs sees its bits.
    fn op2_any<K: FloatValue<Self>, O: Known<Op2>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K> {
        self.op2::<K, O>(op, a, b)
    }
    /// [`fma`](Self::fma), likewise.
    fn fma_any<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K> {
        self.fma::<K>(a, b, c)
    }
    /// What [`op2`](Self::op2) or [`fma`](Self::fma) had returned, from what the other two have: the canonical NaN for any.
    fn canonical<K: FloatValue<Self>>(self, a: Self::V<K>) -> Self::V<K> {
        a
    }
    /// `fma.rn`
    fn fma<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K>;
    /// [`Element::is_nan`]
    fn is_nan<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Ne, x, x)
    }
    /// [`Element::is_finite`]
    fn is_finite<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Lt, self.op1::<K, _>(op1::Abs, x), self.splat::<K>(K::Scalar::INFINITY))
    }
    /// [`Element::is_infinite`]
    fn is_infinite<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Eq, self.op1::<K, _>(op1::Abs, x), self.splat::<K>(K::Scalar::INFINITY))
    }
    /// [`Element::powi`]
    fn powi<K: FloatValue<Self>>(self, x: Self::V<K>, exponent: i32) -> Self::V<K> {
        let (mut power, mut square) = (None, x);
        let mut left = exponent.unsigned_abs();
        while left != 0 {
            if left & 1 != 0 {
                power = Some(power.map_or(square, |power| self.op2::<K, _>(op2::Mul, power, square)));
            }
            left >>= 1;
            if left != 0 {
                square = self.op2::<K, _>(op2::Mul, square, square);
            }
        }
        let one = self.splat::<K>(K::Scalar::from_int(1));
        let power = match power {
            None => one,
            // As in [`Element::powi`].
            Some(x) if exponent.unsigned_abs() == 1 => self.op2::<K, _>(op2::Mul, one, x),
            Some(power) => power,
        };
        if exponent < 0 { self.op1::<K, _>(op1::Recip, power) } else { power }
    }
    /// The same value in f32, exactly.
    fn widen(self, a: Self::V<InElement>) -> Self::V<InF32>;
    /// `cvt.rn` from f32.
    fn cvt_rn(self, a: Self::V<InF32>) -> Self::V<InElement>;
    /// As `as` does, rounded once to nearest.
    fn int_to_float<K: FloatValue<Self>, T: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<K>;

    /// An operation on two integers; for `Div` and `Rem` the threads outside `m` get any result and no panic.
    #[track_caller]
    fn int_op<T: IntValue<Self>>(self, op: IntOp, a: Self::V<T>, b: Self::V<T>, m: Self::Mask) -> Self::V<T>;
    /// An operation on one integer.
    fn int_op1<T: IntValue<Self>>(self, op: IntOp1, a: Self::V<T>) -> Self::V<T>;
    /// As `as` does.
    fn int_cast<T: IntValue<Self>, U: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<U>;
    /// As `as` does: towards zero, saturating, NaN gives 0.
    fn float_to_int<T: IntValue<Self>>(self, a: Self::V<InF32>) -> Self::V<T>;
    /// The indices `i`, `i + 1` and so on.
    fn indices(self, i: Lin) -> Self::V<usize>;
    /// Comparison of consecutive indices with one of all.
    fn compare_indices(self, op: Cmp, a: Lin, b: usize) -> Self::Mask;

    /// `slice[i]`, `slice[i + 1]` and so on for the threads of `x`; the others get anything.
    #[track_caller]
    fn load<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Lin, parity: Parity, x: X) -> Self::V<K>;
    /// `slice[i]` with an index per thread, for the threads of `x`; the others get 0.
    #[track_caller]
    fn gather<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Self::V<usize>, x: X) -> Self::V<K>;
    /// `slice[i]` of indices at one distance from each other, for the threads of `x`; the others get anything.
    #[track_caller]
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> Self::V<K>;
    /// Writes `slice[i]`, `slice[i + 1]` and so on for the threads of `x`.
    #[track_caller]
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
        value: Self::V<K>,
    );
    /// [`load`](Self::load) of elements that are known to exist.
    #[cfg(target_arch = "nvptx64")]
    fn load_in_range<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: InRange<In<'_, K::Scalar>>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> Self::V<K>;
    /// [`store`](Self::store) to elements that are known to exist.
    #[cfg(target_arch = "nvptx64")]
    fn store_in_range<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: InRange<Out<'_, K::Scalar>>,
        i: Lin,
        parity: Parity,
        x: X,
        value: Self::V<K>,
    );
    /// Writes `slice[i]` with an index per thread, in the order of the threads, for those of `x`.
    #[track_caller]
    fn scatter<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );

    /// [`load`](Self::load) from a narrow format.
    #[track_caller]
    fn load_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> Self::V<K>;
    /// [`gather`](Self::gather) from a narrow format.
    #[track_caller]
    fn gather_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Self::V<usize>,
        x: X,
    ) -> Self::V<K>;
    /// [`store`](Self::store) to a narrow format.
    #[track_caller]
    fn store_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
        value: Self::V<K>,
    );
    /// [`scatter`](Self::scatter) to a narrow format.
    #[track_caller]
    fn scatter_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );

    /// Changes `slice[i]` with an index per thread, in the order of the threads, for those of `x`.
    #[track_caller]
    fn reduce<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<T>,
    );
    /// [`reduce`](Self::reduce), and what each of these threads found; the others get 0.
    #[track_caller]
    fn fetch<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        op: AtomicOp,
        slice: Out<'_, T>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<T>,
    ) -> Self::V<T>;
    /// Makes `slice[i]` the new value if it is as expected, in the order of the threads, for those of `x`; what each of them found, and 0.
    #[track_caller]
    fn compare_exchange<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>>(
        self,
        slice: Out<'_, T>,
        i: Self::V<usize>,
        x: X,
        expected: Self::V<T>,
        new: Self::V<T>,
    ) -> Self::V<T>;

    /// The element of each thread's own array at that thread's index, for every thread of `x`; the others get 0.
    #[track_caller]
    fn array_element<K: Value<Self>, X: Exec<Self>>(self, array: &[Self::V<K>], at: Self::V<usize>, x: X)
    -> Self::V<K>;
    /// Writes the element of each thread's own array at that thread's index, for every thread of `x`.
    #[track_caller]
    fn set_array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &mut [Self::V<K>],
        at: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );
    /// What `of` returns for each thread's indices, an element of an array that is the same for all threads. It is called for every thread
    /// of `x`; the others get 0.
    #[track_caller]
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [Self::V<usize>; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> Self::V<K>;
    /// A table's result for every thread of `x`; the others get 0.
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: Self::V<InElement>, x: X) -> Self::V<InElement>;
}

/// A function of one element that a body may call, such as a table.
pub trait Unary {
    /// What it is a function of.
    type Of: Element;
    /// Its result.
    fn unary(&self, x: Self::Of) -> Self::Of;
}

/// A table's result. In f32 it is the same table's: the value is rounded to what the table is of, and widened again.
#[inline_in_release]
pub fn look_up<E: Element, F: Unary>(table: &F, x: E) -> E {
    const {
        assert!(
            E::PRECISION == F::Of::PRECISION || E::PRECISION == f32::PRECISION,
            "this table is of another format than the kernel's elements"
        );
    }
    if let Some(&x) = any(&x).downcast_ref::<F::Of>() {
        let y = table.unary(x);
        if let Some(&y) = any(&y).downcast_ref::<E>() {
            return y;
        }
    }
    E::cvt_rn(table.unary(F::Of::cvt_rn(x.widen())).widen())
}

fn any<T: 'static>(x: &T) -> &dyn core::any::Any {
    x
}

/// Which threads run: [`All`], which costs nothing, or those of a mask.
#[allow(private_bounds, reason = "the types are these two")]
pub trait Exec<C: Ctx>: Sealed + Copy {
    /// Whether that is known to be all of them.
    const ALL: bool;
    /// As a mask.
    fn mask(self, cx: C) -> C::Mask;
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl Sealed for All {}
#[inline_in_release]
impl<C: Ctx> Exec<C> for All {
    const ALL: bool = true;
    fn mask(self, cx: C) -> C::Mask {
        cx.mask(true)
    }
}

/// Those of a mask.
#[derive(Clone, Copy, Debug)]
pub struct Masked<M>(pub M);

impl<M> Sealed for Masked<M> {}
#[inline_in_release]
impl<C: Ctx> Exec<C> for Masked<C::Mask> {
    const ALL: bool = false;
    fn mask(self, _: C) -> C::Mask {
        self.0
    }
}

/// Where the first thread of a group is.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Its index in the grid along x; the group's other threads follow. Wraps below 0 in front of the first thread.
    pub x: Lin,
    /// Its index along y, the same for the group.
    pub y: usize,
    /// Its index along z, the same for the group.
    pub z: usize,
    /// Its block.
    pub block: [usize; 3],
    /// The threads of a block.
    pub block_dim: [usize; 3],
    /// The threads of the grid.
    pub grid: [usize; 3],
    /// Whether it is what is left of a pair.
    #[cfg(target_arch = "nvptx64")]
    pub alone: bool,
}

/// A kernel with its arguments.
///
/// # Safety
///
/// Over a grid that has threads along no more axes than [`AXES`](Self::AXES), the threads keep to what whoever made the
/// [`Out`]s promised: none writes an element that another one accesses. And if [`aligned`](Self::aligned) says so, an access is
/// at an even index, or at an odd one, wherever the body says that it is.
pub unsafe trait Body: Copy + Send + Sync {
    /// The element type.
    type Elem: Element;
    /// What it is called.
    const NAME: &'static str;
    /// The axes whose indices it takes.
    const AXES: usize;
    /// Whether a whole group passes the guard if one does that follows along x in its block, as with `t < n`.
    const UP_TO: bool = false;
    /// Whether threads ask for their block. Those of a kernel that never does are grouped as if a row was one.
    const NAMES_BLOCKS: bool = true;
    /// One thread, in scalar code.
    fn one(&self, at: At);
    /// The threads of `x` that are not turned away by the guard that the kernel begins with.
    fn guard<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask;
    /// The threads of `x`, which passed the guard.
    fn run<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X);
    /// By how many threads a row of groups begins in front of its first thread, so that what whole groups write begins at multiples of so many
    /// bytes.
    fn lead(&self, bytes: usize) -> usize {
        let _ = bytes;
        0
    }
    /// Whether every [`Parity`] of the body holds: the slices begin at a pair, and the parameters that it takes are even.
    fn aligned(&self) -> bool;
}
