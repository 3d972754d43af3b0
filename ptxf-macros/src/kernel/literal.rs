//! Decimal literals, rounded once to each format.

use std::cmp::Ordering;

use crate::table::format::Format;

/// Returns the bits of a nonnegative decimal in f32, f16 and bf16. `None` if the text is not a
/// decimal.
pub(crate) fn bits(text: &str) -> Option<(u32, u16, u16)> {
    let text = text.replace('_', "");
    let single: f32 = text.parse().ok()?;
    let double: f64 = text.parse().ok()?;
    let (half, bfloat) = (narrow(&text, double, Format::F16), narrow(&text, double, Format::Bf16));
    Some((single.to_bits(), half, bfloat))
}

fn narrow(text: &str, nearest: f64, format: Format) -> u16 {
    if nearest.is_infinite() {
        return format.infinity();
    }
    if nearest == 0.0 {
        return 0;
    }
    let bits = nearest.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    // Subnormals of binary64 round to zero in either format.
    let (significand, exponent) = match bits >> 52 {
        0 => return 0,
        e => ((fraction | 1 << 52) << 11, e as i64 - 1075 - 11),
    };
    // The binary64 value may be a tie although the decimal is not. The low bits then show the side
    // of the decimal.
    let significand = match compare(text, nearest) {
        Ordering::Equal => significand,
        Ordering::Greater => significand | 1,
        Ordering::Less => significand - 1,
    };
    // A value just below a power of two has its leading bit one place lower.
    let shift = significand.leading_zeros();
    format.round(false, significand << shift, exponent - i64::from(shift))
}

/// Compares the decimal with the binary64 value, exactly.
fn compare(text: &str, value: f64) -> Ordering {
    let (a, b) = (normal(text), normal(&format!("{value:.1080}")));
    a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0))
}

/// Returns the digits without zeros at either end, and the number of digits before the point.
fn normal(text: &str) -> (String, i64) {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse().unwrap_or(0)),
        None => (text, 0_i64),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}");
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let point = whole.len() as i64 + exponent - leading as i64;
    (digits.trim_matches('0').to_owned(), point)
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn rounds_once() {
        assert_eq!(bits("1.0"), Some((0x3F80_0000, 0x3C00, 0x3F80)));
        assert_eq!(bits("0.1"), Some((0x3DCC_CCCD, 0x2E66, 0x3DCD)));
        // A tie of f16, a little more, and a little less. Binary32 and binary64 round all three to
        // the same number.
        assert_eq!(bits("1.00048828125").map(|b| b.1), Some(0x3C00));
        assert_eq!(bits("1.00048828125000000000000000001").map(|b| b.1), Some(0x3C01));
        assert_eq!(bits("1.00146484375").map(|b| b.1), Some(0x3C02));
        assert_eq!(bits("1.00146484374999999999999999999").map(|b| b.1), Some(0x3C01));
        assert_eq!(bits("1_000.5e-3").map(|b| b.1), Some(0x3C01));
        assert_eq!(bits("65520.0").map(|b| b.1), Some(0x7C00));
        assert_eq!(bits("65519.99999999999999999999").map(|b| b.1), Some(0x7BFF));
        assert_eq!(bits("1e400"), Some((0x7F80_0000, 0x7C00, 0x7F80)));
        assert_eq!(bits("0.0"), Some((0, 0, 0)));
        assert_eq!(bits("1e-320"), Some((0, 0, 0)));
        assert_eq!(bits("2.98023223876953125e-8").map(|b| b.1), Some(0));
        assert_eq!(bits("2.980232238769531251e-8").map(|b| b.1), Some(1));
        assert_eq!(bits("x"), None);
    }
}
