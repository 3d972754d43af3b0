//! Random values: uniform in [0, 1), or uniform over bit patterns.

use rand::Rng;
use rand::distr::{Distribution, StandardUniform};

use crate::types::*;

/// The uniform distribution of bit patterns. Half of the numbers are smaller than 1, and some are
/// NaN.
///
/// It is meant for tests; [`StandardUniform`] is meant for models.
///
/// # Examples
///
/// ```
/// use ptxf::{F16x2, rand::AllBits};
/// use rand::distr::Distribution;
/// # struct Counter(u32);
/// # impl rand::TryRng for Counter {
/// #     type Error = core::convert::Infallible;
/// #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
/// #         self.0 += 1;
/// #         Ok(self.0.wrapping_mul(0x9e37_79b9))
/// #     }
/// #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { unreachable!() }
/// #     fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> { unreachable!() }
/// # }
/// # let mut rng = Counter(0);
///
/// let x: F16x2 = AllBits.sample(&mut rng);
/// assert_eq!(x.to_bits(), 0x9e37_79b9); // the first number of this generator
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AllBits;

/// Reads the next bits of a generator.
macro_rules! next {
    ($rng:ident u64) => {
        $rng.next_u64()
    };
    ($rng:ident $bits:ident) => {
        $rng.next_u32() as $bits
    };
}

macro_rules! all_bits {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Distribution<$ty> for AllBits {
            #[inline]
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $ty {
                $ty::from_bits(next!(rng $bits))
            }
        }
    )*};
}

for_each_type!(all_bits);

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl Distribution<$ty> for StandardUniform {
            /// Samples a multiple of half the type's epsilon in [0, 1), each with the same
            /// probability, as for `f32`.
            #[inline]
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $ty {
                // The generator's upper bits are the better ones.
                $ty::uniform(rng.next_u32() >> 16)
            }
        }

        impl $ty {
            /// Converts the upper `MANTISSA_DIGITS` of 16 random bits to a fraction of 1.
            #[inline]
            fn uniform(bits: u32) -> Self {
                let multiple = (bits & 0xffff) >> (16 - Self::MANTISSA_DIGITS);
                // Both steps are exact: the multiple fits in the significand, and the scale is a
                // power of two.
                Self::from_f32(multiple as f32 / (1_u32 << Self::MANTISSA_DIGITS) as f32)
            }
        }
    )*};
}

// `E2m3` and `E2m1` do not have all multiples of half their epsilon below 1.
scalar! { F16 Bf16 Tf32 E4m3 E5m2 E3m2 }

macro_rules! pair {
    ($($ty:ident $lane:ident;)*) => {$(
        impl Distribution<$ty> for StandardUniform {
            /// Samples two independent lanes, each a multiple of half its epsilon in [0, 1).
            #[inline]
            fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> $ty {
                let bits = rng.next_u32();
                $ty::from_lo_hi($lane::uniform(bits), $lane::uniform(bits >> 16))
            }
        }
    )*};
}

pair! { F16x2 F16; Bf16x2 Bf16; }

impl Distribution<F32x2> for StandardUniform {
    /// Samples two independent lanes, each a multiple of half its epsilon in [0, 1).
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> F32x2 {
        F32x2::from_lo_hi(self.sample(rng), self.sample(rng))
    }
}
