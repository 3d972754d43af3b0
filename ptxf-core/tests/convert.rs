//! The meaning of conversions against oracles that share nothing with it.

use meaning::cvt;
use ptxf_core::sem::{self, Random, Rounding};
use ptxf_core::{Modifiers, Round, format};
use testutil::cvt::{By, Cvt, Extra, apfloat, eval, exact, operands};
use testutil::{Rnd, Rng};

/// All spellings of a grammar line, where `{x|y}` is a choice; an empty one may be among them.
fn spellings(line: &str) -> Vec<String> {
    let Some((before, rest)) = line.split_once('{') else { return vec![line.into()] };
    let (choices, after) = rest.split_once('}').expect("a closing brace");
    choices.split('|').flat_map(|choice| spellings(&format!("{before}{choice}{after}"))).collect()
}

const INTEGERS: [&str; 6] = [
    "cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{u8|u16|u32|u64|s8|s16|s32|s64}.f32",
    "cvt.{rni|rzi|rmi|rpi}{|.sat}.{u8|u16|u32|u64|s8|s16|s32|s64}.{f16|f64}",
    "cvt.{rni|rzi|rmi|rpi}.{u8|u16|u32|u64|s8|s16|s32|s64}.bf16",
    "cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32.{u8|u16|u32|u64|s8|s16|s32|s64}",
    "cvt.{rn|rz|rm|rp}{|.sat}.{f16|f64}.{u8|u16|u32|u64|s8|s16|s32|s64}",
    "cvt.{rn|rz|rm|rp}.bf16.{u8|u16|u32|u64|s8|s16|s32|s64}",
];

const FLOATS: [&str; 16] = [
    "cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.{f16|bf16}.f32",
    "cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32.f64",
    "cvt.{rn|rz|rm|rp}{|.sat}.f16.f64",
    "cvt.{rn|rz|rm|rp}.bf16.{f16|f64}",
    "cvt.{rn|rz|rm|rp}.f16.bf16",
    "cvt{|.ftz}{|.sat}.f32.f16",
    "cvt{|.ftz}.f32.bf16",
    "cvt{|.ftz}{|.sat}.f64.f32",
    "cvt{|.sat}.f64.f16",
    "cvt.f64.bf16",
    "cvt{|.rni|.rzi|.rmi|.rpi}{|.ftz}{|.sat}.f32.f32",
    "cvt{|.rni|.rzi|.rmi|.rpi}{|.sat}.{f16.f16|f64.f64}",
    "cvt{|.rni|.rzi|.rmi|.rpi}.bf16.bf16",
    "cvt.{rn|rz}{|.relu}{|.satfinite}.{f16|f16x2|bf16|bf16x2}.f32",
    "cvt.rna{|.satfinite}.tf32.f32",
    "cvt.{rn|rz}{|.satfinite}{|.relu}.tf32.f32",
];

const NARROW: [&str; 8] = [
    "cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2}.{f32|f16x2|bf16x2}",
    "cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2}",
    "cvt.rn{|.relu}{|.satfinite}{|.scaled::n2::ue8m0}.bf16x2.{e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2}",
    "cvt.{rz|rp}{|.satfinite}.ue8m0x2.{f32|bf16x2}",
    "cvt.rn.bf16x2.ue8m0x2",
    "cvt.rn.satfinite{|.relu}{|.scaled::n2::ue8m0}.s2f6x2.{f32|bf16x2}",
    "cvt.rn{|.satfinite}{|.relu}{|.scaled::n2::ue8m0}.bf16x2.s2f6x2",
    "cvt.rs{|.relu}{.satfinite.e4m3x4|.satfinite.e5m2x4|.satfinite.e2m3x4|.satfinite.e3m2x4|.satfinite.e2m1x4|.f16x2|.satfinite.f16x2|.bf16x2|.satfinite.bf16x2}.f32",
];

/// The meaning of one lane.
fn meant(form: &Cvt, x: u64, extra: Extra) -> Option<u64> {
    let rnd = |rnd| match rnd {
        Rnd::Rn => Round::Rn,
        Rnd::Rz => Round::Rz,
        Rnd::Rm => Round::Rm,
        Rnd::Rp => Round::Rp,
    };
    let (by, integral) = match (form.by, extra.random) {
        (By::To(r), _) => (Rounding::To(rnd(r)), false),
        (By::Integer(r), _) => (Rounding::To(rnd(r)), true),
        (By::Random, Some((number, bits))) => (Rounding::Stochastic(Random { number: number as u32, bits }), false),
        (By::Away, _) => (Rounding::Away, false),
        (By::Unsaid | By::Random, _) => (Rounding::To(Round::Rn), false),
    };
    let rnd = if let Rounding::To(rnd) = by { rnd } else { Round::Rn };
    let Cvt { ftz, sat, relu, satfinite, .. } = *form;
    let m = Modifiers { rnd, ftz, sat, relu, satfinite, integral, ..Modifiers::PLAIN };
    Some(cvt(&form.to.num.to_string(), &form.from.num.to_string(), m, by, extra.scale, x))
}

#[track_caller]
fn check(form: &Cvt, operands: &[u64], exactly: bool) {
    let got = eval(meant, form, operands).unwrap();
    let fast = eval(apfloat::lane, form, operands);
    let slow = (exactly || fast.is_none()).then(|| eval(exact::lane, form, operands).unwrap());
    assert!(
        fast.is_none_or(|want| want == got) && slow.is_none_or(|want| want == got),
        "{form} of {operands:#x?} is {got:#x}, want {fast:#x?} {slow:#x?}"
    );
}

fn verify(lines: &[&str]) {
    let mut rng = Rng::from_env(0x9_7_9);
    for line in lines {
        let mut compared = 0;
        for spelling in spellings(line) {
            let form = Cvt::parse(&spelling).unwrap();
            let width = form.from.bits();
            if width <= 16 && form.operands() == 1 {
                (0..1 << width).for_each(|x| check(&form, &[x], x % 61 == 0));
                compared += 1 << width;
            }
            for i in 0..3000 {
                check(&form, &operands::registers(&form, &mut rng), i % 10 == 0);
            }
            compared += 3000;
        }
        println!("{line}: {compared}");
    }
}

#[test]
fn integers_are_what_the_oracles_say() {
    verify(&INTEGERS);
}

#[test]
fn floats_are_what_the_oracles_say() {
    verify(&FLOATS);
}

#[test]
fn narrow_formats_are_what_the_oracles_say() {
    verify(&NARROW);
}

/// One lane of a conversion without scale and random bits, checked against the oracles.
#[track_caller]
fn lane(spelling: &str, x: u64) -> u64 {
    let form = Cvt::parse(spelling).unwrap();
    let got = meant(&form, x, Extra::default()).unwrap();
    for oracle in [apfloat::lane, exact::lane] {
        assert!(oracle(&form, x, Extra::default()).is_none_or(|want| want == got), "{spelling} of {x:#x}");
    }
    got
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
    // The grid is coarser than the smallest numbers, too.
    assert_eq!(lane("cvt.rna.tf32.f32", 0x0fff), 0);
    assert_eq!(lane("cvt.rna.tf32.f32", 0x1000), 0x2000);
    assert_eq!(lane("cvt.rn.tf32.f32", 0x1000), 0);
}

/// Where `ml_dtypes` has other results: it overflows, and keeps a NaN's sign.
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

/// All pairs of an element and a scale.
#[test]
fn scales_multiply_up_and_divide_down_before_the_one_rounding() {
    for to in ["", ".satfinite"] {
        for ty in ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "s2f6"] {
            let form = Cvt::parse(&format!("cvt.rn{to}.scaled::n2::ue8m0.bf16x2.{ty}x2")).unwrap();
            for pair in 0..=0xffff_u64 & form.from.num.mask() << 8 | 0xff {
                let extra = Extra { scale: Some(pair as u8), random: None };
                let x = pair >> 8;
                assert_eq!(meant(&form, x, extra), apfloat::lane(&form, x, extra), "{form} {pair:#x}");
                assert_eq!(meant(&form, x, extra), exact::lane(&form, x, extra), "{form} {pair:#x}");
                if pair as u8 == 0xff {
                    assert_eq!(meant(&form, x, extra), Some(0x7fff));
                }
            }
        }
    }
    let down = Cvt::parse("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32").unwrap();
    let extra = |scale| Extra { scale: Some(scale), random: None };
    assert_eq!(meant(&down, f32(3.0), extra(0x80)), Some(0x60));
    assert_eq!(meant(&down, f32(-3.0), extra(0xff)), Some(0x7f));
}

/// For every number of random bits there is, as many of them move a value as its discarded fraction says.
#[test]
fn random_bits_move_a_value_as_often_as_its_fraction() {
    let mut rng = Rng::from_env(7);
    for (ty, lanes, bits) in [("f16", 2, 13), ("bf16", 2, 16), ("e4m3", 4, 16), ("e3m2", 4, 16), ("e2m1", 4, 16)] {
        let form = Cvt::parse(&format!("cvt.rs.satfinite.{ty}x{lanes}.f32")).unwrap();
        let list = operands::list(&form);
        for i in 0..24 {
            let x = if i == 0 { f32(0.0) } else { operands::lane(&form, list, &mut rng) };
            let all = (0..1 << bits).map(|number| {
                let extra = Extra { scale: None, random: Some((number, bits)) };
                let got = meant(&form, x, extra);
                // The oracle is slow: some of them, and the ends.
                if number % 97 == 0 || number < 2 || number + 2 >= 1 << bits {
                    assert_eq!(got, exact::lane(&form, x, extra), "{form} of {x:#x} with {number:#x}");
                }
                got.unwrap()
            });
            let results: Vec<u64> = all.collect();
            let moved = results.iter().filter(|d| **d != results[0]).count();
            assert!(results.windows(2).filter(|w| w[0] != w[1]).count() <= 1, "a threshold, {form} of {x:#x}");
            assert!(moved < 1 << bits, "{form} of {x:#x}");
        }
        // 1 and a quarter of a step: a quarter of the numbers.
        let quarter = f32(1.0) + (1 << 23 >> (precision(ty) - 1) >> 2);
        let up = (0..1 << bits).filter(|&number| {
            let extra = Extra { scale: None, random: Some((number, bits)) };
            meant(&form, quarter, extra) != meant(&form, f32(1.0), extra)
        });
        assert_eq!(up.count(), 1 << (bits - 2), "{form}");
    }
}

/// Significant bits of a narrow format.
fn precision(ty: &str) -> u32 {
    match ty {
        "f16" => 11,
        "bf16" => 8,
        "e4m3" => 4,
        "e3m2" => 3,
        _ => 2,
    }
}

/// The fields of the random bits: the first operand of a pair of four reads its field from the other end.
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
