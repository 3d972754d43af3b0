//! π, ln 2 and 2/π in fixed point, and the quarter turns of large angles.

use super::format::power_of_two;
use super::nat::{self, Nat};
use super::number::Rational;

/// Returns π · 2^(64 words), at most 2^20 too low.
pub(super) fn pi(words: usize) -> Nat {
    // Machin: π = 16 arctan 1/5 − 4 arctan 1/239.
    let five = nat::mul_small(&inverse_arc_tangent(5, words, true), 16);
    let other = nat::mul_small(&inverse_arc_tangent(239, words, true), 4);
    nat::sub(&nat::sub(&five, &other), &[1 << 19])
}

/// Returns ln 2 · 2^(64 words), at most 2^20 too low.
pub(super) fn ln_2(words: usize) -> Nat {
    // 2 artanh 1/3; every term is cut off.
    nat::mul_small(&inverse_arc_tangent(3, words, false), 2)
}

/// Returns arctan 1/n (alternating) or artanh 1/n, in fixed point.
fn inverse_arc_tangent(n: u64, words: usize, alternating: bool) -> Nat {
    let mut power = nat::div_small(&nat::shl(&[1], 64 * words as i64), n);
    let (mut plus, mut minus) = (power.clone(), Vec::new());
    let mut k = 1;
    while !power.is_empty() {
        power = nat::div_small(&power, n * n);
        let term = nat::div_small(&power, 2 * k + 1);
        if alternating && k & 1 == 1 {
            minus = nat::add(&minus, &term);
        } else {
            plus = nat::add(&plus, &term);
        }
        k += 1;
    }
    nat::sub(&plus, &minus)
}

/// 2/π, with as many bits as any angle has required so far.
#[derive(Debug, Default)]
pub(super) struct TwoOverPi {
    /// Bits after the point of `digits`.
    bits: i64,
    digits: Nat,
}

/// Bits of 2/π that are enough for every binary64 angle.
const BINARY64: i64 = 1280;

impl TwoOverPi {
    fn grow(&mut self, bits: i64) {
        if bits <= self.bits {
            return;
        }
        let words = bits / 64 + 2;
        let pi = pi(words as usize);
        *self = Self { bits, digits: nat::div_rem(&nat::shl(&[1], bits + 1 + 64 * words), &pi).0 };
    }

    /// Returns |x| · 2/π as an integer (modulo 4) and a rest of at most ½, within 2^-50, for finite
    /// |x| ≥ 2^20.
    pub(super) fn quarter_turns(&mut self, x: f64) -> (i64, f64) {
        self.grow(BINARY64);
        let e = (x.to_bits() >> 52 & 0x7FF) as i64 - 1075;
        let significand = (x.to_bits() & ((1 << 52) - 1) | 1 << 52) as u128;
        // Payne and Hanek: bits of 2/π whose product with the last bit of x is a multiple of 4 do
        // not matter. The 192 bits after these do.
        let window = nat::shr(&self.digits, self.bits - (e - 2 + 192));
        let word = |i: usize| window.get(i).copied().unwrap_or(0) as u128;
        let low = significand * word(0);
        let middle = significand * word(1) + (low >> 64);
        let high = (significand * word(2)).wrapping_add(middle >> 64) as u64;
        nearest((high as u128) << 64 | (middle as u64) as u128)
    }

    /// Returns the same for a rational number of any size.
    pub(super) fn quarter_turns_of(&mut self, x: &Rational) -> (i64, f64) {
        // 192 bits after the point of the product are correct.
        let bits = (nat::bits(&x.numerator) + x.exponent).max(0) + 192;
        self.grow(bits);
        let digits = nat::shr(&self.digits, self.bits - bits);
        // For an integer numerator, multiples of 4 do not matter here either.
        let digits = if x.denominator == [1] { nat::low(&digits, bits - x.exponent + 2) } else { digits };
        let (product, point) = (nat::mul(&x.numerator, &digits), bits - x.exponent);
        let product = if x.denominator == [1] { product } else { nat::div_rem(&product, &x.denominator).0 };
        // Q126, modulo 4.
        let turns = if point >= 126 { nat::shr(&product, point - 126) } else { nat::shl(&product, 126 - point) };
        let word = |i: usize| turns.get(i).copied().unwrap_or(0) as u128;
        nearest(word(1) << 64 | word(0))
    }
}

/// Returns the integer nearest to turns in Q126, modulo 4, and the rest.
fn nearest(turns: u128) -> (i64, f64) {
    let nearest = turns.wrapping_add(1 << 125) >> 126;
    let rest = turns.wrapping_sub(nearest << 126) as i128;
    (nearest as i64, rest as f64 * power_of_two(-126))
}
