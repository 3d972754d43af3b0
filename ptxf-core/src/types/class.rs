//! The class of a scalar (NaN, infinite, normal and so on), and its sign.

use super::{Bf16, F16};

/// One row per type: the type of its bits, the sign bit, the infinity if there is one, and two
/// lines of examples.
macro_rules! class {
    ($($ty:ident $int:ident $sign:literal $infinity:expr, $nan:literal $infinite:literal;)*) => {$(
        /// Classes of numbers.
        impl $ty {
            pub(super) const SIGN: $int = $sign;
            pub(super) const MAGNITUDE: $int = $int::MAX ^ Self::SIGN;
            const INFINITE: Option<$int> = $infinity;

            /// Returns `true` for a NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = $nan]
            #[doc = concat!("assert!(!", stringify!($ty), "::MAX.is_nan());")]
            /// ```
            #[doc(alias("testp", "__hisnan"))]
            #[must_use]
            #[inline]
            pub const fn is_nan(self) -> bool {
                self.to_bits() & Self::MAGNITUDE > Self::MAX.to_bits() && !self.is_infinite()
            }

            /// Returns `true` for +∞ and −∞.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = $infinite]
            #[doc = concat!("assert!(!", stringify!($ty), "::MAX.is_infinite());")]
            /// ```
            #[doc(alias = "__hisinf")]
            #[must_use]
            #[inline]
            pub const fn is_infinite(self) -> bool {
                match Self::INFINITE {
                    Some(infinity) => self.to_bits() & Self::MAGNITUDE == infinity,
                    None => false,
                }
            }

            /// Returns `true` for a number that is neither infinite nor NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::MAX.is_finite());")]
            #[doc = concat!("assert!(", stringify!($ty), "::ONE.is_finite());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_finite(self) -> bool {
                self.to_bits() & Self::MAGNITUDE <= Self::MAX.to_bits()
            }

            /// Returns `true` for a normal number: not zero, subnormal, infinite or NaN.
            ///
            /// PTX's `testp.normal`, which exists for f32 and f64, also counts zeros.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::MIN_POSITIVE.is_normal());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::ZERO.is_normal());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_normal(self) -> bool {
                matches!(self.classify(), core::num::FpCategory::Normal)
            }

            /// Returns `true` for a subnormal number: not zero, but smaller than
            /// [`MIN_POSITIVE`](Self::MIN_POSITIVE).
            ///
            /// `.ftz` flushes subnormal numbers to zero.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::MIN_POSITIVE_SUBNORMAL.is_subnormal());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::ZERO.is_subnormal());")]
            /// ```
            #[doc(alias = "is_denormal")]
            #[must_use]
            #[inline]
            pub const fn is_subnormal(self) -> bool {
                matches!(self.classify(), core::num::FpCategory::Subnormal)
            }

            /// Returns the class of the number.
            ///
            /// # Examples
            ///
            /// ```
            /// use core::num::FpCategory;
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::ZERO.classify(), FpCategory::Zero);")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::MIN_POSITIVE_SUBNORMAL.classify(), FpCategory::Subnormal);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn classify(self) -> core::num::FpCategory {
                let magnitude = self.to_bits() & Self::MAGNITUDE;
                if magnitude > Self::MAX.to_bits() {
                    if self.is_infinite() { core::num::FpCategory::Infinite } else { core::num::FpCategory::Nan }
                } else if magnitude == 0 {
                    core::num::FpCategory::Zero
                } else if magnitude < Self::MIN_POSITIVE.to_bits() {
                    core::num::FpCategory::Subnormal
                } else {
                    core::num::FpCategory::Normal
                }
            }
        }
    )*};
}

/// One row per type: the result of `signum` for a NaN.
macro_rules! sign {
    ($($ty:ident $nan:ident;)*) => {$(
        /// Sign.
        impl $ty {
            /// Returns `true` if the sign bit is set, as it is for −0 and may be for a NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::NEG_ZERO.is_sign_negative());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::ZERO.is_sign_negative());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_sign_negative(self) -> bool {
                self.to_bits() & Self::SIGN != 0
            }

            /// Returns `true` if the sign bit is clear.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::MAX.is_sign_positive());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::NEG_ZERO.is_sign_positive());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_sign_positive(self) -> bool {
                !self.is_sign_negative()
            }

            /// Returns the magnitude of `self` with the sign bit of `sign`; a NaN keeps its
            /// payload.
            ///
            /// The operands are in the order of `f32::copysign`. PTX has the instruction only for
            /// f32 and f64, with the operands exchanged.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::ONE.copysign(", stringify!($ty), "::NEG_ZERO);")]
            #[doc = concat!("assert_eq!(x.to_bits(), (-", stringify!($ty), "::ONE).to_bits());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn copysign(self, sign: Self) -> Self {
                Self::from_bits(self.to_bits() & Self::MAGNITUDE | sign.to_bits() & Self::SIGN)
            }

            /// Returns 1 with the sign of `self`, also for zeros; a NaN gives the canonical NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(-6.0).signum().to_f32(), -1.0);")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::ZERO.signum().to_f32(), 1.0);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn signum(self) -> Self {
                if self.is_nan() { Self::$nan } else { Self::ONE.copysign(self) }
            }
        }
    )*};
}

pub(super) use {class, sign};

class! {
    F16 u16 0x8000 Some(0x7c00),
        "assert!(F16::CANONICAL_NAN.is_nan());" "assert!(F16::NEG_INFINITY.is_infinite());";
    Bf16 u16 0x8000 Some(0x7f80),
        "assert!(Bf16::CANONICAL_NAN.is_nan());" "assert!(Bf16::NEG_INFINITY.is_infinite());";
}

sign! { F16 CANONICAL_NAN; Bf16 CANONICAL_NAN; }
