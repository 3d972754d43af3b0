//! Logging from a microcontroller. The lanes are sent as `f32`, and the host formats them.

use defmt::{Format, Formatter};

use crate::types::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};

macro_rules! scalar {
    ($($ty:ident $text:literal;)*) => {$(
        impl Format for $ty {
            /// Sends the exact value, as `f32`.
            #[inline]
            fn format(&self, f: Formatter<'_>) {
                defmt::write!(f, $text, self.to_f32());
            }
        }
    )*};
}

scalar! {
    F16 "F16({=f32})";
    Bf16 "Bf16({=f32})";
    Tf32 "Tf32({=f32})";
    E4m3 "E4m3({=f32})";
    E5m2 "E5m2({=f32})";
    E2m3 "E2m3({=f32})";
    E3m2 "E3m2({=f32})";
    E2m1 "E2m1({=f32})";
    Ue8m0 "Ue8m0({=f32})";
    Ue5m3 "Ue5m3({=f32})";
    S2f6 "S2f6({=f32})";
}

macro_rules! pair {
    ($($ty:ident $text:literal $lanes:ident;)*) => {$(
        impl Format for $ty {
            /// Sends the exact lanes, as `f32`.
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
    E4m3x2 "E4m3x2({=f32}, {=f32})" to_f32;
    E5m2x2 "E5m2x2({=f32}, {=f32})" to_f32;
    E2m3x2 "E2m3x2({=f32}, {=f32})" to_f32;
    E3m2x2 "E3m2x2({=f32}, {=f32})" to_f32;
    E2m1x2 "E2m1x2({=f32}, {=f32})" to_f32;
    Ue8m0x2 "Ue8m0x2({=f32}, {=f32})" to_f32;
    Ue5m3x2 "Ue5m3x2({=f32}, {=f32})" to_f32;
    S2f6x2 "S2f6x2({=f32}, {=f32})" to_f32;
}

macro_rules! quad {
    ($($ty:ident $text:literal;)*) => {$(
        impl Format for $ty {
            /// Sends the exact lanes, as `f32`.
            #[inline]
            fn format(&self, f: Formatter<'_>) {
                let [a, b, c, d] = self.to_f32();
                defmt::write!(f, $text, a, b, c, d);
            }
        }
    )*};
}

quad! {
    E4m3x4 "E4m3x4({=f32}, {=f32}, {=f32}, {=f32})";
    E5m2x4 "E5m2x4({=f32}, {=f32}, {=f32}, {=f32})";
    E2m3x4 "E2m3x4({=f32}, {=f32}, {=f32}, {=f32})";
    E3m2x4 "E3m2x4({=f32}, {=f32}, {=f32}, {=f32})";
    E2m1x4 "E2m1x4({=f32}, {=f32}, {=f32}, {=f32})";
    E2m1p4x4 "E2m1p4x4({=f32}, {=f32}, {=f32}, {=f32})";
    Ue8m0x4 "Ue8m0x4({=f32}, {=f32}, {=f32}, {=f32})";
}
