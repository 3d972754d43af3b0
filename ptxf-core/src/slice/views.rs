//! Views of memory as elements of another type.
// Invariant: types that are cast to each other have one size, alignment and set of values, which is every bit pattern.
#![expect(unsafe_code, reason = "slices are viewed as slices of other types here")]

use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// Element types whose slices can be viewed as slices of `To`. Sealed.
///
/// These are a register and its bits, signed and unsigned integers, and the types of `half` with
/// that feature.
///
/// # Safety
///
/// Both types have the same size and alignment, and every bit pattern is a valid value of either.
pub unsafe trait Cast<To>: sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! casts {
    ($($(#[$cfg:meta])* $a:ty, $b:ty;)*) => {$(
        $(#[$cfg])*
        // SAFETY: `$a` is `repr(transparent)` over an integer of the size that is asserted, as is
        // `$b`, or an integer or a float itself.
        unsafe impl Cast<$b> for $a {}
        $(#[$cfg])*
        // SAFETY: the reasons above hold in both directions.
        unsafe impl Cast<$a> for $b {}
        $(#[$cfg])*
        const _: () = assert!(size_of::<$a>() == size_of::<$b>() && align_of::<$a>() == align_of::<$b>());
    )*};
}

macro_rules! sealed {
    ($($(#[$cfg:meta])* $ty:ty;)*) => {$(
        $(#[$cfg])*
        impl sealed::Sealed for $ty {}
    )*};
}

sealed! {
    u8; u16; u32; u64; i8; i16; i32; i64; f32; F16; Bf16; F16x2; Bf16x2; F32x2;
    #[cfg(feature = "half")] half::f16;
    #[cfg(feature = "half")] half::bf16;
}

casts! {
    F16, u16;
    Bf16, u16;
    F16x2, u32;
    Bf16x2, u32;
    F32x2, u64;
    f32, u32;
    i8, u8;
    i16, u16;
    i32, u32;
    i64, u64;
    #[cfg(feature = "half")] F16, half::f16;
    #[cfg(feature = "half")] Bf16, half::bf16;
}

/// Views the elements of a slice as elements of another type, in the same memory.
///
/// # Examples
///
/// ```
/// use ptxf::{F16, slice};
///
/// let bits = [0x3c00_u16, 0xc000];
/// let x: &[F16] = slice::cast(&bits);
/// assert_eq!(x, [F16::ONE, F16::from_f32(-2.0)]);
/// ```
#[must_use]
#[inline]
pub const fn cast<From: Cast<To>, To>(x: &[From]) -> &[To] {
    // SAFETY: `Cast` guarantees that both types have one size and alignment and that every bit
    // pattern is valid, so the same memory is a slice of as many elements of the other type.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) }
}

/// Views the elements of a slice as elements of another type, in the same memory, for writing.
///
/// # Examples
///
/// ```
/// use ptxf::{F16x2, slice};
///
/// let mut registers = [0x3c00_4000_u32; 8];
/// slice::neg_f16x2_assign(slice::cast_mut::<_, F16x2>(&mut registers));
/// assert_eq!(registers, [0xbc00_c000; 8]);
/// ```
#[must_use]
#[inline]
pub const fn cast_mut<From: Cast<To>, To>(x: &mut [From]) -> &mut [To] {
    // SAFETY: `Cast` guarantees that both types have one size and alignment and that every bit
    // pattern is valid, so whatever is written as the one type can be read as the other.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) }
}

/// Pairs of two lanes in memory, the lower one first: on little-endian targets, a pair is two
/// elements. Sealed.
///
/// # Safety
///
/// The pair has the size of two lanes and at least their alignment.
#[cfg(target_endian = "little")]
pub unsafe trait Pair: sealed::Sealed {
    /// The type of a lane.
    type Lane;
}

#[cfg(target_endian = "little")]
macro_rules! pairs {
    ($($pair:ident $lane:ident;)*) => {$(
        // SAFETY: size and alignment are asserted below; the lower lane is in the lower half of the
        // register, which comes first in memory on these targets.
        unsafe impl Pair for $pair {
            type Lane = $lane;
        }
        const _: () = assert!(size_of::<$pair>() == 2 * size_of::<$lane>() && align_of::<$pair>() >= align_of::<$lane>());
    )*};
}

#[cfg(target_endian = "little")]
pairs! { F16x2 F16; Bf16x2 Bf16; F32x2 f32; }

/// Views pairs as their lanes, lower ones first. Exists on little-endian targets only.
///
/// # Examples
///
/// ```
/// use ptxf::{F16x2, slice};
///
/// let x = [F16x2::from_f32([1.0, 2.0]), F16x2::from_f32([3.0, 4.0])];
/// assert_eq!(slice::lanes(&x).iter().map(|x| x.to_f32()).sum::<f32>(), 10.0);
/// ```
#[cfg(target_endian = "little")]
#[must_use]
#[inline]
pub const fn lanes<P: Pair>(x: &[P]) -> &[P::Lane] {
    // SAFETY: a pair consists of two lanes whose alignment is no greater, so the same memory is a
    // slice of twice as many lanes.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), 2 * x.len()) }
}

/// Views pairs as their lanes, lower ones first, for writing. Exists on little-endian targets only.
///
/// # Examples
///
/// ```
/// use ptxf::{F32x2, slice};
///
/// let mut x = [F32x2::default(); 2];
/// slice::lanes_mut(&mut x)[3] = 1.0;
/// assert_eq!(x[1].hi(), 1.0);
/// ```
#[cfg(target_endian = "little")]
#[must_use]
#[inline]
pub const fn lanes_mut<P: Pair>(x: &mut [P]) -> &mut [P::Lane] {
    // SAFETY: a pair consists of two lanes whose alignment is no greater, so the same memory is a
    // slice of twice as many lanes; any lanes that are written there are valid pairs.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), 2 * x.len()) }
}

/// Views elements as pairs of neighbours. Exists on little-endian targets only.
///
/// Returns `None` if the number of elements is odd, or the first one is not aligned for a pair.
///
/// # Examples
///
/// ```
/// use ptxf::{F32x2, slice};
///
/// let x = [F32x2::from_array([1.0, 2.0]); 2];
/// let lanes = slice::lanes(&x);
/// assert_eq!(slice::pairs::<F32x2>(lanes).unwrap(), x);
/// assert!(slice::pairs::<F32x2>(&lanes[1..]).is_none());
/// ```
#[cfg(target_endian = "little")]
#[must_use]
#[inline]
pub fn pairs<P: Pair>(x: &[P::Lane]) -> Option<&[P]> {
    let first = x.as_ptr().cast::<P>();
    // SAFETY: the pointer is aligned for pairs and the number of lanes is even, which is checked,
    // and any two lanes are a pair.
    (x.len().is_multiple_of(2) && first.is_aligned())
        .then(|| unsafe { core::slice::from_raw_parts(first, x.len() / 2) })
}

/// Views elements as pairs of neighbours, for writing. Exists on little-endian targets only.
///
/// Returns `None` as [`pairs`] does.
///
/// # Examples
///
/// ```
/// use ptxf::{F16, F16x2, slice};
///
/// let mut x = [F16::ONE; 6];
/// if let Some(pairs) = slice::pairs_mut::<F16x2>(&mut x) {
///     slice::neg_f16x2_assign(pairs);
///     assert_eq!(x[5], -F16::ONE);
/// } // the array may not be aligned for pairs
/// ```
#[cfg(target_endian = "little")]
#[must_use]
#[inline]
pub fn pairs_mut<P: Pair>(x: &mut [P::Lane]) -> Option<&mut [P]> {
    let first = x.as_mut_ptr().cast::<P>();
    // SAFETY: the pointer is aligned for pairs and the number of lanes is even, which is checked,
    // and any two lanes are a pair.
    (x.len().is_multiple_of(2) && first.is_aligned())
        .then(|| unsafe { core::slice::from_raw_parts_mut(first, x.len() / 2) })
}
