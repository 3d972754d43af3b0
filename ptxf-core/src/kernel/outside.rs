//! What a kernel names without seeing it: constants, and what functions return.
//!
//! The attribute reads one function. It infers the type of `f(x)` and of `N` from where they stand, and these traits hold it to that: the
//! compiler's error is in the words of the source, and there is one.

use super::ctx::Ctx;
use super::element::Element;
use super::int::{LaneInt, for_each_int};
use super::value::InElement;

/// A type as it is written in kernels, where `f32` is the element type.
pub trait Written {
    /// A thread's.
    type One<E: Element>;
    /// Several threads'.
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

// As many parts as the macro lets a value have.
tuples! { A B C D E F G H I J K L }

/// A `#[ptx_fn]`.
pub trait Function {
    /// What it returns.
    type Result: Written;
}

/// That a function returns what the kernel takes its result for. Each `#[ptx_fn]` has it of one type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not return `{T}`, which it is taken for here",
    label = "taken for `{T}`",
    note = "a kernel does not see the functions that it calls; say what this one returns, `let y: u32 = {Self}(x);`"
)]
pub trait Returns<T: Written>: Function {
    /// One thread's result.
    fn one<E: Element>(x: <Self::Result as Written>::One<E>) -> T::One<E>;
    /// Several threads' results.
    fn lanes<C: Ctx>(x: <Self::Result as Written>::Lanes<C>) -> T::Lanes<C>;
}

/// A constant that a kernel casts.
#[diagnostic::on_unimplemented(
    message = "a kernel casts constants of `f32`, `usize` and integers of up to 64 bits, and this is one of `{Self}`"
)]
pub trait Constant: Copy {
    /// `N as f32`, rounded once.
    fn as_float<E: Element>(self) -> E;
    /// `N as u32` and the like, of what an f32 is in the element type.
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
