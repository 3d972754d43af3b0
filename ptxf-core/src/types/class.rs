//! What kind of number a scalar is, and its sign.

use core::num::FpCategory;

use super::{Bf16, F16};

macro_rules! class {
    ($($ty:ident)*) => {$(
        /// Classification and sign.
        impl $ty {
            const SIGN: u16 = 1 << 15;
            const MAGNITUDE: u16 = !Self::SIGN;

            /// Whether this is a NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::CANONICAL_NAN.is_nan());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::INFINITY.is_nan());")]
            /// ```
            #[doc(alias("testp", "__hisnan"))]
            #[must_use]
            #[inline]
            pub const fn is_nan(self) -> bool {
                self.to_bits() & Self::MAGNITUDE > Self::INFINITY.to_bits()
            }

            /// Whether this is +∞ or −∞.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::NEG_INFINITY.is_infinite());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::MAX.is_infinite());")]
            /// ```
            #[doc(alias = "__hisinf")]
            #[must_use]
            #[inline]
            pub const fn is_infinite(self) -> bool {
                self.to_bits() & Self::MAGNITUDE == Self::INFINITY.to_bits()
            }

            /// Whether this is neither infinite nor NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::MAX.is_finite());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::INFINITY.is_finite());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_finite(self) -> bool {
                self.to_bits() & Self::MAGNITUDE < Self::INFINITY.to_bits()
            }

            /// Whether this is a normal number: not zero, subnormal, infinite or NaN.
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
                matches!(self.classify(), FpCategory::Normal)
            }

            /// Whether this is a subnormal number: not zero, but smaller than [`MIN_POSITIVE`](Self::MIN_POSITIVE).
            ///
            /// These are the values that `.ftz` flushes to zero.
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
                matches!(self.classify(), FpCategory::Subnormal)
            }

            /// The kind of number this is.
            ///
            /// # Examples
            ///
            /// ```
            /// use core::num::FpCategory;
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::NEG_ZERO.classify(), FpCategory::Zero);")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::MIN_POSITIVE_SUBNORMAL.classify(), FpCategory::Subnormal);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn classify(self) -> FpCategory {
                let magnitude = self.to_bits() & Self::MAGNITUDE;
                if magnitude > Self::INFINITY.to_bits() {
                    FpCategory::Nan
                } else if magnitude == Self::INFINITY.to_bits() {
                    FpCategory::Infinite
                } else if magnitude == 0 {
                    FpCategory::Zero
                } else if magnitude < Self::MIN_POSITIVE.to_bits() {
                    FpCategory::Subnormal
                } else {
                    FpCategory::Normal
                }
            }

            /// Whether the sign bit is set, which it is for −0 and may be for a NaN.
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

            /// Whether the sign bit is clear.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($ty), "::INFINITY.is_sign_positive());")]
            #[doc = concat!("assert!(!", stringify!($ty), "::NEG_ZERO.is_sign_positive());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_sign_positive(self) -> bool {
                !self.is_sign_negative()
            }

            /// The magnitude of `self` with the sign bit of `sign`; a NaN keeps its payload.
            ///
            /// The operands stand as in `f32::copysign`. PTX has the instruction for f32 and f64 only, with the
            /// operands the other way round.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::ONE.copysign(", stringify!($ty), "::NEG_ZERO);")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", stringify!($ty), "::from_f32(-1.0).to_bits());")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn copysign(self, sign: Self) -> Self {
                Self::from_bits(self.to_bits() & Self::MAGNITUDE | sign.to_bits() & Self::SIGN)
            }

            /// 1 with the sign of `self`, also for zeros; a NaN gives the canonical NaN.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_f32(-7.5).signum().to_f32(), -1.0);")]
            #[doc = concat!("assert_eq!(", stringify!($ty), "::ZERO.signum().to_f32(), 1.0);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn signum(self) -> Self {
                if self.is_nan() { Self::CANONICAL_NAN } else { Self::ONE.copysign(self) }
            }
        }
    )*};
}

class! { F16 Bf16 }
