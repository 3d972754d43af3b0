//! What an expanded body is written in: values of several threads at once, and the operations on them.
//!
//! A body is generic over a [`Ctx`]. The macro knows the type and the class of every value, so each operation says what it
//! works on: `e` the element type, `k` f32 (kept variables), `int` the lane integers. Masks say which threads take part;
//! no operation loads, stores or divides for one that does not.
// Invariant: a body keeps its threads apart, as it promises, and is only launched over axes that it takes.
#![expect(unsafe_code, reason = "a body is trusted to keep its threads apart")]

use super::element::Element;
use super::index::Lin;
use super::op::{Cmp, Known, Op1, Op2};
use super::view::{In, Out};

/// What the traits here are implemented by, which is not for users to add to.
pub(super) trait Sealed {}

/// An integer that a thread may have for itself.
#[expect(private_bounds, reason = "the types are these three")]
pub trait LaneInt: Sealed + Copy + Default + Send + Sync + 'static {
    /// Two's complement or not, all arithmetic wraps, as a GPU's does.
    fn op2(op: IntOp, a: Self, b: Self) -> Self;
    /// Compares.
    fn cmp(op: Cmp, a: Self, b: Self) -> bool;
    /// As `as` does.
    fn to_i128(self) -> i128;
    /// As `as` does: the low bits.
    fn wrap(x: i128) -> Self;
    /// As `as` does: rounded to nearest.
    fn to_f32(self) -> f32;
    /// A value with at least 16 significant bits that is rounded to odd if it is not exact, so that rounding it again to
    /// 16-bit formats rounds once.
    fn to_f32_odd(self) -> f32;
    /// As `as` does: towards zero, saturating, NaN gives 0.
    fn from_f32(x: f32) -> Self;
}

/// An operation on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`; panics on 0
    Div,
    /// `a % b`; panics on 0
    Rem,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a << b`, by the low bits of `b`
    Shl,
    /// `a >> b`, by the low bits of `b`
    Shr,
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

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
#[expect(private_bounds, reason = "the contexts are `Two` and `Wide`")]
pub trait Ctx: Sealed + Copy {
    /// The element type.
    type Elem: Element;
    /// Threads.
    const LANES: usize;
    /// An element per thread.
    type E: Copy;
    /// An f32 per thread.
    type K: Copy;
    /// An integer per thread.
    type Int<T: LaneInt>: Copy;
    /// Yes or no per thread.
    type M: Copy;

    /// The same for all.
    fn mask(self, all: bool) -> Self::M;
    /// `a & b`
    fn and(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a | b`
    fn or(self, a: Self::M, b: Self::M) -> Self::M;
    /// `a & !b`
    fn and_not(self, a: Self::M, b: Self::M) -> Self::M;
    /// Whether one is set.
    fn any(self, m: Self::M) -> bool;
    /// Whether all are set.
    fn all(self, m: Self::M) -> bool;
    /// The threads whose first thread has index `first` and that are below `end` and not below `start`.
    fn between(self, first: Lin, start: usize, end: usize) -> Self::M;

    /// An element for all.
    fn splat_e(self, x: Self::Elem) -> Self::E;
    /// An operation on an element.
    fn e1<O: Known<Op1>>(self, op: O, a: Self::E) -> Self::E;
    /// An operation on two.
    fn e2<O: Known<Op2>>(self, op: O, a: Self::E, b: Self::E) -> Self::E;
    /// `fma.rn`
    fn e_fma(self, a: Self::E, b: Self::E, c: Self::E) -> Self::E;
    /// A comparison.
    fn e_cmp<O: Known<Cmp>>(self, op: O, a: Self::E, b: Self::E) -> Self::M;
    /// `yes` where `m` is set.
    fn e_select(self, m: Self::M, yes: Self::E, no: Self::E) -> Self::E;
    /// The same value in f32, exactly.
    fn widen(self, a: Self::E) -> Self::K;
    /// `cvt.rn` from f32.
    fn cvt_rn(self, a: Self::K) -> Self::E;

    /// An f32 for all.
    fn splat_k(self, x: f32) -> Self::K;
    /// An operation on an f32.
    fn k1<O: Known<Op1>>(self, op: O, a: Self::K) -> Self::K;
    /// An operation on two.
    fn k2<O: Known<Op2>>(self, op: O, a: Self::K, b: Self::K) -> Self::K;
    /// `fma.rn.f32`
    fn k_fma(self, a: Self::K, b: Self::K, c: Self::K) -> Self::K;
    /// A comparison.
    fn k_cmp<O: Known<Cmp>>(self, op: O, a: Self::K, b: Self::K) -> Self::M;
    /// `yes` where `m` is set.
    fn k_select(self, m: Self::M, yes: Self::K, no: Self::K) -> Self::K;

    /// An integer for all.
    fn splat_int<T: LaneInt>(self, x: T) -> Self::Int<T>;
    /// The indices `i`, `i + 1` and so on.
    fn lanes(self, i: Lin) -> Self::Int<usize>;
    /// An operation on two integers; for `Div` and `Rem` the threads outside `m` get any result and no panic.
    fn int2<T: LaneInt>(self, op: IntOp, a: Self::Int<T>, b: Self::Int<T>, m: Self::M) -> Self::Int<T>;
    /// A comparison.
    fn int_cmp<T: LaneInt>(self, op: Cmp, a: Self::Int<T>, b: Self::Int<T>) -> Self::M;
    /// `yes` where `m` is set.
    fn int_select<T: LaneInt>(self, m: Self::M, yes: Self::Int<T>, no: Self::Int<T>) -> Self::Int<T>;
    /// As `as` does.
    fn int_as<T: LaneInt, U: LaneInt>(self, a: Self::Int<T>) -> Self::Int<U>;
    /// As `as` does, rounded once to nearest.
    fn int_to_e<T: LaneInt>(self, a: Self::Int<T>) -> Self::E;
    /// As `as` does, rounded once to nearest.
    fn int_to_k<T: LaneInt>(self, a: Self::Int<T>) -> Self::K;
    /// As `as` does: towards zero, saturating, NaN gives 0.
    fn k_to_int<T: LaneInt>(self, a: Self::K) -> Self::Int<T>;
    /// Comparison of consecutive indices with one of all.
    fn lin_cmp(self, op: Cmp, a: Lin, b: usize) -> Self::M;

    /// `slice[i]`, `slice[i + 1]` and so on for the threads of `x`; the others get 0.
    fn load_e<X: Exec<Self>>(self, slice: In<'_, Self::Elem>, i: Lin, parity: Parity, x: X) -> Self::E;
    /// The same of f32.
    fn load_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: Lin, x: X) -> Self::K;
    /// The same of integers.
    fn load_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: Lin, x: X) -> Self::Int<T>;
    /// `slice[i]` with an index per thread, for the threads of `x`; the others get 0.
    fn gather_e<X: Exec<Self>>(self, slice: In<'_, Self::Elem>, i: Self::Int<usize>, x: X) -> Self::E;
    /// The same of f32.
    fn gather_k<X: Exec<Self>>(self, slice: In<'_, f32>, i: Self::Int<usize>, x: X) -> Self::K;
    /// The same of integers.
    fn gather_int<T: LaneInt, X: Exec<Self>>(self, slice: In<'_, T>, i: Self::Int<usize>, x: X) -> Self::Int<T>;

    /// Writes `slice[i]`, `slice[i + 1]` and so on for the threads of `x`.
    fn store_e<X: Exec<Self>>(self, slice: Out<'_, Self::Elem>, i: Lin, parity: Parity, x: X, value: Self::E);
    /// The same of f32.
    fn store_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: Lin, x: X, value: Self::K);
    /// The same of integers.
    fn store_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: Lin, x: X, value: Self::Int<T>);
    /// Writes `slice[i]` with an index per thread, in the order of the threads, for those of `x`.
    fn scatter_e<X: Exec<Self>>(self, slice: Out<'_, Self::Elem>, i: Self::Int<usize>, x: X, value: Self::E);
    /// The same of f32.
    fn scatter_k<X: Exec<Self>>(self, slice: Out<'_, f32>, i: Self::Int<usize>, x: X, value: Self::K);
    /// The same of integers.
    fn scatter_int<T: LaneInt, X: Exec<Self>>(self, slice: Out<'_, T>, i: Self::Int<usize>, x: X, value: Self::Int<T>);

    /// A table's result for every thread of `x`; the others get 0.
    fn table<F: Unary, X: Exec<Self>>(self, table: &F, a: Self::E, x: X) -> Self::E;
}

/// A function of one element that a body may call, such as a table.
pub trait Unary {
    /// What it is a function of.
    type Of: Element;
    /// Its result.
    fn unary(&self, x: Self::Of) -> Self::Of;
}

/// A table's result. In f32 it is the same table's: the value is rounded to what the table is of, and widened again.
#[inline(always)]
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
#[expect(private_bounds, reason = "the types are these two")]
pub trait Exec<C: Ctx>: Sealed + Copy {
    /// Whether that is known to be all of them.
    const ALL: bool;
    /// As a mask.
    fn mask(self, cx: C) -> C::M;
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl Sealed for All {}
impl<C: Ctx> Exec<C> for All {
    const ALL: bool = true;
    #[inline(always)]
    fn mask(self, cx: C) -> C::M {
        cx.mask(true)
    }
}

/// Those of a mask.
#[derive(Clone, Copy, Debug)]
pub struct Masked<M>(pub M);

impl<M> Sealed for Masked<M> {}
impl<C: Ctx> Exec<C> for Masked<C::M> {
    const ALL: bool = false;
    #[inline(always)]
    fn mask(self, _: C) -> C::M {
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
    /// One thread, in scalar code.
    fn one(&self, at: At);
    /// The threads of `x` that are not turned away by the guard that the kernel begins with.
    fn guard<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::M;
    /// The threads of `x`, which passed the guard.
    fn run<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X);
    /// Whether every [`Parity`] of the body holds: the slices begin at a pair, and the parameters that it takes are even.
    fn aligned(&self) -> bool;
}
