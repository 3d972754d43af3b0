//! A second definition of a step, in binary64, against the library's in integers.
//!
//! All numbers of the operands' formats, their products, and their multiples of the grid are
//! numbers of binary64, so that truncation and the final rounding can be asked of its operations.

use ptxf::matrix::{Accumulator, Multiplicand, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};

use crate::operands::mix;

/// A factor: its value, and the exponent that counts for the grid.
type Number = (f64, i32);

fn exponent(x: f64, least: i32) -> i32 {
    if x == 0.0 { i32::MIN / 2 } else { ((x.to_bits() >> 52 & 0x7FF) as i32 - 1023).max(least) }
}

fn exp2(n: i32) -> f64 {
    // Two factors, each of which is a normal number.
    let half = n / 2;
    let power = |n: i32| f64::from_bits(((1023 + n) as u64) << 52);
    power(half) * power(n - half)
}

/// Returns a step's sum exactly, or what specials make of it.
fn sum(products: &[(Number, Number)], (c, c_exponent): Number, fraction_bits: i32, least: i32) -> f64 {
    let plain = products.iter().map(|((a, _), (b, _))| a * b).chain([c]).fold(0.0, |sum: f64, x| {
        // Finite terms count as nothing here.
        if x.is_finite() { sum } else { sum + x }
    });
    if plain != 0.0 {
        return plain;
    }
    let terms = products.iter().map(|((a, x), (b, y))| (a * b, x.saturating_add(*y))).chain([(c, c_exponent)]);
    let largest = terms.clone().filter(|(x, _)| *x != 0.0).map(|(_, e)| e).max().unwrap_or(least).max(least);
    let grid = exp2(largest - fraction_bits);
    terms.map(|(x, _)| (x / grid).trunc()).sum::<f64>() * grid
}

/// Rounds toward zero to `bits` significant bits, in the range of f32.
fn toward_zero(x: f64, bits: i32) -> f32 {
    if x.is_nan() {
        return f32::from_bits(0x7FFF_FFFF);
    }
    if x == 0.0 {
        return 0.0;
    }
    if x.abs() >= exp2(128) {
        return f32::INFINITY.copysign(x as f32);
    }
    let unit = exp2(exponent(x, -126) - (bits - 1));
    let cut = ((x / unit).trunc() * unit) as f32;
    if cut == 0.0 { 0.0 } else { cut }
}

fn to_f16(x: f64) -> F16 {
    if x.is_nan() {
        return F16::from_bits(0x7FFF);
    }
    let unit = exp2(exponent(x, -14) - 10);
    let near = if x == 0.0 { 0.0 } else { (x / unit).round_ties_even() * unit };
    F16::from_f32(if near == 0.0 { 0.0 } else { near as f32 })
}

/// An operand of which the definition knows the value and the smallest exponent.
trait Known: Multiplicand {
    const LEAST: i32;
    fn value(self) -> f64;
    fn any(bits: u64) -> Self;
    fn number(self) -> Number {
        (self.value(), exponent(self.value(), Self::LEAST))
    }
}

macro_rules! known {
    ($($ty:ident $least:literal;)*) => {$(
        impl Known for $ty {
            const LEAST: i32 = $least;
            fn value(self) -> f64 {
                self.to_f32().into()
            }
            fn any(bits: u64) -> Self {
                Self::from_bits(bits as _)
            }
        }
    )*};
}

known! { F16 -14; Bf16 -126; Tf32 -126; E4m3 -6; E5m2 -14; }

/// Operands of all kinds: any bits, and bits whose exponents are near each other.
fn operand<T: Known>(bits: u32, exponent_bits: u32, seed: u64) -> T {
    let (any, h) = (mix(seed), mix(!seed));
    let (all, fraction) = ((1_u64 << bits) - 1, bits - 1 - exponent_bits);
    T::any(match h % 4 {
        0 => any & all,
        1 => 0,
        _ => {
            let middle = (1 << (exponent_bits - 1)) - 1 + (h >> 8) % 5;
            let field = ((1 << exponent_bits) - 1) << fraction;
            any & all & !field | middle << fraction
        }
    })
}

/// The parameters of a family, written down again from the publications.
#[derive(Clone, Copy)]
struct Family {
    unit: Unit,
    products: usize,
    fraction_bits: i32,
    least: i32,
    significant: i32,
}

fn in_f32<A: Known, B: Known>(family: Family, widths: [(u32, u32); 2]) {
    let Family { unit, products, fraction_bits, least, significant } = family;
    let mma = unit.mma::<A, B, f32>().unwrap();
    for seed in 0..20_000_u64 {
        let s = seed << 16;
        let a: Vec<A> = (0..products as u64).map(|k| operand(widths[0].0, widths[0].1, s + 2 * k)).collect();
        let b: Vec<B> = (0..products as u64).map(|k| operand(widths[1].0, widths[1].1, s + 2 * k + 1)).collect();
        let c = f32::from_bits(match mix(s + 999) % 4 {
            0 => 0,
            1 => mix(s) as u32,
            _ => mix(s) as u32 & 0x80FF_FFFF | (120 + (mix(s + 7) % 16) as u32) << 23,
        });
        let pairs: Vec<_> = a.iter().zip(&b).map(|(a, b)| (a.number(), b.number())).collect();
        let want = toward_zero(sum(&pairs, (c.into(), exponent(c.into(), -126)), fraction_bits, least), significant);
        let got = mma.dot(&a, &b, c);
        assert_eq!(got.to_bits(), want.to_bits(), "{unit:?}, seed {seed}: {got} for {want}");
    }
}

fn in_f16<A: Known>(family: Family, width: (u32, u32)) {
    let Family { unit, products, fraction_bits, least, .. } = family;
    let mma = unit.mma::<A, A, F16>().unwrap();
    for seed in 0..20_000_u64 {
        let s = seed << 16;
        let [a, b]: [Vec<A>; 2] =
            [0, 1].map(|n| (0..products as u64).map(|k| operand(width.0, width.1, s + 2 * k + n)).collect());
        let c: F16 = operand(16, 5, s + 999);
        let pairs: Vec<_> = a.iter().zip(&b).map(|(a, b)| (a.number(), b.number())).collect();
        let want = to_f16(sum(&pairs, c.number(), fraction_bits, least));
        assert_eq!(mma.dot(&a, &b, c).to_bits(), want.to_bits(), "{unit:?}, seed {seed}");
    }
}

fn family(unit: Unit, products: usize, fraction_bits: i32, least: i32) -> Family {
    Family { unit, products, fraction_bits, least, significant: 24 }
}

#[test]
fn sixteen_bits() {
    for (unit, products, fraction_bits, least) in [
        (Unit::sm_70(), 4, 23, -131),
        (Unit::sm_75(), 8, 24, -132),
        (Unit::sm_80(), 8, 24, -132),
        (Unit::sm_89(), 8, 24, -132),
        (Unit::sm_90(), 16, 25, -133),
        (Unit::sm_90a(), 16, 25, -133),
        (Unit::sm_100(), 16, 25, -133),
        (Unit::sm_120(), 16, 25, -133),
    ] {
        in_f32::<F16, F16>(family(unit, products, fraction_bits, least), [(16, 5); 2]);
        in_f16::<F16>(family(unit, products, fraction_bits, least + 112), (16, 5));
        if fraction_bits > 23 && unit != Unit::sm_75() {
            in_f32::<Bf16, Bf16>(family(unit, products, fraction_bits, least), [(16, 8); 2]);
            in_f32::<Tf32, Tf32>(family(unit, products / 2, fraction_bits, least), [(32, 8); 2]);
        }
    }
}

#[test]
fn eight_bits() {
    let fp8 =
        |unit, products, fraction_bits, significant| Family { unit, products, fraction_bits, least: -133, significant };
    for family in [
        fp8(Unit::sm_89(), 16, 13, 14),
        fp8(Unit::sm_90a(), 32, 13, 14),
        fp8(Unit::sm_100a(), 32, 25, 24),
        fp8(Unit::sm_120(), 32, 25, 24),
    ] {
        in_f32::<E4m3, E4m3>(family, [(8, 4); 2]);
        in_f32::<E5m2, E5m2>(family, [(8, 5); 2]);
        in_f32::<E4m3, E5m2>(family, [(8, 4), (8, 5)]);
    }
}

/// A chain is its steps, one after another.
#[test]
fn a_longer_sum_is_a_chain() {
    fn chain<A: Known, C: Accumulator>(unit: Unit, step: usize, widths: (u32, u32), bits: impl Fn(C) -> u32) {
        let mma = unit.mma::<A, A, C>().unwrap();
        for seed in 0..200_u64 {
            let [a, b]: [Vec<A>; 2] =
                [0, 1].map(|n| (0..100).map(|k| operand(widths.0, widths.1, seed << 16 | k << 1 | n)).collect());
            let steps = a.chunks(step).zip(b.chunks(step)).fold(C::default(), |c, (a, b)| mma.dot(a, b, c));
            assert_eq!(bits(mma.dot(&a, &b, C::default())), bits(steps));
        }
    }
    chain::<F16, f32>(Unit::sm_90(), 16, (16, 5), f32::to_bits);
    chain::<F16, F16>(Unit::sm_80(), 8, (16, 5), |x| x.to_bits().into());
    chain::<E4m3, f32>(Unit::sm_90(), 32, (8, 4), f32::to_bits);
}
