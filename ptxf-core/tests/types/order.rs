//! Comparison and classification against `f32`, which represents every 16-bit value.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2};

use super::support::{Random, all_bits, edges};

macro_rules! scalar {
    ($module:ident $ty:ident $pair:ident) => {
        mod $module {
            use super::*;

            #[test]
            fn compares_as_f32_does() {
                let mut random = Random(1);
                let others: Vec<_> = edges().chain((0..200).map(|_| random.next() as u16)).collect();
                for a in all_bits().map($ty::from_bits) {
                    let wide_a = a.to_f32();
                    for b in others.iter().copied().map($ty::from_bits) {
                        let wide_b = b.to_f32();
                        assert_eq!(a.partial_cmp(&b), wide_a.partial_cmp(&wide_b), "{a:#?} {b:#?}");
                        assert_eq!(a == b, wide_a == wide_b, "{a:#?} {b:#?}");
                        assert_eq!(a.total_cmp(&b), wide_a.total_cmp(&wide_b), "{a:#?} {b:#?}");
                    }
                }
            }

            #[test]
            fn pairs_are_equal_if_both_lanes_are() {
                for (a, b) in edges().flat_map(|a| edges().map(move |b| (a, b))) {
                    let (x, y) = ($ty::from_bits(a), $ty::from_bits(b));
                    let one = $ty::ONE;
                    assert_eq!($pair::from_lo_hi(x, one) == $pair::from_lo_hi(y, one), x == y);
                    assert_eq!($pair::from_lo_hi(one, x) == $pair::from_lo_hi(one, y), x == y);
                    assert!($pair::from_lo_hi(x, one) != $pair::from_lo_hi(y, $ty::ZERO));
                }
            }

            /// Compares with `f32` if the classes of both types agree, and else with the bounds.
            #[test]
            fn classes() {
                for x in all_bits().map($ty::from_bits) {
                    let wide = x.to_f32();
                    assert_eq!(x.is_nan(), wide.is_nan());
                    assert_eq!(x.is_infinite(), wide.is_infinite());
                    assert_eq!(x.is_finite(), wide.is_finite());
                    assert_eq!(x.is_sign_negative(), wide.is_sign_negative());
                    assert_eq!(x.is_sign_positive(), wide.is_sign_positive());
                    let tiny = wide.abs() < $ty::MIN_POSITIVE.to_f32();
                    assert_eq!(x.is_subnormal(), wide != 0.0 && tiny);
                    assert_eq!(x.is_normal(), wide.is_finite() && !tiny);
                    let kind = match wide.classify() {
                        core::num::FpCategory::Normal if tiny => core::num::FpCategory::Subnormal,
                        kind => kind,
                    };
                    assert_eq!(x.classify(), kind);
                    assert_eq!(x.copysign($ty::NEG_ZERO).to_bits(), x.to_bits() | 0x8000);
                    assert_eq!(x.copysign($ty::CANONICAL_NAN).to_bits(), x.to_bits() & 0x7fff);
                    let signum = if wide.is_nan() { 0x7fff } else { $ty::from_f32(wide.signum()).to_bits() };
                    assert_eq!(x.signum().to_bits(), signum);
                }
            }
        }
    };
}

scalar!(f16 F16 F16x2);
scalar!(bf16 Bf16 Bf16x2);

#[test]
fn f32_pairs_compare_lane_by_lane() {
    let special = [0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, 1e-45, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for a in special {
        for b in special {
            for c in special {
                assert_eq!(F32x2::from_array([a, c]) == F32x2::from_array([b, c]), a == b && c == c);
                assert_eq!(F32x2::from_array([c, a]) == F32x2::from_array([c, b]), a == b && c == c);
            }
        }
    }
}
