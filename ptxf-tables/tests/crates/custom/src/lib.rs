//! A user's table in a crate in which nothing has its usual name.

#![no_std]
#![no_implicit_prelude]
#![deny(missing_docs, unsafe_code, warnings)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(non_camel_case_types, non_upper_case_globals, reason = "names that the expansion must not meet")]

/// Shadows the library's type.
pub struct F16;

/// Shadows a name that the expansion uses.
pub mod ptxf {}
/// Shadows a name that the expansion uses.
pub mod core {}

/// Shadows a name that the expansion uses.
pub struct u8;
/// Shadows a name that the expansion uses.
pub struct u16;
/// Shadows a name that the expansion uses.
pub const None: bool = true;
/// Shadows a name that the expansion uses.
pub mod std {}

::floats::unary_table! {
    /// A table that stores a part of its results.
    pub static PART: Bf16 -> Bf16 = |r#x| ::core::f64::consts::FRAC_2_SQRT_PI * r#x, range = -3.0..=5.0, below = -x, above = 12345
}

::floats::unary_table! {
    const WIDTH: f64 = 3 / 2;
    /// A bell.
    pub static BELL: F16 -> Bf16 = |x| exp(-powi(x / WIDTH, 2)), symmetry = even
}

::floats::unary_table! {
    #[doc(alias = "swish")]
    static SILU: Bf16 -> Bf16 = |x| x * sigmoid(x);
}

/// The table, by its type.
#[must_use]
pub fn activation() -> &'static ::floats::tables::UnaryTable<::floats::Bf16, ::floats::Bf16> {
    &SILU
}

#[cfg(test)]
mod tests {
    use ::core::prelude::v1::test;
    use ::core::{assert, assert_eq};

    #[test]
    fn it_looks_up() {
        use ::floats::{Bf16, F16};

        assert_eq!(crate::BELL.get(F16::ZERO), Bf16::ONE);
        assert_eq!(crate::BELL.get(F16::from_f32(-1.5)).to_bits(), 0x3ebc);
        assert_eq!(crate::activation().get(Bf16::from_f32(100.0)).to_f32(), 100.0);
        assert!(crate::BELL.size() < 64 * 1024);
    }
}
