//! Numbers in PTX's notations.

/// A number of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer: `7`, `0x1F`, `017`, `0b101`, each with or without `U`. A negative one is its
    /// two's complement.
    Int(u64),
    /// The bits of an f32: `0f3F800000`.
    Single(u32),
    /// An f64: `0d3FF0000000000000` or `1.5`.
    Double(f64),
}

impl Number {
    /// Reads a number without a sign. The error is a message.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let digits = |from: usize, radix: u32| {
            let digits = text.get(from..).unwrap_or_default();
            let digits = digits.strip_suffix(['u', 'U']).unwrap_or(digits);
            u64::from_str_radix(digits, radix).map(Number::Int).map_err(|_| {
                format!("`{text}` is not a number: an integer of at most 64 bits in base {radix} is expected")
            })
        };
        let exact = |length: usize| {
            let digits = text.get(2..).filter(|d| d.len() == length && d.bytes().all(|b| b.is_ascii_hexdigit()));
            let bits = digits.and_then(|d| u64::from_str_radix(d, 16).ok());
            bits.ok_or_else(|| format!("`{text}` is not a number: {length} hexadecimal digits are expected"))
        };
        match text.get(..2) {
            Some("0x" | "0X") => digits(2, 16),
            Some("0b" | "0B") => digits(2, 2),
            Some("0f" | "0F") => Ok(Self::Single(exact(8)? as u32)),
            Some("0d" | "0D") => Ok(Self::Double(f64::from_bits(exact(16)?))),
            _ if text.contains(['.', 'e', 'E']) => {
                text.parse().map(Self::Double).map_err(|_| format!("`{text}` is not a decimal number"))
            }
            Some(octal) if octal.starts_with('0') && !matches!(octal, "0u" | "0U") => digits(1, 8),
            _ => digits(0, 10),
        }
    }

    /// Returns the number with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Int(x) => Self::Int(x.wrapping_neg()),
            Self::Single(bits) => Self::Single(bits ^ 1 << 31),
            Self::Double(x) => Self::Double(-x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_notation_is_read() {
        for (text, value) in [
            ("0", Number::Int(0)),
            ("7", Number::Int(7)),
            ("7U", Number::Int(7)),
            ("0U", Number::Int(0)),
            ("017", Number::Int(15)),
            ("0x1F", Number::Int(31)),
            ("0b101", Number::Int(5)),
            ("18446744073709551615", Number::Int(u64::MAX)),
            ("0f3F800000", Number::Single(0x3f80_0000)),
            ("0D4000000000000000", Number::Double(2.0)),
            ("1.5", Number::Double(1.5)),
            ("1e-5", Number::Double(1e-5)),
        ] {
            assert_eq!(Number::read(text), Ok(value), "{text}");
        }
        assert_eq!(Number::Int(1).negated(), Number::Int(u64::MAX));
        assert_eq!(Number::Single(0).negated(), Number::Single(1 << 31));
    }

    #[test]
    fn an_error_names_what_is_not_a_number() {
        for text in ["08", "0x", "0f3F8", "0d1", "0b2", "18446744073709551616", "1x", "1.5.2", "0f3F80000g", "0€"] {
            assert!(Number::read(text).unwrap_err().contains(text), "{text}");
        }
    }
}
