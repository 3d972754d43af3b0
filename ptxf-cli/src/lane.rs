//! The formats of lanes, one row each.

use std::fmt;

use ptxf::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, TensorFloat32,
};
use ptxf::sem::{convert, cvt, cvt_rna};
use ptxf::spec::Type;
use ptxf::{Modifiers, Round};

use crate::shape::Shape;

/// Declares a format per row: its name, floating or fixed point, its encoding, and the types with
/// such lanes.
macro_rules! lanes {
    ($($lane:ident $name:literal $kind:ident $encoding:ident: $first:ident $(| $ty:ident)*;)*) => {
        /// The format of a lane.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Lane {
            $($lane,)*
        }

        impl Lane {
            pub(crate) const ALL: &[Self] = &[$(Self::$lane,)*];

            /// Returns the format of the type's lanes; `None` for integers and bits.
            pub(crate) fn find(ty: Type) -> Option<Self> {
                Some(match ty {
                    $(Type::$first $(| Type::$ty)* => Self::$lane,)*
                    _ => return None,
                })
            }

            /// Returns the types whose lanes have this format, the one with the fewest lanes first.
            pub(crate) fn types(self) -> &'static [Type] {
                match self {
                    $(Self::$lane => &[Type::$first $(, Type::$ty)*],)*
                }
            }

            /// Returns PTX's name of one lane.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$lane => $name,)*
                }
            }

            /// Returns the layout of the bits.
            pub(crate) fn shape(self) -> Shape {
                match self {
                    $(Self::$lane => Shape::$kind::<$encoding>(),)*
                }
            }

            /// Returns the value of `bits`. f64 has every value of every format.
            pub(crate) fn widen(self, bits: u64) -> f64 {
                let bits = bits & self.used();
                f64::from_bits(match self {
                    $(Self::$lane => convert::<$encoding, Binary64>(Round::Rn, bits as _),)*
                })
            }

            /// Converts `x` by `cvt`.
            pub(crate) fn convert(self, m: Modifiers, x: f64) -> u64 {
                match self {
                    $(Self::$lane => cvt::<Binary64, $encoding>(m, x.to_bits()).into(),)*
                }
            }

            /// Converts `x` by `cvt.rna`.
            pub(crate) fn convert_rna(self, m: Modifiers, x: f64) -> u64 {
                match self {
                    $(Self::$lane => cvt_rna::<Binary64, $encoding>(m, x.to_bits()).into(),)*
                }
            }
        }
    };
}

lanes! {
    F16 "f16" float Binary16: F16 | F16x2;
    Bf16 "bf16" float BFloat16: Bf16 | Bf16x2;
    F32 "f32" float Binary32: F32 | F32x2;
    F64 "f64" float Binary64: F64;
    Tf32 "tf32" float TensorFloat32: Tf32;
    E4m3 "e4m3" float Float8E4M3: E4m3x2 | E4m3x4;
    E5m2 "e5m2" float Float8E5M2: E5m2x2 | E5m2x4;
    E2m3 "e2m3" float Float6E2M3: E2m3x2 | E2m3x4;
    E3m2 "e3m2" float Float6E3M2: E3m2x2 | E3m2x4;
    E2m1 "e2m1" float Float4E2M1: E2m1x2 | E2m1x4 | E2m1p4x4;
    Ue8m0 "ue8m0" float Exponent8: Ue8m0 | Ue8m0x2 | Ue8m0x4;
    Ue5m3 "ue5m3" float Float8UE5M3: Ue5m3x2;
    S2f6 "s2f6" fixed Fixed2F6: S2f6x2;
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Lane {
    pub(crate) fn of(ty: Type) -> Self {
        Self::find(ty).unwrap_or_else(|| unreachable!("no operand is a .{ty}"))
    }

    /// Returns the width in bits.
    pub(crate) fn bits(self) -> u32 {
        self.types()[0].lane_bits()
    }

    /// Returns a mask of the bits that are not padding.
    pub(crate) fn used(self) -> u64 {
        u64::MAX >> (64 - self.bits()) & u64::MAX << self.shape().padding
    }

    /// Returns the number of hex digits of a lane.
    pub(crate) fn digits(self) -> usize {
        self.bits().div_ceil(4) as usize
    }

    /// Rounds `x` to nearest even. Formats of up to 8 bits saturate, like their conversions.
    pub(crate) fn round(self, x: f64) -> u64 {
        self.convert(Modifiers::PLAIN.with_satfinite(self.bits() <= 8), x)
    }
}
