//! The types that tables take and return.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2};

mod sealed {
    pub trait Sealed: Sized {
        /// A register with two values.
        type Pair: Copy;
        /// +∞; magnitudes above it are NaNs.
        const INFINITY: u16;
        fn from_bits(bits: u16) -> Self;
        fn to_bits(self) -> u16;
        fn lanes(pair: Self::Pair) -> [Self; 2];
        fn pair(lanes: [Self; 2]) -> Self::Pair;
    }
}
use sealed::Sealed;

/// A type of a table's input or result: [`F16`] or [`Bf16`]. Sealed.
pub trait Scalar: Copy + Sealed {}

/// The register with two values of `T`: [`F16x2`] or [`Bf16x2`].
pub type PairOf<T> = <T as Sealed>::Pair;

macro_rules! scalar {
    ($($ty:ident $pair:ident;)*) => {$(
        impl Scalar for $ty {}
        impl Sealed for $ty {
            type Pair = $pair;
            const INFINITY: u16 = Self::INFINITY.to_bits();
            #[inline(always)]
            fn from_bits(bits: u16) -> Self {
                Self::from_bits(bits)
            }
            #[inline(always)]
            fn to_bits(self) -> u16 {
                self.to_bits()
            }
            #[inline(always)]
            fn lanes(pair: $pair) -> [Self; 2] {
                pair.to_array()
            }
            #[inline(always)]
            fn pair(lanes: [Self; 2]) -> $pair {
                $pair::from_array(lanes)
            }
        }
    )*};
}

scalar! { F16 F16x2; Bf16 Bf16x2; }
