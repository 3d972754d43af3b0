//! Products that depend on one parameter of a unit, which random operands hardly ever reach.

use ptxf::matrix::Unit;
use ptxf::{Bf16, E4m3, E5m2, F16};

const UNITS: [(Unit, i32); 8] = [
    (Unit::sm_70(), 23),
    (Unit::sm_75(), 24),
    (Unit::sm_80(), 24),
    (Unit::sm_89(), 24),
    (Unit::sm_90(), 25),
    (Unit::sm_90a(), 25),
    (Unit::sm_100(), 25),
    (Unit::sm_120(), 25),
];

fn f16(exponent: i32) -> F16 {
    F16::from_f32(f32::exp2(exponent as f32))
}

/// 2⁻²⁵ is half of the smallest f16, and a tie. A second product decides if the grid holds it. The
/// exponents of both are below that of a zero addend, 4 − F, so the grid ends at 4 − 2 · F.
#[test]
fn exponent_of_a_zero_addend_in_f16() {
    for (unit, fraction_bits) in UNITS {
        let mma = unit.mma::<F16, F16, F16>().unwrap();
        let last = 4 - 2 * fraction_bits;
        let sum = |exponent: i32| {
            let half = exponent / 2;
            mma.dot(&[f16(-12), f16(half)], &[f16(-13), f16(exponent - half)], F16::ZERO).to_bits()
        };
        assert_eq!([sum(last), sum(last - 1)], [1, 0], "{unit:?}");
    }
}

/// In units of the grid, U / 2 − 1, U / 2 and 1 are the smallest f32, if none of them is cut.
#[test]
fn exponent_of_a_zero_addend_in_f32() {
    for (unit, fraction_bits) in UNITS.into_iter().skip(2) {
        let mma = unit.mma::<Bf16, Bf16, f32>().unwrap();
        let grid = -108 - 2 * fraction_bits;
        let half = 2_f32.powi(-149 - grid) / 2.0;
        let sum = |exponent: i32| {
            let [a, b] = [exponent + 60, -60].map(|n| Bf16::from_f32(f32::exp2(n as f32)));
            let factors = [half - 1.0, half, 1.0].map(|x| Bf16::from_f32(x * a.to_f32()));
            mma.dot(&factors, &[b; 3], 0.0).to_bits()
        };
        // With half of the factors nothing is left, and twice the factors are twice the number.
        assert_eq!([sum(grid), sum(grid - 1), sum(grid + 1)], [1, 0, 2], "{unit:?}");
    }
}

/// The subnormal 2⁻⁹ is a normal f16, so its product with 2¹⁵ counts with the exponent 6, and 2⁻¹⁷
/// is kept beside it. With the exponent −6 of a subnormal e4m3 it would be 9.
#[test]
fn a_subnormal_number_of_8_bits_is_normal_in_f16() {
    let power = |n: i32| f32::exp2(n as f32);
    let (a, b) = ([-9, -6].map(|n| E4m3::from_f32(power(n))), [15, -11].map(|n| E5m2::from_f32(power(n))));
    for unit in [Unit::sm_90(), Unit::sm_100()] {
        let sum = unit.mma::<E4m3, E5m2, f32>().unwrap().dot(&a, &b, 0.0);
        assert_eq!(sum, power(6) + power(-17), "{unit:?}");
    }
}
