//! Bits, values and fields of a lane, as the command prints them.

use crate::lane::Lane;
use crate::number::notation;
use crate::operand::hex;
use crate::shape::Shape;

/// Returns a lane's bits in hexadecimal.
pub(crate) fn bits(lane: Lane, bits: u64) -> String {
    hex(bits, lane.digits())
}

/// Returns the value, with its power of two if it is one and far from 1.
pub(crate) fn value(lane: Lane, bits: u64) -> String {
    let shown = lane.show(bits);
    match exponent(lane.widen(bits)) {
        // The power is exact, so that the hexadecimal float is left out.
        Some(power) if shown.starts_with('≈') => format!("2^{power} {}", shown.split(' ').next().unwrap_or_default()),
        Some(power) if shown.starts_with("0x") => format!("2^{power}"),
        Some(power) if power.abs() > 3 => format!("{shown} = 2^{power}"),
        _ => shown,
    }
}

/// Returns the exponent of a power of two; `None` for other numbers.
fn exponent(x: f64) -> Option<i32> {
    let exponent = x.log2().round();
    (x > 0.0 && x.is_finite() && x == power(exponent as i32)).then_some(exponent as i32)
}

/// Returns a number with its power of two: `0.125 = 2^-3`.
pub(crate) fn with_power(x: f64) -> String {
    let shown = notation(x);
    match exponent(x) {
        Some(power) if shown.len() > 20 || shown.contains('e') => format!("2^{power}"),
        Some(power) if power != 0 => format!("{shown} = 2^{power}"),
        _ => shown,
    }
}

/// Returns the letter and the width of each field, the highest first.
pub(crate) fn fields(lane: Lane, shape: Shape) -> Vec<(&'static str, u32)> {
    let sign = u32::from(shape.sign != 0);
    let whole = lane.bits() - sign - shape.exponent_bits - shape.fraction_bits - shape.padding;
    let fields =
        [("s", sign), ("e", shape.exponent_bits), ("i", whole), ("f", shape.fraction_bits), ("0", shape.padding)];
    fields.into_iter().filter(|(_, width)| *width > 0).collect()
}

/// Returns `2^exponent` exactly.
pub(crate) fn power(exponent: i32) -> f64 {
    // A subnormal power takes two steps, neither of which rounds.
    let normal = exponent.max(-1022);
    f64::from_bits(((normal + 1023) as u64) << 52) * 0.5f64.powi(normal - exponent)
}
