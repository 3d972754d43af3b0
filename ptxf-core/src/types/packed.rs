//! `F16x2`, `Bf16x2` and `F32x2`, and the bits and lanes of all packed types.

use super::scalar::bytes;
use super::{Bf16, F16};

/// Two `.f16` lanes in a 32-bit register, `.f16x2`.
///
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by
/// lane: `a + b` is [`add_rn`](Self::add_rn). Pairs are equal if both lanes are equal. They have no
/// order.
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
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by
/// lane: `a + b` is [`add_rn`](Self::add_rn). Pairs are equal if both lanes are equal. They have no
/// order.
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
/// The lower lane is in the low half of the register. Operators are the `.rn` instructions, lane by
/// lane: `a + b` is [`add_rn`](Self::add_rn). Pairs are equal if both lanes are equal. They have no
/// order.
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

/// One row per type: the type and mask of its bits, the type and bits of a lane, the number of
/// lanes and their stride in bits; then for the examples the import, the lanes, their bits and
/// text, one lane, an alias, a function of a lane, and the text of its results.
macro_rules! packed {
    ($(
        $ty:ident $bits:ident $used:literal $lane:ident $lane_bits:ident $n:literal $stride:literal
        $use:literal $lanes:literal $joined:literal $text:literal $one:literal $splat_alias:literal $f:literal $mapped:literal;
    )*) => {$(
        /// Bits and lanes.
        impl $ty {
            /// Returns the value with the given register bits; the lowest lane is in the lowest
            /// bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ");")]
            #[doc = concat!("assert_eq!(x.to_string(), \"", $text, "\");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits & $used)
            }

            /// Returns the register bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_array(", $lanes, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_bits(self) -> $bits {
                self.0 & $used
            }

            /// Returns the value with the given lanes, the lowest lane first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_array(", $lanes, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_array(lanes: [$lane; $n]) -> Self {
                let (mut bits, mut i) = (0, 0);
                while i < $n {
                    bits |= (lanes[i].to_bits() as $bits) << ($stride * i);
                    i += 1;
                }
                Self(bits)
            }

            /// Returns the lanes, the lowest lane first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ");")]
            #[doc = concat!("assert_eq!(x.to_array(), ", $lanes, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_array(self) -> [$lane; $n] {
                let (mut lanes, mut i) = ([$lane::from_bits(0); $n], 0);
                while i < $n {
                    lanes[i] = $lane::from_bits((self.0 >> ($stride * i)) as $lane_bits);
                    i += 1;
                }
                lanes
            }

            /// Returns the value with `x` in all lanes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::splat(", $one, ");")]
            #[doc = concat!("assert_eq!(x.to_array(), [", $one, "; ", stringify!($n), "]);")]
            /// ```
            #[doc(alias = $splat_alias)]
            #[must_use]
            #[inline]
            pub const fn splat(x: $lane) -> Self {
                Self::from_array([x; $n])
            }

            /// Applies `f` to each lane, from the lowest lane on.
            ///
            /// This is for functions without a packed instruction.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ").map(|lane| ", $f, ");")]
            #[doc = concat!("assert_eq!(x.to_string(), \"", $mapped, "\");")]
            /// ```
            #[must_use]
            #[inline]
            pub fn map(self, f: impl FnMut($lane) -> $lane) -> Self {
                Self::from_array(self.to_array().map(f))
            }
        }
    )*};
}

/// One row per type of two lanes: the type of its bits, the type and bits of a lane, the stride in
/// bits; the import, a lower and an upper lane and their bits for the examples, and aliases.
macro_rules! pair {
    ($(
        $ty:ident $bits:ident $lane:ident $lane_bits:ident $stride:literal
        $use:literal $lo:literal $hi:literal $joined:literal
        $join_alias:literal $swap_alias:literal $lo_alias:literal $hi_alias:literal;
    )*) => {$(
        /// Two lanes.
        impl $ty {
            /// Returns the pair with the given lanes.
            ///
            /// PTX writes packing as `mov.b32 d, {lo, hi}`.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_lo_hi(", $lo, ", ", $hi, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $joined, ");")]
            /// ```
            #[doc(alias = $join_alias)]
            #[must_use]
            #[inline]
            pub const fn from_lo_hi(lo: $lane, hi: $lane) -> Self {
                Self((lo.to_bits() as $bits) | ((hi.to_bits() as $bits) << $stride))
            }

            /// Returns the lower lane, in the low half of the register.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $joined, ").lo(), ", $lo, ");")]
            /// ```
            #[doc(alias = $lo_alias)]
            #[must_use]
            #[inline]
            pub const fn lo(self) -> $lane {
                $lane::from_bits(self.0 as $lane_bits)
            }

            /// Returns the upper lane, in the high half of the register.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $joined, ").hi(), ", $hi, ");")]
            /// ```
            #[doc(alias = $hi_alias)]
            #[must_use]
            #[inline]
            pub const fn hi(self) -> $lane {
                $lane::from_bits((self.0 >> $stride) as $lane_bits)
            }

            /// Exchanges the lanes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", $use, ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $joined, ").swap_lanes();")]
            #[doc = concat!("assert_eq!(x.to_array(), [", $hi, ", ", $lo, "]);")]
            /// ```
            #[doc(alias = $swap_alias)]
            #[must_use]
            #[inline]
            pub const fn swap_lanes(self) -> Self {
                Self(self.0.rotate_left($stride))
            }
        }
    )*};
}

pub(super) use {packed, pair};

packed! {
    F16x2 u32 0xffff_ffff F16 u16 2 16
        "{F16, F16x2}" "[F16::ONE, F16::from_f32(-0.5)]" "0xb800_3c00" "(1, -0.5)" "F16::ONE" "__half2half2"
        "lane * lane + lane" "(2, -0.25)";
    Bf16x2 u32 0xffff_ffff Bf16 u16 2 16
        "{Bf16, Bf16x2}" "[Bf16::ONE, Bf16::from_f32(-0.5)]" "0xbf00_3f80" "(1, -0.5)" "Bf16::ONE" "__bfloat162bfloat162"
        "lane * lane + lane" "(2, -0.25)";
    F32x2 u64 0xffff_ffff_ffff_ffff f32 u32 2 32
        "F32x2" "[1.0, -0.5]" "0xbf00_0000_3f80_0000" "(1, -0.5)" "1.0" "broadcast"
        "lane * lane + lane" "(2, -0.25)";
}

pair! {
    F16x2 u32 F16 u16 16
        "{F16, F16x2}" "F16::ONE" "F16::from_f32(-0.5)" "0xb800_3c00"
        "__halves2half2" "__lowhigh2highlow" "__low2half" "__high2half";
    Bf16x2 u32 Bf16 u16 16
        "{Bf16, Bf16x2}" "Bf16::ONE" "Bf16::from_f32(-0.5)" "0xbf00_3f80"
        "__halves2bfloat162" "__lowhigh2highlow" "__low2bfloat16" "__high2bfloat16";
    F32x2 u64 f32 u32 32
        "F32x2" "1.0" "-0.5" "0xbf00_0000_3f80_0000"
        "make_float2" "swap" "float2.x" "float2.y";
}

bytes! {
    F16x2 u32 4 "0xb800_3c66" "[0x66, 0x3c, 0x00, 0xb8]" "[0xb8, 0x00, 0x3c, 0x66]";
    Bf16x2 u32 4 "0xb800_3c66" "[0x66, 0x3c, 0x00, 0xb8]" "[0xb8, 0x00, 0x3c, 0x66]";
    F32x2 u64 8 "0xbf00_0000_3f80_0001" "[0x01, 0x00, 0x80, 0x3f, 0, 0, 0, 0xbf]" "[0xbf, 0, 0, 0, 0x3f, 0x80, 0x00, 0x01]";
}
