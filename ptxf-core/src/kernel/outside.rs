//! Constants, and results of functions, whose declarations the attribute does not see.
//!
//! The attribute reads one function. It infers the types of `f(x)` and `N` from their use, and
//! these traits check the inferred types. So a wrong one is a single compiler error in terms of the
//! source.

use super::ctx::Ctx;
use super::element::Element;
use super::int::{LaneInt, for_each_int};
use super::value::InElement;

/// A type as written in kernels, where `f32` stands for the element type.
pub trait Written {
    /// The value of one thread.
    type One<E: Element>;
    /// The values of several threads.
    type Lanes<C: Ctx>;
}

impl Written for f32 {
    type One<E: Element> = E;
    type Lanes<C: Ctx> = C::V<InElement>;
}

impl Written for bool {
    type One<E: Element> = Self;
    type Lanes<C: Ctx> = C::Mask;
}

macro_rules! tuples {
    ($($name:ident)*) => { tuples! { @ [] $($name)* } };
    (@ [$($done:ident)*]) => {};
    (@ [$($done:ident)*] $next:ident $($rest:ident)*) => {
        impl<$($done: Written,)* $next: Written> Written for ($($done,)* $next,) {
            type One<Elem: Element> = ($($done::One<Elem>,)* $next::One<Elem>,);
            type Lanes<Context: Ctx> = ($($done::Lanes<Context>,)* $next::Lanes<Context>,);
        }
        tuples! { @ [$($done)* $next] $($rest)* }
    };
}

// The macro allows as many parts in a value.
tuples! { A B C D E F G H I J K L }

/// A `#[ptx_fn]`.
pub trait Function {
    /// The type of the result.
    type Result: Written;
}

/// A function that returns the type which the kernel infers. Each `#[ptx_fn]` implements it for one
/// type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not return `{T}`, the type that is inferred here",
    label = "inferred as `{T}`",
    note = "a kernel does not see the functions that it calls: annotate the result, `let y: u32 = {Self}(x);`"
)]
pub trait Returns<T: Written>: Function {
    /// Returns one thread's result.
    fn one<E: Element>(x: <Self::Result as Written>::One<E>) -> T::One<E>;
    /// Returns several threads' results.
    fn lanes<C: Ctx>(x: <Self::Result as Written>::Lanes<C>) -> T::Lanes<C>;
}

/// A constant that a kernel casts.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot cast a constant of type `{Self}`: use `f32`, `usize` or an integer of up to 64 bits"
)]
pub trait Constant: Copy {
    /// Computes `N as f32`, rounded once.
    fn as_float<E: Element>(self) -> E;
    /// Computes `N as u32` and the like; an f32 constant is first rounded to the element type.
    fn as_int<E: Element, T: LaneInt>(self) -> T;
}

#[inline_in_release]
impl Constant for f32 {
    fn as_float<E: Element>(self) -> E {
        E::cvt_rn(self)
    }
    fn as_int<E: Element, T: LaneInt>(self) -> T {
        E::cvt_rn(self).to_int()
    }
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
        impl Written for $ty {
            type One<E: Element> = Self;
            type Lanes<C: Ctx> = C::V<Self>;
        }

        #[inline_in_release]
        impl Constant for $ty {
            fn as_float<E: Element>(self) -> E {
                E::from_int(self)
            }
            fn as_int<E: Element, T: LaneInt>(self) -> T {
                T::wrap(self.to_i128())
            }
        }
    )*};
}

for_each_int! { integers }
