//! What threads hold values of, and how each is held by one thread, by two, and by a vector's.
//!
//! A body's variables are of the element type, of f32 if they are kept, of an integer type, or truth values. Truth values are
//! masks, and a context's own affair. All others are a [`Value`], so that a context says once how it
//! loads, stores and chooses, and not once for each of them:
//!
//! ```text
//! Value<C>            one thread      two threads (Two)            a vector's threads (Wide)
//! InElement           C::Elem         its pair, such as F16x2      lanes of 16 bits, or twice as many of 32
//! InF32               f32             [f32; 2]                     two vectors of f32
//! i8 to u64, usize    the integer     [integer; 2]                 [integer; N]
//! ```
//!
//! `InElement` and `InF32` are names of ways and no data: where the element type *is* f32, its pairs are [`F32x2`](crate::F32x2)
//! all the same, while two kept values are two registers.

use super::ctx::Ctx;
use super::element::Element;
use super::int::{LaneInt, for_each_int};
use super::op::Cmp;
use super::pair::{FloatPair, Pair};

#[cfg(target_arch = "nvptx64")]
use super::pair::Sealed as Lane;
#[cfg(not(target_arch = "nvptx64"))]
use super::wide::lane::Lane;

/// A type that a thread's variable may have: `f32`, [`F16`](crate::F16), [`Bf16`](crate::Bf16), `i8` to `u64`, `usize`.
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
    /// A comparison; of floats IEEE's, for which a NaN is unordered.
    fn cmp(op: Cmp, a: Self, b: Self) -> bool;
    /// `least` if `x` is below that, then `most` if it is above that; a NaN stays what it is.
    fn clamp(x: Self, least: Self, most: Self) -> Self {
        let x = if Self::cmp(Cmp::Lt, x, least) { least } else { x };
        if Self::cmp(Cmp::Gt, x, most) { most } else { x }
    }
}

/// How a value is held in a context.
pub trait Value<C: Ctx>: Copy {
    /// One thread's.
    type Scalar: Scalar;
    /// Two threads'.
    type Pair: Pair<Lane = Self::Scalar>;
    /// Whether two next to each other in memory are a pair, which may be one access.
    const IN_PAIRS: bool;
}

/// How a float is held in a context.
pub trait FloatValue<C: Ctx>: Value<C, Scalar: Element, Pair: FloatPair> {}

/// An integer of a thread, which is the same in every kernel.
pub trait IntValue<C: Ctx>: LaneInt + Value<C, Scalar = Self, Pair = [Self; 2]> {}

/// Values of the element type.
#[derive(Clone, Copy, Debug)]
pub struct InElement;

/// Values of f32: of variables that `keep` names, and of what is computed from them.
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
