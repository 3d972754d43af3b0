//! The values in `eg` clauses, which are encoded exactly or refused.
//!
//! The results of examples stand in the table because the macro crate cannot compute them: the
//! library depends on that crate. rustdoc runs every example.

use crate::types::{Format, Kind, Type};

/// Encodes `0.5`, `-0x1.8p-24`, `inf`, `-inf`, `nan`, `oob`, an integer, hexadecimal bits, or a
/// truth value as the bits of one lane, without rounding.
pub(crate) fn encode(text: &str, ty: &Type) -> Result<u64, String> {
    match &ty.kind {
        Kind::Float(format) => encode_float(text, ty, format),
        Kind::Integer { signed } => encode_integer(text, ty, *signed),
        Kind::Power if text == "nan" => Ok(0xFF),
        Kind::Power => {
            let power = parse(text).flatten().filter(|(significand, _)| significand.is_power_of_two());
            let code = power.map(|(significand, exponent)| exponent + significand.ilog2().cast_signed() + 127);
            let code = code.and_then(|code| u64::try_from(code).ok()).filter(|code| *code < 0xFF);
            code.ok_or_else(|| format!("{text} is no power of two from 2^-127 to 2^127, and no nan"))
        }
        Kind::Fixed { places } => encode_fixed(text, ty, *places),
        Kind::Bits => {
            let bits = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(&hex.replace('_', ""), 16).ok());
            let bits = bits.ok_or_else(|| format!("`{text}` has no value in .{}: write its bits, 0x3c00", ty.ptx))?;
            within(text, ty, bits)
        }
        Kind::Predicate => match text {
            "true" => Ok(1),
            "false" => Ok(0),
            _ => Err(format!("a predicate is true or false, not `{text}`")),
        },
    }
}

/// Encodes an integer in two's complement.
fn encode_integer(text: &str, ty: &Type, signed: bool) -> Result<u64, String> {
    let value: i128 = text.parse().map_err(|_| format!("`{text}` is no integer: write 7, or -7 if it is signed"))?;
    let magnitude = 1i128 << (ty.lane_bits - u32::from(signed));
    let least = if signed { -magnitude } else { 0 };
    if (least..magnitude).contains(&value) {
        Ok(value as u64 & (u64::MAX >> (64 - ty.lane_bits)))
    } else {
        Err(format!("{text} is not in the range of .{}", ty.lane))
    }
}

/// Encodes a fixed-point number in two's complement.
fn encode_fixed(text: &str, ty: &Type, places: u32) -> Result<u64, String> {
    let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let units = parse(magnitude).flatten().and_then(|(significand, exponent)| {
        let shift = exponent + places.cast_signed();
        let kept = significand.trailing_zeros().cast_signed() + shift >= 0;
        let scaled = if shift < 0 { significand >> -shift } else { significand.checked_shl(shift.unsigned_abs())? };
        (kept || significand == 0).then_some(scaled)
    });
    let limit = (1 << (ty.lane_bits - 1)) - u64::from(!negative);
    let units = units.filter(|units| *units <= limit);
    let units = units.ok_or_else(|| format!("{text} is not exactly representable in .{}", ty.lane))?;
    let bits = if negative { units.wrapping_neg() } else { units };
    Ok(bits & (u64::MAX >> (64 - ty.lane_bits)))
}

fn within(text: &str, ty: &Type, bits: u64) -> Result<u64, String> {
    if bits > u64::MAX >> (64 - ty.lane_bits) {
        Err(format!("{text} has more bits than .{}", ty.ptx))
    } else {
        Ok(bits)
    }
}

fn encode_float(text: &str, ty: &Type, format: &Format) -> Result<u64, String> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if negative && !format.signed {
        return Err(format!("{text} has a sign, which .{} has not", ty.lane));
    }
    let special = |bits: Option<u64>, what| bits.ok_or_else(|| format!("there is no {what} in .{}", ty.lane));
    let bits = match magnitude {
        "inf" => special(format.infinity, "infinity")?,
        "nan" | "oob" if negative => return Err(format!("`{magnitude}` stands for one NaN, which has no sign here")),
        "nan" => return special(format.nan, "NaN"),
        "oob" => return special(Some(0x7FF7).filter(|_| ty.lane_bits == 16), "out-of-bounds NaN"),
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

/// Returns the result of a true comparison of one lane: all ones in the lane's part of an integer,
/// or the number 1.
pub(crate) fn truth(result: &Type, lanes: u32) -> u64 {
    match &result.kind {
        Kind::Predicate => 1,
        Kind::Integer { .. } | Kind::Bits | Kind::Power | Kind::Fixed { .. } => {
            u64::MAX >> (64 - result.bits() / lanes)
        }
        Kind::Float(format) => ((1 << (format.exponent_bits - 1)) - 1) << (format.fraction_bits + format.padding),
    }
}

/// Reads the significand and the exponent of a nonnegative decimal or hexadecimal number. Returns
/// `Some(None)` for a number that is not a dyadic fraction.
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

/// Returns the bits of `significand × 2^exponent`; `None` if the format does not have the number.
fn encode_finite(significand: u64, exponent: i32, format: &Format) -> Option<u64> {
    if significand == 0 {
        return Some(0);
    }
    let bias = (1i32 << (format.exponent_bits - 1)) - 1;
    let top = exponent.checked_add(significand.ilog2().cast_signed())?;
    // The weight of the last place. It is constant below the smallest normal number.
    let normal = top.max(1 - bias);
    let last = normal - format.fraction_bits.cast_signed();
    let shift = exponent - last;
    if shift < -significand.trailing_zeros().cast_signed() {
        return None;
    }
    let fraction = if shift < 0 { significand >> -shift } else { significand << shift };
    // The leading bit of a normal number adds 1 to the exponent field below it.
    let field = u64::try_from(normal + bias - 1).ok().filter(|field| field >> format.exponent_bits == 0)?;
    let bits = (fraction + (field << format.fraction_bits)) << format.padding;
    (bits <= format.largest).then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::{encode, truth};
    use crate::types::{Format, Kind, PREDICATE, TYPES, Type, ty};

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

    /// The results equal the compiler's conversion.
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
                Kind::Power => assert_eq!([encode("1.0", t), encode("0x1p-127", t)], [Ok(127), Ok(0)], "{}", t.ptx),
                Kind::Fixed { .. } => {
                    assert_eq!([encode("1.0", t), encode("-2.0", t)], [Ok(64), Ok(0x80)], "{}", t.ptx)
                }
                _ => assert!(encode("1.0", t).is_err(), "{}", t.ptx),
            }
        }
    }

    #[test]
    fn powers_and_fixed_point() {
        let [power, fixed] = ["ue8m0x2", "s2f6x2"].map(|name| ty(name).unwrap());
        for (text, ty, bits) in [
            ("nan", power, 0xFF),
            ("4.0", power, 129),
            ("0x1p127", power, 254),
            ("1.984375", fixed, 0x7F),
            ("-0.015625", fixed, 0xFF),
            ("0.0", fixed, 0),
        ] {
            assert_eq!(encode(text, ty), Ok(bits), "{text}");
        }
        for (text, ty, why) in [
            ("3.0", power, "3.0 is no power of two from 2^-127 to 2^127, and no nan"),
            ("0x1p128", power, "0x1p128 is no power of two from 2^-127 to 2^127, and no nan"),
            ("2.0", fixed, "2.0 is not exactly representable in .s2f6"),
            ("0.0078125", fixed, "0.0078125 is not exactly representable in .s2f6"),
        ] {
            assert_eq!(encode(text, ty), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn numbers_without_a_sign() {
        let ue5m3 = ty("ue5m3x2").unwrap();
        for (text, bits) in
            [("1.5", 0x7C), ("114688.0", 0xFE), ("nan", 0xFF), ("0x1p-17", 0x01), ("0x1p-14", 0x08), ("0.0", 0)]
        {
            assert_eq!(encode(text, ue5m3), Ok(bits), "{text}");
        }
        for (text, why) in [
            ("-1.5", "-1.5 has a sign, which .ue5m3 has not"),
            ("122880.0", "122880.0 is not exactly representable in .ue5m3"),
            ("inf", "there is no infinity in .ue5m3"),
        ] {
            assert_eq!(encode(text, ue5m3), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn integers_bits_and_predicates() {
        let [u8, s8, s64, b16] = ["u8", "s8", "s64", "b16"].map(|name| ty(name).unwrap());
        for (text, ty, bits) in [
            ("0", u8, 0),
            ("255", u8, 0xFF),
            ("-1", s8, 0xFF),
            ("-128", s8, 0x80),
            ("127", s8, 0x7F),
            ("-9223372036854775808", s64, 1 << 63),
            ("0x3c00", b16, 0x3C00),
            ("true", &PREDICATE, 1),
            ("false", &PREDICATE, 0),
        ] {
            assert_eq!(encode(text, ty), Ok(bits), "{text}");
        }
        for (text, ty, why) in [
            ("-1", u8, "-1 is not in the range of .u8"),
            ("128", s8, "128 is not in the range of .s8"),
            ("1.5", s8, "`1.5` is no integer: write 7, or -7 if it is signed"),
            ("7", b16, "`7` has no value in .b16: write its bits, 0x3c00"),
            ("0x10000", b16, "0x10000 has more bits than .b16"),
            ("1", &PREDICATE, "a predicate is true or false, not `1`"),
        ] {
            assert_eq!(encode(text, ty), Err(why.to_owned()));
        }
    }

    /// A format unlike IEEE 754's: two bits of exponent, only finite codes, in the upper bits of
    /// its lane.
    #[test]
    fn formats_without_specials_and_with_padding() {
        let format = Format {
            rust: "",
            signed: true,
            exponent_bits: 2,
            fraction_bits: 1,
            padding: 2,
            largest: 0x1C,
            infinity: None,
            nan: None,
        };
        let narrow = Type { lane: "e2m1", lane_bits: 6, kind: Kind::Float(format), ..*ty("f16").unwrap() };
        for (text, bits) in [("0.5", 0x04), ("1.0", 0x08), ("6.0", 0x1C), ("-6.0", 0x3C), ("-0.0", 0x20)] {
            assert_eq!(encode(text, &narrow), Ok(bits), "{text}");
        }
        for (text, why) in [
            ("8.0", "8.0 is not exactly representable in .e2m1"),
            ("0.25", "0.25 is not exactly representable in .e2m1"),
            ("inf", "there is no infinity in .e2m1"),
            ("nan", "there is no NaN in .e2m1"),
        ] {
            assert_eq!(encode(text, &narrow), Err(why.to_owned()));
        }
    }
}
