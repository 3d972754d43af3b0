//! Sums and dot products, each with its order.
//!
//! They add into 32 partial sums at every level, as many as the widest vectors have lanes, so that the order does not depend on the
//! vectors. Where a slice ends, the other partial sums are fed −0, which leaves a sum of −0 what it is: products of bf16 and f32 can
//! underflow to one.
// Invariant: a level is passed only if the CPU has it.
#![expect(unsafe_code, reason = "code for one level runs where the CPU has it")]

use super::LengthError;
use super::cast::cast;
use super::error::must;
use super::operand::{Output, View};
use super::run::onto_last;
use crate::backend::lanes::op;
use crate::backend::lanes::reduce::{PARTIAL, partial_sums};
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::level::Level;
use crate::modifiers::Modifiers;
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

/// A partial sum's NaN may be any.
fn canonical(bits: u32) -> u32 {
    if Binary32::is_nan(bits) { Binary32::CANONICAL_NAN } else { bits }
}

/// Halves the partial sums until one is left.
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

macro_rules! reductions {
    ($(
        $ty:ident $bits:ident $format:ident($use:literal $one:literal $value:literal $hundred:literal $zero:expr)
        $sum:ident $dot:ident $sum_at:ident $dot_at:ident $steps:ident $sum_steps:ident $fma:ident $add:ident;
    )*) => {$(
        #[doc = concat!("The sum of `", stringify!($ty), "` values in binary32, in this order:")]
        ///
        /// 32 partial sums start at +0; element `i` is added to that of `i mod 32`, rounding to nearest. Then sum `j + n` is
        /// added to sum `j` for `j < n`, for `n` = 16, 8, 4, 2, 1. Every level returns the same bits.
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

        #[doc = concat!("[`", stringify!($sum), "`] at a level of one's choice.")]
        ///
        /// # Panics
        ///
        /// It panics if this CPU does not have `level`, since its instructions would be undefined behaviour here.
        #[inline]
        #[must_use]
        pub fn $sum_at(level: Level, x: &[$ty]) -> f32 {
            level.require();
            // SAFETY: the CPU has the level, which was required above.
            tree(unsafe { partial_sums::<$format>(level, cast::<_, $bits>(x), None) })
        }

        #[doc = concat!("The dot product of `", stringify!($ty), "` vectors in binary32, in this order:")]
        ///
        /// 32 partial sums start at +0; that of `i mod 32` becomes `fma(a[i], b[i], sum)` in binary32, rounding to nearest.
        /// Then sum `j + n` is added to sum `j` for `j < n`, for `n` = 16, 8, 4, 2, 1. Every level returns the same bits.
        ///
        /// # Panics
        ///
        /// It panics if `a` and `b` differ in length, since the dot product is not defined then.
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

        #[doc = concat!("[`", stringify!($dot), "`] at a level of one's choice.")]
        ///
        /// # Panics
        ///
        /// It panics if `a` and `b` differ in length, since the dot product is not defined then, or if this CPU does not have
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

        #[doc = concat!("The dot product of `", stringify!($ty), "` vectors as a loop of `fma.rn` computes it: from +0, one element after")]
        /// the other, with each step rounded to the type. A product of less than half a unit of the sum is lost.
        ///
        /// # Panics
        ///
        /// It panics if `a` and `b` differ in length, since the dot product is not defined then.
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

        #[doc = concat!("The sum of `", stringify!($ty), "` values as a loop of `add.rn` computes it: from +0, one element after the other,")]
        /// each step rounded to the type.
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
    )*};
}

reductions! {
    F16 u16 Binary16("use ptxf::{F16, slice};" "F16::ONE" "F16::from_f32(1.5)" "F16::from_f32(100.0)" F16::ZERO)
    sum_f16 dot_f16 sum_f16_at dot_f16_at dot_stepwise_f16 sum_stepwise_f16 fma_rn_f16 add_rn_f16;
    Bf16 u16 BFloat16("use ptxf::{Bf16, slice};" "Bf16::ONE" "Bf16::from_f32(1.5)" "Bf16::from_f32(100.0)" Bf16::ZERO)
    sum_bf16 dot_bf16 sum_bf16_at dot_bf16_at dot_stepwise_bf16 sum_stepwise_bf16 fma_rn_bf16 add_rn_bf16;
    f32 u32 Binary32("use ptxf::slice;" "1.0" "1.5" "100.0" 0.0)
    sum_f32 dot_f32 sum_f32_at dot_f32_at dot_stepwise_f32 sum_stepwise_f32 fma_rn_f32 add_rn_f32;
}

macro_rules! axpy {
    ($($name:ident $try_name:ident $fma:ident $ty:ident;)*) => {$(
        #[doc = concat!("`y[i] = fma(alpha, x[i], y[i])` by [`", stringify!($fma), "`](crate::ptx::", stringify!($fma), "), for every `i`.")]
        ///
        /// # Panics
        ///
        /// It panics if `x` and `y` differ in length, since each result needs an element of both.
        #[doc = concat!("[`", stringify!($try_name), "`] returns an error instead.")]
        #[inline]
        #[track_caller]
        pub fn $name(alpha: $ty, x: &[$ty], y: impl Output<$ty>) {
            must($try_name(alpha, x, y));
        }

        #[doc = concat!("[`", stringify!($name), "`], with an error instead of a panic where the lengths differ.")]
        ///
        /// # Errors
        ///
        /// It returns [`LengthError`] if `x` and `y` differ in length. Nothing is written to `y` then.
        #[inline]
        pub fn $try_name(alpha: $ty, x: &[$ty], mut y: impl Output<$ty>) -> Result<(), LengthError> {
            const M: u16 = Modifiers::PLAIN.code();
            onto_last::<op::Fma, $ty, M>(&[View::Splat(alpha), View::Slice(x)], y.target())
        }
    )*};
}

axpy! {
    axpy_f16 try_axpy_f16 fma_rn_f16 F16;
    axpy_bf16 try_axpy_bf16 fma_rn_bf16 Bf16;
    axpy_f16x2 try_axpy_f16x2 fma_rn_f16x2 F16x2;
    axpy_bf16x2 try_axpy_bf16x2 fma_rn_bf16x2 Bf16x2;
    axpy_f32 try_axpy_f32 fma_rn_f32 f32;
    axpy_f32x2 try_axpy_f32x2 fma_rn_f32x2 F32x2;
    axpy_f64 try_axpy_f64 fma_rn_f64 f64;
}
