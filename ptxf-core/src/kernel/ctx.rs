//! Operations on the values of several threads, in which expanded bodies are written.
//!
//! A body is generic over a [`Ctx`]: [`Two`](super::pairs) threads in the registers of a pair, or
//! as many as a CPU's vectors hold ([`Wide`](super::wide)). An operation states the type of its
//! values (see `value`) and the threads that it runs for. No operation loads, stores or divides for
//! another thread. `Element` and `LaneInt` are the reference implementations of the operations, for
//! one lane.
//!
//! ```text
//! Body (one, guard, run) ─► launch_one            plan: groups, order, blocks ─► one
//!                        ├► launch_pair           ─► run::<Two<E, ALIGNED>>      packed registers
//!                        ├► launch_wide, by level ─► run::<Wide<Engine, E, N>>   vectors
//!                        └► device::{one, pair}   ─► one, run::<Two<E, ALIGNED>>
//! ```
//!
//! The threads that run are a type, [`Exec`]. A body is compiled for [`All`], which has no mask,
//! and for [`Masked`]; one loop calls both.
//!
//! A context's operations are always inlined into bodies, except with debug assertions. Then a
//! program's kernels share the operations as functions, and compile in a quarter of the time.
//! Unoptimized code is equally fast with and without inlining.
// Invariant: a body guarantees that no thread accesses an element that another thread writes, and is only launched over the axes that it takes.
#![expect(unsafe_code, reason = "bodies guarantee that threads share no written element")]

use super::atomic::{AtomicAccess, AtomicInt, Owner};
use super::beside::Side;
use super::element::Element;
use super::index::{Lin, Strided};
use super::int::{IntOp, IntOp1};
use super::op::{Cmp, Known, Op1, Op2, cmp, op1, op2};
use super::stored::{Stored, StoredOut};
use super::value::{FloatValue, InElement, InF32, IntValue, Value};
use super::view::{In, Out};

/// Prevents implementations of these traits outside of this module.
pub(super) trait Sealed {}

/// The alignment of an access to a pair of 16-bit elements, if the slices are aligned to pairs and
/// the parameters that [`Body::aligned`] checks are even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// Aligned to the threads of a device's thread, if [`Body::aligned_by`] holds, and to a pair.
    Multiple,
    /// Aligned to a pair.
    Even,
    /// Aligned to a pair, also if `Body::has_odd_rows` holds and the pairs of odd rows begin one
    /// thread before the row.
    Row,
    /// The pair begins in the middle of a word.
    Odd,
    /// Decided at run time.
    Unknown,
}

/// A group of threads that run together.
///
/// Every access checks the bounds of the elements that it accesses.
#[allow(private_bounds, reason = "the contexts are `Two` and `Wide`")]
#[inline_in_release]
pub trait Ctx: Sealed + Copy {
    /// The element type.
    type Elem: Element;
    /// Number of threads.
    const LANES: usize;
    /// `true` if an index per thread and one load is faster than a load for each arm of an `if`.
    const CHOOSES_INDICES: bool = false;
    /// A value per thread.
    type V<K: Value<Self>>: Copy;
    /// One truth value per thread.
    type Mask: Copy;

    /// Returns a mask with all bits equal to `all`.
    fn mask(self, all: bool) -> Self::Mask;
    /// Computes `a & b`.
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Computes `a | b`.
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Computes `a & !b`.
    fn and_not(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns `true` if the mask is set for a thread.
    fn any(self, m: Self::Mask) -> bool;
    /// Returns `true` if the mask is set for all threads.
    fn all(self, m: Self::Mask) -> bool;
    /// Returns [`all`](Self::all) if a copy of the code without a mask pays off in this context.
    /// For two threads it does not.
    fn is_whole(self, _: Self::Mask) -> bool {
        false
    }
    /// Returns the number of threads for which the mask is set.
    fn count(self, m: Self::Mask) -> u32;
    /// Returns the mask of the threads with `start <= index < end`, where `first` is the index of
    /// the first thread.
    fn between(self, first: Lin, start: usize, end: usize) -> Self::Mask;

    /// Returns one value for all threads.
    fn splat<K: Value<Self>>(self, x: K::Scalar) -> Self::V<K>;
    /// Returns `yes` where `m` is set, and `no` elsewhere.
    fn select<K: Value<Self>>(self, m: Self::Mask, yes: Self::V<K>, no: Self::V<K>) -> Self::V<K>;
    /// Compares two values.
    fn compare<K: Value<Self>, O: Known<Cmp>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::Mask;
    /// Clamps as [`Scalar::clamp`](super::Scalar::clamp) does.
    fn clamp<K: Value<Self>>(self, x: Self::V<K>, least: Self::V<K>, most: Self::V<K>) -> Self::V<K> {
        let x = self.select::<K>(self.compare::<K, _>(cmp::Lt, x, least), least, x);
        self.select::<K>(self.compare::<K, _>(cmp::Gt, x, most), most, x)
    }

    /// Computes an operation on one float.
    fn op1<K: FloatValue<Self>, O: Known<Op1>>(self, op: O, a: Self::V<K>) -> Self::V<K>;
    /// Computes an operation on two floats.
    fn op2<K: FloatValue<Self>, O: Known<Op2>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K>;
    /// Computes [`op2`](Self::op2), except that a NaN may have any bits. For results whose bits
    /// only arithmetic reads.
    fn op2_any<K: FloatValue<Self>, O: Known<Op2>>(self, op: O, a: Self::V<K>, b: Self::V<K>) -> Self::V<K> {
        self.op2::<K, O>(op, a, b)
    }
    /// Computes [`fma`](Self::fma), except that a NaN may have any bits.
    fn fma_any<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K> {
        self.fma::<K>(a, b, c)
    }
    /// Makes the NaNs of [`op2_any`](Self::op2_any) and [`fma_any`](Self::fma_any) canonical, which
    /// gives the results of [`op2`](Self::op2) and [`fma`](Self::fma).
    fn canonical<K: FloatValue<Self>>(self, a: Self::V<K>) -> Self::V<K> {
        a
    }
    /// Computes `fma.rn`.
    fn fma<K: FloatValue<Self>>(self, a: Self::V<K>, b: Self::V<K>, c: Self::V<K>) -> Self::V<K>;
    /// Checks for NaN as [`Element::is_nan`] does.
    fn is_nan<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Ne, x, x)
    }
    /// Checks as [`Element::is_finite`] does.
    fn is_finite<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Lt, self.op1::<K, _>(op1::Abs, x), self.splat::<K>(K::Scalar::INFINITY))
    }
    /// Checks as [`Element::is_infinite`] does.
    fn is_infinite<K: FloatValue<Self>>(self, x: Self::V<K>) -> Self::Mask {
        self.compare::<K, _>(cmp::Eq, self.op1::<K, _>(op1::Abs, x), self.splat::<K>(K::Scalar::INFINITY))
    }
    /// Computes [`Element::powi`].
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
    /// Returns the same value in f32, exactly.
    fn widen(self, a: Self::V<InElement>) -> Self::V<InF32>;
    /// Rounds an f32 value to the element type, as `cvt.rn` does.
    fn cvt_rn(self, a: Self::V<InF32>) -> Self::V<InElement>;
    /// Converts as `as` does, rounded once to nearest.
    fn int_to_float<K: FloatValue<Self>, T: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<K>;

    /// Computes an operation on two integers. For `Div` and `Rem`, threads outside of `m` get any
    /// result and do not panic.
    #[track_caller]
    fn int_op<T: IntValue<Self>>(self, op: IntOp, a: Self::V<T>, b: Self::V<T>, m: Self::Mask) -> Self::V<T>;
    /// Computes an operation on one integer.
    fn int_op1<T: IntValue<Self>>(self, op: IntOp1, a: Self::V<T>) -> Self::V<T>;
    /// Converts as `as` does.
    fn int_cast<T: IntValue<Self>, U: IntValue<Self>>(self, a: Self::V<T>) -> Self::V<U>;
    /// Converts as `as` does: towards zero, saturating, with 0 for NaN.
    fn float_to_int<T: IntValue<Self>>(self, a: Self::V<InF32>) -> Self::V<T>;
    /// Returns the indices `i`, `i + 1` and so on.
    fn indices(self, i: Lin) -> Self::V<usize>;
    /// Compares consecutive indices with one index.
    fn compare_indices(self, op: Cmp, a: Lin, b: usize) -> Self::Mask;

    /// Loads `slice[i]`, `slice[i + 1]` and so on for the threads of `x`; other threads get any
    /// value.
    #[track_caller]
    fn load<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Lin, parity: Parity, x: X) -> Self::V<K>;
    /// Loads `slice[i]` with an index per thread, for the threads of `x`; other threads get 0.
    #[track_caller]
    fn gather<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Self::V<usize>, x: X) -> Self::V<K>;
    /// Loads `slice[i]` with evenly spaced indices, for the threads of `x`; other threads get any
    /// value.
    #[track_caller]
    fn load_strided<K: Value<Self>, X: Exec<Self>>(self, slice: In<'_, K::Scalar>, i: Strided, x: X) -> Self::V<K>;
    /// Loads `slice[i]`, `slice[i + 1]` and so on for the threads of `m`, and the next element on a
    /// side for the others, all of `x`. `here` is [`load`](Self::load) at `i` for `x`.
    #[track_caller]
    fn load_beside<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: In<'_, K::Scalar>,
        i: Lin,
        here: Self::V<K>,
        m: Self::Mask,
        side: Side,
        x: X,
    ) -> Self::V<K> {
        let _ = here;
        let index = self.select::<usize>(m, self.indices(i), self.indices(side.of(i)));
        self.gather::<K, X>(slice, index, x)
    }
    /// Stores to `slice[i]`, `slice[i + 1]` and so on, for the threads of `x`.
    #[track_caller]
    fn store<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Lin,
        parity: Parity,
        x: X,
        value: Self::V<K>,
    );
    /// Stores to `slice[i]` with an index per thread, in the order of the threads, for those of
    /// `x`.
    #[track_caller]
    fn scatter<K: Value<Self>, X: Exec<Self>>(
        self,
        slice: Out<'_, K::Scalar>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );

    /// Loads as [`load`](Self::load) does, from a narrow format.
    #[track_caller]
    fn load_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
    ) -> Self::V<K>;
    /// Loads as [`gather`](Self::gather) does, from a narrow format.
    #[track_caller]
    fn gather_as<K: FloatValue<Self>, S: Stored, X: Exec<Self>>(
        self,
        slice: In<'_, S>,
        i: Self::V<usize>,
        x: X,
    ) -> Self::V<K>;
    /// Stores as [`store`](Self::store) does, to a narrow format.
    #[track_caller]
    fn store_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Lin,
        parity: Parity,
        x: X,
        value: Self::V<K>,
    );
    /// Stores as [`scatter`](Self::scatter) does, to a narrow format.
    #[track_caller]
    fn scatter_as<K: FloatValue<Self>, S: StoredOut, X: Exec<Self>>(
        self,
        slice: Out<'_, S>,
        i: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );

    /// Runs an atomic operation on `slice[i]` with an index per thread, in the order of the
    /// threads, for those of `x`. Returns the results; other threads get 0.
    #[track_caller]
    fn atomic<T: IntValue<Self> + AtomicInt, S: Owner, X: Exec<Self>, const COUNT: usize>(
        self,
        op: impl AtomicAccess<COUNT>,
        slice: Out<'_, T>,
        i: Self::V<usize>,
        x: X,
        operands: [Self::V<T>; COUNT],
    ) -> Self::V<T>;

    /// Loads from each thread's own array at the thread's index, for the threads of `x`; other
    /// threads get 0.
    #[track_caller]
    fn array_element<K: Value<Self>, X: Exec<Self>>(self, array: &[Self::V<K>], at: Self::V<usize>, x: X)
    -> Self::V<K>;
    /// Stores to each thread's own array at the thread's index, for the threads of `x`.
    #[track_caller]
    fn set_array_element<K: Value<Self>, X: Exec<Self>>(
        self,
        array: &mut [Self::V<K>],
        at: Self::V<usize>,
        x: X,
        value: Self::V<K>,
    );
    /// Returns an element of a constant array for the indices of each thread of `x`, by calling
    /// `of`; other threads get 0.
    #[track_caller]
    fn constant_element<K: Value<Self>, X: Exec<Self>, const AXES: usize>(
        self,
        at: [Self::V<usize>; AXES],
        of: impl Fn([usize; AXES]) -> K::Scalar,
        x: X,
    ) -> Self::V<K>;
    /// Looks up a table's result for each thread of `x`; other threads get 0.
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: Self::V<InElement>, x: X) -> Self::V<InElement>;
}

/// A function of one element that a body may call, such as a table.
pub trait Unary {
    /// The type of the argument and of the result.
    type Of: Element;
    /// Returns the function's result.
    fn unary(&self, x: Self::Of) -> Self::Of;
}

/// Returns a table's result. In the version `f32` the value is rounded to the table's format, and
/// the result is widened.
#[inline_in_release]
pub fn look_up<E: Element, F: Unary>(table: &F, x: E) -> E {
    const {
        assert!(
            E::PRECISION == F::Of::PRECISION || E::PRECISION == f32::PRECISION,
            "this table has another format than the kernel's elements"
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

/// The threads that run: [`All`], at no cost, or those of a mask.
#[allow(private_bounds, reason = "the types are these two")]
pub trait Exec<C: Ctx>: Sealed + Copy {
    /// `true` if all threads are known to run.
    const ALL: bool;
    /// Returns the threads as a mask.
    fn mask(self, cx: C) -> C::Mask;
}

/// All threads.
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

/// The threads of a mask.
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

/// The position of a group's first thread.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Index in the grid along x; the group's other threads follow. Wraps below 0 for a group that
    /// begins before the first thread.
    pub x: Lin,
    /// Index along y, which is the same for the group.
    pub y: usize,
    /// Index along z, which is the same for the group.
    pub z: usize,
    /// Index of the block along each axis.
    pub block: [usize; 3],
    /// Number of threads of a block along each axis.
    pub block_dim: [usize; 3],
    /// Number of threads of the grid along each axis.
    pub grid: [usize; 3],
    /// `true` if only one thread of a pair runs.
    #[cfg(target_arch = "nvptx64")]
    pub alone: bool,
    /// `true` if [`Body::in_range`] returned `true`.
    #[cfg(target_arch = "nvptx64")]
    pub in_range: bool,
}

/// A kernel with its arguments.
///
/// # Safety
///
/// Over a grid that has threads along no more axes than [`AXES`](Self::AXES), the threads keep the
/// guarantee of [`Out`]: none writes an element that another one accesses. If
/// [`aligned`](Self::aligned) returns `true`, each access has the parity that the body states for
/// it.
pub unsafe trait Body: Copy + Send + Sync {
    /// The element type.
    type Elem: Element;
    /// The kernel's name.
    const NAME: &'static str;
    /// Number of axes whose indices the kernel takes.
    const AXES: usize;
    /// `true` if the guard has the form `t < n`: if a group passes as a whole, all groups before it
    /// in its block do.
    const UP_TO: bool = false;
    /// `true` if threads can observe their block. Otherwise each row is grouped as one block.
    const NAMES_BLOCKS: bool = true;
    /// Runs one thread, in scalar code.
    fn one(&self, at: At);
    /// Returns the threads of `x` that pass the guard at the kernel's beginning.
    fn guard<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask;
    /// Runs the threads of `x`, which have passed the guard.
    fn run<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X);
    /// Returns the number of threads by which a row's first group begins before the row, so that
    /// whole groups write from multiples of `bytes` on.
    fn lead(&self, bytes: usize) -> usize {
        let _ = bytes;
        0
    }
    /// Returns `true` if every [`Parity`] of the body holds: the slices begin at a pair, and the
    /// parameters that decide parities are even.
    fn aligned(&self) -> bool;
    /// Returns `true` if every [`Parity`] holds also for a group of the threads that a device's
    /// thread runs, the first of which begins `head` threads before the first thread. So each
    /// access of [`Parity::Multiple`] is aligned to 16 bytes or to its size.
    fn aligned_by(&self, head: usize) -> bool {
        let _ = head;
        false
    }
    /// `true` if the kernel's author answers for all bounds on a device.
    #[cfg(target_arch = "nvptx64")]
    const UNCHECKED: bool = false;
    /// `true` if most accesses are of [`Parity::Row`].
    #[cfg(target_arch = "nvptx64")]
    const HEADS: bool = false;
    /// Returns `true` if rows have an odd length and every [`Parity::Row`] holds for pairs that
    /// begin one thread before odd rows.
    #[cfg(target_arch = "nvptx64")]
    fn has_odd_rows(&self) -> bool {
        false
    }
    /// `true` if some accesses of the kernel can be checked before it runs.
    #[cfg(target_arch = "nvptx64")]
    const CHECKS_BEFORE: bool = false;
    /// Returns `true` if all accesses that can be checked before are in range, for `lanes` threads
    /// from `at` on. All threads of a block get the same result if the kernel has barriers.
    #[cfg(target_arch = "nvptx64")]
    fn in_range(&self, at: At, lanes: usize) -> bool {
        let _ = (at, lanes);
        false
    }
}
