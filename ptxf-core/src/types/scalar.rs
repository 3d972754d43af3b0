//! `F16` and `Bf16`, and the bits and bytes of all scalars.

/// A 16-bit float, `.f16`: IEEE 754 binary16, 11 significant bits, up to 65 504.
///
/// Operators are the `.rn` instructions: `a + b` is [`add_rn`](Self::add_rn). Comparison is IEEE's,
/// so there is no `Eq`, `Ord` or `Hash`; use [`to_bits`](Self::to_bits) or
/// [`total_cmp`](Self::total_cmp) if you need a total order.
///
/// # Examples
///
/// ```
/// use ptxf::F16;
///
/// let x = F16::from_f32(0.1);
/// assert_eq!(x.to_bits(), 0x2e66);
/// assert_eq!((x + F16::ONE).to_bits(), 0x3c66);
/// assert_eq!(x.to_string(), "0.1");
/// ```
///
/// A float cannot be a key:
///
/// ```compile_fail,E0277
/// fn key<T: Eq + core::hash::Hash>(_: T) {}
/// key(ptxf::F16::ONE);
/// ```
#[doc(alias("half", "__half", "binary16"))]
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    feature = "zerocopy-08",
    derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
)]
#[repr(transparent)]
pub struct F16(u16);

/// A 16-bit float, `.bf16`: the upper half of a binary32, 8 significant bits and the range of
/// `f32`.
///
/// Operators are the `.rn` instructions: `a + b` is [`add_rn`](Self::add_rn). Comparison is IEEE's,
/// so there is no `Eq`, `Ord` or `Hash`; use [`to_bits`](Self::to_bits) or
/// [`total_cmp`](Self::total_cmp) if you need a total order.
///
/// # Examples
///
/// ```
/// use ptxf::Bf16;
///
/// let x = Bf16::from_f32(0.1);
/// assert_eq!(x.to_bits(), 0x3dcd);
/// assert_eq!((x + Bf16::ONE).to_bits(), 0x3f8d);
/// assert_eq!(x.to_string(), "0.1");
/// ```
///
/// A float cannot be a key:
///
/// ```compile_fail,E0277
/// fn key<T: Eq + core::hash::Hash>(_: T) {}
/// key(ptxf::Bf16::ONE);
/// ```
#[doc(alias("bfloat16", "__nv_bfloat16"))]
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    feature = "zerocopy-08",
    derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout)
)]
#[repr(transparent)]
pub struct Bf16(u16);

macro_rules! bits {
    ($($ty:ident $int:ident $used:literal $from_f32:ident $value:literal $bits:literal $from:literal $to:literal;)*) => {$(
        /// Bits and bytes.
        impl $ty {
            /// Returns the value with the given bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::from_bits(", $bits, ").to_f32(), ", $value, ");")]
            /// ```
            #[doc(alias = $from)]
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: $int) -> Self {
                Self(bits & $used)
            }

            /// Returns the bits.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($ty), "::", stringify!($from_f32), "(", $value, ").to_bits(), ", $bits, ");")]
            /// ```
            #[doc(alias = $to)]
            #[must_use]
            #[inline]
            pub const fn to_bits(self) -> $int {
                self.0 & $used
            }
        }
    )*};
}

bits! {
    F16 u16 0xffff from_f32 "-1.5" "0xbe00" "__ushort_as_half" "__half_as_ushort";
    Bf16 u16 0xffff from_f32 "-1.5" "0xbfc0" "__ushort_as_bfloat16" "__bfloat16_as_ushort";
}

/// Implements `from_{le,be,ne}_bytes` and `to_{le,be,ne}_bytes` for a type made of bits.
macro_rules! bytes {
    ($($ty:ident $bits:ident $size:literal $example:literal $le:literal $be:literal;)*) => {$(
        /// Bytes in memory.
        impl $ty {
            /// Returns the value whose bits are stored in the given bytes, lowest first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_le_bytes(", $le, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $example, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_le_bytes(bytes: [u8; $size]) -> Self {
                Self::from_bits($bits::from_le_bytes(bytes))
            }

            /// Returns the value whose bits are stored in the given bytes, highest first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_be_bytes(", $be, ");")]
            #[doc = concat!("assert_eq!(x.to_bits(), ", $example, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_be_bytes(bytes: [u8; $size]) -> Self {
                Self::from_bits($bits::from_be_bytes(bytes))
            }

            /// Returns the value whose bits are stored in the given bytes, in the target's order.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $example, ");")]
            #[doc = concat!("let y = ", stringify!($ty), "::from_ne_bytes(x.to_ne_bytes());")]
            /// assert_eq!(x.to_bits(), y.to_bits());
            /// ```
            #[must_use]
            #[inline]
            pub const fn from_ne_bytes(bytes: [u8; $size]) -> Self {
                Self::from_bits($bits::from_ne_bytes(bytes))
            }

            /// Returns the bytes of the bits, lowest first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $example, ");")]
            #[doc = concat!("assert_eq!(x.to_le_bytes(), ", $le, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_le_bytes(self) -> [u8; $size] {
                self.to_bits().to_le_bytes()
            }

            /// Returns the bytes of the bits, highest first.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $example, ");")]
            #[doc = concat!("assert_eq!(x.to_be_bytes(), ", $be, ");")]
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_be_bytes(self) -> [u8; $size] {
                self.to_bits().to_be_bytes()
            }

            /// Returns the bytes of the bits, in the target's order.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x = ", stringify!($ty), "::from_bits(", $example, ");")]
            /// assert_eq!(x.to_ne_bytes(), x.to_bits().to_ne_bytes());
            /// ```
            #[must_use]
            #[inline]
            pub const fn to_ne_bytes(self) -> [u8; $size] {
                self.to_bits().to_ne_bytes()
            }
        }
    )*};
}

pub(super) use {bits, bytes};

bytes! {
    F16 u16 2 "0x3c66" "[0x66, 0x3c]" "[0x3c, 0x66]";
    Bf16 u16 2 "0x3c66" "[0x66, 0x3c]" "[0x3c, 0x66]";
}
