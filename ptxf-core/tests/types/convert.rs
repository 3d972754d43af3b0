//! Conversions against `rustc_apfloat`, and widening against `half`.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2, Round};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::support::{Random, all_bits, edges};

const DIRECTIONS: [(Round, rustc_apfloat::Round); 4] = [
    (Round::Rn, rustc_apfloat::Round::NearestTiesToEven),
    (Round::Rz, rustc_apfloat::Round::TowardZero),
    (Round::Rm, rustc_apfloat::Round::TowardNegative),
    (Round::Rp, rustc_apfloat::Round::TowardPositive),
];

/// Narrows by the oracle, with the canonical NaN.
fn oracle<From: Float + FloatConvert<To>, To: Float>(bits: u128, rnd: rustc_apfloat::Round) -> u16 {
    let narrow: To = From::from_bits(bits).convert_r(rnd, &mut false).value;
    if narrow.is_nan() { 0x7fff } else { narrow.to_bits() as u16 }
}

macro_rules! scalar {
    ($module:ident $ty:ident $apfloat:ident $other:ident $other_apfloat:ident $from_other:ident $from_other_r:ident) => {
        mod $module {
            use super::*;

            #[track_caller]
            fn check_f32(x: f32) {
                for (rnd, apfloat_rnd) in DIRECTIONS {
                    let want = oracle::<Single, $apfloat>(x.to_bits().into(), apfloat_rnd);
                    let got = $ty::from_f32_r(rnd, x).to_bits();
                    assert_eq!(got, want, "{rnd:?} {x:e} = {:#010x}: {got:#06x}, want {want:#06x}", x.to_bits());
                }
                assert_eq!($ty::from_f32(x).to_bits(), $ty::from_f32_r(Round::Rn, x).to_bits());
            }

            #[track_caller]
            fn check_f64(x: f64) {
                for (rnd, apfloat_rnd) in DIRECTIONS {
                    let want = oracle::<Double, $apfloat>(x.to_bits().into(), apfloat_rnd);
                    let got = $ty::from_f64_r(rnd, x).to_bits();
                    assert_eq!(got, want, "{rnd:?} {x:e} = {:#018x}: {got:#06x}, want {want:#06x}", x.to_bits());
                }
                assert_eq!($ty::from_f64(x).to_bits(), $ty::from_f64_r(Round::Rn, x).to_bits());
            }

            /// Checks every value, the midpoint to its neighbour, and the numbers next to both.
            #[test]
            fn narrows_at_every_value_and_tie() {
                for bits in 0..=$ty::INFINITY.to_bits() {
                    let here = $ty::from_bits(bits).to_f64();
                    // After the largest number the next value would be the next power of two.
                    let next = match bits {
                        b if b >= $ty::MAX.to_bits() => 2f64.powi($ty::MAX_EXP),
                        b => $ty::from_bits(b + 1).to_f64(),
                    };
                    for x in [here, here / 2.0 + next / 2.0] {
                        for x in [x.next_down(), x, x.next_up(), -x.next_down(), -x, -x.next_up()] {
                            check_f64(x);
                        }
                        let x = x as f32; // exact: one bit more than the 16-bit type
                        for x in [x.next_down(), x, x.next_up(), -x.next_down(), -x, -x.next_up()] {
                            check_f32(x);
                        }
                    }
                }
            }

            #[test]
            fn narrows_random_values() {
                let mut random = Random(2);
                for _ in 0..500_000 {
                    let bits = random.next();
                    check_f32(f32::from_bits(bits as u32));
                    // A random f64 is mostly out of range, so half of them get an exponent within
                    // the range.
                    check_f64(f64::from_bits(bits));
                    let exponent =
                        1023 + $ty::MIN_EXP - 20 + (random.next() % 2048) as i32 % ($ty::MAX_EXP - $ty::MIN_EXP + 24);
                    check_f64(f64::from_bits((exponent as u64) << 52 | bits & (!0 >> 12) | bits & 1 << 63));
                }
            }

            #[test]
            fn narrows_special_values() {
                for x in [0.0, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN, f64::from_bits(1)] {
                    check_f64(x);
                    check_f64(-x);
                }
                for bits in [
                    0_u32,
                    1,
                    0x007f_ffff,
                    0x0080_0000,
                    0x7f7f_ffff,
                    0x7f80_0000,
                    0x7f80_0001,
                    0x7fc0_0000,
                    0x7fff_ffff,
                ] {
                    check_f32(f32::from_bits(bits));
                    check_f32(f32::from_bits(bits | 1 << 31));
                }
            }

            #[test]
            fn converts_the_other_half() {
                for bits in all_bits() {
                    let x = $other::from_bits(bits);
                    for (rnd, apfloat_rnd) in DIRECTIONS {
                        let want = oracle::<$other_apfloat, $apfloat>(bits.into(), apfloat_rnd);
                        assert_eq!($ty::$from_other_r(rnd, x).to_bits(), want, "{rnd:?} {x:#?}");
                    }
                    assert_eq!($ty::$from_other(x).to_bits(), $ty::$from_other_r(Round::Rn, x).to_bits());
                }
            }

            #[test]
            fn widens_without_loss() {
                for bits in all_bits() {
                    let x = $ty::from_bits(bits);
                    let (single, double) = (x.to_f32(), x.to_f64());
                    assert_eq!(f32::from(x).to_bits(), single.to_bits());
                    assert_eq!(f64::from(x).to_bits(), double.to_bits());
                    if x.is_nan() {
                        // The fraction moves to the upper end; the other bits are the sign and
                        // ones.
                        let payload = u64::from(bits) & ((1 << ($ty::MANTISSA_DIGITS - 1)) - 1);
                        let sign = u64::from(bits >> 15);
                        let fraction = $ty::MANTISSA_DIGITS - 1;
                        assert_eq!(u64::from(single.to_bits()), sign << 31 | 0xff << 23 | payload << (23 - fraction));
                        assert_eq!(double.to_bits(), sign << 63 | 0x7ff << 52 | payload << (52 - fraction));
                        assert_eq!($ty::from_f32(single).to_bits(), 0x7fff);
                        assert_eq!($ty::from_f64(double).to_bits(), 0x7fff);
                    } else {
                        let mut loses = false;
                        let wide: Double = $apfloat::from_bits(bits.into()).convert(&mut loses).value;
                        assert!(!loses);
                        assert_eq!(u128::from(double.to_bits()), wide.to_bits());
                        assert_eq!(f64::from(single).to_bits(), double.to_bits());
                        for (rnd, _) in DIRECTIONS {
                            assert_eq!($ty::from_f32_r(rnd, single).to_bits(), bits);
                            assert_eq!($ty::from_f64_r(rnd, double).to_bits(), bits);
                        }
                        #[cfg(feature = "half")]
                        {
                            let half = half::$module::from_bits(bits);
                            assert_eq!(half.to_f32_const().to_bits(), single.to_bits());
                            assert_eq!(half.to_f64_const().to_bits(), double.to_bits());
                        }
                    }
                }
            }

            #[test]
            fn small_integers_are_exact() {
                for n in u8::MIN..=u8::MAX {
                    assert_eq!($ty::from(n).to_f64(), f64::from(n));
                }
                for n in i8::MIN..=i8::MAX {
                    assert_eq!($ty::from(n).to_f64(), f64::from(n));
                }
            }
        }
    };
}

scalar!(f16 F16 Half Bf16 BFloat from_bf16 from_bf16_r);
scalar!(bf16 Bf16 BFloat F16 Half from_f16 from_f16_r);

#[test]
fn pairs_convert_lane_by_lane() {
    let values = || edges().map(|x| F16::from_bits(x).to_f32()).chain(edges().map(|x| Bf16::from_bits(x).to_f32()));
    for (lo, hi) in values().flat_map(|lo| values().map(move |hi| (lo, hi))) {
        for (rnd, _) in DIRECTIONS {
            let x = F16x2::from_f32_r(rnd, [lo, hi]);
            assert_eq!(x.to_array().map(F16::to_bits), [lo, hi].map(|x| F16::from_f32_r(rnd, x).to_bits()));
            let x = Bf16x2::from_f32_r(rnd, [lo, hi]);
            assert_eq!(x.to_array().map(Bf16::to_bits), [lo, hi].map(|x| Bf16::from_f32_r(rnd, x).to_bits()));
        }
        let x = F16x2::from_f32([lo, hi]);
        let wide = x.to_array().map(|lane| lane.to_f32().to_bits());
        assert_eq!(x.to_f32().map(f32::to_bits), wide);
        assert_eq!(<[f32; 2]>::from(x).map(f32::to_bits), wide);
        assert_eq!(F32x2::from(x).to_array().map(f32::to_bits), wide);
    }
}
