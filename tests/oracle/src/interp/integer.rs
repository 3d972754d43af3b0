//! Integers: each operation as Rust documents it, and wrapped; bit by bit where that is clearer.

use super::Fault;
use super::tree::{Binary, Integer1, Type};

/// Returns a word as an integer of the type; a truth value is 0 or 1.
pub(super) fn int(ty: Type, word: u64) -> i128 {
    match ty {
        Type::Int(int) if int.signed && word >> (int.bits - 1) & 1 != 0 => i128::from(word) - (1 << int.bits),
        _ => word.into(),
    }
}

/// An integer as a word, wrapped.
pub(super) fn word(ty: Type, x: i128) -> u64 {
    x.rem_euclid(1 << bits(ty)) as u64
}

/// The number of bits of the type.
const fn bits(ty: Type) -> u32 {
    match ty {
        Type::Int(int) => int.bits,
        _ => 32,
    }
}

/// The least and the greatest integer of the type.
const fn range(ty: Type) -> [i128; 2] {
    match ty {
        Type::Int(int) => int.range(),
        _ => [0, 1],
    }
}

/// `x op b`
pub(super) fn binary(ty: Type, op: Binary, x: u64, b: i128) -> Result<u64, Fault> {
    let a = int(ty, x);
    if b == 0 && op.divides() {
        return Err(Fault::panic("a division by zero"));
    }
    let distance = b.rem_euclid(bits(ty).into());
    let [least, most] = range(ty);
    Ok(word(
        ty,
        match op {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div => a / b,
            Binary::Rem => a % b,
            // The quotient is rounded down for a positive divisor and up for a negative one, so
            // that the remainder is 0 or more.
            Binary::DivEuclid => (a - least_rest(a, b)) / b,
            Binary::RemEuclid => least_rest(a, b),
            Binary::DivCeil => a / b + i128::from(a % b != 0),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl => a << distance,
            Binary::Shr => a >> distance,
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::AbsDiff => (a - b).abs(),
            Binary::SaturatingAdd => (a + b).clamp(least, most),
            Binary::SaturatingSub => (a - b).clamp(least, most),
            Binary::Pow => power(ty, a, b),
            Binary::RotateLeft => rotated(ty, x, distance),
            Binary::RotateRight => rotated(ty, x, i128::from(bits(ty)) - distance),
            Binary::CopySign | Binary::Atan2 | Binary::Powf | Binary::Hypot => {
                return Err(Fault::source(format!("an integer has no {op:?}")));
            }
        },
    ))
}

/// Returns the least remainder of `a`, 0 or more, modulo `b`.
fn least_rest(a: i128, b: i128) -> i128 {
    (a % b + b.abs()) % b
}

/// Rotates the bits upward by so many places.
fn rotated(ty: Type, x: u64, by: i128) -> i128 {
    let bits = i128::from(bits(ty));
    (0..bits).filter(|i| x >> i & 1 != 0).map(|i| 1 << ((i + by) % bits)).sum()
}

/// The bits of the power, from the exponent's first bit to its last.
fn power(ty: Type, a: i128, exponent: i128) -> i128 {
    (0..32).rev().fold(1_i128, |power, i| {
        let square = power.wrapping_mul(power);
        let next = if exponent >> i & 1 != 0 { square.wrapping_mul(a) } else { square };
        word(ty, next).into()
    })
}

/// A function of one integer, in its type.
pub(super) fn unary(ty: Type, function: Integer1, x: u64) -> u64 {
    let a = int(ty, x);
    let bits = bits(ty);
    let is_set = |i: &u32| x >> i & 1 != 0;
    match function {
        Integer1::Abs => word(ty, a.abs()),
        Integer1::Signum => word(ty, a.signum()),
        Integer1::CountOnes => (0..bits).filter(is_set).count() as u64,
        Integer1::LeadingZeros => (0..bits).rev().take_while(|i| !is_set(i)).count() as u64,
        Integer1::TrailingZeros => (0..bits).take_while(|i| !is_set(i)).count() as u64,
        Integer1::ReverseBits => (0..bits).filter(is_set).map(|i| 1 << (bits - 1 - i)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_the_language_s() {
        let numbers = [0_u32, 1, 2, 3, 31, 32, 33, 0x8000_0000, 0x7FFF_FFFF, u32::MAX, 0xDEAD_BEEF];
        for a in numbers {
            let of = |function| unary(Type::U32, function, a.into());
            assert_eq!(of(Integer1::CountOnes), a.count_ones().into());
            assert_eq!(of(Integer1::LeadingZeros), a.leading_zeros().into());
            assert_eq!(of(Integer1::TrailingZeros), a.trailing_zeros().into());
            assert_eq!(of(Integer1::ReverseBits), a.reverse_bits().into());
            let signed = |function| unary(Type::I32, function, a.into()) as i32;
            assert_eq!(signed(Integer1::Abs), (a as i32).wrapping_abs());
            assert_eq!(signed(Integer1::Signum), (a as i32).signum());
            for b in numbers {
                let two = |op| binary(Type::U32, op, a.into(), b.into()).ok();
                assert_eq!(two(Binary::AbsDiff), Some(a.abs_diff(b).into()));
                assert_eq!(two(Binary::SaturatingAdd), Some(a.saturating_add(b).into()));
                assert_eq!(two(Binary::SaturatingSub), Some(a.saturating_sub(b).into()));
                assert_eq!(two(Binary::DivCeil), (b != 0).then(|| a.div_ceil(b).into()), "{a} {b}");
                assert_eq!(two(Binary::Pow), Some(a.wrapping_pow(b).into()), "{a} {b}");
                assert_eq!(two(Binary::RotateLeft), Some(a.rotate_left(b).into()));
                assert_eq!(two(Binary::RotateRight), Some(a.rotate_right(b).into()));
                let (x, y) = (a as i32, b as i32);
                let signed = |op| binary(Type::I32, op, a.into(), y.into()).ok().map(|d| d as i32);
                assert_eq!(signed(Binary::SaturatingAdd), Some(x.saturating_add(y)));
                assert_eq!(signed(Binary::SaturatingSub), Some(x.saturating_sub(y)));
                assert_eq!(signed(Binary::DivEuclid), (y != 0).then(|| x.wrapping_div_euclid(y)), "{x} {y}");
                assert_eq!(signed(Binary::RemEuclid), (y != 0).then(|| x.wrapping_rem_euclid(y)), "{x} {y}");
                assert_eq!(signed(Binary::AbsDiff).map(|d| d as u32), Some(x.abs_diff(y)));
            }
        }
    }
}
