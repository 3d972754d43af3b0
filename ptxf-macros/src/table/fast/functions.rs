//! The functions, with a relative error of about 2^-48.

use crate::table::format::power_of_two;

pub(super) const LN_2: f64 = std::f64::consts::LN_2;
/// The upper 33 bits of ln 2, and the rest.
const LN_2_A: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_B: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
/// The upper 33 bits of π/2, and the rest.
pub(super) const PI_2_A: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
pub(super) const PI_2_B: f64 = f64::from_bits(0x3DD0_B461_1A62_6331);

/// Returns 1/k! from k = `first` in steps of `step`.
const fn factorials<const N: usize>(first: u32, step: u32) -> [f64; N] {
    let mut c = [0.0; N];
    let (mut term, mut k, mut i) = (1.0, 0, 0);
    while i < N {
        if k == first + step * i as u32 {
            c[i] = 1.0 / term;
            i += 1;
        }
        k += 1;
        term *= k as f64;
    }
    c
}

/// Returns 1, 1/3, 1/5, …
const fn odd_reciprocals<const N: usize>() -> [f64; N] {
    let mut c = [0.0; N];
    let mut i = 0;
    while i < N {
        c[i] = 1.0 / (2 * i + 1) as f64;
        i += 1;
    }
    c
}

pub(super) static FACTORIALS: [f64; 15] = factorials(0, 1);
pub(super) static ODD_FACTORIALS: [f64; 10] = factorials(1, 2);
pub(super) static EVEN_FACTORIALS: [f64; 10] = factorials(0, 2);
pub(super) static ODD_RECIPROCALS: [f64; 16] = odd_reciprocals();

/// Returns c₀ + c₁z + c₂z² + …
pub(super) fn horner(c: &[f64], z: f64) -> f64 {
    let (mut sum, mut i) = (0.0, c.len());
    // An index loop: the macro runs unoptimized, where iterators are slow.
    while i > 0 {
        i -= 1;
        sum = sum * z + c[i];
    }
    sum
}

/// e^x, for |x| ≤ 650.
pub(super) fn exp(x: f64) -> f64 {
    if x.abs() > 660.0 {
        return 0.0;
    }
    let k = (x / LN_2 + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
    let r = (x - k as f64 * LN_2_A) - k as f64 * LN_2_B;
    horner(&FACTORIALS, r) * power_of_two(k)
}

/// 2^x, for |x| ≤ 650.
pub(super) fn exp2(x: f64) -> f64 {
    if x.abs() > 660.0 {
        return 0.0;
    }
    let k = (x + if x < 0.0 { -0.5 } else { 0.5 }) as i64;
    horner(&FACTORIALS, (x - k as f64) * LN_2) * power_of_two(k)
}

/// ln x, for a normal x > 0.
pub(super) fn ln(x: f64) -> f64 {
    let k = (x.to_bits() >> 52) as i64 - 1023;
    let m = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    let (m, k) = if m > std::f64::consts::SQRT_2 { (m * 0.5, k + 1) } else { (m, k) };
    let s = (m - 1.0) / (m + 1.0);
    k as f64 * LN_2 + 2.0 * s * horner(&ODD_RECIPROCALS, s * s)
}

/// sinh x, for 0 < x ≤ 650.
pub(super) fn sinh(x: f64) -> f64 {
    if x < 0.5 {
        return x * horner(&ODD_FACTORIALS, x * x);
    }
    let e = exp(x);
    (e - 1.0 / e) * 0.5
}

/// tanh x, for x > 0.
pub(super) fn tanh(x: f64) -> f64 {
    if x < 0.5 {
        return x * horner(&ODD_FACTORIALS, x * x) / horner(&EVEN_FACTORIALS, x * x);
    }
    1.0 - 2.0 / (exp(2.0 * x.min(40.0)) + 1.0)
}

/// arctan x, for x > 0.
pub(super) fn atan(x: f64) -> f64 {
    const SQRT_3: f64 = 1.732_050_807_568_877_2;
    if x > 1.0 {
        return std::f64::consts::FRAC_PI_2 - atan(1.0 / x);
    }
    // Angles from 15° on are turned back by 30°.
    let (turn, t) =
        if x > 0.267_9 { (std::f64::consts::FRAC_PI_6, (x * SQRT_3 - 1.0) / (x + SQRT_3)) } else { (0.0, x) };
    turn + t * horner(&ODD_RECIPROCALS, -t * t)
}

/// Returns erf x, for x > 0.
///
/// erf x = 2/√π · e^−x² · x · (1 + 2x²/3 + (2x²)²/(3·5) + …), in which all terms are positive.
pub(super) fn erf(x: f64) -> f64 {
    if x > 6.0 {
        return 1.0;
    }
    let z = 2.0 * x * x;
    let (mut sum, mut term, mut k) = (0.0, 1.0, 3.0);
    while term > sum * f64::EPSILON / 8.0 {
        sum += term;
        term *= z / k;
        k += 2.0;
    }
    std::f64::consts::FRAC_2_SQRT_PI * x * exp(-x * x) * sum
}

/// Returns e^(x²) (1 − erf x), for x ≥ ½.
///
/// This is the trapezoidal rule with steps of ½ for x/π ∫ e^(−t²) / (t² + x²). Its error is a known
/// multiple of e^(−4πx), which is corrected, and 2^-56.
pub(super) fn erfcx(x: f64) -> f64 {
    if x > 1e9 {
        return std::f64::consts::FRAC_2_SQRT_PI * 0.5 / x;
    }
    let (z, mut sum, mut k) = (x * x, 0.0, 13);
    while k > 0 {
        let square = (k * k) as f64 * 0.25;
        sum += exp(-square) / (square + z);
        k -= 1;
    }
    let whole = x * (0.5 / z + sum) / std::f64::consts::PI;
    if x < std::f64::consts::TAU { whole - 2.0 * exp(z) / (exp(2.0 * std::f64::consts::TAU * x) - 1.0) } else { whole }
}
