//! The formats of elements, as values.

use super::operand::Kind;
use crate::format::{
    BFloat16, Binary16, Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, TensorFloat32,
};
use crate::sem::matrix::Factor;
use crate::types::{E4m3, E5m2, F16};

macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident $text:literal $bits:literal;)*) => {
        /// The format of a matrix's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Element {
            $($(#[$doc])* $name,)*
        }

        impl Element {
            /// Returns the format with a name of PTX, or `None` for another word.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Returns the name in PTX.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Returns the number of bits. A tf32 has those of its register, 32.
            #[must_use]
            pub const fn bits(self) -> usize {
                match self {
                    $(Self::$name => $bits,)*
                }
            }
        }
    };
}

elements! {
    /// `.f16`
    F16 "f16" 16;
    /// `.bf16`
    Bf16 "bf16" 16;
    /// `.tf32`
    Tf32 "tf32" 32;
    /// `.e4m3`
    E4m3 "e4m3" 8;
    /// `.e5m2`
    E5m2 "e5m2" 8;
    /// `.e3m2`
    E3m2 "e3m2" 6;
    /// `.e2m3`
    E2m3 "e2m3" 6;
    /// `.e2m1`
    E2m1 "e2m1" 4;
    /// `.f32`
    F32 "f32" 32;
    /// `.f64`
    F64 "f64" 64;
    /// `.s32`
    S32 "s32" 32;
    /// `.s8`
    S8 "s8" 8;
    /// `.u8`
    U8 "u8" 8;
    /// `.s4`
    S4 "s4" 4;
    /// `.u4`
    U4 "u4" 4;
    /// `.b1`
    B1 "b1" 1;
    /// `.ue8m0`, of scales
    Ue8m0 "ue8m0" 8;
    /// `.ue4m3`, of scales
    Ue4m3 "ue4m3" 8;
}

impl Element {
    /// Returns the kind of a multiplicand, as the rules of units distinguish them. Returns `None`
    /// for integers, f64 and scales.
    pub(super) fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::F16 => Kind::F16,
            Self::Bf16 => Kind::Bf16,
            Self::Tf32 => Kind::Tf32,
            Self::E4m3 | Self::E5m2 | Self::E3m2 | Self::E2m3 | Self::E2m1 => Kind::Fp8,
            _ => return None,
        })
    }

    /// Decodes a float or a scale. In a byte, an e2m1 is in bits 2 to 5.
    pub(super) fn factor(self, bits: u64, in_byte: bool) -> Factor {
        match self {
            Self::F16 => Factor::of::<Binary16>(bits as u16),
            Self::Bf16 => Factor::of::<BFloat16>(bits as u16),
            Self::Tf32 => Factor::of::<TensorFloat32>(bits as u32),
            Self::E4m3 => Factor::of::<Float8E4M3>(bits as u8),
            Self::E5m2 => Factor::of::<Float8E5M2>(bits as u8),
            Self::E3m2 => Factor::of::<Float6E3M2>(bits as u8 & 0x3F),
            Self::E2m3 => Factor::of::<Float6E2M3>(bits as u8 & 0x3F),
            Self::E2m1 => Factor::of::<Float4E2M1>((if in_byte { bits >> 2 } else { bits }) as u8 & 0xF),
            Self::Ue8m0 => Factor::of::<Exponent8>(bits as u8),
            Self::Ue4m3 => Factor::of::<Float8E4M3>(bits as u8 & 0x7F),
            _ => Factor::Nan,
        }
    }

    /// Decodes a number of 8 bits after its conversion to f16.
    pub(super) fn factor_in_f16(self, bits: u64) -> Factor {
        let value = match self {
            Self::E5m2 => E5m2::from_bits(bits as u8).to_f32(),
            _ => E4m3::from_bits(bits as u8).to_f32(),
        };
        Factor::of::<Binary16>(F16::from_f32(value).to_bits())
    }

    /// Returns the value of an integer.
    pub(super) fn integer(self, bits: u64) -> i64 {
        match self {
            Self::S8 | Self::S4 => {
                let unused = 64 - self.bits();
                ((bits << unused) as i64) >> unused
            }
            _ => bits as i64,
        }
    }
}
