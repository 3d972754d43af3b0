//! `cvt` between floats and integers over slices.
//!
//! Modifiers and the sign of the integers are arguments here, since there are more than five
//! hundred of these forms.

use super::LengthError;
use super::operand::{Target, View};
use super::run::{Element, converted};
use super::views::{cast, cast_mut};
use crate::backend::lanes::convert::integers::{self, FromIntegers, ToIntegers};
use crate::backend::lanes::walk::Run;
use crate::modifiers::Modifiers;

/// An integer of Rust.
pub(super) trait Integer: Copy {
    /// The unsigned integer of the same width.
    type Bits: Element<Format = Self::Bits> + integers::Integer;
    const SIGNED: bool;
    fn bits(x: &[Self]) -> &[Self::Bits];
    fn bits_mut(x: &mut [Self]) -> &mut [Self::Bits];
}

macro_rules! integers {
    ($($unsigned:ident $signed:ident;)*) => {$(
        impl Integer for $unsigned {
            type Bits = Self;
            const SIGNED: bool = false;
            #[inline]
            fn bits(x: &[Self]) -> &[Self] {
                x
            }
            #[inline]
            fn bits_mut(x: &mut [Self]) -> &mut [Self] {
                x
            }
        }

        impl Integer for $signed {
            type Bits = $unsigned;
            const SIGNED: bool = true;
            #[inline]
            fn bits(x: &[Self]) -> &[$unsigned] {
                cast(x)
            }
            #[inline]
            fn bits_mut(x: &mut [Self]) -> &mut [$unsigned] {
                cast_mut(x)
            }
        }
    )*};
}

integers! { u8 i8; u16 i16; u32 i32; u64 i64; }

/// Stores the integer of `a[i]` in `out[i]`.
#[inline]
pub(super) fn cvt_to_integer<A: Element, D: Integer>(
    m: Modifiers,
    a: View<'_, A>,
    Target { out, level, parallel }: Target<'_, D>,
) -> Result<(), LengthError>
where
    ToIntegers<A::Format, D::Bits>: Run,
{
    let target = Target { out: D::bits_mut(out), level, parallel };
    converted(ToIntegers::<A::Format, D::Bits>::new(m, D::SIGNED), &[a], target)
}

/// Stores the number of the integer `a[i]` in `out[i]`.
#[inline]
pub(super) fn cvt_from_integer<A: Integer, D: Element>(
    m: Modifiers,
    a: View<'_, A>,
    target: Target<'_, D>,
) -> Result<(), LengthError>
where
    FromIntegers<A::Bits, D::Format>: Run,
{
    let a = match a {
        View::Slice(a) => View::Slice(A::bits(a)),
        View::Splat(a) => View::Splat(A::bits(&[a])[0]),
    };
    converted(FromIntegers::<A::Bits, D::Format>::new(m, A::SIGNED), &[a], target)
}
