//! The two 16-bit formats: bits to numbers, and numbers, rounded once, to bits.

/// The canonical NaN of both formats.
pub(crate) const NAN: u16 = 0x7FFF;
/// The sign bit of both formats.
pub(crate) const SIGN: u16 = 0x8000;

/// A 16-bit float type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `.f16`
    F16,
    /// `.bf16`
    Bf16,
}

/// The number that bits represent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// `± significand · 2^exponent`
    Finite {
        negative: bool,
        significand: u64,
        exponent: i64,
    },
}

impl Format {
    /// Returns the name of the Rust type.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::F16 => "F16",
            Self::Bf16 => "Bf16",
        }
    }

    const fn fraction_bits(self) -> u32 {
        match self {
            Self::F16 => 10,
            Self::Bf16 => 7,
        }
    }

    /// `+∞`.
    pub(crate) const fn infinity(self) -> u16 {
        0x7FFF >> self.fraction_bits() << self.fraction_bits()
    }

    pub(crate) const fn is_nan(self, bits: u16) -> bool {
        bits & !SIGN > self.infinity()
    }

    /// Returns the exponent of the smallest normal number.
    const fn emin(self) -> i64 {
        match self {
            Self::F16 => -14,
            Self::Bf16 => -126,
        }
    }

    pub(crate) fn decode(self, bits: u16) -> Number {
        let negative = bits & SIGN != 0;
        let magnitude = bits & !SIGN;
        if magnitude == 0 {
            return Number::Zero { negative };
        }
        if magnitude >= self.infinity() {
            return if self.is_nan(bits) { Number::Nan } else { Number::Infinite { negative } };
        }
        let field = i64::from(magnitude >> self.fraction_bits());
        let fraction = u64::from(magnitude) & ((1 << self.fraction_bits()) - 1);
        let significand = if field == 0 { fraction } else { fraction | 1 << self.fraction_bits() };
        let unit = self.emin() - i64::from(self.fraction_bits());
        Number::Finite { negative, significand, exponent: unit + (field - 1).max(0) }
    }

    /// Returns the value, which binary64 holds exactly.
    pub(crate) fn to_f64(self, bits: u16) -> f64 {
        match self.decode(bits) {
            Number::Nan => f64::NAN,
            Number::Infinite { negative } => signed(negative, f64::INFINITY),
            Number::Zero { negative } => signed(negative, 0.0),
            Number::Finite { negative, significand, exponent } => {
                signed(negative, significand as f64 * power_of_two(exponent))
            }
        }
    }

    /// Rounds `± significand · 2^exponent` to nearest, ties to even.
    ///
    /// The significand's top bit (63) has to be set. Its last bit has to be set if any lower bit
    /// was lost.
    pub(crate) fn round(self, negative: bool, significand: u64, exponent: i64) -> u16 {
        debug_assert!(significand >> 63 == 1);
        let sign = if negative { SIGN } else { 0 };
        let e = exponent.saturating_add(63);
        if e > 1 - self.emin() {
            return sign | self.infinity();
        }
        // Bits dropped: those beyond the fraction, and more for subnormal numbers.
        let dropped = 63 - i64::from(self.fraction_bits()) + (self.emin() - e).max(0);
        if dropped > 64 {
            return sign;
        }
        // At most 64, by which Rust does not shift.
        let (kept, rest) =
            if dropped == 64 { (0, significand) } else { (significand >> dropped, significand << (64 - dropped)) };
        let up = rest > 1 << 63 || rest == 1 << 63 && kept & 1 == 1;
        // The exponent field counts from the hidden bit, so that a carry increments it.
        let field = (e - self.emin()).max(0) as u64;
        let magnitude = (field << self.fraction_bits()) + kept + u64::from(up);
        sign | (magnitude as u16).min(self.infinity())
    }
}

fn signed(negative: bool, x: f64) -> f64 {
    if negative { -x } else { x }
}

/// `2^k` for the exponents of normal numbers.
pub(crate) fn power_of_two(k: i64) -> f64 {
    debug_assert!((-1022..=1023).contains(&k));
    f64::from_bits(((k + 1023) as u64) << 52)
}
