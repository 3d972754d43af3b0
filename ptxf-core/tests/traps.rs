//! Operands for which plausible implementations are wrong, one test for each mistake.

use ptxf_core::spec::spellings;
use ptxf_core::{Bf16, BoolOp, Comparison, F16, F16x2, UnsignedComparison, ptx};

/// Computes a spelling on register bits.
fn run(form: &str, operands: &[u64]) -> u64 {
    let named = spellings().find(|s| s.is(form) && s.form.operands.len() == operands.len()).expect(form);
    named.call(operands).expect("the operand count was matched")
}

#[test]
fn ne_is_false_on_a_nan_and_neu_is_true() {
    let nan = F16::from_bits(0x7E01);
    assert_eq!(ptx::set_u32_f16(Comparison::Ne, nan, nan), 0);
    assert_eq!(ptx::set_u32_f16(Comparison::Neu, nan, nan), u32::MAX);
    assert_eq!(ptx::setp_f64(Comparison::Ne, f64::NAN, 1.0), (false, true));
}

#[test]
fn zeros_of_both_signs_are_equal() {
    assert_eq!(ptx::set_f32_f32(Comparison::Eq, -0.0, 0.0).to_bits(), 0x3F80_0000);
    assert!(!ptx::setp_f32(Comparison::Lt, -0.0, 0.0).0);
}

#[test]
fn the_second_predicate_of_a_scalar_is_not_the_opposite_of_the_first() {
    // q = (!t) op c, not !(t op c).
    let setp = |op, c| ptx::setp_bool_f32(Comparison::Lt, op, 1.0, 2.0, c);
    assert_eq!([false, true].map(|c| setp(BoolOp::And, c)), [(false, false), (true, false)]);
    assert_eq!([false, true].map(|c| setp(BoolOp::Or, c)), [(true, false), (true, true)]);
    assert_eq!([false, true].map(|c| setp(BoolOp::Xor, c)), [(true, false), (false, true)]);
}

#[test]
fn the_predicates_of_a_pair_are_its_lanes() {
    let (a, b) = (F16x2::from_bits(0x3C00_4000), F16x2::from_bits(0x4000_3C00));
    assert_eq!(a.setp(Comparison::Lt, b), (false, true));
    assert_eq!(a.setp_bool(Comparison::Lt, BoolOp::Xor, b, true), (true, false));
    assert_eq!(a.setp(Comparison::Nan, b), (false, false));
}

#[test]
fn a_word_has_a_half_for_each_lane_and_is_filled_by_a_scalar() {
    assert_eq!(run("set.gt.s32.bf16x2", &[0x3F80_4000, 0x4000_3F80]), 0x0000_FFFF);
    assert_eq!(run("set.gt.s32.bf16", &[0x4000, 0x3F80]), 0xFFFF_FFFF);
    assert_eq!(run("set.gt.u16.bf16", &[0x4000, 0x3F80]), 0xFFFF);
}

#[test]
fn ftz_makes_subnormals_equal_to_zero() {
    assert_eq!(run("set.gt.u32.f32", &[1, 0]), 0xFFFF_FFFF);
    assert_eq!(run("set.gt.ftz.u32.f32", &[1, 0]), 0);
    assert_eq!(run("set.eq.ftz.f16.f32", &[0x8000_0001, 0x007F_FFFF]), 0x3C00);
}

#[test]
fn integers_are_compared_as_integers() {
    // Both are 2^24 in f32.
    assert_eq!(run("set.lt.f32.s32", &[16_777_216, 16_777_217]), 0x3F80_0000);
    assert_eq!(run("set.lt.f32.s32", &[0xFFFF_FFFF, 0]), 0x3F80_0000);
    assert_eq!(ptx::set_f32_u32(UnsignedComparison::Lo, u32::MAX, 0).to_bits(), 0);
    assert_eq!(run("set.eq.bf16.b64", &[1 << 63, 0]), 0);
}

#[test]
fn slct_takes_minus_zero_for_at_least_zero_and_a_nan_for_less() {
    let slct = |c: u32| ptx::slct_u16_f32(1, 2, f32::from_bits(c));
    assert_eq!([0x8000_0000, 0x7FC0_0000, 0xFFC0_0000, 0x8000_0001].map(slct), [1, 2, 2, 2]);
    assert_eq!(ptx::slct_ftz_u16_f32(1, 2, f32::from_bits(0x8000_0001)), 1);
}

#[test]
fn selection_leaves_the_payload_of_a_nan() {
    let signalling = 0x7F80_0001;
    assert_eq!(ptx::selp_f32(f32::from_bits(signalling), 0.0, true).to_bits(), signalling);
    assert_eq!(ptx::slct_f32_s32(0.0, f32::from_bits(signalling), -1).to_bits(), signalling);
}

#[test]
fn mixed_sums_are_rounded_once_and_keep_subnormals() {
    // The smallest f16 is a normal f32, and 2^-149 is kept.
    assert_eq!(ptx::add_rn_f32_f16(F16::from_bits(1), 0.0).to_bits(), 0x3380_0000);
    assert_eq!(ptx::add_rn_f32_bf16(Bf16::from_bits(0), f32::from_bits(1)).to_bits(), 1);
    // In f16 the product would be infinite.
    let large = F16::from_bits(0x7BFF);
    assert_eq!(ptx::fma_rn_f32_f16(large, large, 0.0), 65504.0 * 65504.0);
    assert_eq!(ptx::add_rn_sat_f32_f16(F16::from_bits(0x7E01), 1.0).to_bits(), 0);
    assert_eq!(ptx::sub_rm_f32_f16(F16::ONE, 1.0).to_bits(), 0x8000_0000);
}

#[test]
fn f16_fma_through_f32_rounds_twice() {
    let fma = |a, b, c| ptx::fma_rn_f16(F16::from_bits(a), F16::from_bits(b), F16::from_bits(c)).to_bits();
    assert_eq!(fma(0x3C01, 0x0FFE, 0x3C01), 0x3C01);
    // 3 · 683 + 2^-24: double rounding gives 0x6800.
    assert_eq!(fma(0x4200, 0x6156, 0x0001), 0x6801);
}

#[test]
fn bf16_fma_through_f32_or_f64_rounds_twice() {
    let fma = |a, b, c| ptx::fma_rn_bf16(Bf16::from_bits(a), Bf16::from_bits(b), Bf16::from_bits(c)).to_bits();
    // 7 · 37 − 2^-100: double rounding through f32 or f64 gives 0x4382.
    assert_eq!(fma(0x40E0, 0x4214, 0x8D80), 0x4381);
    // 224 · 148 − 2^-20.
    assert_eq!(fma(0x4360, 0x4314, 0xB580), 0x4701);
    // 2^64 · 2^64 − 1.5 · 2^127 = 2^126, although the product alone overflows.
    assert_eq!(fma(0x5F80, 0x5F80, 0xFF40), 0x7E80);
}

/// Checks that a product is flushed if it is tiny after rounding with unbounded exponent. Neither
/// the exact product nor the one rounded to subnormal numbers decides.
#[test]
fn ftz_judges_tininess_after_rounding() {
    for (a, b) in [(0x2BC5_A94E, 0x1425_C74B), (0x2B90_B1B2, 0x1462_76C4), (0x2BCD_4D41, 0x141F_9BE4)] {
        assert_eq!(run("mul.rn.ftz.f32", &[a, b]), 0x0080_0000, "{a:#x} · {b:#x}");
    }
    for (a, b) in [(0x2BBC_ADCA, 0x142D_ABB6), (0x2BA1_3284, 0x144B_475F)] {
        assert_eq!(run("mul.rn.ftz.f32", &[a, b]), 0, "{a:#x} · {b:#x}");
        // Without the modifier the same product is rounded up to the smallest normal number.
        assert_eq!(run("mul.rn.f32", &[a, b]), 0x0080_0000, "{a:#x} · {b:#x}");
    }
}

#[test]
fn sat_sends_nan_and_negative_zero_to_positive_zero() {
    let (nan, one, minus_zero) = (0x7E00, 0x3C00, 0x8000);
    assert_eq!(run("add.sat.f16", &[nan, one]), 0);
    assert_eq!(run("add.sat.f16", &[minus_zero, minus_zero]), 0);
    assert_eq!(run("mul.sat.f16", &[0xBC00, one]), 0);
    assert_eq!(run("mul.sat.f16", &[0x7C00, one]), one);
    assert_eq!(run("mul.rn.sat.f32", &[0x7FC0_0000, 0x3F80_0000]), 0);
}

#[test]
fn relu_sends_negative_zero_to_positive_zero_and_nan_to_the_canonical_one() {
    // −1 · 0 + −0 = −0
    assert_eq!(run("fma.rn.f16", &[0xBC00, 0, 0x8000]), 0x8000);
    assert_eq!(run("fma.rn.relu.f16", &[0xBC00, 0, 0x8000]), 0);
    assert_eq!(run("fma.rn.relu.f16", &[0xFE01, 0x3C00, 0]), 0x7FFF);
    assert_eq!(run("fma.rn.relu.bf16", &[0x3F80, 0xFF80, 0]), 0);
    assert_eq!(run("fma.rn.relu.bf16", &[0xFFC1, 0x3F80, 0]), 0x7FFF);
}

#[test]
fn oob_zeroes_the_lane_that_carries_it() {
    assert_eq!(run("fma.rn.oob.f16x2", &[0x7FF7_3C00, 0x3C00_3C00, 0x3C00_3C00]), 0x0000_4000);
    // The sign is ignored, and other NaNs are not out of bounds.
    assert_eq!(run("fma.rn.oob.bf16", &[0x3F80, 0xFFF7, 0x3F80]), 0);
    assert_eq!(run("fma.rn.oob.relu.bf16", &[0x7FC0, 0x3F80, 0x3F80]), 0x7FFF);
    // An H100 checks only the factors.
    for form in ["fma.rn.oob.f16", "fma.rn.oob.relu.f16", "fma.rn.oob.bf16", "fma.rn.oob.relu.bf16"] {
        assert_eq!(run(form, &[0x3C00, 0x3C00, 0x7FF7]), 0x7FFF, "{form}");
        assert_eq!(run(form, &[0x3C00, 0x7FF7, 0x7FF7]), 0, "{form}");
    }
}

#[test]
fn min_and_max_order_zeros_and_lose_a_lone_nan() {
    for (a, b) in [(0x8000, 0), (0, 0x8000)] {
        assert_eq!(run("min.f16", &[a, b]), 0x8000);
        assert_eq!(run("max.f16", &[a, b]), 0);
    }
    assert_eq!(run("min.f16", &[0x7E01, 0x3C00]), 0x3C00);
    assert_eq!(run("min.f16", &[0x7E01, 0xFE02]), 0x7FFF);
    assert_eq!(run("min.NaN.f16", &[0x7E01, 0x3C00]), 0x7FFF);
    assert_eq!(run("max.f64", &[0x7FF0_0000_0000_0001, 0xFFF0_0000_0000_0002]), 0xFFF8_0000_0000_0002);
    // A NaN result of the first two inputs is dropped, too.
    assert_eq!(run("max.f32", &[0x7FC0_0000, 0x7FC0_0000, 0xBF80_0000]), 0xBF80_0000);
}

#[test]
fn xorsign_takes_the_original_signs_unless_the_result_is_nan() {
    assert_eq!(run("max.xorsign.abs.f16", &[0xC000, 0x3C00]), 0xC000);
    assert_eq!(run("max.xorsign.abs.f16", &[0xC000, 0xBC00]), 0x4000);
    // The sign of a dropped NaN counts. A NaN result ignores signs.
    assert_eq!(run("max.xorsign.abs.f16", &[0xFE00, 0x3C00]), 0xBC00);
    assert_eq!(run("max.xorsign.abs.f16", &[0xFE00, 0x7E00]), 0x7FFF);
    // The sign is taken before the operand is flushed to −0.
    assert_eq!(run("min.ftz.xorsign.abs.f16", &[0x8001, 0x3C00]), 0x8000);
}

#[test]
fn cancellation_is_negative_zero_only_downwards() {
    let (one, minus_one) = (0x3F80_0000, 0xBF80_0000);
    for (rnd, zero) in [("rn", 0), ("rz", 0), ("rm", 0x8000_0000), ("rp", 0)] {
        assert_eq!(run(&format!("add.{rnd}.f32"), &[one, minus_one]), zero);
        assert_eq!(run(&format!("fma.{rnd}.f32"), &[one, one, minus_one]), zero);
    }
}

#[test]
fn overflow_follows_the_direction() {
    let (max, infinity, sign) = (0x7F7F_FFFF, 0x7F80_0000, 0x8000_0000);
    for (rnd, up, down) in [("rn", infinity, infinity), ("rz", max, max), ("rm", max, infinity), ("rp", infinity, max)]
    {
        assert_eq!(run(&format!("add.{rnd}.f32"), &[max, max]), up);
        assert_eq!(run(&format!("add.{rnd}.f32"), &[max | sign, max | sign]), down | sign);
    }
}

#[test]
fn f64_keeps_the_payload_that_a_device_keeps() {
    let (signalling, quiet, one) = (0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_0002, 0x3FF0_0000_0000_0000);
    assert_eq!(run("add.rn.f64", &[signalling, quiet]), quiet);
    assert_eq!(run("sub.rn.f64", &[quiet, signalling]), 0x7FF8_0000_0000_0001);
    assert_eq!(run("mul.rn.f64", &[signalling, one]), 0x7FF8_0000_0000_0001);
    assert_eq!(run("fma.rn.f64", &[signalling, signalling, quiet]), 0x7FF8_0000_0000_0001);
    assert_eq!(run("fma.rn.f64", &[signalling, one, quiet]), quiet);
    assert_eq!(run("div.rn.f64", &[signalling, quiet]), 0x7FF8_0000_0000_0001);
    assert_eq!(run("sub.rn.f64", &[one, quiet]), quiet);
    assert_eq!(run("fma.rn.f64", &[0x7FF0_0000_0000_0000, 0, quiet]), quiet);
    assert_eq!(run("mul.rn.f64", &[0x7FF0_0000_0000_0000, 0]), 0xFFF8_0000_0000_0000);
    assert_eq!(run("rcp.approx.ftz.f64", &[quiet]), 0x7FFF_FFFF_0000_0000);
}

#[test]
fn sm1x_mad_truncates_its_product() {
    let x = 0x3F80_0001; // 1 + 2^-23
    // The product (1 + 2^-23)² is truncated to 1 + 2^-22; `fma` would keep the rest.
    assert_eq!(run("mad.f32", &[x, x, 0xBF80_0002]), 0);
    assert_eq!(run("mad.rn.f32", &[x, x, 0xBF80_0002]), 0x2880_0000);
    // With c = 0 the result is a rounded product. Subnormals are flushed with and without `.ftz`.
    assert_eq!(run("mad.f32", &[x, 0x3FC0_0001, 0]), run("mul.rn.ftz.f32", &[x, 0x3FC0_0001]));
    assert_eq!(run("mad.f32", &[1, 0x4B80_0000, 0]), 0);
}

#[test]
fn div_approx_gives_up_beyond_two_to_the_126() {
    let (one, infinity, two_126, two_127) = (0x3F80_0000, 0x7F80_0000, 0x7E80_0000, 0x7F00_0000);
    assert_eq!(run("div.approx.f32", &[one, two_126]), 0x0080_0000);
    assert_eq!(run("div.approx.f32", &[one | 1 << 31, two_127]), 0x8000_0000);
    assert_eq!(run("div.approx.f32", &[infinity, two_127]), 0x7FFF_FFFF);
    assert_eq!(run("div.full.f32", &[one, two_127]), 0x0040_0000);
}

#[test]
fn f64_approximations_see_upper_words_only() {
    // 0x7FF00000_00000001 is a NaN, and its upper word alone an infinity.
    assert_eq!(run("rcp.approx.ftz.f64", &[0x7FF0_0000_0000_0001]), 0);
    assert_eq!(run("rcp.approx.ftz.f64", &[0x4008_0000_FFFF_FFFF]), 0x3FD5_5555_0000_0000);
    assert_eq!(run("rsqrt.approx.ftz.f64", &[0x8000_0000_0000_0001]), 0xFFF0_0000_0000_0000);
}
