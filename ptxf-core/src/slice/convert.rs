//! Conversions of slices from one format to another.
// Invariant: elements are lanes and nothing else, and a target exists at a level only if the CPU has it.
#![expect(unsafe_code, reason = "slices become slices of lanes here")]

use super::LengthError;
use super::operand::Output;
use super::run::Element;
use crate::backend::lanes::convert as lanes;
use crate::format::Format;
use crate::modifiers::Round;
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// Element types that [`convert`] takes to `To`: f32 and the 16-bit types, pairs and pairs. Sealed.
pub trait Convert<To>: sealed::Convert<To> {}
impl<From: sealed::Convert<To>, To> Convert<To> for From {}

mod sealed {
    use super::{LengthError, Output, Round};

    pub trait Convert<To>: Sized {
        fn convert(rnd: Round, x: &[Self], out: impl Output<To>) -> Result<(), LengthError>;
    }
}

/// The format of an element's lanes.
type Lane<T> = <T as Element>::Format;
/// The bits of a lane.
type Bits<T> = <Lane<T> as Format>::Bits;

macro_rules! conversions {
    ($($from:ident $to:ident;)*) => {$(
        impl sealed::Convert<$to> for $from {
            #[inline]
            fn convert(rnd: Round, x: &[Self], mut out: impl Output<$to>) -> Result<(), LengthError> {
                const { assert!(<$from as Element>::LANES == <$to as Element>::LANES) };
                let target = out.target();
                LengthError::check("x", x.len(), "out", target.out.len())?;
                let n = x.len() * <$from as Element>::LANES;
                // SAFETY: an element of `x` is `LANES` lanes and nothing else, so that the slice has `n` lanes.
                let from = unsafe { core::slice::from_raw_parts(x.as_ptr().cast::<Bits<$from>>(), n) };
                // SAFETY: the output has as many elements, which was checked above, each of as many lanes.
                let to = unsafe { core::slice::from_raw_parts_mut(target.out.as_mut_ptr().cast::<Bits<$to>>(), n) };
                // SAFETY: the CPU has the level, because a target exists at a level only if the CPU has it.
                unsafe { <Lane<$from> as lanes::Convert<Lane<$to>>>::convert(target.level, rnd, from, to) }
                Ok(())
            }
        }
    )*};
}

conversions! {
    f32 F16;
    f32 Bf16;
    F16 f32;
    Bf16 f32;
    F32x2 F16x2;
    F32x2 Bf16x2;
    F16x2 F32x2;
    Bf16x2 F32x2;
}

/// Converts every element: exactly to a wider type, rounding to nearest even to a narrower one.
///
/// A NaN that is narrowed becomes the canonical one; one that is widened keeps its sign and payload.
///
/// # Panics
///
/// It panics if `x` and `out` differ in length, since each result needs an element and a place.
/// [`try_convert_r`] returns an error instead.
///
/// # Examples
///
/// ```
/// use ptxf::{F16, slice};
///
/// let mut halves = [F16::ZERO; 3];
/// slice::convert(&[0.1, 1.0, 1e6], &mut halves);
/// assert_eq!(halves.map(F16::to_bits), [0x2e66, 0x3c00, 0x7c00]);
///
/// let mut floats = [0.0_f32; 3];
/// slice::convert(&halves, &mut floats);
/// assert_eq!(floats, [0.099975586, 1.0, f32::INFINITY]);
/// ```
#[inline]
#[track_caller]
pub fn convert<From: Convert<To>, To>(x: &[From], out: impl Output<To>) {
    convert_r(Round::Rn, x, out);
}

/// Converts every element, rounding as `rnd` says; overflow follows the direction.
///
/// # Panics
///
/// It panics if `x` and `out` differ in length, since each result needs an element and a place.
/// [`try_convert_r`] returns an error instead.
///
/// # Examples
///
/// ```
/// use ptxf::{Bf16, Round, slice};
///
/// let mut d = [Bf16::ZERO; 2];
/// slice::convert_r(Round::Rz, &[0.1, f32::MAX], &mut d);
/// assert_eq!(d.map(Bf16::to_bits), [0x3dcc, 0x7f7f]);
/// ```
#[inline]
#[track_caller]
pub fn convert_r<From: Convert<To>, To>(rnd: Round, x: &[From], out: impl Output<To>) {
    if let Err(e) = try_convert_r(rnd, x, out) {
        e.panic();
    }
}

/// [`convert_r`], with an error instead of a panic where the lengths differ.
///
/// # Errors
///
/// It returns [`LengthError`] if `x` and `out` differ in length. Nothing is written to `out` then.
///
/// # Examples
///
/// ```
/// use ptxf::{F16, Round, slice};
///
/// let mut d = [F16::ZERO; 2];
/// let e = slice::try_convert_r(Round::Rn, &[0.1; 3], &mut d).unwrap_err();
/// assert_eq!((e.len(), e.expected(), d), (3, 2, [F16::ZERO; 2]));
/// ```
#[inline]
pub fn try_convert_r<From: Convert<To>, To>(rnd: Round, x: &[From], out: impl Output<To>) -> Result<(), LengthError> {
    From::convert(rnd, x, out)
}
