//! Logging from a microcontroller; the host turns the lanes, sent as `f32`, into text.

use defmt::{Format, Formatter};

use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

macro_rules! scalar {
    ($($ty:ident $text:literal;)*) => {$(
        impl Format for $ty {
            /// The exact value, as `f32`.
            #[inline]
            fn format(&self, f: Formatter<'_>) {
                defmt::write!(f, $text, self.to_f32());
            }
        }
    )*};
}

scalar! { F16 "F16({=f32})"; Bf16 "Bf16({=f32})"; }

macro_rules! pair {
    ($($ty:ident $text:literal $lanes:ident;)*) => {$(
        impl Format for $ty {
            /// The exact lanes, as `f32`.
            #[inline]
            fn format(&self, f: Formatter<'_>) {
                let [lo, hi] = self.$lanes();
                defmt::write!(f, $text, lo, hi);
            }
        }
    )*};
}

pair! {
    F16x2 "F16x2({=f32}, {=f32})" to_f32;
    Bf16x2 "Bf16x2({=f32}, {=f32})" to_f32;
    F32x2 "F32x2({=f32}, {=f32})" to_array;
}
