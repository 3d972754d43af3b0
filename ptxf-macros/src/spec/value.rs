//! The values in `eg` clauses: encoded exactly or refused.

use super::modifier::Type;

/// `0.5`, `-0x1.8p-24`, `inf`, `-inf`, `nan`, `oob` as the bits of one lane; no rounding.
pub(crate) fn encode(text: &str, ty: &Type) -> Result<u64, String> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let infinity = ((1u64 << ty.exponent_bits) - 1) << ty.fraction_bits;
    let bits = match magnitude {
        "inf" => infinity,
        "nan" => return Ok(ty.nan),
        "oob" => 0x7FF7,
        _ => {
            let value = parse(magnitude)
                .ok_or_else(|| format!("`{text}` is no number: write 1.5, 0x1.8p0, inf, nan or oob"))?;
            encode_finite(value, ty).ok_or_else(|| format!("{text} is not exactly representable in .{}", ty.lane))?
        }
    };
    Ok(bits | u64::from(negative) << (ty.lane_bits() - 1))
}

/// A nonnegative decimal or hexadecimal floating-point number, exactly.
fn parse(text: &str) -> Option<f64> {
    let Some(hex) = text.strip_prefix("0x") else {
        return text.parse().ok();
    };
    let (digits, exponent) = hex.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * i32::try_from(fraction.len()).ok()?;
    // Two steps, so that neither factor leaves the range of f64.
    let half = exponent / 2;
    (significand < 1 << 53).then(|| significand as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

fn encode_finite(value: f64, ty: &Type) -> Option<u64> {
    if value == 0.0 {
        return Some(0);
    }
    if ty.fraction_bits == 52 {
        return Some(value.to_bits());
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    let bias = (1i32 << (ty.exponent_bits - 1)) - 1;
    // Below the smallest normal number the significand moves right.
    let denormal = (1 - bias - exponent).max(0) as u32;
    let drop = 52 - ty.fraction_bits + denormal;
    if exponent > bias || drop > 52 || significand & ((1 << drop) - 1) != 0 {
        return None;
    }
    let significand = significand >> drop;
    Some(if denormal > 0 { significand } else { significand + (((exponent + bias - 1) as u64) << ty.fraction_bits) })
}

#[cfg(test)]
mod tests {
    use super::super::modifier::ty;
    use super::encode;

    #[test]
    fn encodes_exactly_or_refuses() {
        let f16 = ty("f16").unwrap();
        assert_eq!(encode("1.0", f16), Ok(0x3C00));
        assert_eq!(encode("-2.5", f16), Ok(0xC100));
        assert_eq!(encode("0x1p-24", f16), Ok(0x0001));
        assert_eq!(encode("0x1.ff8p-15", f16), Ok(0x03FF));
        assert_eq!(encode("-0.0", f16), Ok(0x8000));
        assert_eq!(encode("65504.0", f16), Ok(0x7BFF));
        assert!(encode("65536.0", f16).is_err());
        assert!(encode("0x1p-25", f16).is_err());
        assert!(encode("0.1", f16).is_err());
        assert!(encode("one", f16).is_err());
        assert_eq!(encode("0x1p-149", ty("f32x2").unwrap()), Ok(1));
        assert_eq!(encode("0x1p-1074", ty("f64").unwrap()), Ok(1));
    }
}
