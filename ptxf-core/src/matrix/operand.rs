//! The formats of matrix operands and accumulators.

use crate::format::{BFloat16, Binary16, Float8E4M3, Float8E5M2, Format, TensorFloat32};
use crate::int::Int;
use crate::sem::matrix::{Factor, Sum};
use crate::types::{Bf16, E4m3, E5m2, F16, Tf32};

pub(super) mod sealed {
    pub trait Sealed {}
}

/// An operand's format, as the rules of units distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Kind {
    F16,
    Bf16,
    Tf32,
    Fp8,
}

/// A number that a matrix unit multiplies: [`F16`], [`Bf16`], [`Tf32`], [`E4m3`] or [`E5m2`].
pub trait Multiplicand: Copy + Default + Send + Sync + sealed::Sealed + 'static {
    /// The kind of the format.
    #[doc(hidden)]
    const KIND: Kind;
    /// The name in PTX.
    #[doc(hidden)]
    const NAME: &'static str;
    /// Decodes the number.
    #[doc(hidden)]
    fn factor(self) -> Factor;
    /// Decodes the number after its conversion to f16. Subnormal numbers of e4m3 are normal there.
    #[doc(hidden)]
    fn factor_in_f16(self) -> Factor;
    /// Returns the number for vectors: a significand with its sign, and the exponent.
    ///
    /// If the exponents of the format are those of an f32, the significand is below 2. Otherwise it
    /// is the number itself. Zero has the exponent [`NONE`], and a NaN or an infinity is a zero
    /// with the exponent [`SPECIAL`].
    #[doc(hidden)]
    fn decoded(self) -> (f32, i32);
}

/// The exponent of zero, which is below that of every product.
pub(super) const NONE: i32 = -2000;
/// The exponent of a NaN or an infinity, which is above that of every product, also beside a zero.
pub(super) const SPECIAL: i32 = 8000;

/// Computes [`Multiplicand::decoded`] without branches, so that the compiler makes vectors of it.
#[inline(always)]
fn decoded<F: Format>(bits: F::Bits) -> (f32, i32) {
    let is_special = F::is_nan(bits) || F::is_infinite(bits);
    let (magnitude, sign): (u32, u32) = (F::magnitude(bits).cast(), F::is_negative(bits).into());
    // The exponent field of an f32 whose bias is the format's.
    let code = magnitude >> F::PADDING << (23 - F::FRACTION_BITS);
    let power = |n: i32| f32::from_bits(((127 + n) as u32) << 23);
    let value = f32::from_bits(code) * power(127 - F::BIAS);
    let exponent = ((code >> 23) as i32 - F::BIAS).max(F::EMIN);
    let value = if F::EXPONENT_BITS < 8 {
        value
    } else if code >> 23 == 0 {
        // The significand of a subnormal number stays below 1.
        value * power(126)
    } else {
        f32::from_bits(code & 0x7F_FFFF | 127 << 23)
    };
    let exponent = if code == 0 { NONE } else { exponent };
    let value = f32::from_bits(value.to_bits() | sign << 31);
    if is_special { (0.0, SPECIAL) } else { (value, exponent) }
}

macro_rules! operands {
    ($($ty:ident $format:ident $kind:ident $name:literal;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Multiplicand for $ty {
            const KIND: Kind = Kind::$kind;
            const NAME: &'static str = $name;
            #[inline]
            fn factor(self) -> Factor {
                Factor::of::<$format>(self.to_bits())
            }
            fn factor_in_f16(self) -> Factor {
                F16::from_f32(self.to_f32()).factor()
            }
            #[inline(always)]
            fn decoded(self) -> (f32, i32) {
                decoded::<$format>(self.to_bits())
            }
        }
    )*};
}

operands! {
    F16 Binary16 F16 "f16";
    Bf16 BFloat16 Bf16 "bf16";
    Tf32 TensorFloat32 Tf32 "tf32";
    E4m3 Float8E4M3 Fp8 "e4m3";
    E5m2 Float8E5M2 Fp8 "e5m2";
}

/// A number that a matrix unit adds to: f32 or [`F16`].
pub trait Accumulator: Copy + Default + Send + Sync + 'static + sealed::Sealed {
    /// The rounding of a step.
    #[doc(hidden)]
    const SUM: Sum;
    /// The name in PTX.
    #[doc(hidden)]
    const NAME: &'static str;
    /// Returns the bits.
    #[doc(hidden)]
    fn bits(self) -> u32;
    /// Returns the number with these bits.
    #[doc(hidden)]
    fn of_bits(bits: u32) -> Self;
}

impl sealed::Sealed for f32 {}

impl Accumulator for f32 {
    const SUM: Sum = Sum::F32;
    const NAME: &'static str = "f32";
    fn bits(self) -> u32 {
        self.to_bits()
    }
    fn of_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
}

impl Accumulator for F16 {
    const SUM: Sum = Sum::F16;
    const NAME: &'static str = "f16";
    fn bits(self) -> u32 {
        self.to_bits().into()
    }
    fn of_bits(bits: u32) -> Self {
        Self::from_bits(bits as u16)
    }
}
