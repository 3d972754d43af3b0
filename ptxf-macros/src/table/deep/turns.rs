//! Quarter turns: large angles, for sines and cosines in binary64.

use super::functions;
use crate::table::format::power_of_two;
use crate::table::nat::{self, Nat};
use crate::table::number::Rational;

/// 2/π to as many bits as were asked for.
#[derive(Debug, Default)]
pub(in crate::table) struct TwoOverPi {
    /// Bits after the point.
    bits: i64,
    digits: Nat,
}

/// Bits that binary64 arguments can ask for.
const BINARY64: i64 = 1280;

impl TwoOverPi {
    fn grow(&mut self, bits: i64) {
        if bits <= self.bits {
            return;
        }
        let words = bits / 64 + 2;
        let pi = functions::pi(words as usize);
        *self = Self { bits, digits: nat::div_rem(&nat::shl(&[1], bits + 1 + 64 * words), &pi).0 };
    }

    /// |x| · 2/π as an integer (modulo 4) and a rest of at most ½, for finite |x| ≥ 2^20; within 2^-50.
    pub(in crate::table) fn quarter_turns(&mut self, x: f64) -> (i64, f64) {
        self.grow(BINARY64);
        let e = (x.to_bits() >> 52 & 0x7FF) as i64 - 1075;
        let significand = (x.to_bits() & ((1 << 52) - 1) | 1 << 52) as u128;
        // Payne and Hanek: the bits of 2/π that weigh 4 and more, times the last bit of x, do not count. 192 others do.
        let window = nat::shr(&self.digits, self.bits - (e - 2 + 192));
        let word = |i: usize| window.get(i).copied().unwrap_or(0) as u128;
        let low = significand * word(0);
        let middle = significand * word(1) + (low >> 64);
        let high = (significand * word(2)).wrapping_add(middle >> 64) as u64;
        nearest((high as u128) << 64 | (middle as u64) as u128)
    }

    /// The same of a rational number, whatever its size.
    pub(in crate::table) fn quarter_turns_of(&mut self, x: &Rational) -> (i64, f64) {
        // Behind the point of the product 192 bits are right.
        let bits = (nat::bits(&x.numerator) + x.exponent).max(0) + 192;
        self.grow(bits);
        let digits = nat::shr(&self.digits, self.bits - bits);
        // With a numerator alone, bits that weigh 4 and more do not count here either.
        let digits = if x.denominator == [1] { nat::low(&digits, bits - x.exponent + 2) } else { digits };
        let (product, point) = (nat::mul(&x.numerator, &digits), bits - x.exponent);
        let product = if x.denominator == [1] { product } else { nat::div_rem(&product, &x.denominator).0 };
        // Q126, modulo 4.
        let turns = if point >= 126 { nat::shr(&product, point - 126) } else { nat::shl(&product, 126 - point) };
        let word = |i: usize| turns.get(i).copied().unwrap_or(0) as u128;
        nearest(word(1) << 64 | word(0))
    }
}

/// The nearest integer to turns in Q126, modulo 4, and what is left.
fn nearest(turns: u128) -> (i64, f64) {
    let nearest = turns.wrapping_add(1 << 125) >> 126;
    let rest = turns.wrapping_sub(nearest << 126) as i128;
    (nearest as i64, rest as f64 * power_of_two(-126))
}
