//! `F16x2`, `Bf16x2` and `F32x2`: their bits and lanes.

use super::scalar::bytes;
use super::{Bf16, F16};

/// Two `.f16` lanes in a 32-bit register, `.f16x2`.
///
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by lane: `a + b` is
/// [`add_rn`](Self::add_rn). Pairs are equal if both lanes are; they have no order.
///
/// # Examples
///
/// ```
/// use ptxf::F16x2;
///
/// let x = F16x2::from_f32([1.0, -0.5]);
/// assert_eq!(x.to_bits(), 0xb800_3c00);
/// assert_eq!((x + x).to_bits(), 0xbc00_4000);
/// assert_eq!(x.to_string(), "(1, -0.5)");
/// ```
#[doc(alias("half2", "__half2"))]
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    feature = "zerocopy-08",
    derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
)]
#[repr(transparent)]
pub struct F16x2(u32);

/// Two `.bf16` lanes in a 32-bit register, `.bf16x2`.
///
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by lane: `a + b` is
/// [`add_rn`](Self::add_rn). Pairs are equal if both lanes are; they have no order.
///
/// # Examples
///
/// ```
/// use ptxf::Bf16x2;
///
/// let x = Bf16x2::from_f32([1.0, -0.5]);
/// assert_eq!(x.to_bits(), 0xbf00_3f80);
/// assert_eq!((x + x).to_bits(), 0xbf80_4000);
/// assert_eq!(x.to_string(), "(1, -0.5)");
/// ```
#[doc(alias("bfloat162", "__nv_bfloat162"))]
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    feature = "zerocopy-08",
    derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
)]
#[repr(transparent)]
pub struct Bf16x2(u32);

/// Two `.f32` lanes in a 64-bit register, `.f32x2`.
///
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by lane: `a + b` is
/// [`add_rn`](Self::add_rn). Pairs are equal if both lanes are; they have no order.
///
/// # Examples
///
/// ```
/// use ptxf::F32x2;
///
/// let x = F32x2::from_array([1.0, -0.5]);
/// assert_eq!(x.to_bits(), 0xbf00_0000_3f80_0000);
/// assert_eq!((x + x).to_array(), [2.0, -1.0]);
/// assert_eq!(x.to_string(), "(1, -0.5)");
/// ```
#[doc(alias = "float2")]
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    feature = "zerocopy-08",
    derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
)]
#[repr(transparent)]
pub struct F32x2(u64);

macro_rules! pair {
    ($(
        $ty:ident $bits:ident $lane:ident $lane_bits:ident
        $use:literal $one:literal $minus_half:literal $joined:literal
        $join_alias:literal $splat_alias:literal $swap_alias:literal $lo_alias:literal $hi_alias:literal;
    )*) => {$(
        /// Bits and lanes.
        impl $ty {
            /// The pair with the given register bits; the lower lane is in the low half.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ");")]
            /// assert_eq!(x.to_string(), "(1, -0.5)");
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits)
            }

            /// The register bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_lo_hi(", $one, ", ", $minus_half, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_bits(self) -> $bits {
                self.0
            }

            /// The pair of the given lanes, the lower one first.
            ///
            /// PTX writes packing as `mov.b32 d, {lo, hi}`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_lo_hi(", $one, ", ", $minus_half, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[doc(alias = $join_alias)]
            #[must_use]
            #[inline]
            pub const fn from_lo_hi(lo: $lane, hi: $lane) -> Self {
                Self((lo.to_bits() as $bits) | ((hi.to_bits() as $bits) << $lane_bits::BITS))
            }

            /// The lower lane, in the low half of the register.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $joined, ").lo(), ", $one, ");")]
            /// ```
            #[doc(alias = $lo_alias)]
            #[must_use]
            #[inline]
            pub const fn lo(self) -> $lane {
                $lane::from_bits(self.0 as $lane_bits)
            }

            /// The upper lane, in the high half of the register.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $joined, ").hi(), ", $minus_half, ");")]
            /// ```
            #[doc(alias = $hi_alias)]
            #[must_use]
            #[inline]
            pub const fn hi(self) -> $lane {
                $lane::from_bits((self.0 >> $lane_bits::BITS) as $lane_bits)
            }

            /// The pair of the lanes `[lo, hi]`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_array([", $one, ", ", $minus_half, "]);")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_array(lanes: [$lane; 2]) -> Self {
                Self::from_lo_hi(lanes[0], lanes[1])
            }

            /// The lanes, `[lo, hi]`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ");")]
            #[doc = concat!("assert_eq!(x.to_array(), [", $one, ", ", $minus_half, "]);")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_array(self) -> [$lane; 2] {
                [self.lo(), self.hi()]
            }

            /// The pair with `x` in both lanes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::splat(", $one, ");")]
            #[doc = concat!("assert_eq!(x.to_array(), [", $one, "; 2]);")]
            /// ```
            #[doc(alias = $splat_alias)]
            #[must_use]
            #[inline]
            pub const fn splat(x: $lane) -> Self {
                Self::from_lo_hi(x, x)
            }

            /// The pair with its lanes exchanged.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ").swap_lanes();")]
            #[doc = concat!("assert_eq!(x.to_array(), [", $minus_half, ", ", $one, "]);")]
            /// ```
            #[doc(alias = $swap_alias)]
            #[must_use]
            #[inline]
            pub const fn swap_lanes(self) -> Self {
                Self(self.0.rotate_left($lane_bits::BITS))
            }

            /// The pair of `f(lo)` and `f(hi)`, in this order.
            ///
            /// For functions that have no packed instruction.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ").map(|lane| lane * lane + lane);")]
            /// assert_eq!(x.to_string(), "(2, -0.25)");
            /// ```
            #[must_use]
            #[inline]
            pub fn map(self, mut f: impl FnMut($lane) -> $lane) -> Self {
                let lo = f(self.lo());
                Self::from_lo_hi(lo, f(self.hi()))
            }
        }
    )*};
}

pair! {
    F16x2 u32 F16 u16
        "{F16, F16x2}" "F16::ONE" "F16::from_f32(-0.5)" "0xb800_3c00"
        "__halves2half2" "__half2half2" "__lowhigh2highlow" "__low2half" "__high2half";
    Bf16x2 u32 Bf16 u16
        "{Bf16, Bf16x2}" "Bf16::ONE" "Bf16::from_f32(-0.5)" "0xbf00_3f80"
        "__halves2bfloat162" "__bfloat162bfloat162" "__lowhigh2highlow" "__low2bfloat16" "__high2bfloat16";
    F32x2 u64 f32 u32
        "F32x2" "1.0" "-0.5" "0xbf00_0000_3f80_0000"
        "make_float2" "broadcast" "swap" "float2.x" "float2.y";
}

bytes! {
    F16x2 u32 4 "0xb800_3c66" "[0x66, 0x3c, 0x00, 0xb8]" "[0xb8, 0x00, 0x3c, 0x66]";
    Bf16x2 u32 4 "0xb800_3c66" "[0x66, 0x3c, 0x00, 0xb8]" "[0xb8, 0x00, 0x3c, 0x66]";
    F32x2 u64 8 "0xbf00_0000_3f80_0001" "[0x01, 0x00, 0x80, 0x3f, 0, 0, 0, 0xbf]" "[0xbf, 0, 0, 0, 0x3f, 0x80, 0x00, 0x01]";
}
