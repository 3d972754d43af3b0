//! What elements are in memory of cudarc's.
// Invariant: what is held is the bits of a number, and no code relies on some that are never there.

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};
use ptxf::{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};

/// An element of this library's, in memory of cudarc's, which has only types that say that they may be there.
///
/// # Examples
///
/// ```
/// use ptxf::F16;
/// use ptxf_cudarc::Held;
///
/// let x: Held<F16> = Held(F16::ONE);
/// assert_eq!((x.0.to_bits(), size_of_val(&x)), (0x3C00, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Held<T>(pub T);

/// An element of a kernel's slices, and what has its bits in cudarc's memory.
///
/// # Examples
///
/// ```
/// use ptxf::F16;
/// use ptxf_cudarc::{Element as _, Held};
///
/// assert_eq!([F16::ONE; 2].to_repr(), [Held(F16::ONE); 2]);
/// assert_eq!(f32::from_repr(2.5), 2.5);
/// ```
pub trait Element: Copy {
    /// What it is there.
    type Repr: DeviceRepr + ValidAsZeroBits + Copy;

    /// As it is there.
    fn to_repr(self) -> Self::Repr;
    /// Out of what is there.
    fn from_repr(repr: Self::Repr) -> Self;
}

macro_rules! same {
    ($($ty:ident)*) => {$(
        impl Element for $ty {
            type Repr = Self;

            #[inline]
            fn to_repr(self) -> Self {
                self
            }
            #[inline]
            fn from_repr(repr: Self) -> Self {
                repr
            }
        }
    )*};
}

same! { f32 f64 u8 u16 u32 u64 usize i8 i16 i32 i64 }

macro_rules! held {
    ($($ty:ident)*) => {$(
        // SAFETY: bits, which mean the same on a device.
        unsafe impl DeviceRepr for Held<$ty> {}
        // SAFETY: a zero.
        unsafe impl ValidAsZeroBits for Held<$ty> {}

        impl Element for $ty {
            type Repr = Held<Self>;

            #[inline]
            fn to_repr(self) -> Held<Self> {
                Held(self)
            }
            #[inline]
            fn from_repr(Held(element): Held<Self>) -> Self {
                element
            }
        }
    )*};
}

held! { F16 Bf16 E2m1 E2m1x2 E2m3 E3m2 E4m3 E5m2 Ue8m0 }

impl<T: Element, const N: usize> Element for [T; N] {
    type Repr = [T::Repr; N];

    #[inline]
    fn to_repr(self) -> Self::Repr {
        self.map(T::to_repr)
    }
    #[inline]
    fn from_repr(repr: Self::Repr) -> Self {
        repr.map(T::from_repr)
    }
}
