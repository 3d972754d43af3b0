//! Decoding of a register's lane into sign, exponent and significand.

use crate::format::Format;
use crate::int::Int;

/// A decoded lane.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number<W> {
    Nan,
    Infinite { negative: bool },
    Finite(Finite<W>),
}

/// `(−1)^negative · sig · 2^exp`, exactly; zero has `sig == 0` and keeps its sign.
#[derive(Clone, Copy, Debug)]
pub struct Finite<W> {
    /// `true` for a negative number.
    pub negative: bool,
    /// Integer significand.
    pub sig: W,
    /// Exponent of the significand's lowest bit.
    pub exp: i32,
}

impl<W: Int> Finite<W> {
    #[inline(always)]
    pub(super) fn is_zero(self) -> bool {
        self.sig == W::ZERO
    }

    /// Returns the same value with exactly `bits` significant bits; `sig` must be nonzero and not
    /// longer.
    #[inline(always)]
    pub(super) fn normalised(self, bits: u32) -> Self {
        let shift = bits - self.sig.bit_len();
        Self { sig: self.sig << shift, exp: self.exp - shift as i32, ..self }
    }
}

/// Decodes `x`.
#[inline(always)]
pub(super) fn unpack<F: Format>(x: F::Bits) -> Number<F::Wide> {
    let negative = F::is_negative(x);
    let magnitude = F::magnitude(x);
    if F::is_nan(x) {
        return Number::Nan;
    }
    if F::is_infinite(x) {
        return Number::Infinite { negative };
    }
    let code = magnitude >> F::PADDING;
    let field: u32 = (code >> F::FRACTION_BITS).cast();
    let fraction: F::Wide = (code & F::Bits::mask(F::FRACTION_BITS)).cast();
    let lowest = F::EMIN - F::FRACTION_BITS as i32;
    Number::Finite(if field == 0 && F::ZERO {
        Finite { negative, sig: fraction, exp: lowest }
    } else {
        let exp = lowest + field as i32 - i32::from(F::ZERO);
        Finite { negative, sig: fraction | (F::Wide::ONE << F::FRACTION_BITS), exp }
    })
}

/// Applies `.ftz` to an operand: a subnormal becomes zero of the same sign.
#[inline(always)]
pub(super) fn flush_input<F: Format>(ftz: bool, x: F::Bits) -> F::Bits {
    if ftz && F::is_subnormal(x) { x & F::sign_mask() } else { x }
}
