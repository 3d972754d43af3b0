//! Blocks with a scale, against a search for the nearest number of the type.

use oracle::Rng;
use ptxf_core::slice::{self, Microscaled, checked};
use ptxf_core::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Level, Ue8m0};

use crate::levels;

/// Numbers of all sizes, blocks of similar numbers, and special ones.
fn numbers(n: usize) -> Vec<f32> {
    let mut rng = Rng::from_env(0xB10C);
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::from_bits(1), 1.0, -448.0];
    (0..n)
        .map(|i| match (i / 32 % 8, rng.below(16)) {
            (0, 0) => rng.pick(&special),
            (1 | 2, _) => f32::from_bits(rng.below(1 << 32) as u32),
            (3, _) => f32::from_bits(rng.below(1 << 24) as u32),
            (4, _) => 0.0,
            // Ties.
            (5, _) => rng.between(-64, 64) as f32 / 8.0,
            _ => rng.between(-30_000, 30_000) as f32 * 0.001,
        })
        .collect()
}

/// Returns the code of the nearest value, the even one of two.
fn nearest(values: &[f64], x: f64) -> u8 {
    // Above the largest number, within the range in which differences are exact.
    let x = x.clamp(-1e6, 1e6);
    let distance = |code: u8| (values[usize::from(code)].abs() - x.abs()).abs();
    let magnitudes = (0..(values.len() / 2) as u8).filter(|&code| values[usize::from(code)].is_finite());
    let best = magnitudes.reduce(|best, code| {
        let (a, b) = (distance(best), distance(code));
        if b < a || (b == a && code % 2 == 0) { code } else { best }
    });
    let best = best.expect("a number");
    if x.is_sign_negative() { best | (values.len() / 2) as u8 } else { best }
}

/// An element as its codes, and the values of all codes.
trait Codes: Microscaled {
    const EXPONENT: i32;
    const NAN: u8;
    fn codes(self) -> Vec<u8>;
    fn values() -> Vec<f64>;
}

macro_rules! codes {
    ($($ty:ident $scalar:ident $bits:literal $exponent:literal $nan:literal |$x:ident| $codes:expr;)*) => {$(
        impl Codes for $ty {
            const EXPONENT: i32 = $exponent;
            const NAN: u8 = $nan;
            fn codes(self) -> Vec<u8> {
                let $x = self.to_bits();
                $codes
            }
            fn values() -> Vec<f64> {
                (0..1_u16 << $bits).map(|code| $scalar::from_bits(code as u8).to_f64()).collect()
            }
        }
    )*};
}

codes! {
    E4m3 E4m3 8 8 0x7F |x| vec![x];
    E5m2 E5m2 8 15 0x7F |x| vec![x];
    E2m3 E2m3 6 2 0x1F |x| vec![x];
    E3m2 E3m2 6 4 0x1F |x| vec![x];
    E2m1x2 E2m1 4 2 0x7 |x| vec![x & 0xF, x >> 4];
}

/// ⌊log₂ x⌋ of a positive number.
fn exponent(x: f64) -> i32 {
    (-1100..1100).rev().find(|&e| 2_f64.powi(e.max(-1000)) * 2_f64.powi(e.min(-1000) + 1000) <= x).expect("positive")
}

/// The largest magnitude; NaN if one is.
fn largest(x: &[f32]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| if m.is_nan() || x.is_nan() { f64::NAN } else { m.max(x.abs().into()) })
}

fn microscaled<E: Codes + std::fmt::Debug>(levels: &[Level], zero: E)
where
    for<'a> slice::OutputAt<'a, E>: slice::Output<E, Outcome = ()>,
{
    let values = E::values();
    for n in [0, 2, 30, 32, 34, 510, 512, 514, 5000] {
        let x = numbers(n);
        let per_element = zero.codes().len();
        for &level in levels {
            let (mut scales, mut d) = (vec![Ue8m0::ONE; n.div_ceil(32)], vec![zero; n / per_element]);
            slice::quantize_mx(&x, &mut scales, slice::at(level, &mut d));
            let mut back = vec![7.0; n];
            slice::dequantize_mx(&d, &scales, slice::at(level, &mut back));
            let codes: Vec<u8> = d.iter().flat_map(|d| d.codes()).collect();
            for (block, scale) in scales.iter().enumerate() {
                let range = block * 32..n.min(block * 32 + 32);
                let m = largest(&x[range.clone()]);
                let power = match m {
                    _ if m.is_nan() => None,
                    0.0 => Some(-127),
                    _ => Some((exponent(m).min(127) - E::EXPONENT).max(-127)),
                };
                assert_eq!(scale.exponent(), power, "{level} {n}: block {block}, {m:e}");
                for i in range {
                    let scale = power.map_or(f64::NAN, |e| 2_f64.powi(e));
                    let want = if scale.is_nan() { E::NAN } else { nearest(&values, f64::from(x[i]) / scale) };
                    assert_eq!(codes[i], want, "{level} {n}: {:e} in block {block} of {scale:e}", x[i]);
                    let value = (values[usize::from(want)] * scale) as f32;
                    let same = back[i].to_bits() == value.to_bits() || back[i].is_nan() && value.is_nan();
                    assert!(same, "{level} {n}: {:e} came back as {:e}, not {value:e}", x[i], back[i]);
                }
            }
        }
    }
}

#[test]
fn microscaled_blocks_have_the_nearest_numbers() {
    let levels = levels();
    microscaled(&levels, E4m3::ZERO);
    microscaled(&levels, E5m2::ZERO);
    microscaled(&levels, E2m3::ZERO);
    microscaled(&levels, E3m2::ZERO);
    microscaled(&levels, E2m1x2::ZERO);
}

#[test]
fn nvfp4_blocks_have_the_nearest_numbers() {
    let (scales_of, values) = (E4m3::values(), E2m1x2::values());
    for n in [0, 2, 14, 16, 18, 510, 512, 514, 5000] {
        let x = numbers(n);
        for level in levels() {
            let (mut scales, mut d) = (vec![E4m3::ONE; n.div_ceil(16)], vec![E2m1x2::ZERO; n / 2]);
            slice::quantize_nvfp4(&x, &mut scales, slice::at(level, &mut d));
            let mut back = vec![7.0; n];
            slice::dequantize_nvfp4(&d, &scales, slice::at(level, &mut back));
            for i in 0..n {
                let block = i / 16;
                let m = largest(&x[block * 16..n.min(block * 16 + 16)]) as f32;
                let scale = if m.is_nan() { 0x7F } else { nearest(&scales_of, (m / 6.0).into()) };
                assert_eq!(scales[block].to_bits(), scale, "{level} {n}: block {block}, {m:e}");
                let scale = scales[block].to_f32();
                let want = match scale {
                    0.0 => nearest(&values, if x[i].is_sign_negative() { -0.0 } else { 0.0 }),
                    _ if scale.is_nan() => 0x7,
                    _ => nearest(&values, (x[i] / scale).into()),
                };
                let code = d[i / 2].codes()[i % 2];
                assert_eq!(code, want, "{level} {n}: {:e} in block {block} of {scale:e}", x[i]);
                let value = values[usize::from(want)] as f32 * scale;
                assert!(back[i].to_bits() == value.to_bits() || back[i].is_nan() && value.is_nan());
            }
        }
    }
}

#[test]
fn all_cores_write_the_same_blocks() {
    let x = numbers(100_002);
    let (mut s, mut d) = (vec![Ue8m0::ONE; 3126], vec![E2m1x2::ZERO; 50_001]);
    slice::quantize_mx(&x, &mut s, &mut d);
    let (mut scales, mut all) = (vec![Ue8m0::ONE; 3126], vec![E2m1x2::ZERO; 50_001]);
    slice::quantize_mx(&x, &mut scales, slice::par(&mut all));
    assert!(scales.iter().zip(&s).all(|(a, b)| a.to_bits() == b.to_bits()));
    assert!(all.iter().zip(&d).all(|(a, b)| a.to_bits() == b.to_bits()));
    let (mut one, mut many) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    slice::dequantize_mx(&d, &s, &mut one);
    slice::dequantize_mx(&d, &s, slice::par(&mut many));
    assert!(one.iter().zip(&many).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn lengths_of_blocks_are_named() {
    let e = slice::quantize_mx(&[1.0; 33], &mut [Ue8m0::ONE], checked(&mut [E4m3::ZERO; 33])).unwrap_err();
    assert_eq!(e.to_string(), "`scales` has 1 element, `x` with 33 takes 2");
    let e = slice::quantize_nvfp4(&[1.0; 3], &mut [E4m3::ONE], checked(&mut [E2m1x2::ZERO; 2])).unwrap_err();
    assert_eq!(e.to_string(), "`x` has 3 elements, `out` with 2 takes 4");
    let e = slice::dequantize_nvfp4(&[E2m1x2::ZERO; 3], &[E4m3::ONE], checked(&mut [1.0; 5])).unwrap_err();
    assert_eq!(e.to_string(), "`out` has 5 elements, `x` with 3 takes 6");
    let e = slice::dequantize_mx(&[E4m3::ZERO; 33], &[Ue8m0::ONE], checked(&mut [1.0; 33])).unwrap_err();
    assert_eq!((e.argument(), e.len(), e.expected()), ("scales", 1, 2));
    assert_eq!(e.to_string(), "`scales` has 1 element, `out` with 33 takes 2");
}
