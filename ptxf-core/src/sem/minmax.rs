//! The meaning of min and max of two and of three inputs.

use super::number::flush_input;
use crate::format::Format;
use crate::modifiers::Modifiers;

/// Returns the smaller of `a` and `b`.
#[inline]
pub fn min<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    extreme2::<F>(m, a, b, |x, y| order::<F>(x) < order::<F>(y))
}

/// Returns the larger of `a` and `b`.
#[inline]
pub fn max<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits) -> F::Bits {
    extreme2::<F>(m, a, b, |x, y| order::<F>(x) > order::<F>(y))
}

/// Returns the smallest of `a`, `b` and `c`: the smaller of the first two, then of the result and
/// the third.
#[inline]
pub fn min3<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> F::Bits {
    min::<F>(m, min::<F>(m, a, b), c)
}

/// Returns the largest of `a`, `b` and `c`: the larger of the first two, then of the result and the
/// third.
#[inline]
pub fn max3<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, c: F::Bits) -> F::Bits {
    max::<F>(m, max::<F>(m, a, b), c)
}

#[inline]
fn extreme2<F: Format>(m: Modifiers, a: F::Bits, b: F::Bits, wins: impl Fn(F::Bits, F::Bits) -> bool) -> F::Bits {
    let negative = F::is_negative(a ^ b);
    let [x, y] = [a, b].map(|x| flush_input::<F>(m.ftz(), x)).map(|x| if m.abs() { F::magnitude(x) } else { x });
    let d = match (F::is_nan(x), F::is_nan(y)) {
        (true, true) => return both_nan::<F>(m, b),
        (true, false) | (false, true) if m.nan() => return F::CANONICAL_NAN,
        (true, false) => y,
        (false, true) => x,
        (false, false) => {
            if wins(x, y) {
                x
            } else {
                y
            }
        }
    };
    if m.xorsign() { F::signed(negative, F::magnitude(d)) } else { d }
}

/// Returns the result for two NaNs: for f64, which keeps payloads, the second NaN, quieted; else
/// the canonical NaN.
#[inline]
fn both_nan<F: Format>(m: Modifiers, b: F::Bits) -> F::Bits {
    if F::KEEPS_PAYLOADS && !m.nan() { b | F::quiet_bit() } else { F::CANONICAL_NAN }
}

/// Returns a key that orders numbers as integers: −0 below +0, negative magnitudes reversed.
#[inline]
fn order<F: Format>(x: F::Bits) -> F::Bits {
    if F::is_negative(x) { !x } else { x | F::sign_mask() }
}
