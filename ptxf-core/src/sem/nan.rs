//! The NaN of a result.

use crate::format::Format;

/// Returns the NaN result for operands in order of precedence. In a format that keeps payloads it
/// is the first NaN operand, quieted. Otherwise, or without a NaN operand (an invalid operation),
/// it is the canonical NaN.
#[inline(always)]
pub(super) fn nan<F: Format>(operands: &[F::Bits]) -> F::Bits {
    if F::KEEPS_PAYLOADS {
        for &x in operands {
            if F::is_nan(x) {
                return x | F::quiet_bit();
            }
        }
    }
    F::CANONICAL_NAN
}
