//! Sums, dot products and axpy, in the order that they promise.

use ptxf_core::{Bf16, F16, F16x2, ptx, slice};
use testutil::{Rng, Ty, generate};

use crate::levels;

/// What the documentation says, element by element.
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
    ($ty:ident $kind:expr, $sum:ident $dot:ident) => {
        let mut rng = Rng::from_env(0xD07);
        for any in [true, false] {
            let mut draw = || {
                let bits = generate::operand($kind, &mut rng) as u16;
                if any { $ty::from_bits(bits) } else { $ty::from_f32(f32::from(bits as i16) / 8192.0) }
            };
            let (a, b): (Vec<_>, Vec<_>) = (0..3_000).map(|_| (draw(), draw())).unzip();
            for n in (0..=130).chain([1000, 3000]) {
                for start in [0, 1, 7] {
                    let n = n.min(a.len() - start);
                    let (a, b) = (&a[start..][..n], &b[start..][..n]);
                    let dot = reference(a.iter().zip(b).map(|(a, b)| (a.to_f32(), b.to_f32())));
                    let sum = reference(a.iter().map(|a| (a.to_f32(), 1.0)));
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
    verify!(F16 Ty::F16, sum_f16_at dot_f16_at);
}

#[test]
fn bf16_sums_in_the_promised_order() {
    verify!(Bf16 Ty::Bf16, sum_bf16_at dot_bf16_at);
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
    let e = slice::try_axpy_f16x2(F16x2::ZERO, &[F16x2::ZERO; 2], &mut [F16x2::ZERO; 3]).unwrap_err();
    assert_eq!(e.to_string(), "operand `b` has 2 elements, the output has 3");
}
