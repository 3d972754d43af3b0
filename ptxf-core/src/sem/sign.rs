//! The meaning of neg, abs, copysign and testp, which only use single fields.

use super::number::flush_input;
use crate::format::Format;
use crate::modifiers::{Modifiers, Property};

/// Computes `−a`: flips the sign bit, also of a NaN.
#[inline]
pub fn neg<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    flush_input::<F>(m.ftz(), a) ^ F::sign_mask()
}

/// Computes `|a|`: clears the sign bit, also of a NaN.
#[inline]
pub fn abs<F: Format>(m: Modifiers, a: F::Bits) -> F::Bits {
    F::magnitude(flush_input::<F>(m.ftz(), a))
}

/// Returns the magnitude of `b` with the sign of `a`.
#[inline]
pub fn copysign<F: Format>(_: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    F::signed(F::is_negative(a), F::magnitude(b))
}

/// Returns `true` if `a` has the property. Zeros count as normal.
#[inline]
pub fn testp<F: Format>(property: Property, a: F::Bits) -> bool {
    match property {
        Property::Finite => F::magnitude(a) < F::infinity(),
        Property::Infinite => F::is_infinite(a),
        Property::Number => !F::is_nan(a),
        Property::NotANumber => F::is_nan(a),
        Property::Normal => F::magnitude(a) < F::infinity() && !F::is_subnormal(a),
        Property::Subnormal => F::is_subnormal(a),
    }
}
