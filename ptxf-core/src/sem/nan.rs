//! Which NaN a result is, where it is one.

use crate::format::Format;

/// The NaN result for operands in the order of their precedence: the first NaN among them, quieted, where the format keeps payloads; else, or
/// if none is a NaN (an invalid operation), the canonical NaN.
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
