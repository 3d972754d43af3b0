//! Sums, dot products and largest magnitudes, each with its order.
//!
//! Sums have 32 partial sums at every level, as many as the widest vectors have lanes: the order
//! does not depend on the vectors. At the end of a slice the remaining partial sums add −0, which
//! keeps a sum of −0: products of bf16 and f32 can underflow to −0.
// Invariant: a level is passed only if the CPU has it.
#![expect(unsafe_code, reason = "code for one level runs where the CPU has it")]

use super::LengthError;
use super::error::must;
use super::operand::sealed::Outcome as _;
use super::operand::{Output, View};
use super::run::onto_last;
use super::views::cast;
use crate::backend::lanes::engine::Vectors;
use crate::backend::lanes::levels::{self, Task};
use crate::backend::lanes::op;
use crate::backend::lanes::reduce::{PARTIAL, partial_sums};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::int::Int as _;
use crate::level::Level;
use crate::modifiers::Modifiers;
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// Replaces any NaN by the canonical one: the NaN of a partial sum may have any bits.
fn canonical(bits: u32) -> u32 {
    if Binary32::is_nan(bits) { Binary32::CANONICAL_NAN } else { bits }
}

/// Adds the upper half of the partial sums to the lower one until one is left.
fn tree(partial: [u32; PARTIAL]) -> f32 {
    let mut sums = partial.map(f32::from_bits);
    let mut n = PARTIAL;
    while n > 1 {
        n /= 2;
        for i in 0..n {
            sums[i] = crate::ptx::add_rn_f32(sums[i], sums[i + n]);
        }
    }
    f32::from_bits(canonical(sums[0].to_bits()))
}

/// The largest magnitude's bits, or the bits of a NaN if there is one.
pub(super) struct Largest<'a, F: Format>(pub(super) &'a [F::Bits]);

impl<F: Format> Largest<'_, F> {
    /// Magnitudes have the order of their bits, and NaNs are above infinity.
    #[inline(always)]
    pub(super) fn of(self) -> F::Bits {
        self.0.iter().fold(F::Bits::ZERO, |largest, &x| largest.max(x & !F::sign_mask()))
    }
}

#[inline_in_release]
impl<F: Format> Task for Largest<'_, F> {
    type Output = F::Bits;
    const IN_F16: bool = false;
    const IN_SIMD128: bool = false;

    // The compiler vectorizes the loop with the level's instructions.
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, _: E) -> F::Bits {
        self.of()
    }

    fn portable(self) -> F::Bits {
        self.of()
    }
}

macro_rules! reductions {
    ($(
        $ty:ident $bits:ident $format:ident(
            $use:literal $one:literal $value:literal $hundred:literal $zero_text:literal $zero:expr
        )
        $sum:ident $dot:ident $sum_at:ident $dot_at:ident $steps:ident $sum_steps:ident $amax:ident $amax_at:ident
        $fma:ident $add:ident;
    )*) => {$(
        #[doc = concat!("Returns the sum of `", stringify!($ty), "` values in binary32.")]
        ///
        /// 32 partial sums start at +0. Element `i` is added to partial sum `i mod 32`, rounded to
        /// nearest. Then sum `j + n` is added to sum `j` for `j < n`, for `n` = 16, 8, 4, 2, 1.
        /// Every level returns the same bits.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = $use]
        ///
        #[doc = concat!("assert_eq!(slice::", stringify!($sum), "(&[", $one, "; 5000]), 5000.0);")]
        /// ```
        #[inline]
        #[must_use]
        pub fn $sum(x: &[$ty]) -> f32 {
            $sum_at(Level::detect(), x)
        }

        #[doc = concat!("Returns [`", stringify!($sum), "`], computed at `level`.")]
        ///
        /// # Panics
        ///
        /// The function panics if this CPU does not have `level`, since its instructions would be
        /// undefined behaviour here.
        #[inline]
        #[must_use]
        pub fn $sum_at(level: Level, x: &[$ty]) -> f32 {
            level.require();
            // SAFETY: the CPU has the level, which was required above.
            tree(unsafe { partial_sums::<$format>(level, cast::<_, $bits>(x), None) })
        }

        #[doc = concat!("Returns the dot product of `", stringify!($ty), "` vectors in binary32.")]
        ///
        /// 32 partial sums start at +0. Partial sum `i mod 32` becomes `fma(a[i], b[i], sum)` in
        /// binary32, rounded to nearest. Then sum `j + n` is added to sum `j` for `j < n`, for `n`
        /// = 16, 8, 4, 2, 1. Every level returns the same bits.
        ///
        /// # Panics
        ///
        /// The function panics if `a` and `b` differ in length.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = $use]
        ///
        #[doc = concat!("let x = [", $value, "; 1000];")]
        #[doc = concat!("assert_eq!(slice::", stringify!($dot), "(&x, &x), 2250.0);")]
        /// ```
        #[inline]
        #[must_use]
        #[track_caller]
        pub fn $dot(a: &[$ty], b: &[$ty]) -> f32 {
            $dot_at(Level::detect(), a, b)
        }

        #[doc = concat!("Returns [`", stringify!($dot), "`], computed at `level`.")]
        ///
        /// # Panics
        ///
        /// The function panics if `a` and `b` differ in length, or if this CPU does not have
        /// `level`, since its instructions would be undefined behaviour here.
        #[inline]
        #[must_use]
        #[track_caller]
        pub fn $dot_at(level: Level, a: &[$ty], b: &[$ty]) -> f32 {
            level.require();
            must(LengthError::check("b", b.len(), "a", a.len()));
            // SAFETY: the CPU has the level, which was required above.
            tree(unsafe { partial_sums::<$format>(level, cast::<_, $bits>(a), Some(cast::<_, $bits>(b))) })
        }

        #[doc = concat!("Returns the dot product of `", stringify!($ty), "` vectors as a loop of `fma.rn` computes it.")]
        ///
        /// The sum starts at +0. Each element is one `fma`, rounded to the type. A product of less
        /// than half a unit of the sum is lost.
        ///
        /// # Panics
        ///
        /// The function panics if `a` and `b` differ in length.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = $use]
        ///
        #[doc = concat!("let x = [", $one, "; 100];")]
        #[doc = concat!("assert_eq!(slice::", stringify!($steps), "(&x, &x), ", $hundred, ");")]
        /// ```
        #[inline]
        #[must_use]
        #[track_caller]
        pub fn $steps(a: &[$ty], b: &[$ty]) -> $ty {
            must(LengthError::check("b", b.len(), "a", a.len()));
            a.iter().zip(b).fold($zero, |sum, (&a, &b)| crate::ptx::$fma(a, b, sum))
        }

        #[doc = concat!("Returns the sum of `", stringify!($ty), "` values as a loop of `add.rn` computes it.")]
        ///
        /// The sum starts at +0. Each step is rounded to the type.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = $use]
        ///
        #[doc = concat!("assert_eq!(slice::", stringify!($sum_steps), "(&[", $one, "; 100]), ", $hundred, ");")]
        /// ```
        #[inline]
        #[must_use]
        pub fn $sum_steps(x: &[$ty]) -> $ty {
            x.iter().fold($zero, |sum, &x| crate::ptx::$add(sum, x))
        }

        #[doc = concat!("Returns the largest magnitude of `", stringify!($ty), "` values.")]
        ///
        /// The result is the canonical NaN if any element is a NaN, and +0 for an empty slice.
        /// Scales of narrow formats are derived from this number. Every level returns the same
        /// bits.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = $use]
        ///
        #[doc = concat!("let x = [", $one, ", -", $value, ", ", $zero_text, "];")]
        #[doc = concat!("assert_eq!(slice::", stringify!($amax), "(&x), ", $value, ");")]
        #[doc = concat!("assert_eq!(slice::", stringify!($amax), "(&[]), ", $zero_text, ");")]
        /// ```
        #[inline]
        #[must_use]
        pub fn $amax(x: &[$ty]) -> $ty {
            $amax_at(Level::detect(), x)
        }

        #[doc = concat!("Returns [`", stringify!($amax), "`], computed at `level`.")]
        ///
        /// # Panics
        ///
        /// The function panics if this CPU does not have `level`, since its instructions would be
        /// undefined behaviour here.
        #[inline]
        #[must_use]
        pub fn $amax_at(level: Level, x: &[$ty]) -> $ty {
            level.require();
            // SAFETY: the CPU has the level, which was required above.
            let largest = unsafe { levels::run(level, Largest::<$format>(cast::<_, $bits>(x))) };
            <$ty>::from_bits(if $format::is_nan(largest) { $format::CANONICAL_NAN } else { largest })
        }
    )*};
}

reductions! {
    F16 u16 Binary16("use ptxf::{F16, slice};" "F16::ONE" "F16::from_f32(1.5)" "F16::from_f32(100.0)" "F16::ZERO" F16::ZERO)
    sum_f16 dot_f16 sum_f16_at dot_f16_at dot_stepwise_f16 sum_stepwise_f16 amax_f16 amax_f16_at fma_rn_f16 add_rn_f16;
    Bf16 u16 BFloat16("use ptxf::{Bf16, slice};" "Bf16::ONE" "Bf16::from_f32(1.5)" "Bf16::from_f32(100.0)" "Bf16::ZERO" Bf16::ZERO)
    sum_bf16 dot_bf16 sum_bf16_at dot_bf16_at dot_stepwise_bf16 sum_stepwise_bf16 amax_bf16 amax_bf16_at fma_rn_bf16 add_rn_bf16;
    f32 u32 Binary32("use ptxf::slice;" "1.0" "1.5" "100.0" "0.0" 0.0)
    sum_f32 dot_f32 sum_f32_at dot_f32_at dot_stepwise_f32 sum_stepwise_f32 amax_f32 amax_f32_at fma_rn_f32 add_rn_f32;
}

macro_rules! axpy {
    ($($name:ident $fma:ident $ty:ident;)*) => {$(
        #[doc = concat!("Stores [`", stringify!($fma), "`](crate::ptx::", stringify!($fma), ")`(alpha, x[i], y[i])` in `y[i]`, for every `i`.")]
        ///
        /// # Panics
        ///
        /// The function panics if `x` and `y` differ in length. With [`checked`](super::checked) it
        /// returns the error instead.
        #[inline]
        #[track_caller]
        pub fn $name<O: Output<$ty>>(alpha: $ty, x: &[$ty], mut y: O) -> O::Outcome {
            const M: u16 = Modifiers::PLAIN.code();
            O::Outcome::of(onto_last::<op::Fma, $ty, M>(&[View::Splat(alpha), View::Slice(x)], y.target()))
        }
    )*};
}

axpy! {
    axpy_f16 fma_rn_f16 F16;
    axpy_bf16 fma_rn_bf16 Bf16;
    axpy_f16x2 fma_rn_f16x2 F16x2;
    axpy_bf16x2 fma_rn_bf16x2 Bf16x2;
    axpy_f32 fma_rn_f32 f32;
    axpy_f32x2 fma_rn_f32x2 F32x2;
    axpy_f64 fma_rn_f64 f64;
}
