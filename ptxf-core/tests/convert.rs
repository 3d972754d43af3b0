//! Conversions that are easy to get wrong, each with its bits. `oracles.rs` tests all forms.

use oracle::Rng;
use oracle::cvt::{Cvt, exact, expect, operands};
use ptxf_core::format;
use ptxf_core::sem::{self, Random};
use ptxf_core::spec::{FORMS, FormInfo};

fn form(spelling: &str) -> &'static FormInfo {
    FORMS.iter().find(|f| f.name == spelling).unwrap_or_else(|| panic!("{spelling} is no form"))
}

/// Runs a conversion, and checks it against the oracles and the meaning.
#[track_caller]
fn convert(spelling: &str, operands: &[u64]) -> u64 {
    let form = form(spelling);
    let got = form.run.call(operands).expect("the form's operands");
    assert_eq!(form.by_meaning(operands), Some(got), "{spelling} {operands:x?}");
    for (oracle, want) in expect(&Cvt::parse(spelling).unwrap(), operands) {
        assert_eq!(got, want, "{spelling} {operands:x?}, {oracle}");
    }
    got
}

/// Converts the same value in every lane, with a scale or random bits as the last operand. Returns
/// the lowest lane.
#[track_caller]
fn lane_with(spelling: &str, x: u64, last: Option<u64>) -> u64 {
    let cvt = Cvt::parse(spelling).unwrap();
    let register = (0..u32::from(cvt.from.lanes)).fold(0, |r, i| r | x << (i * cvt.from.num.place()));
    let mut operands = vec![register; cvt.sources()];
    operands.extend(last);
    let got = convert(spelling, &operands);
    let place = cvt.to.num.place();
    got & (u64::MAX >> (64 - place))
}

#[track_caller]
fn lane(spelling: &str, x: u64) -> u64 {
    lane_with(spelling, x, None)
}

fn f32(x: f32) -> u64 {
    x.to_bits().into()
}

#[test]
fn a_nan_is_zero_to_integers_but_from_f64_or_to_64_bits_the_upper_bit() {
    for (i, bits) in [8, 16, 32, 64].into_iter().enumerate() {
        for sign in ["u", "s"] {
            for (source, nan) in
                [("f16", 0x7e01), ("bf16", 0xffff), ("f32", 0xffc0_0000), ("f64", 0x7ff0_0000_0000_0001)]
            {
                let want = if source == "f64" || i == 3 { 1 << (bits - 1) } else { 0 };
                assert_eq!(lane(&format!("cvt.rzi.{sign}{bits}.{source}"), nan), want, "{sign}{bits} {source}");
            }
        }
    }
}

#[test]
fn integers_are_rounded_and_then_clamped() {
    assert_eq!(lane("cvt.rmi.s32.f32", f32(-0.5)), 0xffff_ffff);
    assert_eq!(lane("cvt.rmi.u32.f32", f32(-0.5)), 0);
    assert_eq!(lane("cvt.rni.s32.f32", f32(2f32.powi(31))), 0x7fff_ffff);
    assert_eq!(lane("cvt.rni.s8.f32", f32(f32::NEG_INFINITY)), 0x80);
    assert_eq!(lane("cvt.rni.s8.f32", f32(-128.5)), 0x80);
    assert_eq!(lane("cvt.rni.u64.f32", f32(f32::INFINITY)), u64::MAX);
    assert_eq!(lane("cvt.rpi.u64.f64", f64::MAX.to_bits()), u64::MAX);
    assert_eq!(lane("cvt.rni.s32.f32", f32(2.5)), 2);
    assert_eq!(lane("cvt.rni.s32.f32", f32(-3.5)), 0xffff_fffc);
}

#[test]
fn ftz_hides_a_subnormal_from_an_integral_rounding() {
    assert_eq!(lane("cvt.rpi.u8.f32", 1), 1);
    assert_eq!(lane("cvt.rpi.ftz.u8.f32", 1), 0);
    assert_eq!(lane("cvt.rpi.ftz.f32.f32", 1), 0);
    assert_eq!(lane("cvt.rmi.f32.f32", 0x8000_0001), f32(-1.0));
}

#[test]
fn integers_are_rounded_once_and_never_by_way_of_f32() {
    assert_eq!(lane("cvt.rn.bf16.u32", 0x0101_0001), 0x4b81);
    assert_eq!(["rn", "rp"].map(|r| lane(&format!("cvt.{r}.f16.u64"), u64::MAX)), [0x7c00; 2]);
    assert_eq!(["rz", "rm"].map(|r| lane(&format!("cvt.{r}.f16.u64"), u64::MAX)), [0x7bff; 2]);
    assert_eq!(lane("cvt.rp.f32.s64", 1 << 63), f32(-(2f32.powi(63))));
    assert_eq!(lane("cvt.rm.f64.s8", 0), 0);
    assert_eq!(lane("cvt.rn.sat.f32.s32", 77), f32(1.0));
    assert_eq!(lane("cvt.rn.sat.f32.s32", 0xffff_ffff), 0);
}

#[test]
fn a_double_is_rounded_once() {
    let x = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    assert_eq!(lane("cvt.rn.f16.f64", x.to_bits()), 0x3c01);
}

#[test]
fn ftz_concerns_f32_alone_and_judges_after_rounding() {
    assert_eq!(lane("cvt.rp.f16.f32", 1), 1);
    assert_eq!(lane("cvt.rp.ftz.f16.f32", 1), 0);
    assert_eq!(lane("cvt.rn.ftz.bf16.f32", 0x007f_8000), 0);
    assert_eq!(lane("cvt.ftz.f32.f16", 1), f32(2f32.powi(-24)));
    assert_eq!(lane("cvt.ftz.f32.bf16", 1), 0);
    let edge = (1.0 - 2f64.powi(-25)) * 2f64.powi(-126);
    assert_eq!(lane("cvt.rn.ftz.f32.f64", edge.to_bits()), 0x0080_0000);
    assert_eq!(lane("cvt.rn.ftz.f32.f64", edge.to_bits() - 1), 0);
    assert_eq!(lane("cvt.rn.f32.f64", edge.to_bits() - 1), 0x0080_0000);
}

#[test]
fn sat_takes_nan_zero_and_what_is_outside() {
    for (x, want) in [(0x7fc0_0000, 0), (0x8000_0000, 0), (f32(-3.0), 0), (f32(7.0), 0x3c00), (f32(0.5), 0x3800)] {
        assert_eq!(lane("cvt.rn.sat.f16.f32", x), want);
    }
    assert_eq!(lane("cvt.sat.f64.f64", (-0f64).to_bits()), 0);
}

#[test]
fn an_integral_rounding_keeps_sign_and_infinity() {
    assert_eq!(lane("cvt.rni.f32.f32", f32(-0.3)), f32(-0.0));
    assert_eq!(lane("cvt.rzi.f16.f16", 0xfc00), 0xfc00);
    assert_eq!(lane("cvt.rpi.f64.f64", 0x7ff0_0000_0000_0001), 0x7ff8_0000_0000_0001);
}

#[test]
fn only_f32_and_f64_are_moved_without_a_change() {
    assert_eq!(lane("cvt.f32.f32", 0xff80_0001), 0xff80_0001);
    assert_eq!(lane("cvt.f64.f64", 0x7ff0_0000_0000_0001), 0x7ff0_0000_0000_0001);
    assert_eq!(lane("cvt.ftz.f32.f32", 0xff80_0001), 0x7fff_ffff);
    assert_eq!(lane("cvt.f16.f16", 0xfc01), 0x7fff);
    assert_eq!(lane("cvt.bf16.bf16", 0xff81), 0x7fff);
}

#[test]
fn a_double_keeps_the_payload_of_any_nan() {
    assert_eq!(lane("cvt.f64.f32", 0xff80_0001), 0xfff8_0000_2000_0000);
    assert_eq!(lane("cvt.f64.f16", 0x7c01), 0x7ff8_0400_0000_0000);
    assert_eq!(lane("cvt.f64.bf16", 0xffff), 0xffff_e000_0000_0000);
    assert_eq!(lane("cvt.rn.f16.f64", 0xfff8_0000_0000_0001), 0x7fff);
}

#[test]
fn satfinite_ends_at_the_largest_number() {
    for (spelling, max) in [("f16", 0x7bff), ("bf16", 0x7f7f), ("tf32", 0x7f7f_e000)] {
        let sign = if spelling == "tf32" { 1 << 31 } else { 1 << 15 };
        for x in [f32::INFINITY, f32::MAX] {
            assert_eq!(lane(&format!("cvt.rn.satfinite.{spelling}.f32"), f32(x)), max);
            assert_eq!(lane(&format!("cvt.rn.satfinite.{spelling}.f32"), f32(-x)), max | sign);
        }
    }
    assert_eq!(lane("cvt.rn.relu.satfinite.f16.f32", f32(f32::NEG_INFINITY)), 0);
    assert_eq!(lane("cvt.rn.relu.satfinite.f16.f32", f32(-f32::NAN)), 0x7fff);
}

#[test]
fn rna_is_integer_arithmetic_on_numbers_and_every_nan_is_one() {
    let mut rng = Rng::from_env(5);
    for _ in 0..100_000 {
        let x = rng.next() & 0xffff_ffff;
        let want = if f32::from_bits(x as u32).is_nan() {
            0x7fff_e000
        } else {
            (x & (1 << 31)) | (((x & 0x7fff_ffff) + 0x1000) & !0x1fff)
        };
        assert_eq!(lane("cvt.rna.tf32.f32", x), want, "{x:#x}");
    }
    for nan in [0x7fc0_0000, 0x7f80_0001, 0xffff_ffff] {
        assert_eq!(lane("cvt.rna.tf32.f32", nan), 0x7fff_e000);
        assert_eq!(lane("cvt.rna.satfinite.tf32.f32", nan), 0x7fff_e000);
        assert_eq!(lane("cvt.rn.tf32.f32", nan), 0x7fff_e000);
    }
    // The steps of tf32 are coarser than the smallest numbers, too.
    assert_eq!(lane("cvt.rna.tf32.f32", 0x0fff), 0);
    assert_eq!(lane("cvt.rna.tf32.f32", 0x1000), 0x2000);
    assert_eq!(lane("cvt.rn.tf32.f32", 0x1000), 0);
}

/// Checks results that differ from `ml_dtypes`, which overflows, and keeps a NaN's sign.
#[test]
fn eight_bits_saturate_and_have_one_nan() {
    for x in [464.0, 465.0, 1e30, f32::INFINITY] {
        assert_eq!(lane("cvt.rn.satfinite.e4m3x2.f32", f32(x)), 0x7e);
        assert_eq!(lane("cvt.rn.satfinite.e4m3x2.f32", f32(-x)), 0xfe);
    }
    assert_eq!(lane("cvt.rn.satfinite.e5m2x2.f32", f32(61440.0)), 0x7b);
    for (ty, nan) in [("e4m3", 0x7f), ("e5m2", 0x7f), ("e2m3", 0x1f), ("e3m2", 0x1f), ("e2m1", 0x7), ("s2f6", 0x7f)] {
        assert_eq!(lane(&format!("cvt.rn.satfinite.{ty}x2.f32"), f32(-f32::NAN)), nan);
        assert_eq!(lane(&format!("cvt.rn.satfinite.relu.{ty}x2.f32"), f32(-f32::NAN)), nan);
        assert_eq!(lane(&format!("cvt.rn.satfinite.relu.{ty}x2.f32"), f32(f32::NEG_INFINITY)), 0);
    }
    assert_eq!(lane("cvt.rn.satfinite.e2m1x2.f32", f32(-0.0)), 0x8);
    assert_eq!(lane("cvt.rn.satfinite.s2f6x2.f32", f32(-0.0)), 0);
    assert_eq!(lane("cvt.rn.satfinite.s2f6x2.f32", f32(-2.0)), 0x80);
}

#[test]
fn to_halves_a_narrow_nan_loses_its_sign_and_infinity_stays() {
    assert_eq!(lane("cvt.rn.f16x2.e5m2x2", 0xfc), 0xfc00);
    assert_eq!(lane("cvt.rn.satfinite.bf16x2.e5m2x2", 0xfc), 0xff7f);
    assert_eq!(lane("cvt.rn.f16x2.e4m3x2", 0xff), 0x7fff);
    assert_eq!(lane("cvt.rn.relu.f16x2.e4m3x2", 0xff), 0x7fff);
    assert_eq!(lane("cvt.rn.relu.f16x2.e4m3x2", 0x80), 0);
    assert_eq!(lane("cvt.rn.relu.f16x2.e5m2x2", 0xfc), 0);
}

#[test]
fn powers_of_two_ignore_the_sign_and_meet_in_the_subnormals() {
    for (x, down, up) in [
        (0.0, 0x00, 0x00),
        (-1.0, 0x7f, 0x7f),
        (-1.5, 0x7f, 0x80),
        (f32::from_bits(0x0040_0000), 0x00, 0x00),
        (f32::from_bits(0x0040_0001), 0x00, 0x01),
        (f32::from_bits(0x007f_ffff), 0x00, 0x01),
        (f32::from_bits(0x0080_0000), 0x01, 0x01),
        (f32::MAX, 0xfe, 0xff),
        (f32::INFINITY, 0xff, 0xff),
        (f32::NAN, 0xff, 0xff),
    ] {
        assert_eq!(lane("cvt.rz.ue8m0x2.f32", f32(x)), down, "{x}");
        assert_eq!(lane("cvt.rp.ue8m0x2.f32", f32(x)), up, "{x}");
        let most = |d: u64| if x.is_nan() { d } else { d.min(0xfe) };
        assert_eq!(lane("cvt.rz.satfinite.ue8m0x2.f32", f32(x)), most(down), "{x}");
        assert_eq!(lane("cvt.rp.satfinite.ue8m0x2.f32", f32(x)), most(up), "{x}");
    }
    assert_eq!(lane("cvt.rn.bf16x2.ue8m0x2", 0), 0x0040);
    assert_eq!(lane("cvt.rn.bf16x2.ue8m0x2", 0xff), 0x7fff);
}

/// Checks all pairs of an element and a scale.
#[test]
fn scales_multiply_up_and_divide_down_before_the_one_rounding() {
    for to in ["", ".satfinite"] {
        for ty in ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue5m3", "s2f6"] {
            let spelling = format!("cvt.rn{to}.scaled::n2::ue8m0.bf16x2.{ty}x2");
            let mask = Cvt::parse(&spelling).unwrap().from.num.mask();
            for x in 0..=mask {
                for scale in 0..=0xff {
                    let d = lane_with(&spelling, x, Some(scale << 8 | scale));
                    assert!(scale != 0xff || d == 0x7fff, "{spelling}");
                }
            }
        }
    }
    let down = "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32";
    assert_eq!(lane_with(down, f32(3.0), Some(0x8080)), 0x60);
    assert_eq!(lane_with(down, f32(-3.0), Some(0xffff)), 0x7f);
    // The upper byte belongs to the upper lane.
    assert_eq!(convert("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2", &[0x3838, 0x807f]), 0x4000_3f80);
}

/// Checks elements of 16 bits with every scale. A subnormal element is a zero.
#[test]
fn one_scale_divides_what_is_not_subnormal() {
    for (modifiers, to) in [
        (".satfinite", "e4m3x2"),
        (".satfinite", "e2m1x2"),
        (".satfinite.pzo", "e5m2x2"),
        ("", "ue5m3x2"),
        (".satfinite", "ue5m3x2"),
    ] {
        for from in ["f16x2", "bf16x2"] {
            let spelling = format!("cvt.rn{modifiers}.scaled::n1::ue8m0.{to}.{from}");
            for x in (0..=0xffff).step_by(61) {
                for scale in 0..=0xff {
                    lane_with(&spelling, x, Some(scale));
                }
            }
        }
    }
    let down = "cvt.rz.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2";
    // 2⁻¹⁴, the smallest normal number, and the number below it, over 2⁻¹⁴.
    assert_eq!([0x0400, 0x03ff, 0x83ff].map(|x| lane_with(down, x, Some(113))), [0x38, 0, 0x80]);
    assert_eq!(lane_with(down, 0x3c00, Some(0xff)), 0x7f);
    assert_eq!(lane_with("cvt.rn.satfinite.pzo.scaled::n1::ue8m0.e4m3x2.f16x2", 0x83ff, Some(113)), 0);
    // One scale serves both lanes, and a register's other bits are none of a byte's.
    assert_eq!(convert("cvt.rn.scaled::n1::ue8m0.ue5m3x2.bf16x2", &[0xc000_3f80, 0x80]), 0x7870);
}

/// Counts, over all values of the random bits, those that move a number: they are its discarded
/// fraction.
#[test]
fn random_bits_move_a_value_as_often_as_its_fraction() {
    let mut rng = Rng::from_env(7);
    for (ty, precision, bits) in
        [("f16x2", 11, 13), ("bf16x2", 8, 16), ("e4m3x4", 4, 16), ("e3m2x4", 3, 16), ("e2m1x4", 2, 16)]
    {
        let spelling = format!("cvt.rs.satfinite.{ty}.f32");
        let (form, cvt) = (form(&spelling), Cvt::parse(&spelling).unwrap());
        let list = operands::list(&cvt);
        // The last operand reads the lower bits in order.
        let results = |x: u64, exactly: bool| -> Vec<u64> {
            let mut operands = vec![x; cvt.operands()];
            let last = operands.len() - 1;
            let all = (0..1_u64 << bits).map(|number| {
                operands[last] = if ty == "e2m1x4" { (number & 0xff00) << 8 | number & 0xff } else { number };
                let got = form.run.call(&operands).expect("the form's operands");
                // The oracle is slow, so it runs on some numbers and on both ends.
                if exactly && (number % 97 == 0 || number < 2 || number + 2 >= 1 << bits) {
                    let want = oracle::cvt::eval(exact::lane, &cvt, &operands);
                    assert_eq!(Some(got), want, "{spelling} {operands:x?}");
                }
                got & (u64::MAX >> (64 - cvt.to.num.place()))
            });
            all.collect()
        };
        for i in 0..24 {
            let x = if i == 0 { f32(0.0) } else { operands::lane(&cvt, list, &mut rng) };
            let results = results(x, true);
            assert!(results.windows(2).filter(|w| w[0] != w[1]).count() <= 1, "one threshold, {spelling} of {x:#x}");
        }
        // 1 plus a quarter of a step is moved by a quarter of the numbers.
        let quarter = f32(1.0) + (1 << 23 >> (precision - 1) >> 2);
        let one = results(f32(1.0), false);
        assert!(one.iter().all(|d| *d == one[0]), "an exact value stays");
        let moved = results(quarter, false).iter().filter(|d| **d != one[0]).count();
        assert_eq!(moved, 1 << (bits - 2), "{spelling}");
    }
}

/// Checks the fields of the random bits: with four lanes, the first operand of each pair reads its
/// field in reverse.
#[test]
fn random_bits_come_from_the_published_fields() {
    let numbers = |random: &[Random]| random.iter().map(|r| (r.number, r.bits)).collect::<Vec<_>>();
    assert_eq!(numbers(&sem::random_pair::<format::Binary16>(0xfabc_dfff)), [(0x1abc, 13), (0x1fff, 13)]);
    assert_eq!(numbers(&sem::random_pair::<format::BFloat16>(0xfabc_d123)), [(0xfabc, 16), (0xd123, 16)]);
    let quad = [(0x0001, 16), (0x8000, 16), (0x6000, 16), (0x0006, 16)];
    assert_eq!(numbers(&sem::random_quad::<format::Float8E4M3>(0x8000_0006)), quad);
    assert_eq!(
        numbers(&sem::random_quad::<format::Float4E2M1>(0x8000_0006)),
        [(0x0001, 16), (0x8000, 16), (0x6000, 16), (0x0006, 16)]
    );
    assert_eq!(numbers(&sem::random_quad::<format::Float4E2M1>(0x0100_8000))[1], (0x0180, 16));
}

/// Checks NVIDIA's published results, of a B200.
#[test]
fn published_vectors_of_random_bits() {
    let four = [0xC115_24CF, 0xC12E_8581, 0xC128_149B, 0x40E8_90D4];
    for (spelling, [a, b, e, f], rbits, want) in [
        ("cvt.rs.satfinite.e4m3x4.f32", four, 0xE6EF_EB14, 0xD2D3_D24F),
        ("cvt.rs.satfinite.e5m2x4.f32", four, 0xE6EF_EB14, 0xC9CA_C948),
        ("cvt.rs.relu.satfinite.e2m1x4.f32", [0x418B_C195, 0x4045_4C33, 0xC162_0DB2, 0x4085_A86A], 0x9D78_D8DF, 0x7506),
        ("cvt.rs.satfinite.e4m3x4.f32", [0x3F87_F000, 0xBF87_F000, 0x3F88_0000, 0xBF88_0000], 0x908A_7DA8, 0x38B9_38B8),
        ("cvt.rs.relu.satfinite.e2m1x4.f32", [0x3F8F_E000, 0xBF8F_E000, 0x3F90_0000, 0xBF90_0000], 0x9F40_2FE0, 0x3020),
    ] {
        assert_eq!(convert(spelling, &[a, b, e, f, rbits]), want, "{spelling}");
    }
}

#[test]
fn the_first_operand_is_the_upper_lane_and_unused_bits_are_not_read() {
    assert_eq!(convert("cvt.rn.satfinite.e4m3x2.f32", &[f32(1.0), f32(2.0)]), 0x3840);
    assert_eq!(convert("cvt.rn.satfinite.e2m1x2.f32", &[f32(1.0), f32(2.0)]), 0x24);
    assert_eq!(convert("cvt.rn.satfinite.e2m3x2.f32", &[f32(1.0), f32(2.0)]), 0x0810);
    assert_eq!(convert("cvt.rn.satfinite.e4m3x2.f16x2", &[0x3c00_4000]), 0x3840);
    assert_eq!(form("cvt.rn.f16x2.e2m3x2").run.call(&[0xc8d0]), Some(0x3c00_4000));
    assert_eq!(form("cvt.rn.f16x2.e2m3x2").by_meaning(&[0xc8d0]), Some(0x3c00_4000));
}
