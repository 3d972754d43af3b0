//! Sums, dot products and axpy in their documented order, and largest magnitudes.

use oracle::{Rng, Ty, generate};
use ptxf_core::format::Binary32;
use ptxf_core::{Bf16, F16, F16x2, Modifiers, ptx, sem, slice};

use crate::levels;

/// The documented order, element by element.
fn reference(products: impl Iterator<Item = (f32, f32)>) -> f32 {
    let mut sums = [0_f32; 32];
    for (i, (a, b)) in products.enumerate() {
        sums[i % 32] = ptx::fma_rn_f32(a, b, sums[i % 32]);
    }
    for n in [16, 8, 4, 2, 1] {
        for j in 0..n {
            sums[j] = ptx::add_rn_f32(sums[j], sums[j + n]);
        }
    }
    sums[0]
}

macro_rules! verify {
    ($kind:expr, $sum:ident $dot:ident |$bits:ident| $any:expr, |$x:ident| $number:expr, $to_f32:expr) => {
        let to_f32 = $to_f32;
        let mut rng = Rng::from_env(0xD07);
        for any in [true, false] {
            let mut draw = || {
                let $bits = generate::operand($kind, &mut rng) as u32;
                let $x = f32::from($bits as i16) / 8192.0;
                if any { $any } else { $number }
            };
            let (a, b): (Vec<_>, Vec<_>) = (0..3_000).map(|_| (draw(), draw())).unzip();
            for n in (0..=130).chain([1000, 3000]) {
                for start in [0, 1, 7] {
                    let n = n.min(a.len() - start);
                    let (a, b) = (&a[start..][..n], &b[start..][..n]);
                    let dot = reference(a.iter().zip(b).map(|(a, b)| (to_f32(a), to_f32(b))));
                    let sum = reference(a.iter().map(|a| (to_f32(a), 1.0)));
                    for level in levels() {
                        assert_eq!(slice::$dot(level, a, b).to_bits(), dot.to_bits(), "{level} {n}");
                        assert_eq!(slice::$sum(level, a).to_bits(), sum.to_bits(), "{level} {n}");
                    }
                }
            }
        }
    };
}

#[test]
fn f16_sums_in_the_promised_order() {
    verify!(
        Ty::F16, sum_f16_at dot_f16_at |bits| F16::from_bits(bits as u16), |x| F16::from_f32(x), |x: &F16| x.to_f32()
    );
}

#[test]
fn bf16_sums_in_the_promised_order() {
    verify!(
        Ty::Bf16, sum_bf16_at dot_bf16_at |bits| Bf16::from_bits(bits as u16), |x| Bf16::from_f32(x), |x: &Bf16| x.to_f32()
    );
}

#[test]
fn f32_sums_in_the_promised_order() {
    verify!(Ty::F32, sum_f32_at dot_f32_at |bits| f32::from_bits(bits), |x| x * 0.7, |x: &f32| *x);
}

/// Negative products that underflow make a partial sum −0, which the end of the vectors must leave
/// alone.
#[test]
fn sums_of_negative_zero() {
    let (small, minus) = (1e-30_f32, -1e-30_f32);
    for n in 32..=130 {
        for level in levels() {
            let dot = slice::dot_f32_at(level, &vec![small; n], &vec![minus; n]);
            assert_eq!(dot.to_bits(), 1 << 31, "f32, {n} at {level}");
            let [small, minus] = [small, minus].map(|x| vec![Bf16::from_f32(x); n]);
            assert_eq!(slice::dot_bf16_at(level, &small, &minus).to_bits(), 1 << 31, "bf16, {n} at {level}");
        }
    }
}

#[test]
fn steps_are_rounded_one_by_one() {
    let mut rng = Rng::from_env(0x57E9);
    let mut draw = || generate::operand(Ty::F32, &mut rng) as u32;
    let (a, b): (Vec<_>, Vec<_>) = (0..100).map(|_| (f32::from_bits(draw()), f32::from_bits(draw()))).unzip();
    for n in 0..=100 {
        let (a, b) = (&a[..n], &b[..n]);
        let m = Modifiers::PLAIN;
        let dot = a.iter().zip(b).fold(0, |d, (a, b)| sem::fma::<Binary32>(m, a.to_bits(), b.to_bits(), d));
        let sum = a.iter().fold(0, |d, a| sem::add::<Binary32>(m, d, a.to_bits()));
        assert_eq!(slice::dot_stepwise_f32(a, b).to_bits(), dot);
        assert_eq!(slice::sum_stepwise_f32(a).to_bits(), sum);
    }
}

#[test]
fn axpy_is_fma_with_the_addend_overwritten() {
    let mut rng = Rng::from_env(0xA);
    let mut draw = || F16::from_bits(generate::operand(Ty::F16, &mut rng) as u16);
    let (x, y): (Vec<_>, Vec<_>) = (0..131).map(|_| (draw(), draw())).unzip();
    let alpha = draw();
    for level in levels() {
        for n in 0..=131 {
            let mut d = y.clone();
            slice::axpy_f16(alpha, &x[..n], slice::at(level, &mut d[..n]));
            for i in 0..131 {
                let want = if i < n { ptx::fma_rn_f16(alpha, x[i], y[i]) } else { y[i] };
                assert_eq!(d[i].to_bits(), want.to_bits(), "{level} {n} {i}");
            }
        }
    }
    let e = slice::axpy_f16x2(F16x2::ZERO, &[F16x2::ZERO; 2], slice::checked(&mut [F16x2::ZERO; 3])).unwrap_err();
    assert_eq!(e.to_string(), "`x` has 2 elements, `y` has 3");
}

// Each test compares with a plain loop over values in binary64.
macro_rules! largest_magnitudes {
    ($($test:ident $amax_at:ident $kind:ident |$bits:ident| $value:expr, $to_f64:expr;)*) => {$(
        #[test]
        fn $test() {
            let mut rng = Rng::from_env(0xA_3A);
            let mut draw = |nan: bool| loop {
                let $bits = generate::operand(Ty::$kind, &mut rng);
                let x = $value;
                if nan || !$to_f64(x).is_nan() {
                    return x;
                }
            };
            for nans in [false, true] {
                let x: Vec<_> = (0..300).map(|i| draw(nans && i == 290)).collect();
                for (first, n) in (0..=130).map(|n| (n % 7, n)).chain([(0, 300), (150, 150), (280, 20)]) {
                    let x = &x[first..first + n];
                    let mut want = 0.0_f64;
                    for &x in x {
                        let x = $to_f64(x).abs();
                        want = if want.is_nan() || x.is_nan() { f64::NAN } else { want.max(x) };
                    }
                    for level in levels() {
                        let got = slice::$amax_at(level, x);
                        assert_eq!($to_f64(got).is_nan(), want.is_nan(), "{level} {n}");
                        if want.is_nan() {
                            assert!(got.to_bits() == 0x7FFF || u32::from(got.to_bits()) == 0x7FFF_FFFF, "{level} {n}");
                        } else {
                            assert_eq!($to_f64(got).to_bits(), want.to_bits(), "{level} {n}");
                        }
                    }
                }
            }
        }
    )*};
}

largest_magnitudes! {
    largest_magnitude_of_f16 amax_f16_at F16 |bits| F16::from_bits(bits as u16), |x: F16| f64::from(x.to_f32());
    largest_magnitude_of_bf16 amax_bf16_at Bf16 |bits| Bf16::from_bits(bits as u16), |x: Bf16| f64::from(x.to_f32());
    largest_magnitude_of_f32 amax_f32_at F32 |bits| f32::from_bits(bits as u32), |x: f32| f64::from(x);
}

#[test]
fn the_largest_magnitude_is_a_nan_if_one_is_there() {
    let x = [1.0, -7.5, f32::NEG_INFINITY, 0.25];
    assert_eq!(slice::amax_f32(&x), f32::INFINITY);
    assert_eq!(slice::amax_f32(&[f32::from_bits(0xFF80_0001), f32::INFINITY]).to_bits(), 0x7FFF_FFFF);
    assert_eq!(slice::amax_f16(&[F16::from_bits(0xFC01), F16::INFINITY]).to_bits(), 0x7FFF);
    assert_eq!(slice::amax_bf16(&[Bf16::from_bits(0x8001), Bf16::ZERO]).to_bits(), 1);
    assert_eq!(slice::amax_f32(&[-0.0]).to_bits(), 0);
}
