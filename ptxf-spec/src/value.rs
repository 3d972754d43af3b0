//! The values in `eg` clauses, which are encoded exactly or refused.
//!
//! Examples are part of the table because the macro crate cannot compute: the library depends on it. rustdoc runs every one of them.

use crate::types::{Format, Kind, Type};

/// `0.5`, `-0x1.8p-24`, `inf`, `-inf`, `nan`, `oob` as the bits of one lane; no rounding.
pub(crate) fn encode(text: &str, ty: &Type) -> Result<u64, String> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let format = match &ty.kind {
        Kind::Float(format) => format,
        Kind::Integer { .. } | Kind::Predicate => return Err(format!("no example has a value of .{}", ty.ptx)),
    };
    let infinity = ((1u64 << format.exponent_bits) - 1) << format.fraction_bits;
    let bits = match magnitude {
        "inf" => infinity,
        "nan" | "oob" if negative => return Err(format!("`{magnitude}` stands for one NaN, which has no sign here")),
        "nan" => return Ok(format.nan),
        "oob" if ty.lane_bits == 16 => return Ok(0x7FF7),
        "oob" => return Err(format!("there is no out-of-bounds NaN in .{}", ty.lane)),
        _ => {
            let value = parse(magnitude)
                .ok_or_else(|| format!("`{text}` is no number: write 1.5, 0x1.8p0, inf, nan or oob"))?;
            value
                .and_then(|(significand, exponent)| encode_finite(significand, exponent, format))
                .ok_or_else(|| format!("{text} is not exactly representable in .{}", ty.lane))?
        }
    };
    Ok(bits | u64::from(negative) << (ty.lane_bits - 1))
}

/// What a comparison of one lane gives where it is true: all ones of an integer or of the lane's part of it, or the number 1.
pub(crate) fn truth(result: &Type, lanes: u32) -> u64 {
    match &result.kind {
        Kind::Predicate => 1,
        Kind::Integer { .. } => u64::MAX >> (64 - result.bits() / lanes),
        Kind::Float(format) => ((1 << (format.exponent_bits - 1)) - 1) << format.fraction_bits,
    }
}

/// Significand and exponent of a nonnegative decimal or hexadecimal number; `Some(None)` for one that is no dyadic
/// fraction.
fn parse(text: &str) -> Option<Option<(u64, i32)>> {
    let (radix, number, exponent) = match text.strip_prefix("0x") {
        Some(hex) => {
            let (number, exponent) = hex.split_once('p')?;
            (16, number, exponent.parse::<i32>().ok()?)
        }
        None => (10, text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = u64::from_str_radix(&format!("{whole}{fraction}"), radix).ok()?;
    let places = i32::try_from(fraction.len()).ok()?;
    if radix == 16 {
        return Some(Some((digits, exponent.checked_sub(4 * places)?)));
    }
    // digits / 10^places = (digits / 5^places) / 2^places
    let fives = 5u64.checked_pow(places.unsigned_abs())?;
    Some(digits.is_multiple_of(fives).then(|| (digits / fives, -places)))
}

/// The bits of `significand × 2^exponent`, if the format has it.
fn encode_finite(significand: u64, exponent: i32, format: &Format) -> Option<u64> {
    if significand == 0 {
        return Some(0);
    }
    let bias = (1i32 << (format.exponent_bits - 1)) - 1;
    let top = exponent.checked_add(significand.ilog2().cast_signed())?;
    // The weight of the last place; below the smallest normal number it stays.
    let normal = top.max(1 - bias);
    let last = normal - format.fraction_bits.cast_signed();
    let shift = exponent - last;
    if top > bias || shift < -significand.trailing_zeros().cast_signed() {
        return None;
    }
    let fraction = if shift < 0 { significand >> -shift } else { significand << shift };
    // The leading bit of a normal number adds 1 to the exponent field below it.
    Some(fraction + (((normal + bias - 1) as u64) << format.fraction_bits))
}

#[cfg(test)]
mod tests {
    use super::{encode, truth};
    use crate::types::{Kind, TYPES, ty};

    #[test]
    fn encodes_exactly_or_refuses() {
        let f16 = ty("f16").unwrap();
        for (text, bits) in [
            ("1.0", 0x3C00),
            ("-2.5", 0xC100),
            ("0x1p-24", 0x0001),
            ("0x1.ff8p-15", 0x03FF),
            ("0x1p-14", 0x0400),
            ("-0.0", 0x8000),
            ("65504.0", 0x7BFF),
            ("-inf", 0xFC00),
            ("nan", 0x7FFF),
        ] {
            assert_eq!(encode(text, f16), Ok(bits), "{text}");
        }
        for text in ["65536.0", "0x1p-25", "0x1.8p-24", "0.1", "2049.0"] {
            assert_eq!(encode(text, f16), Err(format!("{text} is not exactly representable in .f16")));
        }
        for text in ["one", "infinity", "NaN", "1e5", "0x1", "-", ""] {
            assert!(encode(text, f16).unwrap_err().contains("is no number"), "{text}");
        }
        let f64 = ty("f64").unwrap();
        assert_eq!(encode("0x1p-149", ty("f32x2").unwrap()), Ok(1));
        assert_eq!(encode("0x1p-1074", f64), Ok(1));
        for text in ["0x1.8p-1074", "0x1p1024", "0.1", "9007199254740993.0"] {
            assert!(encode(text, f64).unwrap_err().contains("not exactly"), "{text}");
        }
        assert!(encode("-nan", f64).unwrap_err().contains("has no sign"));
        assert!(encode("oob", f64).unwrap_err().contains("no out-of-bounds NaN"));
    }

    /// Against the compiler's own conversion.
    #[test]
    fn agrees_with_rust() {
        for text in ["1.0", "0.5", "2.25", "-1234.5625", "0.0009765625", "16777215.0"] {
            let bits = text.parse::<f32>().unwrap().to_bits();
            assert_eq!(encode(text, ty("f32").unwrap()), Ok(bits.into()), "{text}");
            assert_eq!(encode(text, ty("f64").unwrap()), Ok(text.parse::<f64>().unwrap().to_bits()), "{text}");
        }
        for t in TYPES {
            match t.kind {
                Kind::Float(_) => assert_eq!(encode("1.0", t), Ok(truth(t, t.lanes)), "{}", t.ptx),
                _ => assert!(encode("1.0", t).is_err(), "{}", t.ptx),
            }
        }
    }
}
