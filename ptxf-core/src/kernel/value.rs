//! The types of threads' values, and the representation of a value for one thread, for two, and in
//! vectors.
//!
//! A body's variables have the element type, f32 if they are kept, an integer type, or truth
//! values. Truth values are masks, whose type belongs to the context. All other types are a
//! [`Value`], so that a context implements loads, stores and selections once for all of them:
//!
//! ```text
//! Value<C>            one thread      two threads (Two)        a vector's threads (Wide)
//! InElement           C::Elem         its pair: F16x2, F32x2   16-bit lanes, or two vectors of f32
//! InF32               f32             [f32; 2]                 two vectors of f32
//! i8 to u64, usize    the integer     [integer; 2]             [integer; N]
//! ```
//!
//! `InElement` and `InF32` name representations and not formats. If the element type *is* f32, its
//! pairs are still [`F32x2`](crate::F32x2), but two kept values are two registers.

use super::ctx::Ctx;
use super::element::Element;
use super::int::{LaneInt, for_each_int};
use super::op::Cmp;
use super::pair::{FloatPair, Pair};

#[cfg(target_arch = "nvptx64")]
use super::pair::Sealed as Lane;
#[cfg(not(target_arch = "nvptx64"))]
use super::wide::lane::Lane;

/// A type of a thread's variable: `f32`, [`F16`](crate::F16), [`Bf16`](crate::Bf16), `i8` to `u64`,
/// `usize`.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{Cmp, Scalar};
///
/// fn most<T: Scalar>(a: T, b: T) -> T {
///     if T::cmp(Cmp::Lt, a, b) { b } else { a }
/// }
///
/// assert_eq!((most(1.5_f32, -2.0), most(3_usize, 4)), (1.5, 4));
/// ```
#[allow(private_bounds, reason = "the types are these twelve")]
#[inline_in_release]
pub trait Scalar: Lane + Copy + Default + Send + Sync + 'static {
    /// Compares two values; floats as in IEEE 754, with NaN unordered.
    fn cmp(op: Cmp, a: Self, b: Self) -> bool;
    /// Replaces `x` by `least` if it is less, and then by `most` if it is greater. A NaN stays
    /// unchanged.
    fn clamp(x: Self, least: Self, most: Self) -> Self {
        let x = if Self::cmp(Cmp::Lt, x, least) { least } else { x };
        if Self::cmp(Cmp::Gt, x, most) { most } else { x }
    }
}

/// The representation of a value in a context.
pub trait Value<C: Ctx>: Copy {
    /// One thread's value.
    type Scalar: Scalar;
    /// Two threads' values.
    type Pair: Pair<Lane = Self::Scalar>;
    /// `true` if two neighbouring elements in memory are a pair, which may be one access.
    const IN_PAIRS: bool;
}

/// The representation of a float in a context.
pub trait FloatValue<C: Ctx>: Value<C, Scalar: Element, Pair: FloatPair> {}

/// An integer of a thread, which is the same in every kernel.
pub trait IntValue<C: Ctx>: LaneInt + Value<C, Scalar = Self, Pair = [Self; 2]> {}

/// Values of the element type.
#[derive(Clone, Copy, Debug)]
pub struct InElement;

/// Values in f32: of variables that `keep` lists, and values computed from them.
#[derive(Clone, Copy, Debug)]
pub struct InF32;

impl<C: Ctx> Value<C> for InElement {
    type Scalar = C::Elem;
    type Pair = <C::Elem as Element>::Pair;
    const IN_PAIRS: bool = true;
}
impl<C: Ctx> FloatValue<C> for InElement {}

impl<C: Ctx> Value<C> for InF32 {
    type Scalar = f32;
    type Pair = [f32; 2];
    const IN_PAIRS: bool = false;
}
impl<C: Ctx> FloatValue<C> for InF32 {}

macro_rules! integers {
    ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
        impl<C: Ctx> Value<C> for $ty {
            type Scalar = Self;
            type Pair = [Self; 2];
            const IN_PAIRS: bool = false;
        }
        impl<C: Ctx> IntValue<C> for $ty {}
    )*};
}

for_each_int! { integers }
