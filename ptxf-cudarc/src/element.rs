//! Elements of kernels in cudarc's memory.
// Invariant: a held element may have any bits, and no code relies on some that do not occur.

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};
use ptxf::{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};

/// An element of `ptxf` in cudarc's memory, which only accepts types that implement its traits.
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

/// An element of a kernel's slices, with the type of its bits in cudarc's memory.
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
    /// The type in cudarc's memory.
    type Repr: DeviceRepr + ValidAsZeroBits + Copy;

    /// Converts an element for cudarc's memory.
    fn to_repr(self) -> Self::Repr;
    /// Converts an element of cudarc's memory back.
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
        // SAFETY: the type consists of bits, which have the same meaning on a device.
        unsafe impl DeviceRepr for Held<$ty> {}
        // SAFETY: all bits zero are the number zero.
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
